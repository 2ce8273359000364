'use client';

import { useRefresh } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';

/** After a change: shows what the page is now, and says what was done, or why it was not. */
export function useFinish(): (text: string, kind?: 'failed') => Promise<void> {
  const refresh = useRefresh();
  return async (text, kind) => {
    await refresh();
    showToast(text, kind);
  };
}
