import type { ApiFailure } from './call-api.ts';

/** A failed request, and how to retry it. */
export type FailureReport = { failure: unknown; retry: () => unknown };

/** Returns whether it shows the failure. */
type Listener = (report: FailureReport) => boolean;

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

/** Listens to reported failures; returns the function that unsubscribes. */
export function onFailureReport(listener: Listener): () => void {
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

export function kindOf(failure: unknown): FailureKind {
  if (!isApiFailure(failure)) {
    return failure instanceof Error ? 'error' : 'unknown';
  }
  const { status } = failure;
  if (status === null) {
    // `fetch` throws a TypeError for network errors.
    return failure.thrown instanceof TypeError ? 'network' : kindOf(failure.thrown);
  }
  if (status === 502 || status === 504) {
    return 503;
  }
  return statusKinds.find((kind) => kind === status) ?? 'other';
}

export function isApiFailure(failure: unknown): failure is ApiFailure {
  return typeof failure === 'object' && failure !== null && 'ok' in failure && 'status' in failure;
}
