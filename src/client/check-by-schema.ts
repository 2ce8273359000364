import type { $ZodIssue, $ZodType } from 'zod/v4/core';
import type { FieldErrors } from './api-form.tsx';

type FormSchema = $ZodType & {
  safeParse(input: unknown): { success: boolean; error?: { issues: readonly $ZodIssue[] } };
};

/** Validates a form by its route's schema, loaded on first use; without it, the server decides. */
export function checkBySchema(load: () => Promise<FormSchema>) {
  return async function check(values: Record<string, unknown>): Promise<FieldErrors> {
    const schema = await loadOrLeave(load);
    const errors: FieldErrors = {};
    for (const issue of schema?.safeParse(values).error?.issues ?? []) {
      errors[String(issue.path[0])] ??= issue.message;
    }
    return errors;
  };
}

/** Waku's storage key for the build that it reloaded the page for after a missing script. */
const reloadedForKey = 'waku:preload-error-build-id';

const loads = { pending: 0 };

/** Loads without that reload, which would lose what was typed; null if loading fails. */
export async function loadOrLeave<Script>(load: () => Promise<Script>): Promise<Script | null> {
  loads.pending += 1;
  store((storage) => storage.setItem(reloadedForKey, import.meta.env['WAKU_BUILD_ID'] ?? ''));
  try {
    return await load();
  } catch {
    return null;
  } finally {
    loads.pending -= 1;
    // Not before the last of several, which may fail too.
    if (loads.pending === 0) {
      store((storage) => storage.removeItem(reloadedForKey));
    }
  }
}

/** Without session storage, Waku does not reload. */
function store(write: (storage: Storage) => void): void {
  try {
    write(window.sessionStorage);
  } catch {
    // It is disabled or full.
  }
}
