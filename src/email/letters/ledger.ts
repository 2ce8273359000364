import 'server-only';
import { msg } from '@lingui/core/macro';
import type { LetterTexts } from './letter-text.ts';

/** What people read of the money that they owe. */
export const ledgerLetters = {
  payment_reminder: {
    name: msg`Still to pay`,
    when: msg`When you remind those who still owe something, no more than once a week`,
    say: ({ cohort, instructor, amount }) => ({
      subject: msg`Still to pay for ${cohort}: ${amount}`,
      preheader: msg`Paid already? Then reply to this email.`,
      title: msg`You have a payment due`,
      paragraphs: [
        msg`According to ${instructor}’s records, you still owe ${amount} for “${cohort}”.`,
        msg`You pay ${instructor} directly: Lectern keeps the account and doesn’t take payments. If you have paid already, please reply to this email.`,
      ],
      action: msg`See what I owe`,
    }),
  },
} satisfies LetterTexts;
