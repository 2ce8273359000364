import type { ErrorBody } from '#api/error-body.ts';
import type { ProblemTexts } from '#i18n/problems.ts';
import type { ApiMethod, ApiPath, InputOf, MethodOf, OutputOf, Taken } from './api-routes.ts';
import { timeUntil } from './time-until.ts';

export type ApiResult<Data> = { ok: true; data: Data } | ApiFailure;

/**
 * `body` is null if the answer is not from our API; without an answer, `thrown` has the error.
 * `retryAt` is the time, in milliseconds, that the server asks to wait for.
 */
export type ApiFailure =
  | { ok: false; status: number; body: ErrorBody | null; retryAt?: number }
  | { ok: false; status: null; body: null; thrown: unknown };

export type ApiCall<Path extends ApiPath, Method extends MethodOf<Path>> = {
  /** POST by default. */
  method?: Method;
  input?: InputOf<Path, Method>;
  /** The same for all retries of a request, so that they do not create a second item. */
  idempotencyKey?: string;
};

/**
 * Calls the API from a browser, with the CSRF token. Never throws: callers show the failure.
 *
 * @param path from `apiPaths`
 */
export async function callApi<
  Path extends ApiPath,
  Method extends MethodOf<Path> = MethodOf<Path> & 'POST',
>(
  path: Path & Taken<Method>,
  call: ApiCall<Path, Method> = {},
): Promise<ApiResult<OutputOf<Path, Method>>> {
  type Data = OutputOf<Path, Method>;
  const first = await send<Data>(path, call);
  // The token was lost or belonged to an older session; the refusal set a new one.
  const isStale = !first.ok && first.body?.code === 'csrf_failed';
  const result = isStale ? await send<Data>(path, call) : first;
  if (!result.ok && result.status === 401) {
    console.error('Unauthorized access', result.body);
  }
  return result;
}

/** The message for a failed request: the server's, which is in the user's language, or our own. */
export function problemOf(failure: ApiFailure, texts: ProblemTexts): string {
  if (failure.status === null) {
    return texts.connectionLost;
  }
  if (failure.status === 429 && failure.retryAt !== undefined) {
    return texts.waiting.replace('{when}', timeUntil(failure.retryAt, Date.now()));
  }
  return failure.body?.message ?? texts.internal;
}

type Sent = { method?: ApiMethod; input?: unknown; idempotencyKey?: string };

async function send<Data>(path: string, call: Sent): Promise<ApiResult<Data>> {
  const { method = 'POST', input, idempotencyKey } = call;
  try {
    const response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: {
        'Content-Type': 'application/json',
        'X-CSRFToken': csrfToken(),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(input !== undefined && { body: JSON.stringify(input) }),
    });
    const body = await readJson(response);
    const isOurs = response.status === 204 || (typeof body === 'object' && body !== null);
    // Our API answers in the types of its routes. A captive portal sends no JSON.
    if (response.ok && isOurs) {
      return { ok: true, data: body as Data };
    }
    const waitSeconds = Number(response.headers.get('Retry-After'));
    return {
      ok: false,
      status: response.status,
      body: isErrorBody(body) ? body : null,
      ...(waitSeconds > 0 && { retryAt: Date.now() + waitSeconds * 1000 }),
    };
  } catch (thrown) {
    return { ok: false, status: null, body: null, thrown };
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    'message' in body &&
    typeof body.message === 'string'
  );
}

/** On https, only the `__Host-` cookie counts, which no sibling domain can set. */
function csrfToken(): string {
  const name = window.location.protocol === 'https:' ? '__Host-csrftoken=' : 'csrftoken=';
  const cookie = document.cookie.split('; ').find((text) => text.startsWith(name));
  return cookie?.slice(name.length) ?? '';
}
