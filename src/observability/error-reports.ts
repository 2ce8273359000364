import 'server-only';
import { describeFailure } from './log.ts';
import { withoutSecrets } from './without-secrets.ts';

/** The user that a report is about, in full, as the product spec asks. */
type ReportedUser = { id: string; email: string; firstName: string; lastName: string };

type ReportSettings = {
  /** Null where reporting is off. */
  sentryDsn: string | null;
  environment: string;
  release: string;
  /** Removed from everything that is sent. */
  secrets: string[];
  /** Limits the reports during an outage. */
  reports: RateLimit;
};

/** The request in a report; null for scheduled work. */
type ReportedRequest = {
  requestId: string;
  request: { method: string; url: string } | null;
  /** Keeps the worker alive until a report is sent. */
  waitUntil: (work: Promise<unknown>) => void;
};

const timeoutMs = 5_000;

/** Reports a request's failures to Sentry, with its method, origin and path. Never throws. */
export function createReporter(settings: ReportSettings, facts: ReportedRequest) {
  let user: ReportedUser | null = null;
  return {
    setUser(newUser: ReportedUser) {
      user = newUser;
    },
    report(error: unknown) {
      if (settings.sentryDsn !== null) {
        facts.waitUntil(send(settings, settings.sentryDsn, facts, user, error).catch(() => {}));
      }
    },
  };
}

async function send(
  { environment, release, secrets, reports }: ReportSettings,
  dsn: string,
  { requestId, request }: ReportedRequest,
  user: ReportedUser | null,
  error: unknown,
): Promise<void> {
  // Without an answer from the limiter, the report is sent, as everywhere.
  const allowed = await reports.limit({ key: 'the worker itself' }).catch(() => null);
  if (allowed?.success === false) {
    return;
  }
  const failure = reportedError(error);
  // Loaded after a failure only: other requests do not need it.
  const { Toucan } = await import('toucan-js');
  const deliveries: Promise<unknown>[] = [];
  const toucan = new Toucan({
    dsn,
    environment,
    release,
    // Nothing of the request except what the event below gets.
    requestDataOptions: {},
    context: { waitUntil: (work: Promise<unknown>) => deliveries.push(work) },
    transportOptions: {
      fetcher: (url: RequestInfo | URL, init?: RequestInit) =>
        fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }),
    },
    beforeSend: ({ sdkProcessingMetadata: _, ...event }) =>
      withoutSecrets({ ...event, ...(request && { request: addressOf(request) }) }, secrets),
  });
  toucan.setTag('request_id', requestId);
  if (user !== null) {
    const { id, email, firstName, lastName } = user;
    toucan.setUser({ id, email, username: `${firstName} ${lastName}` });
  }
  toucan.captureException(failure);
  await Promise.all(deliveries);
}

function addressOf({ method, url }: { method: string; url: string }) {
  const { origin, pathname } = new URL(url);
  return { method, url: origin + pathname };
}

function reportedError(error: unknown): Error {
  return describeFailure(error).reduceRight<Error | undefined>(
    (cause, { name, message, stack }) => {
      const copy = new Error(message, cause && { cause });
      copy.name = name;
      copy.stack = stack ?? '';
      return copy;
    },
    undefined,
  ) as Error;
}
