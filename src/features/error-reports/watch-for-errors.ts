import { failureKind, isApiFailure, onFailureReport } from '#client/failures.ts';
import { withStorage } from '#lib/browser-storage.ts';
import type { Reporting, ReportSettings } from './start-sentry.ts';

export type ReportedPerson = { id: string; email: string; username: string };

/** Whether this browser session is recorded, decided on its first page. */
const sessionKey = 'error-reports';
const sampleRate = 0.1;

/**
 * Listens for errors. One session in ten loads the SDK once the page is idle, and records; all
 * others load it at the first error, and record from there.
 *
 * @returns a function that sets the signed-in user
 */
export function watchForErrors(settings: ReportSettings): (person: ReportedPerson | null) => void {
  let person: ReportedPerson | null = null;
  let reporting: Promise<Reporting | null> | null = null;

  function load(isRecorded: boolean): Promise<Reporting | null> {
    reporting ??= startReporting(settings, isRecorded).then((started) => {
      started?.setPerson(person);
      // The next error tries again.
      reporting = started === null ? null : reporting;
      return started;
    });
    return reporting;
  }

  async function report(error: unknown, requestId?: string): Promise<void> {
    const isRecorded = isSessionRecorded();
    // Recording starts now, and goes on on the pages that follow.
    withStorage('sessionStorage', (storage) => storage.setItem(sessionKey, 'recorded'));
    const started = await load(isRecorded);
    started?.report(error, requestId);
  }

  if (isSessionRecorded()) {
    whenIdle(() => void load(true));
  }
  // For scripts of other origins, the browser says only that there was an error.
  window.addEventListener('error', ({ error }) => error && void report(error));
  window.addEventListener('unhandledrejection', ({ reason }) => void report(reason));
  // From ui/error-boundary.tsx.
  window.addEventListener('caught', (event) => void report((event as ErrorEvent).error));
  onFailureReport(({ failure }) => {
    const { error, requestId } = unexpectedIn(failure);
    if (error !== null) {
      void report(error, requestId);
    }
    return false;
  });
  return function setPerson(newPerson) {
    person = newPerson;
    void reporting?.then((started) => started?.setPerson(person));
  };
}

async function startReporting(settings: ReportSettings, isRecorded: boolean) {
  // The server renders this island too, and needs no SDK.
  const script = import.meta.env.SSR ? null : await import('./start-sentry.ts').catch(() => null);
  return script?.startSentry(settings, isRecorded) ?? null;
}

/** The unexpected part of a failure: not a lost connection or a refusal. */
function unexpectedIn(failure: unknown): { error: unknown; requestId?: string | undefined } {
  if (!isApiFailure(failure)) {
    return { error: failure };
  }
  if (failure.ok || failureKind(failure) === 'network') {
    return { error: null };
  }
  if (failure.status === null) {
    return { error: failure.thrown };
  }
  return failure.status < 500
    ? { error: null }
    : {
        error: new Error(`A request was answered with ${failure.status}`),
        requestId: failure.body?.request_id,
      };
}

function isSessionRecorded(): boolean {
  const decision = withStorage('sessionStorage', (storage) => {
    const kind =
      storage.getItem(sessionKey) ?? (Math.random() < sampleRate ? 'recorded' : 'on error');
    storage.setItem(sessionKey, kind);
    return kind;
  });
  // Without storage, every page would decide again, so none is recorded.
  return decision === 'recorded';
}

function whenIdle(work: () => void): void {
  const start = () =>
    'requestIdleCallback' in window ? window.requestIdleCallback(work) : setTimeout(work, 2_000);
  if (document.readyState === 'complete') {
    start();
  } else {
    window.addEventListener('load', start, { once: true });
  }
}
