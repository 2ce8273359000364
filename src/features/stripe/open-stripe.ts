import 'server-only';
import type { Stripe } from 'stripe';
import type * as z from 'zod/mini';
import type { Context } from '#context.ts';
import { AppError } from '#lib/app-error.ts';

/** What it takes to call Stripe. */
export type StripeContext = Pick<Context, 'config' | 'requests'>;

/** Of each attempt; there are two. */
const timeoutMs = 8_000;

/** Stripe has refused this request, and would again. If nothing catches it, it is `payment_unavailable`. */
export class StripeRefusal extends AppError {
  readonly reason: string;
  constructor(reason: string, cause: unknown = null) {
    super('payment_unavailable', { cause });
    this.reason = reason;
  }
}

/**
 * The library, on whose behalf all requests are counted: Cloudflare limits those of an invocation.
 *
 * @throws AppError `payment_unavailable` without the settings
 */
export async function openStripe({ config, requests }: StripeContext) {
  const { stripe: settings } = config;
  if (settings === null) {
    throw new AppError('payment_unavailable');
  }
  // Loaded with the first payment: no page needs it.
  const { Stripe } = await import('stripe');
  const base = new URL(settings.baseUrl);
  return new Stripe(settings.secretKey, {
    host: base.hostname,
    port: base.port || (base.protocol === 'https:' ? '443' : '80'),
    protocol: base.protocol === 'https:' ? 'https' : 'http',
    httpClient: Stripe.createFetchHttpClient((...args: Parameters<typeof fetch>) => {
      requests.made += 1;
      return fetch(...args);
    }),
    telemetry: false,
    maxNetworkRetries: 1,
    timeout: timeoutMs,
  });
}

/** What a call to Stripe is for: whose account, and a key by which a retry does nothing more. */
type CallOptions = { account: string | null; key?: string };

/** The options of the library for a call. */
export function optionsOf({ account, key }: CallOptions): Stripe.RequestOptions {
  return {
    ...(account !== null && { stripeAccount: account }),
    ...(key !== undefined && { idempotencyKey: key }),
  };
}

/** Of these, an answer says nothing about the request itself. */
const passingTypes = new Set([
  'StripeAPIError',
  'StripeAuthenticationError',
  'StripeConnectionError',
  'StripeRateLimitError',
]);
/** Nor do these: another request with this key is under way, or about this object. */
const passingCodes = new Set(['idempotency_key_in_use', 'lock_timeout']);

/**
 * Calls Stripe, and checks the answer: the library takes a 404 without an `error`, or any other JSON,
 * for what was asked for.
 *
 * @throws StripeRefusal for what Stripe refuses; AppError `payment_unavailable` for everything else:
 *   nobody knows then whether it was done
 */
export async function askStripe<Schema extends z.ZodMiniType>(
  ctx: StripeContext,
  answer: Schema,
  call: (stripe: Stripe) => Promise<unknown>,
): Promise<z.output<Schema>> {
  const stripe = await openStripe(ctx);
  let content: unknown;
  try {
    content = await call(stripe);
  } catch (cause) {
    const { type, code } = cause as { type?: unknown; code?: unknown };
    const isPassing = passingTypes.has(String(type)) || passingCodes.has(String(code));
    if (typeof type === 'string' && type.startsWith('Stripe') && !isPassing) {
      throw new StripeRefusal(typeof code === 'string' ? code : type, cause);
    }
    throw new AppError('payment_unavailable', { cause });
  }
  const parsed = answer.safeParse(content);
  if (!parsed.success) {
    throw new AppError('payment_unavailable', { cause: new Error('Stripe answered otherwise') });
  }
  return parsed.data;
}
