import 'server-only';
import { type Database, openDatabase } from '#db/client.ts';
import type { Locale } from '#db/values.ts';
import { createMailer } from '#email/send.ts';
import {
  type SendUnlessSuppressed,
  withSuppression,
} from '#features/suppression/suppression-list.ts';
import { createReporter, type ReportedUser } from '#observability/error-reports.ts';
import { createLog, type Log, logFailure } from '#observability/log.ts';
import type { AppEnv } from './env.ts';

/** What a verb may use of the world. Made once for each request and passed in, so that tests pass their own. */
export type Context = {
  db: Database;
  sendMail: SendUnlessSuppressed;
  now: () => Date;
  /** Keeps work alive that the answer does not wait for. A failure is told by `observe.fail`. */
  waitUntil: (work: PromiseLike<unknown>) => void;
  request: RequestFacts;
  config: Config;
  observe: Observation;
};

type RequestFacts = Networks & {
  /** The language of texts in the answer, and of an account that the request creates. */
  locale: Locale;
  /** What the browser of the request calls itself, cut to what a session keeps of it. */
  userAgent: string;
};

/** Where a request comes from, as limits count it; see lib/client-network.ts. */
type Networks = {
  clientNetwork: string;
  /** The network around that of the client, with IPv6; null without one. */
  widerNetwork: string | null;
};

/** What operators have set. */
type Config = Pick<AppEnv, 'appOrigin' | 'appSecret' | 'google' | 'limits'>;

/** What operators are told. */
type Observation = {
  log: Log;
  /** Writes down what nobody expected, and reports it; the same error once, however often it is told. Never throws. */
  fail: (error: unknown) => void;
  /** Says whom the request comes from, for reports of what fails after that. */
  setReportedUser: (user: ReportedUser) => void;
};

/**
 * What is known before anything of a request is read but its address: enough to refuse it and to
 * log that.
 */
export type RequestBasics = Pick<Context, 'observe' | 'waitUntil'> & { request: Networks };

type BasicFacts = Networks & {
  requestId: string;
  /** Null in what the clock begins. */
  request: { method: string; url: string } | null;
  /** Sees work through that nobody waits for. */
  waitUntil: (work: Promise<unknown>) => void;
};

export function createBasics(env: AppEnv, facts: BasicFacts): RequestBasics {
  const { clientNetwork, widerNetwork, requestId } = facts;
  const { appSecret, google, resendApiKey, resendWebhookSecret } = env;
  const secrets = [appSecret, resendApiKey, resendWebhookSecret, google.clientSecret];
  const reporter = createReporter({ ...env, secrets }, facts);
  const told = new Set<unknown>();

  function fail(error: unknown): void {
    if (!told.has(error)) {
      told.add(error);
      logFailure(requestId, error);
      reporter.report(error);
    }
  }

  return {
    request: { clientNetwork, widerNetwork },
    observe: { log: createLog(requestId), fail, setReportedUser: reporter.setUser },
    waitUntil: (work) => facts.waitUntil(Promise.resolve(work).catch(fail)),
  };
}

/** What is read of a request besides. */
type FurtherFacts = Pick<RequestFacts, 'locale' | 'userAgent'> & {
  /** What the whole request reads from and writes to. */
  session: D1DatabaseSession;
};

export function createContext(
  env: AppEnv,
  basics: RequestBasics,
  { locale, session, userAgent }: FurtherFacts,
): Context {
  const { appOrigin, appSecret, google, limits } = env;
  return {
    ...basics,
    db: openDatabase(session),
    sendMail: withSuppression(basics.observe.log, createMailer(env)),
    now: () => new Date(),
    request: { ...basics.request, locale, userAgent },
    config: { appOrigin, appSecret, google, limits },
  };
}
