import type { $ZodIssue, $ZodType } from 'zod/v4/core';
import type { FieldErrors } from './api-form.tsx';

type FormSchema = $ZodType & {
  safeParse(input: unknown): { success: boolean; error?: { issues: readonly $ZodIssue[] } };
};

/**
 * Looks at a form with the route's own schema, which is loaded when it is first needed and not with the page. Where it cannot be
 * had, the server alone looks.
 */
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

/** Where Waku writes down the build that it has loaded the whole page anew for, which it does once when a script is missing. */
const reloadedForKey = 'waku:preload-error-build-id';

/** Loads without that, or gives null: what was typed would go with the page. */
export async function loadOrLeave<Script>(load: () => Promise<Script>): Promise<Script | null> {
  try {
    window.sessionStorage.setItem(reloadedForKey, import.meta.env['WAKU_BUILD_ID'] ?? '');
  } catch {
    // Where nothing can be stored, Waku leaves the page alone.
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
