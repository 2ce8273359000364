import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type CountedFor, exportedRows } from '#db/personal-data.ts';
import { checkouts, refundsWanted } from '#db/schema/checkouts.ts';
import { checkoutProblems, checkoutStatuses, refundReasons } from '#db/values.ts';
import { msg } from '#i18n/msg.ts';
import type { Errors, LimitRates } from '#lib/vocabulary.ts';

export const errors = {
  amount_not_payable: {
    status: 422,
    text: msg`Stripe takes payments between {least} and {most}. Please pay {instructor} directly.`,
  },
  payment_off: {
    status: 422,
    text: msg`{instructor} takes no online payments at the moment.`,
  },
  payment_confirming: {
    status: 422,
    text: msg`Your bank is still confirming a payment. We’ll email you.`,
  },
  refund_refused: {
    status: 422,
    text: msg`Stripe has refused this refund. Please look at it in Stripe.`,
  },
  refunds_under_way: {
    status: 422,
    text: msg`Money is on its way back to people, or a payment waits for your decision. Please decide, and delete your account once it’s done.`,
  },
} satisfies Errors;

export const limits = {
  checkouts_per_person: ['6/h'],
  checkouts_per_ip: ['30/h'],
  payment_checks_per_ip: ['60/m'],
  /** Refunds, decisions and questions to Stripe of one instructor. */
  refunds_per_user: ['60/h'],
} as const satisfies LimitRates;

export const countedFor = {
  refunds_per_user: ({ id }) => [id],
} satisfies Record<string, CountedFor>;

export const events = {
  checkout_opened: true,
  payment_applied: true,
  payment_problem: true,
  payment_refused: true,
  payment_unknown: true,
  refund_done: true,
};

const time = z.nullable(z.iso.datetime());

export const exported = {
  /** Payments at Stripe, by its ids. */
  checkouts: exportedRows({
    rows: (db, { id }) => db.select().from(checkouts).where(eq(checkouts.ownerId, id)),
    schema: z.object({
      id: z.uuid(),
      course_id: z.uuid(),
      course_name: z.string(),
      cohort_id: z.uuid(),
      cohort_name: z.string(),
      enrollment_id: z.uuid(),
      person_id: z.uuid(),
      stripe_account: z.nullable(z.string()),
      session_id: z.nullable(z.string()),
      payment_intent: z.nullable(z.string()),
      price_minor: z.nullable(z.int()),
      amount_minor: z.int(),
      currency: z.string(),
      status: z.enum(checkoutStatuses),
      problem: z.nullable(z.enum(checkoutProblems)),
      paid_minor: z.nullable(z.int()),
      paid_currency: z.nullable(z.string()),
      paid_at: time,
      refunded_minor: z.int(),
      decide_by: time,
      check_at: time,
      attempts: z.int(),
      expires_at: z.iso.datetime(),
      created_at: z.iso.datetime(),
    }),
  }),
  refunds_wanted: exportedRows({
    rows: (db, { id }) => db.select().from(refundsWanted).where(eq(refundsWanted.ownerId, id)),
    schema: z.object({
      id: z.string(),
      checkout_id: z.uuid(),
      amount_minor: z.int(),
      waive_rest: z.boolean(),
      reason: z.enum(refundReasons),
      due_at: z.iso.datetime(),
      attempts: z.int(),
      done_at: time,
      failed_at: time,
      failure: z.nullable(z.string()),
      created_at: z.iso.datetime(),
    }),
  }),
};
