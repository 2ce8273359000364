import type { ErrorBody } from '#api/error-body.ts';
import type { ApiMethod, ApiPath, InputOf, MethodOf, OutputOf, Taken } from './api-routes.ts';

/** How a request to the API ended. */
export type ApiResult<Data> = { ok: true; data: Data } | ApiFailure;

/** `body` is null when what answered was not our API; without a `status` nothing answered at all, and `thrown` says why. */
export type ApiFailure =
  | { ok: false; status: number; body: ErrorBody | null }
  | { ok: false; status: null; body: null; thrown: unknown };

/** What a call sends besides its address. */
export type ApiCall<Path extends ApiPath, Method extends MethodOf<Path>> = {
  /** POST where it is not given. */
  method?: Method;
  input?: InputOf<Path, Method>;
  /** The same for each repetition of one request, for calls that would otherwise make a second thing. */
  idempotencyKey?: string;
};

/** What is said of a failure in a form, where the server has said nothing. */
export type ProblemTexts = { connectionLost: string; internal: string };

/**
 * Calls the API from a browser, with the CSRF token and to our own origin alone. Never throws: callers show what went wrong.
 *
 * @param path out of `apiPaths`
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
  // The token was lost or belonged to an older session; the refusal has brought a new one.
  const isStale = !first.ok && first.body?.code === 'csrf_failed';
  const result = isStale ? await send<Data>(path, call) : first;
  if (!result.ok && result.status === 401) {
    console.error('Unauthorized access', result.body);
  }
  return result;
}

/** What people are told of a request that failed: the server's words, which are in their language, or ours. */
export function problemOf(failure: ApiFailure, texts: ProblemTexts): string {
  return failure.status === null ? texts.connectionLost : (failure.body?.message ?? texts.internal);
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
    // The API keeps to the shapes of the schemas that its routes are typed with. Whatever else stands between, such as the
    // page of a hotel's network, does not speak JSON.
    return response.ok && isOurs
      ? { ok: true, data: body as Data }
      : { ok: false, status: response.status, body: isErrorBody(body) ? body : null };
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

/** On https only the cookie that no neighbouring sub-domain can set counts. */
function csrfToken(): string {
  const name = window.location.protocol === 'https:' ? '__Host-csrftoken=' : 'csrftoken=';
  const cookie = document.cookie.split('; ').find((text) => text.startsWith(name));
  return cookie?.slice(name.length) ?? '';
}
