import 'server-only';
import { msg } from '@lingui/core/macro';
import { ifYouCannotCome, type LetterTexts, seePlace, whyEnrolled } from './letter-text.ts';

/** What everyone in a cohort reads. */
export const cohortLetters = {
  starts_soon: {
    name: msg`It begins soon`,
    when: msg`Three days before the first day, at 9 AM`,
    say: ({ cohort, instructor, starts }) => ({
      subject: msg`${cohort} begins on ${starts}`,
      preheader: msg`${instructor} is looking forward to seeing you.`,
      paragraphs: [msg`“${cohort}” begins on ${starts}.`],
      action: seePlace,
      notes: [ifYouCannotCome],
      why: whyEnrolled,
    }),
  },
  message: {
    name: msg`A message from you`,
    when: msg`When you write to people of a cohort`,
    facts: 'none',
    say: ({ cohort, instructor, messageSubject }) => ({
      subject: msg`${messageSubject} (${cohort})`,
      preheader: msg`${instructor} writes to you about “${cohort}”.`,
      title: msg`A message from ${instructor}`,
      paragraphs: [msg`${instructor} writes to you about “${cohort}”:`],
      action: msg`Open my page`,
      notes: [msg`To answer, reply to this email. Your answer goes to ${instructor} alone.`],
    }),
  },
  cohort_cancelled: {
    name: msg`Canceled`,
    when: msg`When you move the cohort to the trash, unless you choose not to tell anyone`,
    say: ({ cohort, instructor }) => ({
      subject: msg`Canceled: ${cohort}`,
      preheader: msg`You don’t need to do anything.`,
      title: msg`This cohort was canceled`,
      paragraphs: [
        msg`${instructor} has canceled “${cohort}”. If you have questions, reply to this email.`,
      ],
    }),
  },
  dates_moved: {
    name: msg`New dates`,
    when: msg`When you move all dates, unless you choose not to tell anyone`,
    say: ({ cohort, instructor, haveMeetingsMoved }) => ({
      subject: msg`New dates for ${cohort}`,
      preheader: msg`Please check that you can still come.`,
      paragraphs: [
        msg`${instructor} has moved “${cohort}” to other dates. If you can’t come anymore, please say so on your page.`,
        ...(haveMeetingsMoved
          ? [msg`The live sessions have moved too: you’ll find all their times on your page.`]
          : []),
      ],
      action: seePlace,
    }),
  },
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
