import 'server-only';
import { describeFailure } from './log.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Whom a report is about, in full: the product wants it so. */
export type ReportedUser = { id: string; email: string; firstName: string; lastName: string };

type ReportSettings = {
  /** Null where nothing is reported. */
  sentryDsn: string | null;
  environment: string;
  release: string;
  /** Never sent, wherever they turn up. */
  secrets: string[];
  /** Bounds what an outage sends. */
  reports: RateLimit;
};

/** What a report says of the request; there is none behind what the clock begins. */
type ReportedRequest = {
  requestId: string;
  request: { method: string; url: string } | null;
  /** Keeps the worker alive until a report is out. */
  waitUntil: (work: Promise<unknown>) => void;
};

type Reporter = {
  report: (error: unknown) => void;
  /** Says whom the request comes from, for what is reported after that. */
  setUser: (user: ReportedUser) => void;
};

/** A report that takes longer is given up. */
const timeoutMs = 5_000;

/**
 * Reports failures of one request to Sentry, beside the request: nothing waits for it, and whatever becomes of it,
 * nothing is thrown. Of the request only method, origin and path are sent.
 */
export function createReporter(settings: ReportSettings, facts: ReportedRequest): Reporter {
  let user: ReportedUser | null = null;
  return {
    setUser(known) {
      user = known;
    },
    report(error) {
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
  // A limiter that does not answer lets through, here as everywhere.
  const allowed = await reports.limit({ key: 'the worker itself' }).catch(() => null);
  if (allowed?.success === false) {
    return;
  }
  const failure = reportedError(error);
  // Loaded when something has failed: no other request has to carry it.
  const { Toucan } = await import('toucan-js');
  const sent: Promise<unknown>[] = [];
  const toucan = new Toucan({
    dsn,
    environment,
    release,
    // Nothing of the request but what is put into the event below.
    requestDataOptions: {},
    context: { waitUntil: (work: Promise<unknown>) => sent.push(work) },
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
  await Promise.all(sent);
}

function addressOf({ method, url }: { method: string; url: string }) {
  const { origin, pathname } = new URL(url);
  return { method, url: origin + pathname };
}

/** The failure in the words of the log, as errors once more. */
function reportedError(error: unknown): Error {
  return describeFailure(error).reduceRight<Error | undefined>(
    (cause, { name, message, stack }) => {
      const told = new Error(message, cause && { cause });
      told.name = name;
      told.stack = stack ?? '';
      return told;
    },
    undefined,
  ) as Error;
}
