import type { RefObject } from 'react';
import type { ApiFormProps, Attempt, State, Values } from './api-form.tsx';
import type { ApiPath, InputOf, MethodOf } from './api-routes.ts';
import type { ApiFailure } from './call-api.ts';
import { problemOf } from './problem-of.ts';
import { sendRequest } from './send-request.ts';

type Submit = {
  values: Values;
  /** The value of the button that submitted the form. */
  button: string | null;
  attempt: RefObject<Attempt | null>;
};

/** Checks and sends what was typed into an `ApiForm`. Returns what it shows then. */
export async function sendForm<Path extends ApiPath, Method extends MethodOf<Path>>(
  props: ApiFormProps<Path, Method>,
  { values, button, attempt }: Submit,
): Promise<State> {
  const wrong = (await props.check?.(values)) ?? {};
  if (Object.keys(wrong).length > 0) {
    const isIncomplete = Object.values(values).some((value) => value.trim() === '');
    const problem = (isIncomplete && props.emptyProblem) || null;
    return { status: 'failed', values, fieldErrors: wrong, problem, code: null };
  }
  if (props.mayStart && !(await props.mayStart(button))) {
    return { status: 'failed', values, fieldErrors: {}, problem: null, code: null };
  }
  const { method = 'POST' } = props;
  // Unchecked input: the server validates it with the route's schema.
  const input = props.toInput ? props.toInput(values) : (values as InputOf<Path, Method>);
  const result = await sendRequest<Parameters<typeof props.onDone>[0]>(props.path, {
    method,
    input,
    ...(method === 'POST' && { idempotencyKey: keyOf(input, attempt) }),
  });
  if (result.ok) {
    attempt.current = null;
    await props.onDone(result.data, button === null ? values : { ...values, button });
    // With `toInput`, what is stored does not look like what was typed.
    const kept = props.toInput ? values : asKept(values, result.data);
    return { status: 'done', values: kept };
  }
  return { status: 'failed', values, ...whatFailed(props, result, values) };
}

/** Reused for the same input: without an answer, the first request may have succeeded anyway. */
function keyOf(input: unknown, attempt: Submit['attempt']): string {
  const content = JSON.stringify(input);
  if (attempt.current?.content !== content) {
    attempt.current = { content, key: crypto.randomUUID() };
  }
  return attempt.current.key;
}

function whatFailed<Path extends ApiPath, Method extends MethodOf<Path>>(
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
  const field = props.fieldsOf?.[code ?? ''];
  if (field !== undefined && failure.body !== null) {
    return { fieldErrors: { [field]: failure.body.message }, problem: null, code };
  }
  if (props.failuresIn === 'dialog' && !props.refusals?.includes(code ?? '')) {
    return { fieldErrors, problem: null, code, report: failure };
  }
  const problem =
    (failure.status === 400 && props.invalidProblem) || problemOf(failure, props.messages);
  return { fieldErrors, problem, code };
}

/** The values that the fields show after success: those that the server stored. */
function asKept(values: Values, data: unknown): Values {
  const kept = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  const texts = kept.filter(([name, value]) => name in values && typeof value === 'string');
  return { ...values, ...Object.fromEntries(texts) };
}
