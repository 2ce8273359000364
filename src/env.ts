import 'server-only';
import * as z from 'zod/mini';
import type { GoogleSettings } from '#features/auth/google.ts';
import { type Limits, LimitsSetting } from '#features/limits/limits.ts';

/** Over TLS, or on this very machine: secrets and cookies travel there. */
const url = z
  .string('is missing')
  .check(
    z.refine(isSafeUrl, 'must be a URL that begins with https:// (http:// on localhost alone)'),
  );

/** What the worker is told from outside. Public settings are `vars` of wrangler.toml, secrets are set with wrangler. */
const Settings = z.object({
  /** Where people reach the app, without a path: links in mails start with it, other hosts are refused. */
  APP_ORIGIN: z
    .string('is missing')
    .check(z.refine(isOrigin, 'must be an origin such as https://lectern.example.com')),
  /**
   * Signs CSRF tokens and attempts to sign in with Google, and keys the counters of limits. After a change browsers fetch new
   * tokens, who is at Google begins again, and all counts begin at zero; nobody is signed out.
   */
  APP_SECRET: z.string('is missing').check(
    z.minLength(32, 'must have at least 32 characters'),
    z.refine((text) => new Set(text).size >= 10, 'must be random, such as `openssl rand -hex 32`'),
  ),
  RESEND_API_KEY: z.string('is missing').check(z.minLength(1, 'must not be empty')),
  RESEND_BASE_URL: z._default(
    z.string().check(z.refine(isOrigin, 'must be an origin such as https://api.resend.com')),
    'https://api.resend.com',
  ),
  /** Resend signs with it what it tells us of mails that came back. */
  RESEND_WEBHOOK_SECRET: z
    .string('is missing')
    .check(
      z.regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must begin with whsec_, as Resend shows it'),
    ),
  /** The sender of all mails, as `Name <address>`; its domain must be verified at Resend. */
  MAIL_FROM: z
    .string('is missing')
    .check(z.regex(/^[^<>\r\n]+ <[^<>@\s]+@[^<>@\s]+>$/, 'must look like Name <address@domain>')),
  /** The web client that the operator made in Google's console, with its secret. */
  GOOGLE_CLIENT_ID: z.string('is missing').check(z.minLength(1, 'must not be empty')),
  GOOGLE_CLIENT_SECRET: z.string('is missing').check(z.minLength(1, 'must not be empty')),
  /** Who signs Google's ID tokens, where people choose their Google account, and where a code is turned into a token. */
  GOOGLE_ISSUER: z._default(url, 'https://accounts.google.com'),
  GOOGLE_AUTHORIZATION_URL: z._default(url, 'https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_TOKEN_URL: z._default(url, 'https://oauth2.googleapis.com/token'),
  LIMITS: z.prefault(LimitsSetting, {}),
  /** Where errors are reported to; without one they stand in the log alone. */
  SENTRY_DSN: z.optional(
    z
      .string()
      .check(z.refine(isDsn, 'must look like https://key@host/project, as Sentry shows it')),
  ),
  /** The deployment and the build of it, as error reports name them. */
  ENVIRONMENT: z._default(z.enum(['local', 'preview', 'production']), 'local'),
  RELEASE: z._default(z.string(), 'unreleased'),
});

/** The worker's settings and bindings, checked. */
export type AppEnv = {
  db: D1Database;
  appOrigin: string;
  /** Cookies are `Secure` and carry the `__Host-` prefix exactly then. */
  isHttps: boolean;
  appSecret: string;
  resendApiKey: string;
  resendBaseUrl: string;
  resendWebhookSecret: string;
  mailFrom: string;
  google: GoogleSettings;
  limits: Limits;
  /** Null where errors are not reported. */
  sentryDsn: string | null;
  environment: 'local' | 'preview' | 'production';
  release: string;
  /** Cloudflare's rate limiter: fast and approximate, in front of the exact limits. */
  sieve: RateLimit;
  /** The same for error reports of browsers. */
  reports: RateLimit;
};

/** What wrangler hands over, unchecked. */
export type Bindings = Record<string, unknown> & {
  DB: D1Database;
  SIEVE: RateLimit;
  REPORTS: RateLimit;
};

// One isolate sees one object of bindings; checking it once for each request would be waste.
const checked = new WeakMap<Bindings, AppEnv>();

/**
 * The only reader of bindings and secrets.
 *
 * @throws Error with one sentence for each setting that is missing or malformed, naming it
 */
export function readEnv(bindings: Bindings): AppEnv {
  const known = checked.get(bindings);
  if (known !== undefined) {
    return known;
  }
  const result = Settings.safeParse(bindings);
  if (!result.success) {
    const sentences = result.error.issues.map(
      (issue) => `The setting ${issue.path.join('.')} ${issue.message}.`,
    );
    throw new Error(sentences.join(' '));
  }
  const settings = result.data;
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
    sieve: bindings.SIEVE,
    reports: bindings.REPORTS,
  };
  checked.set(bindings, env);
  return env;
}

function isSafeUrl(text: string): boolean {
  const parsed = URL.parse(text);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(parsed?.hostname ?? '');
  return parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLocal);
}

/** The key in the place of a user, the project's number as the path. */
function isDsn(text: string): boolean {
  const parsed = URL.parse(text);
  return (
    isSafeUrl(text) &&
    /^\w+$/.test(parsed?.username ?? '') &&
    parsed?.password === '' &&
    /^\/\d+$/.test(parsed.pathname)
  );
}

function isOrigin(text: string): boolean {
  return isSafeUrl(text) && URL.parse(text)?.origin === text;
}
