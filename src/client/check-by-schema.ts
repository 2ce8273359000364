import type { $ZodIssue, $ZodType } from 'zod/v4/core';
import type { FieldErrors } from './api-form.tsx';

type FormSchema = $ZodType & {
  safeParse(input: unknown): { success: boolean; error?: { issues: readonly $ZodIssue[] } };
};

/** Validates a form by its route's schema, loaded on first use; without it, the server decides. */
export function checkBySchema(load: () => Promise<FormSchema>) {
  return async function check(values: Record<string, string>): Promise<FieldErrors> {
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

/** Loads without that reload, which would lose what was typed; null if loading fails. */
export async function loadOrLeave<Script>(load: () => Promise<Script>): Promise<Script | null> {
  try {
    window.sessionStorage.setItem(reloadedForKey, import.meta.env['WAKU_BUILD_ID'] ?? '');
  } catch {
    // Without session storage, Waku does not reload.
  }
  return load()
    .catch(() => null)
    .finally(() => {
      try {
        window.sessionStorage.removeItem(reloadedForKey);
      } catch {
        // As above.
      }
    });
}
