import * as z from 'zod/mini';
import { ownRows } from '#db/personal-data.ts';
import { ledgerEntries, ledgerNotes } from '#db/schema/ledger.ts';
import { enrollmentActors, ledgerKinds, ledgerSources, paymentMethods } from '#db/values.ts';
import { msg } from '#i18n/msg.ts';
import { type LimitRates, type ValidationTexts, withStatus } from '#lib/vocabulary.ts';

export const errors = withStatus(422, {
  balance_changed: msg`This account has changed in the meantime. Please look at it again.`,
  charged_already: msg`This place has already been charged.`,
  entry_is_online: msg`Stripe has taken this payment or sent it back, so it can’t be reversed here. Pay it back instead.`,
  entry_is_reversal: msg`This entry reverses another. Write a new entry instead.`,
  more_than_owed: msg`This is more than what is still owed.`,
  more_than_paid: msg`This is more than what was paid.`,
  nothing_owed: msg`Nothing is owed anymore.`,
  nothing_paid: msg`Nothing was paid, or all of it was refunded.`,
  no_receipt: msg`{kind, select, open {We can’t send a receipt for this entry: it isn’t a payment, it was reversed, or the person doesn’t get emails from this course.} other {We can’t send a receipt for this entry: it isn’t a payment, it was reversed, or the person doesn’t get emails from this cohort.}}`,
  price_required: msg`{kind, select, open {Set a price for this course first.} other {Set a price for this cohort first.}}`,
});

export const validation = {
  amount_range: msg`Please enter an amount above 0`,
  method_required: msg`Please choose how it was paid`,
  method_word_too_long: msg`Must be at most 40 characters`,
  method_word_other: msg`You can only name a payment method yourself if you choose “Other”`,
  entry_note_too_long: msg`Note must be at most 300 characters`,
  people_required: msg`Please choose someone`,
} satisfies ValidationTexts;

export const limits = {
  ledger_writes_per_user: ['120/m', '5000/d'],
  /** Receipts that are sent by hand. */
  receipts_per_user: ['30/m', '300/d'],
  /** Reminders to everyone in one cohort who owes something; no one gets two within a week. */
  payment_reminders_per_cohort: ['5/d'],
} as const satisfies LimitRates;

export const events = {
  ledger_written: true,
  payment_reminders_queued: true,
  receipt_queued: true,
};

export const exported = {
  ledger_entries: ownRows(ledgerEntries, {
    fields: {
      kind: z.enum(ledgerKinds),
      method: z.nullable(z.enum(paymentMethods)),
      source: z.enum(ledgerSources),
      outside_id: z.nullable(z.string()),
      created_by: z.enum(enrollmentActors),
    },
  }),
  ledger_notes: ownRows(ledgerNotes),
};
