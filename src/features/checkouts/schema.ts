import * as z from 'zod/mini';
import { checkoutProblems, checkoutStatuses } from '#db/values.ts';
import { nextPage } from '#features/places/person-fields.ts';
import { amountFrom } from '#lib/validation-rule.ts';

/** The page at Stripe on which someone pays. */
export const OpenedCheckout = z.object({
  checkout_id: z.uuid(),
  url: z.url(),
  expires_at: z.iso.datetime().check(z.describe('When the page ends')),
});
export type OpenedCheckout = z.infer<typeof OpenedCheckout>;

/** What a refund pays back. */
export const RefundInput = z.strictObject({
  amount_minor: z
    ._default(z.nullable(amountFrom(1, 'amount_range')), null)
    .check(
      z.describe('In the smallest unit of the currency; null: all that was not paid back yet'),
    ),
  waive_rest: z
    ._default(z.boolean(), false)
    .check(z.describe('Whether nothing more is owed once it is back')),
});
export type RefundInput = z.output<typeof RefundInput>;

export const RefundAnswer = z.object({
  amount_minor: z.int(),
  state: z
    .enum(['wanted', 'done'])
    .check(z.describe('wanted: Stripe has not answered yet, and will be asked again')),
});
export type RefundAnswer = z.infer<typeof RefundAnswer>;

/** Lets someone in who has paid for a place that has gone to someone else. */
export const LetInInput = z.strictObject({ over_capacity: z._default(z.boolean(), false) });
export type LetInInput = z.output<typeof LetInInput>;

/** A payment at Stripe as the API returns it to its owner. */
export const Checkout = z.object({
  id: z.uuid(),
  cohort_id: z.uuid(),
  cohort_name: z.string(),
  enrollment_id: z.uuid(),
  person_id: z.uuid(),
  name: z.nullable(z.string()).check(z.describe('Null for a person who was erased')),
  status: z.enum(checkoutStatuses),
  problem: z
    .nullable(z.enum(checkoutProblems))
    .check(
      z.describe(
        'no_place: it came when the place was no longer theirs. overpaid: more than was owed. disputed: the payer asks their bank for it. dispute_lost: the bank has given it back. lost: a refund has failed',
      ),
    ),
  amount_minor: z.int().check(z.describe('What was asked for')),
  currency: z.string(),
  paid_minor: z.nullable(z.int()),
  paid_currency: z.nullable(z.string()),
  paid_at: z.nullable(z.iso.datetime()),
  refunded_minor: z.int(),
  refundable_minor: z.int().check(z.describe('What can still be paid back')),
  decide_by: z
    .nullable(z.iso.datetime())
    .check(z.describe('When a payment without a place is refunded automatically')),
  created_at: z.iso.datetime(),
});
export type Checkout = z.infer<typeof Checkout>;

export const CheckoutPage = z.object({ items: z.array(Checkout), next: nextPage });
export type CheckoutPage = z.infer<typeof CheckoutPage>;

export const checkoutFilters = ['problems', 'all'] as const;
export type CheckoutFilter = (typeof checkoutFilters)[number];
