import type { $ZodIssue, $ZodType } from 'zod/v4/core';
import type { FormErrors } from './api-form.tsx';

type FormSchema = $ZodType & {
  safeParse(input: unknown): { success: boolean; error?: { issues: readonly $ZodIssue[] } };
};

/** Validates a form by its route's schema, loaded on first use; without it, the server decides. */
export function checkBySchema(load: () => Promise<FormSchema>) {
  return async function check(values: Record<string, unknown>): Promise<FormErrors> {
    const schema = await load().catch(() => null);
    const errors: FormErrors = {};
    for (const issue of schema?.safeParse(values).error?.issues ?? []) {
      errors[String(issue.path[0])] ??= issue.message;
    }
    return errors;
  };
}
