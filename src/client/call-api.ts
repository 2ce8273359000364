import type { ErrorBody } from '#api/error-body.ts';
import { outdatePages } from '#router/pages-at-hand.ts';
import type {
  ApiMethod,
  ApiPath,
  InputOf,
  MethodOf,
  OutputOf,
  QueryOf,
  Taken,
} from './api-routes.ts';

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
  query?: QueryOf<Path, Method>;
  /** The same for all retries of a request, so that they do not create a second item. */
  idempotencyKey?: string;
  /** Whether it continues when the page is left, as far as browsers let it: see `mostKeptAlive`. */
  keepalive?: boolean;
};

/** In bytes: browsers refuse more than 64 kB in all requests that continue without their page. */
const mostKeptAlive = 60_000;

type UntypedCall = {
  method?: ApiMethod;
  input?: unknown;
  query?: Record<string, string> | undefined;
  idempotencyKey?: string;
  keepalive?: boolean;
};

/**
 * Calls the API from a browser, with the CSRF token, and a second time if the token was outdated.
 * Never throws: callers show the failure.
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
  const first = await send<OutputOf<Path, Method>>(path, call);
  // The token was lost or belonged to an older session; the refusal set a new one.
  const isStale = !first.ok && first.body?.code === 'csrf_failed';
  const result = isStale ? await send<OutputOf<Path, Method>>(path, call) : first;
  // Without an answer, a change may have been made too.
  if (call.method !== 'GET' || (!result.ok && result.status === 401)) {
    outdatePages();
  }
  if (!result.ok && result.status === 401) {
    console.error('Unauthorized access', result.body);
  }
  return result;
}

async function send<Data>(path: string, call: UntypedCall): Promise<ApiResult<Data>> {
  const { method = 'POST', input, query, idempotencyKey, keepalive = false } = call;
  // A picture; everything else is JSON. An empty body is not, so it must not be sent as such.
  const body = input instanceof Blob || input === undefined ? input : JSON.stringify(input);
  const type = input instanceof Blob ? input.type : 'application/json';
  const request = (isKeptAlive: boolean) =>
    fetch(query ? `${path}?${new URLSearchParams(query)}` : path, {
      method,
      credentials: 'same-origin',
      keepalive: isKeptAlive,
      headers: {
        ...(body !== undefined && { 'Content-Type': type }),
        'X-CSRFToken': csrfToken(),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body !== undefined && { body }),
    });
  try {
    // Other requests may have used up what is kept alive.
    const response = await (keepalive && new Blob([body ?? '']).size <= mostKeptAlive
      ? request(true).catch(() => request(false))
      : request(false));
    const answer = await readJson(response);
    // Answers without a body.
    const isEmpty = response.status === 202 || response.status === 204;
    const isOurs = isEmpty || (typeof answer === 'object' && answer !== null);
    // Our API answers in the types of its routes. A captive portal sends no JSON.
    if (response.ok && isOurs) {
      return { ok: true, data: answer as Data };
    }
    const waitSeconds = Number(response.headers.get('Retry-After'));
    return {
      ok: false,
      status: response.status,
      body: isErrorBody(answer) ? answer : null,
      ...(waitSeconds > 0 && { retryAt: Date.now() + waitSeconds * 1000 }),
    };
  } catch (thrown) {
    return { ok: false, status: null, body: null, thrown };
  }
}

/**
 * Uploads bytes by XMLHttpRequest, because `fetch` reports no progress.
 *
 * @param onSent called with the number of bytes sent so far
 */
export function sendBytes(
  path: string,
  bytes: Blob,
  signal: AbortSignal,
  onSent: (count: number) => void,
): Promise<ApiResult<null>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal.addEventListener('abort', stop, { once: true });
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    request.addEventListener('loadend', () => {
      signal.removeEventListener('abort', stop);
      const { status, response } = request;
      if (status === 200) {
        resolve({ ok: true, data: null });
      } else if (status === 0) {
        const thrown = new TypeError('The bytes did not arrive');
        resolve({ ok: false, status: null, body: null, thrown });
      } else {
        resolve({ ok: false, status, body: isErrorBody(response) ? response : null });
      }
    });
    request.responseType = 'json';
    request.open('PUT', path);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.setRequestHeader('X-CSRFToken', csrfToken());
    request.send(bytes);
  });
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
