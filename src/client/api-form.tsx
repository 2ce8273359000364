'use client';

import {
  type ChangeEvent,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useActionState,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { FormMessages } from '#i18n/validation.ts';
import { FormContext } from '#ui/form.tsx';
import type { ValidationCode } from '#vocabulary.ts';
import type { ApiPath, InputOf, MethodOf, OutputOf, Taken } from './api-routes.ts';
import { type ApiFailure, callApi } from './call-api.ts';
import { problemOf, reportFailure } from './failures.ts';

export type Values = Record<string, string>;

/** What was sent last, and the key that its retries repeat. */
type Attempt = { content: string; key: string };

/** The first error of each field: a validation code, or a message of the server. */
export type FormErrors = Record<string, string>;

type State =
  | { status: 'idle' }
  | { status: 'done'; values: Values }
  | {
      status: 'failed';
      /** The submitted values, to fill the fields again. */
      values: Values;
      fieldErrors: FormErrors;
      /** The error of the form as a whole; null if the fields or the error dialog show it. */
      problem: string | null;
      code: string | null;
      /** The failure that the error dialog shows. */
      report?: ApiFailure;
    };

/** Where errors are shown, and in which words, if not as in other forms. */
type ErrorOptions = {
  /**
   * Where to show failures of no field: above the fields, or in the `FormProblem` among them;
   * otherwise in the error dialog, with a retry.
   */
  show?: 'form' | 'line';
  /** The fields that show failures with these codes. */
  fields?: Record<string, string>;
  /** Additions to the server's messages, by error code. */
  notes?: Record<string, ReactNode>;
  /** A code for a message above the fields, shown if one of them is empty. */
  empty?: ValidationCode;
  /** A code for the message if the server rejects the form without naming a field. */
  invalid?: ValidationCode;
};

export type ApiFormProps<Path extends ApiPath, Method extends MethodOf<Path>> = {
  path: Path & Taken<Method>;
  /** POST by default. */
  method?: Method;
  messages: FormMessages;
  /** Validates before the request. The server validates again, so it may also return no errors. */
  check?: (values: Values) => Promise<FormErrors>;
  /** Asked before the request; gets the value of the button. If false, nothing is sent. */
  mayStart?: (button: string | null) => Promise<boolean>;
  /** Codes of failures that are shown above the fields, because a retry would not help. */
  refusals?: readonly string[];
  errors?: ErrorOptions;
  /** What the fields hold at first, by their names; otherwise their default values. */
  initialValues?: Values;
  /** Returns true if it has handled the failure; otherwise the form shows it. */
  onFailure?: (failure: ApiFailure, values: Values) => boolean;
  /** Called on success. The form stays disabled until it is done, or while the page is left. */
  onDone: (
    data: OutputOf<Path, Method>,
    values: Values,
  ) => void | 'leaving' | Promise<void> | Promise<'leaving' | undefined>;
  /** Makes the request body of the values; by default, all of them. */
  toInput?: (values: Values) => InputOf<Path, Method>;
  children: ReactNode;
};

/**
 * A form that is sent to the API, validated first in the browser with the route's own schema. It
 * can be submitted before hydration and never loses what was typed. Its fields read `FormContext`.
 */
export function ApiForm<
  Path extends ApiPath,
  Method extends MethodOf<Path> = MethodOf<Path> & 'POST',
>(props: ApiFormProps<Path, Method>) {
  const { messages, errors = {} } = props;
  const method = props.method ?? 'POST';
  const formRef = useRef<HTMLFormElement>(null);
  const submitterRef = useRef<HTMLElement | null>(null);
  const focusedRef = useRef<HTMLElement | null>(null);
  const attemptRef = useRef<Attempt>(null);
  const [state, action, isPending] = useActionState(submit, { status: 'idle' });
  const [submittedBy, setSubmittedBy] = useState<string | null>(null);
  // Fields changed since the last submit: their errors are outdated.
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());

  async function submit(previous: State, form: FormData): Promise<State> {
    // Not in `onSubmit`, which a submit from before hydration skips.
    focusedRef.current = document.activeElement as HTMLElement | null;
    // A second click, queued after the first, must not create a second item.
    if (previous.status === 'done' && method === 'POST') {
      return previous;
    }
    const { button = null, ...values } = Object.fromEntries(
      [...form].map(([name, value]) => [name, String(value)]),
    );
    return send(props, values, button, attemptRef);
  }

  useEffect(() => {
    // The disabled form has lost the focus: it goes to the first invalid field, or back.
    if (state.status !== 'idle' && document.activeElement === document.body) {
      const invalid = formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
      (invalid ?? focusedRef.current)?.focus();
    }
    // After the form has the focus, because closing the dialog restores it.
    if (state.status === 'failed' && state.report !== undefined) {
      reportFailure(state.report, () => formRef.current?.requestSubmit(submitterRef.current));
    }
  }, [state]);

  const failed = state.status === 'failed' ? state : null;
  const code = failed?.code ?? '';
  const problem = failed?.problem && (
    <>
      {messages[failed.problem] ?? failed.problem}
      {errors.notes?.[code]}
    </>
  );
  const context = {
    isPending,
    submittedBy,
    problem,
    noteOf: (name: string) => (errors.fields?.[code] === name ? errors.notes?.[code] : null),
    errorOf: (name: string) => {
      const error = changed.has(name) ? undefined : failed?.fieldErrors[name];
      return error && (messages[error] ?? error);
    },
    sentValue: (name: string) =>
      (state.status === 'idle' ? props.initialValues : state.values)?.[name],
  };
  return (
    <form
      ref={formRef}
      action={action}
      noValidate
      data-unsaved={failed !== null || undefined}
      onChange={({ target }: ChangeEvent<HTMLFormElement>) =>
        setChanged(new Set(changed).add(target.name))
      }
      onSubmit={({ nativeEvent }: FormEvent) => {
        // Not in the action, where React would defer the update until it ends.
        const { submitter } = nativeEvent as SubmitEvent;
        submitterRef.current = submitter;
        setSubmittedBy((submitter as HTMLButtonElement | null)?.value || null);
        setChanged(new Set());
      }}
    >
      {errors.show !== 'line' && (
        <div role="alert">{problem && <div className="alert mb-6">{problem}</div>}</div>
      )}
      <FormContext value={context}>
        <fieldset disabled={isPending} className="fields">
          {props.children}
        </fieldset>
      </FormContext>
    </form>
  );
}

