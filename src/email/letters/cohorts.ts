import 'server-only';
import { msg } from '@lingui/core/macro';
import { ifYouCannotCome, type LetterTexts, openPage } from './letter-text.ts';

/** What everyone in a cohort reads. */
export const cohortLetters = {
  starts_soon: {
    name: msg`Starts soon`,
    when: msg`Three days before the first day, at 9 AM`,
    hasFirstSession: true,
    say: ({ course, short, cohort, instructor, starts, firstSession, whyEnrolled }) => ({
      subject: msg`${short} starts on ${starts}`,
      preheader: msg`${instructor} is looking forward to seeing you.`,
      title: msg`See you soon`,
      paragraphs: [msg`“${course}” (${cohort}) starts on ${starts}.`, ...firstSession],
      action: openPage,
      notes: [ifYouCannotCome],
      why: whyEnrolled,
    }),
  },
  message: {
    name: msg`A message from you`,
    when: msg`When you write to people of a cohort`,
    run: { when: msg`When you write to people in the course` },
    facts: 'none',
    say: ({ group, short, cohort, isOpen, instructor, messageSubject }) => ({
      subject: msg`${messageSubject} (${short})`,
      preheader: isOpen
        ? msg`${instructor} writes to you about ${group}.`
        : msg`${instructor} writes to you about “${cohort}”.`,
      title: msg`A message from ${instructor}`,
      paragraphs: [msg`${instructor} writes to you about ${group}:`],
      action: openPage,
      notes: [msg`To answer, reply to this email. Your answer goes to ${instructor} alone.`],
    }),
  },
  cohort_cancelled: {
    name: msg`Canceled`,
    when: msg`When you move the cohort to the trash, unless you choose not to tell anyone`,
    run: { when: msg`When you delete your account` },
    say: ({ course, short, cohort, isOpen, instructor, refund }) => ({
      subject: msg`Canceled: ${short}`,
      preheader: msg`You don’t need to do anything.`,
      title: isOpen ? msg`This course was canceled` : msg`This cohort was canceled`,
      paragraphs: [
        isOpen
          ? msg`${instructor} has canceled “${course}”. If you have questions, reply to this email.`
          : msg`${instructor} has canceled “${course}” (${cohort}). If you have questions, reply to this email.`,
        ...(refund === null ? [] : [msg`${instructor} is refunding you ${refund}.`]),
      ],
    }),
  },
  cohort_archived: {
    name: msg`Ended early`,
    when: msg`When you archive the cohort before its end and choose to tell people`,
    facts: 'none',
    say: ({ group, short, instructor }) => ({
      subject: msg`${short} has ended`,
      preheader: msg`No more sessions take place.`,
      title: msg`This cohort has ended`,
      paragraphs: [
        msg`${instructor} has ended ${group} earlier than planned, so no more sessions take place. If you have questions, reply to this email.`,
      ],
      action: openPage,
    }),
  },
  no_place_free: {
    name: msg`No place became free`,
    when: msg`When you archive the cohort before its end, to those who wait for a place or an answer`,
    facts: 'none',
    say: ({ group, short, instructor }) => ({
      subject: msg`No place became free in ${short}`,
      preheader: msg`You don’t need to do anything.`,
      paragraphs: [
        msg`${instructor} has ended ${group}, and no place became free for you. If you have questions, reply to this email.`,
      ],
    }),
  },
  dates_moved: {
    name: msg`New dates`,
    when: msg`When you move all dates, unless you choose not to tell anyone`,
    say: ({ course, short, cohort, instructor, haveMeetingsMoved }) => ({
      subject: msg`New dates for ${short}`,
      preheader: msg`Please check that you can still come.`,
      paragraphs: [
        msg`${instructor} has moved “${course}” (${cohort}) to other dates. If you can’t make it, please give up your place on your page.`,
        ...(haveMeetingsMoved
          ? [msg`The live sessions have moved too: you’ll find all their times on your page.`]
          : []),
      ],
      action: openPage,
    }),
  },
  payment_reminder: {
    name: msg`Still to pay`,
    when: msg`When you remind those who still owe something, no more than once a week`,
    say: ({ group, short, instructor, amount, paysOnline }) => ({
      subject: msg`Still to pay for ${short}: ${amount}`,
      preheader: msg`Paid already? Then reply to this email.`,
      title: msg`You have a payment due`,
      paragraphs: [
        msg`According to ${instructor}’s records, you still owe ${amount} for ${group}.`,
        paysOnline
          ? msg`You can pay online on your page: your payment goes straight to ${instructor}. If you have paid already, please reply to this email.`
          : msg`You pay ${instructor} directly: Lectern keeps the account and doesn’t take payments. If you have paid already, please reply to this email.`,
      ],
      action: paysOnline ? msg`Pay online` : msg`See what I owe`,
    }),
  },
} satisfies LetterTexts;
