import * as z from 'zod/mini';
import { LimitsSetting } from '#features/limits/limits.ts';

const text = z.string('is missing');
const filled = text.check(z.minLength(1, 'must not be empty'));
/** Must use TLS or be local, because secrets and cookies are sent there. */
const url = text.check(
  z.refine(isSafeUrl, 'must be a URL that begins with https:// (http:// on localhost alone)'),
);

/** A limit on files with its default. */
function fileLimit(count: number) {
  const text = 'must be a whole number from 1 to 10000';
  return z._default(z.number(text).check(z.int(text), z.gte(1, text), z.lte(10_000, text)), count);
}

const requestCount = 'must be a whole number from 50 to 10000';

/** The worker's settings: `vars` of wrangler.toml, and secrets that are set with wrangler. */
export const Settings = z.object({
  /** The app's origin: links in emails start with it, other hosts are refused. */
  APP_ORIGIN: text.check(
    z.refine(
      isOrigin,
      'must be https:// and a host with nothing after it, not even a slash, such as https://lectern.example.com',
    ),
  ),
  /**
   * Signs CSRF tokens and attempts to sign in with Google, and keys the hashes of counters, codes
   * and known sign-ins. A change makes browsers fetch new tokens, ends attempts at Google and the
   * codes in emails and the links of participants, resets all counts and forgets known sign-ins. It
   * signs no one out.
   */
  APP_SECRET: text.check(
    z.minLength(32, 'must have at least 32 characters'),
    z.refine((text) => new Set(text).size >= 10, 'must be random, such as `openssl rand -hex 32`'),
  ),
  RESEND_API_KEY: filled,
  RESEND_BASE_URL: z._default(
    z.string().check(z.refine(isOrigin, 'must be an origin such as https://api.resend.com')),
    'https://api.resend.com',
  ),
  /** Verifies the signatures of Resend's webhooks. */
  RESEND_WEBHOOK_SECRET: text.check(
    z.regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must begin with whsec_, as Resend shows it'),
  ),
  /** The sender of all emails, as `Name <address>`; its domain must be verified at Resend. */
  MAIL_FROM: text.check(
    z.regex(/^[^<>\r\n]+ <[^<>@\s]+@[^<>@\s]+>$/, 'must look like Name <address@domain>'),
  ),
  /** Who runs this deployment, for people whose data it keeps: a person or an organization. */
  OPERATOR_NAME: text.check(
    z.trim(),
    z.minLength(1, 'must be the name of the person or organization that runs this Lectern'),
    z.maxLength(100, 'must have at most 100 characters'),
  ),
  /** The web client created in Google's console, with its secret. */
  GOOGLE_CLIENT_ID: filled,
  GOOGLE_CLIENT_SECRET: filled,
  /** The issuer of Google's ID tokens, and its authorization and token endpoints. */
  GOOGLE_ISSUER: z._default(url, 'https://accounts.google.com'),
  GOOGLE_AUTHORIZATION_URL: z._default(url, 'https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_TOKEN_URL: z._default(url, 'https://oauth2.googleapis.com/token'),
  /**
   * The key and the secrets of the webhooks of Stripe, with which people pay online: both, or none
   * where no one does.
   */
  STRIPE_SECRET_KEY: z.optional(
    z.string().check(z.regex(/^[sr]k_\w+$/, 'must begin with sk_ or rk_, as Stripe shows it')),
  ),
  /** Two, with a space between: of events on the operator's account, and on connected ones. */
  STRIPE_WEBHOOK_SECRET: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^whsec_[\w+/=]{16,}( whsec_[\w+/=]{16,})*$/,
          'must begin with whsec_, as Stripe shows it; several are separated by spaces',
        ),
      ),
  ),
  STRIPE_BASE_URL: z._default(
    z.string().check(z.refine(isOrigin, 'must be an origin such as https://api.stripe.com')),
    'https://api.stripe.com',
  ),
  /** The origin of the pages on which people pay: browsers are sent to no other. */
  STRIPE_CHECKOUT_ORIGIN: z._default(
    z.string().check(z.refine(isOrigin, 'must be an origin such as https://checkout.stripe.com')),
    'https://checkout.stripe.com',
  ),
  /** The instructors who are paid on the operator's own Stripe account, by their addresses. */
  STRIPE_OWN_ACCOUNT_FOR: z.pipe(
    z
      ._default(z.string(), '')
      .check(
        z.refine(
          (text) => listedIn(text).every((address) => /^[^@<>]+@[^@<>]+\.[^@<>.]+$/.test(address)),
          'must be email addresses, separated by commas or spaces',
        ),
      ),
    z.transform((text) => listedIn(text.toLowerCase())),
  ),
  LIMITS: z.prefault(LimitsSetting, {}),
  /** How large files can be, in MB of 1,000,000 bytes, and how many a course can have. */
  FILE_LIMITS: z.prefault(
    z.strictObject(
      {
        image_mb: fileLimit(10),
        document_mb: fileLimit(50),
        /** Audio and video. */
        media_mb: fileLimit(500),
        files_per_course: fileLimit(200),
        /** All files of an instructor; the second, until ten people have accepted invitations. */
        owner_mb: fileLimit(2_000),
        unproven_owner_mb: fileLimit(200),
      },
      'must have numbers by the names of the limits: see the README',
    ),
    {},
  ),
  /**
   * The most requests to D1 and Resend that one cron run may make: as many as the Cloudflare plan
   * allows an invocation, 50 on the free plan and 1,000 on a paid one.
   */
  REQUESTS_PER_RUN: z._default(
    z.coerce
      .number(requestCount)
      .check(z.int(requestCount), z.gte(50, requestCount), z.lte(10_000, requestCount)),
    50,
  ),
  /** Where errors are reported to; without it they are only logged. */
  SENTRY_DSN: z.optional(
    z
      .string()
      .check(z.refine(isDsn, 'must look like https://key@host/project, as Sentry shows it')),
  ),
  /** The environment and release in error reports. */
  ENVIRONMENT: z.enum(['local', 'preview', 'production'], 'must be local, preview or production'),
  RELEASE: z._default(z.string(), 'unreleased'),
});

