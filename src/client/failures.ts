import type { ProblemTexts } from '#i18n/validation.ts';
import type { ApiFailure } from './call-api.ts';

/** A failed request, and how to retry it. */
export type FailureReport = { failure: unknown; retry: () => unknown };

const reports = new EventTarget();

/**
 * Shows the dialog for failed requests.
 *
 * @param failure an ApiFailure, or a thrown error
 * @param retry repeats the request
 * @returns whether the page has that dialog
 */
export function reportFailure(failure: unknown, retry: () => unknown): boolean {
  const detail = { failure, retry };
  const report = new CustomEvent<FailureReport>('report', { detail, cancelable: true });
  return !reports.dispatchEvent(report);
}

/**
 * Listens to reported failures; returns the function that unsubscribes.
 *
 * @param listener returns whether it shows the failure
 */
export function onFailureReport(listener: (report: FailureReport) => boolean): () => void {
  const hear = (event: Event) => {
    if (listener((event as CustomEvent<FailureReport>).detail)) {
      event.preventDefault();
    }
  };
  reports.addEventListener('report', hear);
  return () => reports.removeEventListener('report', hear);
}

const statusKinds = [400, 401, 403, 404, 422, 429, 500, 503] as const;

/** The rows of the error dialog's table. */
type FailureKind = (typeof statusKinds)[number] | 'network' | 'other' | 'error' | 'unknown';

export function failureKind(failure: unknown): FailureKind {
  if (!isApiFailure(failure)) {
    return failure instanceof Error ? 'error' : 'unknown';
  }
  const { status } = failure;
  if (status === null) {
    // `fetch` throws a TypeError for network errors.
    return failure.thrown instanceof TypeError ? 'network' : failureKind(failure.thrown);
  }
  if (status === 502 || status === 504) {
    return 503;
  }
  return statusKinds.find((kind) => kind === status) ?? 'other';
}

export function isApiFailure(failure: unknown): failure is ApiFailure {
  return typeof failure === 'object' && failure !== null && 'ok' in failure && 'status' in failure;
}

/** The message for a failed request: the server's, which is in the user's language, or our own. */
export function problemOf(failure: ApiFailure, texts: ProblemTexts): string {
  if (failure.status === null) {
    return texts.connectionUnsupportedPlayer;
  }
  if (failure.status === 429 && failure.retryAt !== undefined) {
    return texts.waiting.replace('{when}', waitingTime(failure.retryAt, Date.now()));
  }
  return failure.body?.message ?? texts.internal;
}

/** The same where only one thing was sent, so that what is wrong with a field is all there is to say. */
export function firstProblemOf(failure: ApiFailure, texts: ProblemTexts): string {
  const [field] = Object.values(failure.body?.fields ?? {});
  return field?.[0] ?? problemOf(failure, texts);
}

/**
 * “in 2 minutes”, or “now” once the time has come, in the language of the page. Rounded up, so that
 * it never promises too much.
 *
 * @param time in milliseconds, as `now`
 */
export function waitingTime(time: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((time - now) / 1000));
  const [unit, size] =
    seconds <= 60
      ? (['second', 1] as const)
      : seconds <= 60 * 60
        ? (['minute', 60] as const)
        : (['hour', 60 * 60] as const);
  const format = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'auto' });
  // A number and its unit stay on one line.
  return format.format(Math.ceil(seconds / size), unit).replace(/(\d) /, '$1\u00a0');
}
