import 'server-only';
import type { I18n } from '@lingui/core';
import { type Database, openDatabase, type RequestCount } from '#db/client.ts';
import type { Locale } from '#db/values.ts';
import { createMailer } from '#email/send.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { type GuardedMailer, withSuppression } from '#features/suppression/suppression-list.ts';
import { createReporter } from '#observability/error-reports.ts';
import { createLog, logFailure } from '#observability/log.ts';
import type { AppEnv } from './env.ts';

/** The dependencies of a verb, created for each request. Tests pass their own. */
export type Context = GuardedMailer &
  RequestBasics & {
    db: Database;
    /** Where files are kept; null where the operator has no place for them. */
    files: AppEnv['files'];
    /** Sends what is due of the outbox: see features/letters/drain-outbox.ts. */
    drainOutbox: typeof drainOutbox;
    now: () => Date;
    request: RequestFacts;
    config: Pick<
      AppEnv,
      'appOrigin' | 'appSecret' | 'fileLimits' | 'google' | 'limits' | 'requestsPerRun' | 'stripe'
    >;
  };

/**
 * The text of the cookie that remembers learners; null without one. What a verb writes into it is
 * set with the answer.
 */
export type LearnerDevice = { cookie: string | null };

type RequestFacts = Networks & {
  /** The language of the response, and of an account that the request creates. */
  locale: Locale;
  /** The texts in this language. */
  i18n: I18n;
  /** The User-Agent header, cut to the length that a session stores. */
  userAgent: string;
};

/** The networks of a client that limits count by; see lib/client-network.ts. */
type Networks = {
  clientNetwork: string;
  /** The wider network around an IPv6 client network; null for IPv4. */
  widerNetwork: string | null;
};

/** What needs only the client's address: enough to refuse and log a request. */
export type RequestBasics = ReturnType<typeof createBasics>;

type BasicFacts = Networks & {
  requestId: string;
  /** Null in scheduled jobs. */
  request: { method: string; url: string } | null;
  /** Runs work after the response. */
  waitUntil: (work: Promise<unknown>) => void;
  /** Shared by the contexts of one invocation. */
  requests?: RequestCount;
};

export function createBasics(env: AppEnv, facts: BasicFacts) {
  const { clientNetwork, widerNetwork, requestId, requests = { made: 0 } } = facts;
  const networks: Networks = { clientNetwork, widerNetwork };
  const { appSecret, google, resendApiKey, resendWebhookSecret, stripe } = env;
  const secrets = [
    ...[appSecret, resendApiKey, resendWebhookSecret, google.clientSecret],
    ...(stripe === null ? [] : [stripe.secretKey, ...stripe.webhookSecrets]),
  ];
  const reporter = createReporter({ ...env, secrets }, facts);
  const reported = new Set<unknown>();

  /** Logs and reports an unexpected error; the same error only once. Never throws. */
  function fail(error: unknown): void {
    if (!reported.has(error)) {
      reported.add(error);
      logFailure(requestId, error);
      reporter.report(error);
    }
  }

  return {
    request: networks,
    observe: { log: createLog(requestId), fail, setReportedUser: reporter.setUser },
    /** Runs work after the response; `observe.fail` reports its failure. */
    waitUntil: (work: PromiseLike<unknown>) => facts.waitUntil(Promise.resolve(work).catch(fail)),
    /** Counted, because Cloudflare ends an invocation that makes too many. */
    requests,
  };
}

/** The facts that need more of the request than the client's address. */
type FurtherFacts = Pick<RequestFacts, 'i18n' | 'locale' | 'userAgent'> & {
  /** The D1 session for all reads and writes of the request. */
  session: D1DatabaseSession;
};

export function createContext(
  env: AppEnv,
  basics: RequestBasics,
  { i18n, locale, session, userAgent }: FurtherFacts,
): Context {
  const { appOrigin, appSecret, fileLimits, files, google, limits, requestsPerRun, stripe } = env;
  const { requests } = basics;
  return {
    ...basics,
    db: openDatabase(session, requests),
    files,
    ...withSuppression(basics.observe.log, createMailer(env, requests)),
    drainOutbox,
    now: () => new Date(),
    request: { ...basics.request, locale, i18n, userAgent },
    config: { appOrigin, appSecret, fileLimits, google, limits, requestsPerRun, stripe },
  };
}