/** Secrets of the worker: never in wrangler.toml, and required by it. */
export const secretNames = [
  'APP_SECRET',
  'GOOGLE_CLIENT_SECRET',
  'RESEND_API_KEY',
  'RESEND_WEBHOOK_SECRET',
] as const satisfies (keyof typeof Settings.shape)[];

/** Secrets that the worker needs only to take payments online: both, or none. */
export const optionalSecretNames = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
] as const satisfies (keyof typeof Settings.shape)[];

/** Whether a setting is a secret, which is never in wrangler.toml. */
export function isSecret(name: string): boolean {
  return [...secretNames, ...optionalSecretNames].some((secret) => secret === name);
}

export const settingNames = Object.keys(Settings.shape);

/** The Cloudflare bindings that the worker needs. */
export const bindingNames = ['DB', 'FLOOD_LIMIT', 'FLOOD_LIMIT_NETWORK', 'REPORTS'] as const;

/** Those that it also works without: where files are kept, in R2. */
export const optionalBindingNames = ['FILES'] as const;

/** When Cloudflare runs the jobs of cron.ts: the same as `crons` in wrangler.toml. */
export const crons = {
  /** What people wait for: free places and emails. */
  often: '*/5 * * * *',
  /** Not on the hour, when most jobs run. */
  hourly: '17 * * * *',
  /** When most users of Europe and America sleep. */
  nightly: '41 3 * * *',
} as const;

type Complaint = { name: string; sentence: string };

/**
 * One sentence, with its name, for each setting or binding that is missing or malformed.
 *
 * @param read the parsed settings, if they have been parsed already
 */
export function complaintsAbout(
  bindings: Record<string, unknown>,
  read = Settings.safeParse(bindings),
): Complaint[] {
  const half = missingHalf(Object.keys(bindings).filter((name) => bindings[name] !== undefined));
  return [
    ...(read.error?.issues ?? []).map(({ path, message }) => ({
      name: String(path[0]),
      sentence: `The setting ${path.join('.')} ${message}.`,
    })),
    ...(half === null ? [] : [{ name: half, sentence: halfSentence(half) }]),
    ...bindingNames
      .filter((name) => bindings[name] === undefined)
      .map((name) => ({
        name,
        sentence: `The binding ${name} is missing: wrangler.toml has to name it in every environment.`,
      })),
  ];
}

/** The optional secret that is missing beside the other one; null with both or none. */
export function missingHalf(names: string[]): (typeof optionalSecretNames)[number] | null {
  const missing = optionalSecretNames.filter((name) => !names.includes(name));
  return missing.length === 1 ? (missing[0] ?? null) : null;
}

function halfSentence(half: (typeof optionalSecretNames)[number]): string {
  const other = optionalSecretNames.find((name) => name !== half);
  return `The setting ${half} is missing: to take payments online, ${other} needs it too.`;
}

function listedIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}

function isSafeUrl(text: string): boolean {
  const parsed = URL.parse(text);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(parsed?.hostname ?? '');
  return parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLocal);
}

/** A DSN is a URL with the key as user and the project's id as path. */
function isDsn(text: string): boolean {
  // Unchanged: the SDK accepts no other spelling of the same URL.
  return isSafeUrl(text) && /^https?:\/\/\w+@[\w.-]+(:\d+)?\/\d+$/.test(text);
}

function isOrigin(text: string): boolean {
  return isSafeUrl(text) && URL.parse(text)?.origin === text;
}
