'use client';

import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { type ChangeEvent, useActionState, useEffect, useRef, useState } from 'react';
import type { $ZodIssue, $ZodType } from 'zod/v4/core';
import { isValidationCode, type ValidationCode, validationMessages } from '#i18n/validation.ts';
import { type ApiFailure, postJson, problemOf, say } from './client.ts';
import type { ErrorBody } from './error-body.ts';

type FormState<Data> =
  | { status: 'idle' }
  | { status: 'done'; values: Record<string, string>; data: Data }
  | {
      status: 'failed';
      /** What was sent, to fill the fields with again. */
      values: Record<string, string>;
      /** The first thing wrong with each field: a code of ours, or words of the server. */
      fieldErrors: Record<string, string>;
      /** What is wrong with the whole; null when the fields say it all. */
      problem: MessageDescriptor | string | null;
      code: string | null;
    };

type FormProblems = {
  /** Said of the whole form, besides the messages at the fields, when a field is empty. */
  emptyProblem?: ValidationCode;
  /** Said when the server finds the form wrong and names no field. */
  invalidProblem?: ValidationCode;
};

/** A form schema of zod/mini. */
type FormSchema = $ZodType & {
  safeParse(input: unknown): { success: boolean; error?: { issues: readonly $ZodIssue[] } };
};

/**
 * A form that is sent to the API: checked here first by the route's own schema, then there. It can be submitted before the
 * page's scripts are ready, and keeps what was typed whatever happens.
 *
 * @param path one of `apiPaths`
 */
export function useApiForm<Data>(
  schema: FormSchema,
  path: `/api/${string}`,
  { emptyProblem, invalidProblem }: FormProblems = {},
) {
  const { i18n } = useLingui();
  const formRef = useRef<HTMLFormElement>(null);
  const attemptRef = useRef<{ content: string; key: string }>(null);
  const [state, action, isPending] = useActionState(submit, { status: 'idle' });
  // Fields that were changed since: what was said about them no longer holds.
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());

  /** The same as before when the same is sent again, because no answer came: it may have got through the first time. */
  function keyOf(values: Record<string, string>): string {
    const content = JSON.stringify(values);
    if (attemptRef.current?.content !== content) {
      attemptRef.current = { content, key: crypto.randomUUID() };
    }
    return attemptRef.current.key;
  }

  async function submit(previous: FormState<Data>, form: FormData): Promise<FormState<Data>> {
    // A second click, queued behind the first, which has gone through.
    if (previous.status === 'done') {
      return previous;
    }
    setChanged(new Set());
    const values = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
    const checked = schema.safeParse(values);
    if (!checked.success) {
      const isIncomplete = Object.values(values).some((value) => value.trim() === '');
      return {
        status: 'failed',
        values,
        fieldErrors: firstErrors(checked.error?.issues ?? []),
        problem: isIncomplete && emptyProblem ? validationMessages[emptyProblem] : null,
        code: null,
      };
    }
    const result = await postJson<Data>(path, values, keyOf(values));
    if (result.ok) {
      attemptRef.current = null;
    }
    return result.ok
      ? { status: 'done', values, data: result.data }
      : { status: 'failed', values, ...whatFailed(result, values, invalidProblem) };
  }

  useEffect(() => {
    // Disabled on its way, the form has lost the focus: it goes where there is something to do.
    if (state.status === 'failed') {
      formRef.current
        ?.querySelector<HTMLElement>('[aria-invalid="true"], [type="submit"]')
        ?.focus();
    }
  }, [state]);

  const failed = state.status === 'failed' ? state : null;
  const sayOrLookUp = (text: MessageDescriptor | string) =>
    say(i18n, typeof text === 'string' && isValidationCode(text) ? validationMessages[text] : text);
  return {
    /** For the form element. */
    props: {
      ref: formRef,
      action,
      onChange: ({ target }: ChangeEvent<HTMLFormElement>) =>
        setChanged(new Set(changed).add(target.name)),
    },
    isPending,
    /** The answer, once the form went through. */
    data: state.status === 'done' ? state.data : null,
    /** What the person is to be told of the form as a whole. */
    problem: failed?.problem ? sayOrLookUp(failed.problem) : null,
    /** The error code of the API, when it gave one. */
    code: failed?.code ?? null,
    /** What a field begins with, and what is wrong with it. */
    field: (name: string) => {
      const error = changed.has(name) ? undefined : failed?.fieldErrors[name];
      const defaultValue = state.status === 'idle' ? undefined : state.values[name];
      return { defaultValue, error: error && sayOrLookUp(error) };
    },
  };
}

function firstErrors(issues: readonly $ZodIssue[]): Record<string, string> {
  const byField = new Map<string, string>();
  for (const issue of issues) {
    const field = String(issue.path[0]);
    if (!byField.has(field)) {
      byField.set(field, issue.message);
    }
  }
  return Object.fromEntries(byField);
}

function whatFailed(
  failure: ApiFailure,
  values: Record<string, string>,
  invalidProblem: ValidationCode | undefined,
) {
  const fieldErrors = firstMessages(failure.body);
  const names = Object.keys(fieldErrors);
  // What the form has no field for is said of the whole.
  const elsewhere = names.find((name) => !Object.hasOwn(values, name));
  return {
    fieldErrors,
    problem:
      names.length > 0
        ? ((elsewhere && fieldErrors[elsewhere]) ?? null)
        : (failure.status === 400 && invalidProblem) || problemOf(failure),
    code: failure.body?.code ?? null,
  };
}

function firstMessages(body: ErrorBody | null): Record<string, string> {
  const fields = Object.entries(body?.fields ?? {});
  return Object.fromEntries(fields.flatMap(([name, [first]]) => (first ? [[name, first]] : [])));
}
