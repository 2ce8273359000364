import 'server-only';
import { type Database, openDatabase } from '#db/client.ts';
import type { Locale } from '#db/values.ts';
import { createMailer } from '#email/send.ts';
import type { AppEnv } from '#env.ts';
import type { GoogleSettings } from '#features/auth/google.ts';
import type { Limits } from '#features/limits/limits.ts';
import { guardMailer, type SendGuarded } from '#features/undeliverable/guard-mailer.ts';
import { createReporter, type ReportedUser } from '#lib/error-reports.ts';
import { createLog, type Log, logFailure } from '#lib/log.ts';

/** What a verb may use of the world. Made once for each request and passed in, so that tests pass their own. */
export type Context = {
  db: Database;
  /** The language of the request: of texts in the answer, and of an account that the request creates. */
  locale: Locale;
  sendMail: SendGuarded;
  now: () => Date;
  log: Log;
  /** Writes down what nobody expected, and reports it; the same error once, however often it is told. Never throws. */
  fail: (error: unknown) => void;
  /** Says whom the request comes from, for reports of what fails after that. */
  comesFrom: (user: ReportedUser) => void;
  /** Begins work that the answer does not wait for. A failure is told by `fail`. */
  afterwards: (work: PromiseLike<unknown>) => void;
  /** Where links in mails lead: `https://host`, no slash at the end. */
  appOrigin: string;
  /** The key of every HMAC. */
  appSecret: string;
  google: GoogleSettings;
  limits: Limits;
  /** Where the request comes from, as limits count it; see lib/client-address.ts. */
  place: string;
  /** The network around that place, with IPv6; null without one. */
  network: string | null;
  /** What the browser of the request calls itself, cut to what a session keeps of it. */
  userAgent: string;
};

/**
 * What is known before anything of a request is read but its address: enough to refuse it and to
 * log that.
 */
export type RequestBasics = Pick<Context, 'comesFrom' | 'fail' | 'log' | 'network' | 'place'> & {
  /** Sees work through that nobody waits for. */
  waitUntil: (work: Promise<unknown>) => void;
};

type BasicFacts = Pick<RequestBasics, 'network' | 'place' | 'waitUntil'> & {
  requestId: string;
  /** Null in what the clock begins. */
  request: { method: string; url: string } | null;
};

export function createBasics(env: AppEnv, facts: BasicFacts): RequestBasics {
  const { place, network, requestId, waitUntil } = facts;
  const secrets = [
    env.appSecret,
    env.resendApiKey,
    env.resendWebhookSecret,
    env.google.clientSecret,
  ];
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
    place,
    network,
    log: createLog(requestId),
    fail,
    comesFrom: reporter.setUser,
    waitUntil,
  };
}

/** What is read of a request besides. */
type RequestFacts = Pick<Context, 'locale' | 'userAgent'> & {
  /** What the whole request reads from and writes to. */
  session: D1DatabaseSession;
};

export function createContext(
  env: AppEnv,
  { waitUntil, ...basics }: RequestBasics,
  { locale, session, userAgent }: RequestFacts,
): Context {
  const { appOrigin, appSecret, google, limits } = env;
  const { fail, log } = basics;
  return {
    ...basics,
    db: openDatabase(session),
    locale,
    sendMail: guardMailer(log, createMailer(env)),
    now: () => new Date(),
    afterwards: (work) => waitUntil(Promise.resolve(work).catch(fail)),
    appOrigin,
    appSecret,
    google,
    limits,
    userAgent,
  };
}
