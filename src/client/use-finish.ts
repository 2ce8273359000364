'use client';

import { useRefresh } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';
import type { ApiPath, InputOf } from './api-routes.ts';
import { callApi } from './call-api.ts';
import { reportFailure } from './failures.ts';

/** The button of a toast that takes back what it says, by one request, and what is said then. */
export type Undo = { label: string; done: string } & (
  | { path: ApiPath<'POST'> }
  | { path: ApiPath<'PATCH'>; input: InputOf<ApiPath<'PATCH'>, 'PATCH'> }
);

/** After a change: shows what the page is now, and says what was done, or why it was not. */
export function useFinish(): (text: string, how?: 'failed' | Undo) => Promise<void> {
  const refresh = useRefresh();
  const say = useToast();
  return async (text, how) => {
    await refresh();
    say(text, how);
  };
}

/** Says what was done, and takes it back on demand. */
export function useToast(): (text: string, how?: 'failed' | Undo) => void {
  const refresh = useRefresh();

  async function takeBack(undo: Undo): Promise<void> {
    const result =
      'input' in undo
        ? await callApi(undo.path, { method: 'PATCH', input: undo.input })
        : await callApi(undo.path);
    if (result.ok) {
      await refresh();
      showToast(undo.done);
    } else {
      reportFailure(result, () => takeBack(undo));
    }
  }

  return (text, how) =>
    typeof how === 'object'
      ? showToast(text, 'done', { label: how.label, run: () => void takeBack(how) })
      : showToast(text, how);
}