/**
 * Checks and sends what was typed. Returns the form's next state.
 *
 * @param button the value of the button that submitted the form
 */
async function send<Path extends ApiPath, Method extends MethodOf<Path>>(
  props: ApiFormProps<Path, Method>,
  values: Values,
  button: string | null,
  attempt: RefObject<Attempt | null>,
): Promise<State> {
  const wrong = (await props.check?.(values)) ?? {};
  if (Object.keys(wrong).length > 0) {
    const isIncomplete = Object.values(values).some((value) => value.trim() === '');
    const problem = (isIncomplete && props.errors?.empty) || null;
    return { status: 'failed', values, fieldErrors: wrong, problem, code: null };
  }
  if (props.mayStart && !(await props.mayStart(button))) {
    return { status: 'failed', values, fieldErrors: {}, problem: null, code: null };
  }
  const { method } = props;
  // Unchecked input: the server validates it with the route's schema.
  const input = props.toInput ? props.toInput(values) : (values as InputOf<Path, Method>);
  const result = await callApi<Path, Method>(props.path, {
    ...(method !== undefined && { method }),
    input,
    ...((method ?? 'POST') === 'POST' && { idempotencyKey: keyOf(input, attempt) }),
  });
  if (result.ok) {
    attempt.current = null;
    const done = props.onDone(result.data, button === null ? values : { ...values, button });
    if ((await done) === 'leaving') {
      await new Promise(() => {});
    }
    return { status: 'done', values: storedValues(values, input, result.data) };
  }
  return { status: 'failed', values, ...describeFailure(props, result, values) };
}

/** Reused for the same input: without an answer, the first request may have succeeded anyway. */
function keyOf(input: unknown, attempt: RefObject<Attempt | null>): string {
  const content = JSON.stringify(input);
  if (attempt.current?.content !== content) {
    attempt.current = { content, key: crypto.randomUUID() };
  }
  return attempt.current.key;
}

/** Where a failure is shown: at its fields, above them, or as a report in the error dialog. */
function describeFailure<Path extends ApiPath, Method extends MethodOf<Path>>(
  props: ApiFormProps<Path, Method>,
  failure: ApiFailure,
  values: Values,
) {
  const fields = Object.entries(failure.body?.fields ?? {}).flatMap(([name, [first]]) =>
    first ? [[name, first] as const] : [],
  );
  const fieldErrors = Object.fromEntries(fields);
  const code = failure.body?.code ?? null;
  if (fields.length > 0) {
    // Errors of fields that the form does not have are shown above the fields.
    const [, elsewhere = null] = fields.find(([name]) => !Object.hasOwn(values, name)) ?? [];
    return { fieldErrors, problem: elsewhere, code };
  }
  if (props.onFailure?.(failure, values)) {
    return { fieldErrors, problem: null, code };
  }
  const { show, fields: fieldsOf, invalid } = props.errors ?? {};
  const field = fieldsOf?.[code ?? ''];
  if (field !== undefined && failure.body !== null) {
    return { fieldErrors: { [field]: failure.body.message }, problem: null, code };
  }
  if (show === undefined && !props.refusals?.includes(code ?? '')) {
    return { fieldErrors, problem: null, code, report: failure };
  }
  const problem = (failure.status === 400 && invalid) || problemOf(failure, props.messages);
  return { fieldErrors, problem, code };
}

/**
 * The values that the fields show after success: those that the server stored. With `toInput`, only
 * those that were sent as they were typed: the others do not look alike.
 */
function storedValues(values: Values, input: unknown, data: unknown): Values {
  const sent = new Map(Object.entries(Object(input)));
  const texts = Object.entries<unknown>(Object(data)).filter(
    (field): field is [string, string] =>
      typeof field[1] === 'string' && field[0] in values && sent.get(field[0]) === values[field[0]],
  );
  return { ...values, ...Object.fromEntries(texts) };
}
