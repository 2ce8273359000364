import * as z from 'zod/mini';
import { ownRows } from '#db/personal-data.ts';
import { checkouts, refundsWanted } from '#db/schema/checkouts.ts';
import { checkoutProblems, checkoutStatuses, refundReasons } from '#db/values.ts';
import { msg } from '#i18n/msg.ts';
import { type LimitRates, withStatus } from '#lib/vocabulary.ts';

export const errors = withStatus(422, {
  amount_not_payable: msg`Stripe takes payments between {least} and {most}. Please pay {instructor} directly.`,
  payment_off: msg`{instructor} takes no online payments at the moment.`,
  payment_confirming: msg`Your bank is still confirming a payment. We’ll email you.`,
  refund_refused: msg`Stripe has refused this refund. Please look at it in Stripe.`,
  refunds_under_way: msg`Money is on its way back to people, or a payment waits for your decision. Please decide, and delete your account once it’s done.`,
});

export const limits = {
  checkouts_per_person: ['6/h'],
  checkouts_per_ip: ['30/h'],
  payment_checks_per_ip: ['60/m'],
  /** Refunds, decisions and questions to Stripe of one instructor. */
  refunds_per_user: ['60/h'],
} as const satisfies LimitRates;

export const events = {
  checkout_opened: true,
  payment_applied: true,
  payment_problem: true,
  payment_refused: true,
  payment_unknown: true,
  refund_done: true,
};

export const exported = {
  /** Payments at Stripe, by its ids. */
  checkouts: ownRows(checkouts, {
    fields: {
      session_id: z.nullable(z.string()),
      status: z.enum(checkoutStatuses),
      problem: z.nullable(z.enum(checkoutProblems)),
    },
  }),
  refunds_wanted: ownRows(refundsWanted, {
    fields: { id: z.string(), reason: z.enum(refundReasons) },
  }),
};
