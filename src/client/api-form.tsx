'use client';

import {
  type ChangeEvent,
  type FormEvent,
  type ReactNode,
  useActionState,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { FormMessages } from '#i18n/validation.ts';
import { FormContext } from '#ui/form.tsx';
import type { ValidationCode } from '#vocabulary.ts';
import type { ApiMethod, ApiPath, InputOf, MethodOf, OutputOf, Taken } from './api-routes.ts';
import { type ApiFailure, callApi } from './call-api.ts';
import { reportFailure } from './failures.ts';

type Values = Record<string, string>;

/** The first thing wrong with each field: a code of ours, or words of the server. Empty when all is well. */
export type FieldErrors = Record<string, string>;

type State =
  | { status: 'idle' }
  | { status: 'done'; values: Values }
  | {
      status: 'failed';
      /** What was sent, to fill the fields with again. */
      values: Values;
      fieldErrors: FieldErrors;
      /** What is wrong with the whole, as with a field; null when the fields or the error dialog say it. */
      problem: string | null;
      code: string | null;
      /** What the error dialog is to say. */
      report?: ApiFailure;
    };

type ApiFormProps<Path extends ApiPath, Method extends MethodOf<Path>> = {
  path: Path & Taken<Method>;
  /** POST where it is not given. */
  method?: Method;
  messages: FormMessages;
  /** What can be said before anything is sent. The server looks again, so that it may also say nothing. */
  check?: (values: Values) => Promise<FieldErrors>;
  /** The code of what is said of the whole form besides the messages at its fields, when one is empty. */
  emptyProblem?: ValidationCode | undefined;
  /** The code of what is said when the server finds the form wrong and names no field. */
  invalidProblem?: ValidationCode | undefined;
  /** Where failures that belong to no field are shown: above the fields, or in the error dialog with a way to repeat the request. */
  failuresIn: 'form' | 'dialog';
  /** Words that go with those of the server, by its code. */
  notes?: Record<string, ReactNode>;
  /** Deals with a failure in its own way and says so, or leaves it to the form. */
  onFailure?: (failure: ApiFailure) => boolean;
  /** The form stays disabled until its promise is settled. */
  onDone: (data: OutputOf<Path, Method>, values: Values) => void | Promise<void>;
  /** What of the values is sent; all of them by default. */
  toInput?: (values: Values) => unknown;
  children: ReactNode;
};

/**
 * A form that is sent to the API: checked here first by the route's own schema, then there. It can be submitted before the
 * page's scripts are ready, and keeps what was typed whatever happens. The fields inside know of it by `FormContext`.
 */
export function ApiForm<
  Path extends ApiPath,
  Method extends MethodOf<Path> = MethodOf<Path> & 'POST',
>(props: ApiFormProps<Path, Method>) {
  const { path, messages, failuresIn } = props;
  const method: ApiMethod = props.method ?? 'POST';
  const formRef = useRef<HTMLFormElement>(null);
  const submitterRef = useRef<HTMLElement | null>(null);
  const attemptRef = useRef<{ content: string; key: string }>(null);
  const [state, action, isPending] = useActionState(submit, { status: 'idle' });
  const [submittedBy, setSubmittedBy] = useState<string | null>(null);
  // Fields that were changed since: what was said about them no longer holds.
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());

  /** The same as before when the same is sent again, because no answer came: it may have got through the first time. */
  function keyOf(input: unknown): string {
    const content = JSON.stringify(input);
    if (attemptRef.current?.content !== content) {
      attemptRef.current = { content, key: crypto.randomUUID() };
    }
    return attemptRef.current.key;
  }

  async function submit(previous: State, form: FormData): Promise<State> {
    // A second click, queued behind the first, which has gone through and must not make a second thing.
    if (previous.status === 'done' && method === 'POST') {
      return previous;
    }
    const { button = null, ...values } = Object.fromEntries(
      [...form].map(([name, value]) => [name, String(value)]),
    );
    const wrong = (await props.check?.(values)) ?? {};
    if (Object.keys(wrong).length > 0) {
      const isIncomplete = Object.values(values).some((value) => value.trim() === '');
      const problem = (isIncomplete && props.emptyProblem) || null;
      return { status: 'failed', values, fieldErrors: wrong, problem, code: null };
    }
    const input = props.toInput ? props.toInput(values) : values;
    const result = await callApi<Path, Method>(path, {
      // The default of both.
      method: method as Method,
      // What people typed: the server holds it against the schema of the route.
      input: input as InputOf<Path, Method>,
      ...(method === 'POST' && { idempotencyKey: keyOf(input) }),
    });
    if (result.ok) {
      attemptRef.current = null;
      await props.onDone(result.data, button === null ? values : { ...values, button });
      return { status: 'done', values: asKept(values, result.data) };
    }
    return { status: 'failed', values, ...whatFailed(result, values) };
  }

  function whatFailed(failure: ApiFailure, values: Values) {
    const fields = Object.entries(failure.body?.fields ?? {}).flatMap(([name, [first]]) =>
      first ? [[name, first] as const] : [],
    );
    const fieldErrors = Object.fromEntries(fields);
    const code = failure.body?.code ?? null;
    if (fields.length > 0) {
      // What the form has no field for is said of the whole.
      const [, elsewhere = null] = fields.find(([name]) => !Object.hasOwn(values, name)) ?? [];
      return { fieldErrors, problem: elsewhere, code };
    }
    if (props.onFailure?.(failure)) {
      return { fieldErrors, problem: null, code };
    }
    if (failuresIn === 'dialog') {
      return { fieldErrors, problem: null, code, report: failure };
    }
    const ours = failure.status === null ? 'connectionLost' : 'internal';
    const problem =
      (failure.status === 400 && props.invalidProblem) || failure.body?.message || ours;
    return { fieldErrors, problem, code };
  }

  useEffect(() => {
    // Disabled on its way, the form has lost the focus: it goes where there is something to do.
    if (state.status === 'failed' && document.activeElement === document.body) {
      formRef.current
        ?.querySelector<HTMLElement>('[aria-invalid="true"], [type="submit"]')
        ?.focus();
    }
    // After the form has the focus, because that is where the dialog gives it back to.
    if (state.status === 'failed' && state.report !== undefined) {
      reportFailure(state.report, () => formRef.current?.requestSubmit(submitterRef.current));
    }
  }, [state]);

  const failed = state.status === 'failed' ? state : null;
  const context = {
    isPending,
    submittedBy,
    errorOf: (name: string) => {
      const error = changed.has(name) ? undefined : failed?.fieldErrors[name];
      return error && (messages[error] ?? error);
    },
    sentValue: (name: string) => (state.status === 'idle' ? undefined : state.values[name]),
  };
  return (
    <form
      ref={formRef}
      action={action}
      noValidate
      onChange={({ target }: ChangeEvent<HTMLFormElement>) =>
        setChanged(new Set(changed).add(target.name))
      }
      onSubmit={({ nativeEvent }: FormEvent) => {
        // Here and not in the action, where React would show it when all is over.
        const { submitter } = nativeEvent as SubmitEvent;
        submitterRef.current = submitter;
        setSubmittedBy((submitter as HTMLButtonElement | null)?.value || null);
        setChanged(new Set());
      }}
    >
      <div role="alert">
        {failed?.problem && (
          <div className="alert mb-6">
            {messages[failed.problem] ?? failed.problem}
            {props.notes?.[failed.code ?? '']}
          </div>
        )}
      </div>
      <FormContext value={context}>
        <fieldset disabled={isPending} className="grid gap-6">
          {props.children}
        </fieldset>
      </FormContext>
    </form>
  );
}

/** What the fields hold from now on: what the server has made of what was sent. */
function asKept(values: Values, data: unknown): Values {
  const kept = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  const texts = kept.filter(([name, value]) => name in values && typeof value === 'string');
  return { ...values, ...Object.fromEntries(texts) };
}
