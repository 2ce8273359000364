import type { I18n, MessageDescriptor } from '@lingui/core';
import { connectionLost, errorMessages } from '#i18n/errors.ts';
import type { ErrorBody } from './error-body.ts';

/** How a request to the API ended. `body` is missing when what answered was not our API, `status` when nothing answered. */
export type ApiResult<Data> = { ok: true; data: Data } | ApiFailure;
export type ApiFailure = { ok: false; status: number | null; body: ErrorBody | null };

/**
 * Calls the API from a browser, with the CSRF token and to our own origin alone. Never throws: forms show what went wrong.
 *
 * @param path one of `apiPaths`
 * @param idempotencyKey the same for each repetition of one request, for calls that would otherwise make a second thing
 */
export async function postJson<Data>(
  path: `/api/${string}`,
  input?: unknown,
  idempotencyKey?: string,
): Promise<ApiResult<Data>> {
  const first = await send<Data>(path, input, idempotencyKey);
  // The token was lost or belonged to an older session; the refusal has brought a new one.
  const isStale = !first.ok && first.body?.code === 'csrf_failed';
  return isStale ? send<Data>(path, input, idempotencyKey) : first;
}

/** What people are told of a request that failed: the server's words, which are in their language, or ours. */
export function problemOf(failure: ApiFailure): MessageDescriptor | string {
  return failure.status === null
    ? connectionLost
    : (failure.body?.message ?? errorMessages.internal);
}

/** Puts it in the reader's language, where it is not already. */
export function say(i18n: I18n, problem: MessageDescriptor | string): string {
  return typeof problem === 'string' ? problem : i18n._(problem);
}

async function send<Data>(
  path: string,
  input: unknown,
  idempotencyKey: string | undefined,
): Promise<ApiResult<Data>> {
  try {
    const response = await fetch(path, {
      method: 'POST',
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
  } catch {
    return { ok: false, status: null, body: null };
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
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body;
}

/** On https only the cookie that no neighbouring sub-domain can set counts. */
function csrfToken(): string {
  const name = window.location.protocol === 'https:' ? '__Host-csrftoken=' : 'csrftoken=';
  const cookie = document.cookie.split('; ').find((text) => text.startsWith(name));
  return cookie?.slice(name.length) ?? '';
}
