import type { ErrorBody } from '#api/error-body.ts';
import type { ApiPath, InputOf, MethodOf, OutputOf, QueryOf, Taken } from './api-routes.ts';
import { loadOrLeave } from './check-by-schema.ts';

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
  // With the error dialog, which is loaded when the page is ready.
  const script = await loadOrLeave(() => import('./send-request.ts'));
  return script === null
    ? { ok: false, status: null, body: null, thrown: new TypeError('Network error') }
    : script.sendRequest<OutputOf<Path, Method>>(path, call);
}
