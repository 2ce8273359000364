import 'server-only';
import type * as z from 'zod/mini';
import {
  type bindingNames,
  complaintsAbout,
  type optionalBindingNames,
  Settings,
} from './settings.ts';

/** The worker's settings and bindings, checked. */
export type AppEnv = ReturnType<typeof toEnv>;

/** The unchecked bindings. `Cloudflare.Env` is generated from wrangler.toml. */
export type Bindings = Record<string, unknown> &
  Pick<Cloudflare.Env, (typeof bindingNames)[number]> &
  Partial<Pick<Cloudflare.Env, (typeof optionalBindingNames)[number]>>;

// An isolate always gets the same object of bindings, so it is checked only once.
const checked = new WeakMap<Bindings, AppEnv>();

/**
 * The only code that reads bindings and secrets.
 *
 * @throws Error with a sentence for each setting or binding that is missing or malformed
 */
export function readEnv(bindings: Bindings): AppEnv {
  const cached = checked.get(bindings);
  if (cached !== undefined) {
    return cached;
  }
  const read = Settings.safeParse(bindings);
  const complaints = complaintsAbout(bindings, read);
  if (!read.success || complaints.length > 0) {
    throw new Error(complaints.map(({ sentence }) => sentence).join(' '));
  }
  const env = toEnv(bindings, read.data);
  checked.set(bindings, env);
  return env;
}

function toEnv(bindings: Bindings, settings: z.output<typeof Settings>) {
  return {
    db: bindings.DB,
    /** Where files are kept; null where there are none. */
    files: bindings.FILES ?? null,
    /** The origin of links in emails: `https://host`, without a trailing slash. */
    appOrigin: settings.APP_ORIGIN,
    /** Its host, with the port if it has one. */
    appHost: new URL(settings.APP_ORIGIN).host,
    /** Whether cookies are `Secure` and have the `__Host-` prefix. */
    isHttps: settings.APP_ORIGIN.startsWith('https:'),
    /** All keys are derived from this secret. */
    appSecret: settings.APP_SECRET,
    resendApiKey: settings.RESEND_API_KEY,
    resendBaseUrl: settings.RESEND_BASE_URL,
    resendWebhookSecret: settings.RESEND_WEBHOOK_SECRET,
    mailFrom: settings.MAIL_FROM,
    operatorName: settings.OPERATOR_NAME,
    google: {
      clientId: settings.GOOGLE_CLIENT_ID,
      clientSecret: settings.GOOGLE_CLIENT_SECRET,
      issuer: settings.GOOGLE_ISSUER,
      /** The endpoint where users choose their account. */
      authorizationUrl: settings.GOOGLE_AUTHORIZATION_URL,
      /** The endpoint that exchanges a code for tokens. */
      tokenUrl: settings.GOOGLE_TOKEN_URL,
    },
    stripe: stripeOf(settings),
    limits: settings.LIMITS,
    fileLimits: settings.FILE_LIMITS,
    requestsPerRun: settings.REQUESTS_PER_RUN,
    /** Null where error reporting is off. */
    sentryDsn: settings.SENTRY_DSN ?? null,
    environment: settings.ENVIRONMENT,
    release: settings.RELEASE,
    /** Cloudflare's rate limiter: fast and approximate, in front of the exact limits. */
    floodLimit: bindings.FLOOD_LIMIT,
    /** Cloudflare's rate limiter for the network around a client's. */
    floodLimitNetwork: bindings.FLOOD_LIMIT_NETWORK,
    /** Cloudflare's rate limiter for browsers' error reports. */
    reports: bindings.REPORTS,
  };
}

/** How people pay online; null where they do not. */
function stripeOf(settings: z.output<typeof Settings>) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = settings;
  if (secretKey === undefined || webhookSecret === undefined) {
    return null;
  }
  return {
    secretKey,
    /** One for each endpoint that Stripe sends events to; all are tried. */
    webhookSecrets: webhookSecret.split(' '),
    baseUrl: settings.STRIPE_BASE_URL,
    /** The only origin that browsers are sent to for paying. */
    checkoutOrigin: settings.STRIPE_CHECKOUT_ORIGIN,
    /** The instructors who are paid on the operator's own account: addresses in lower case. */
    ownAccountFor: settings.STRIPE_OWN_ACCOUNT_FOR,
  };
}
