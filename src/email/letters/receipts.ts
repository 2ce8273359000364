import 'server-only';
import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { PaymentMethod } from '#db/values.ts';
import type { CohortPayload } from '#email/payload.ts';
import { fullPriceOf } from '#lib/price.ts';
import { dayRange } from '#lib/time/words.ts';
import { type LetterTexts, plain } from './letter-text.ts';

export const methodWords: Record<PaymentMethod, MessageDescriptor> = {
  transfer: msg`Bank transfer`,
  cash: msg`Cash`,
  card: msg`Card`,
  check: msg`Check`,
  other: msg`Other`,
  online: msg`Online`,
};

/** What people read of a payment that their instructor has recorded, or that they made online. */
export const receiptLetters = {
  receipt: {
    name: msg`Receipt`,
    when: msg`When you email a receipt for a payment, or for each payment if the cohort’s settings say so`,
    run: {
      when: msg`When you email a receipt for a payment, or for each payment if the enrollment settings say so`,
    },
    say: ({ group, shortNamed, instructor, paid, isPaidOnline }) => ({
      subject: msg`Receipt for ${paid}: ${shortNamed}`,
      preheader: isPaidOnline
        ? msg`It went straight to ${instructor}.`
        : msg`${instructor} has recorded your payment.`,
      title: msg`Your payment of ${paid}`,
      paragraphs: [
        isPaidOnline
          ? msg`Your payment for ${group} has arrived.`
          : msg`${instructor} has recorded your payment for ${group}.`,
        msg`This is not an invoice. If something is wrong, reply to this email.`,
      ],
      action: msg`Open my page`,
    }),
  },
} satisfies LetterTexts;

/** The payment in lines, and what is left to pay. */
export function receiptFacts(
  { cohort, instructor, receipt }: CohortPayload,
  i18n: I18n,
): { label: string; value: string }[] {
  if (!receipt) {
    return [];
  }
  const { minor, currency, method, word, day, left } = receipt;
  return [
    { label: i18n._(msg`Amount`), value: fullPriceOf(minor, currency, i18n.locale) },
    { label: i18n._(msg`Date`), value: dayRange(day, day, i18n.locale) },
    {
      label: i18n._(msg`Payment method`),
      value: word === null ? i18n._(methodWords[method]) : plain(word),
    },
    { label: i18n._(msg`Course`), value: plain(cohort.course) },
    ...(cohort.kind === 'open' ? [] : [{ label: i18n._(msg`Cohort`), value: plain(cohort.name) }]),
    { label: i18n._(msg`Paid to`), value: plain(instructor.name) },
    ...(left === null
      ? []
      : [{ label: i18n._(msg`Still owed`), value: fullPriceOf(left, currency, i18n.locale) }]),
  ];
}
