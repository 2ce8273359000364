import 'server-only';
import { type Database, openDatabase } from '#db/client.ts';
import type { Locale } from '#db/values.ts';
import { createMailer, type SendMail } from '#email/send.ts';
import type { AppEnv } from '#env.ts';

/** What a verb may use of the world. Made once for each request and passed in, so that tests pass their own. */
export type Context = {
  db: Database;
  /** The language of the request: of texts in the answer, and of an account that the request creates. */
  locale: Locale;
  sendMail: SendMail;
  now: () => Date;
  /** Where links in mails lead: `https://host`, no slash at the end. */
  appOrigin: string;
};

export function createContext(env: AppEnv, locale: Locale): Context {
  return {
    db: openDatabase(env.db),
    locale,
    sendMail: createMailer(env),
    now: () => new Date(),
    appOrigin: env.appOrigin,
  };
}
