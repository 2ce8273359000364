import 'server-only';
import * as z from 'zod/mini';
import type { Locale } from '#db/values.ts';
import { fromStripeAmount } from './amounts.ts';
import { askStripe, optionsOf, type StripeContext } from './open-stripe.ts';

const id = z.string().check(z.minLength(3), z.maxLength(200));
const idOf = z.pipe(
  z.union([id, z.object({ id })]),
  z.transform((found) => (typeof found === 'string' ? found : found.id)),
);

/** A page at Stripe on which someone pays. Its `url` is a secret: who has it can pay there. */
const Session = z.object({
  id,
  object: z.literal('checkout.session'),
  status: z.enum(['open', 'complete', 'expired']),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  client_reference_id: z.nullable(z.string()),
  amount_total: z.int(),
  currency: z.string(),
  /** What is paid with; before that, null. */
  payment_intent: z.nullable(z.object({ id, status: z.string() })),
  url: z._default(z.nullable(z.string()), null),
});
export type Session = z.output<typeof Session>;

const Refund = z.object({
  id,
  object: z.literal('refund'),
  amount: z.int(),
  currency: z.string(),
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']),
  payment_intent: z.nullable(idOf),
  metadata: z._default(z.nullable(z.record(z.string(), z.string())), null),
});
export type Refund = z.output<typeof Refund>;

const Dispute = z.object({
  id,
  object: z.literal('dispute'),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  payment_intent: z.nullable(idOf),
});
export type Dispute = z.output<typeof Dispute>;

function listOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ object: z.literal('list'), data: z.array(item), has_more: z.boolean() });
}

/** Which take days: a place can't be held so long. */
const slowMethods = [
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'boleto',
  'customer_balance',
  'konbini',
  'multibanco',
  'nz_bank_account',
  'oxxo',
  'payto',
  'sepa_debit',
  'us_bank_account',
] as const;

export type NewSession = {
  /** Ours, by which we know the session. */
  id: string;
  /** In Stripe's units. */
  amount: number;
  currency: string;
  courseName: string;
  cohortName: string;
  /** Null: Stripe asks for it. */
  email: string | null;
  locale: Locale;
  /** Where Stripe leads back to, paid or not. */
  returnUrl: string;
  expiresAt: Date;
  /** Whether a place waits for it. */
  isHeld: boolean;
};

const expand = ['payment_intent'];

/** Makes a page to pay on. The same again is the same page. */
export function createSession(ctx: StripeContext, account: string | null, made: NewSession) {
  const { id: ours, amount, courseName, cohortName, returnUrl } = made;
  return askStripe(ctx, Session, (stripe) =>
    stripe.checkout.sessions.create(
      {
        mode: 'payment',
        client_reference_id: ours,
        ...(made.email !== null && { customer_email: made.email }),
        locale: made.locale,
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: made.currency.toLowerCase(),
              unit_amount: amount,
              product_data: {
                name: courseName,
                // An open run has the name of its course.
                ...(cohortName !== courseName && { description: cohortName }),
              },
            },
          },
        ],
        metadata: { checkout: ours },
        payment_intent_data: { metadata: { checkout: ours } },
        ...(made.isHeld && { excluded_payment_method_types: [...slowMethods] }),
        expires_at: Math.floor(made.expiresAt.getTime() / 1000),
        success_url: returnUrl,
        cancel_url: returnUrl,
        expand,
      },
      // Another request needs another key.
      optionsOf({ account, key: made.email === null ? `${ours}:without-email` : ours }),
    ),
  );
}

export function getSession(ctx: StripeContext, account: string | null, sessionId: string) {
  return askStripe(ctx, Session, (stripe) =>
    stripe.checkout.sessions.retrieve(sessionId, { expand }, optionsOf({ account })),
  );
}

/** Ends a page, so that no one can pay there any more. */
export function expireSession(ctx: StripeContext, account: string | null, sessionId: string) {
  return askStripe(ctx, Session, (stripe) =>
    stripe.checkout.sessions.expire(sessionId, { expand }, optionsOf({ account })),
  );
}

/** The page on which a payment was made; null for a payment of something else. */
export async function findSessionOf(ctx: StripeContext, account: string | null, payment: string) {
  const { data } = await askStripe(ctx, listOf(Session), (stripe) =>
    stripe.checkout.sessions.list(
      { payment_intent: payment, limit: 1, expand: ['data.payment_intent'] },
      optionsOf({ account }),
    ),
  );
  return data[0] ?? null;
}

type NewRefund = { id: string; key: string; payment: string; amount: number };

/** Pays back; the same again, with the same key, is the same refund. */
export function createRefund(
  ctx: StripeContext,
  account: string | null,
  { id: ours, key, payment, amount }: NewRefund,
) {
  return askStripe(ctx, Refund, (stripe) =>
    stripe.refunds.create(
      { payment_intent: payment, amount, metadata: { refund: ours } },
      optionsOf({ account, key }),
    ),
  );
}

/** All refunds of a payment, of which Stripe allows fewer than fit. */
export async function listRefundsOf(ctx: StripeContext, account: string | null, payment: string) {
  const { data } = await askStripe(ctx, listOf(Refund), (stripe) =>
    stripe.refunds.list({ payment_intent: payment, limit: 100 }, optionsOf({ account })),
  );
  return data;
}

export async function listDisputesOf(ctx: StripeContext, account: string | null, payment: string) {
  const { data } = await askStripe(ctx, listOf(Dispute), (stripe) =>
    stripe.disputes.list({ payment_intent: payment, limit: 100 }, optionsOf({ account })),
  );
  return data;
}

/** More than an account would pay back in a day. */
const mostReturns = 1_000;

/** What went back of a payment since a moment, in our units, and whether it is disputed. */
type ReturnedPart = { payment: string; minor: number; isDisputed: boolean };

/** The payments of an account of which something went back, or is disputed, since a moment. */
export async function listReturnsSince(ctx: StripeContext, account: string | null, since: Date) {
  const params = { created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 };
  const options = optionsOf({ account });
  const refunds = await askStripe(ctx, z.array(Refund), (stripe) =>
    stripe.refunds.list(params, options).autoPagingToArray({ limit: mostReturns }),
  );
  const disputes = await askStripe(ctx, z.array(Dispute), (stripe) =>
    stripe.disputes.list(params, options).autoPagingToArray({ limit: mostReturns }),
  );
  const parts = new Map<string, ReturnedPart>();
  for (const { payment_intent: payment, ...one } of [...refunds, ...disputes]) {
    if (payment !== null) {
      const part = parts.get(payment) ?? { payment, minor: 0, isDisputed: false };
      const isBack = one.object === 'refund' && !['failed', 'canceled'].includes(one.status);
      part.minor += isBack ? fromStripeAmount(one.amount, one.currency.toUpperCase()) : 0;
      part.isDisputed ||= one.object === 'dispute';
      parts.set(payment, part);
    }
  }
  return [...parts.values()];
}
