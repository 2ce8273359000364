import 'server-only';
import type { GoogleSettings } from '#features/auth/google.ts';
import type { Limits } from '#features/limits/limits.ts';
import { type bindingNames, complaintsAbout, Settings } from './settings.ts';

/** The worker's settings and bindings, checked. */
export type AppEnv = {
  db: D1Database;
  appOrigin: string;
  /** Whether cookies are `Secure` and have the `__Host-` prefix. */
  isHttps: boolean;
  appSecret: string;
  resendApiKey: string;
  resendBaseUrl: string;
  resendWebhookSecret: string;
  mailFrom: string;
  google: GoogleSettings;
  limits: Limits;
  /** Null where error reporting is off. */
  sentryDsn: string | null;
  environment: 'local' | 'preview' | 'production';
  release: string;
  /** Cloudflare's rate limiter: fast and approximate, in front of the exact limits. */
  floodLimit: RateLimit;
  /** The same for the network around a client's. */
  floodLimitNetwork: RateLimit;
  /** The same for browsers' error reports. */
  reports: RateLimit;
};

/** The unchecked bindings. `Cloudflare.Env` is generated from wrangler.toml. */
export type Bindings = Record<string, unknown> &
  Pick<Cloudflare.Env, (typeof bindingNames)[number]>;

// An isolate always gets the same object of bindings, so it is checked once.
const checked = new WeakMap<Bindings, AppEnv>();

/**
 * The only reader of bindings and secrets.
 *
 * @throws Error with one sentence for each setting or binding that is missing or malformed, naming it
 */
export function readEnv(bindings: Bindings): AppEnv {
  const known = checked.get(bindings);
  if (known !== undefined) {
    return known;
  }
  const read = Settings.safeParse(bindings);
  const complaints = complaintsAbout(bindings, read);
  if (!read.success || complaints.length > 0) {
    throw new Error(complaints.map(({ sentence }) => sentence).join(' '));
  }
  const settings = read.data;
  const env: AppEnv = {
    db: bindings.DB,
    appOrigin: settings.APP_ORIGIN,
    isHttps: settings.APP_ORIGIN.startsWith('https:'),
    appSecret: settings.APP_SECRET,
    resendApiKey: settings.RESEND_API_KEY,
    resendBaseUrl: settings.RESEND_BASE_URL,
    resendWebhookSecret: settings.RESEND_WEBHOOK_SECRET,
    mailFrom: settings.MAIL_FROM,
    google: {
      clientId: settings.GOOGLE_CLIENT_ID,
      clientSecret: settings.GOOGLE_CLIENT_SECRET,
      issuer: settings.GOOGLE_ISSUER,
      authorizationUrl: settings.GOOGLE_AUTHORIZATION_URL,
      tokenUrl: settings.GOOGLE_TOKEN_URL,
    },
    limits: settings.LIMITS,
    sentryDsn: settings.SENTRY_DSN ?? null,
    environment: settings.ENVIRONMENT,
    release: settings.RELEASE,
    floodLimit: bindings.FLOOD_LIMIT,
    floodLimitNetwork: bindings.FLOOD_LIMIT_NETWORK,
    reports: bindings.REPORTS,
  };
  checked.set(bindings, env);
  return env;
}
