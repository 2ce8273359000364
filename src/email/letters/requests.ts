import 'server-only';
import { msg } from '@lingui/core/macro';
import { type LetterTexts, openPage } from './letter-text.ts';

/** What people read who ask for a place by themselves, or to know when they can. */
export const requestLetters = {
  confirm_request: {
    name: msg`Please confirm`,
    when: msg`When someone asks to enroll on the public page`,
    facts: 'without_place',
    say: ({ group, short, instructor }) => ({
      subject: msg`Confirm your place in ${short}`,
      preheader: msg`One click, and ${instructor} knows that you want to take part.`,
      title: msg`Confirm your request`,
      paragraphs: [
        msg`You (or someone using this address) asked to enroll in ${group}. Please confirm it: no place is kept until you do.`,
      ],
      action: msg`Confirm my request`,
      notes: [
        msg`This link expires in 24 hours.`,
        msg`If you didn’t ask for this, please ignore this email: nothing changes unless you confirm.`,
      ],
      why: msg`You’re receiving this email because someone asked to enroll with this address.`,
    }),
  },
  already_there: {
    name: msg`You’re already on the list`,
    when: msg`When someone who is already on the list asks to enroll`,
    say: ({ group, short }) => ({
      subject: msg`Your place in ${short}`,
      preheader: msg`No need to ask again.`,
      paragraphs: [
        msg`This address is already on the list for ${group}. Your page shows the status of your request.`,
      ],
      action: openPage,
      notes: [msg`If you didn’t ask for this, please ignore this email: nothing has changed.`],
    }),
  },
  write_to_instructor: {
    name: msg`Enrollment blocked: contact you`,
    when: msg`When someone you removed asks to enroll`,
    say: ({ group, short, isOpen, instructor }) => ({
      subject: msg`Your request for ${short}`,
      preheader: msg`${instructor} can tell you more.`,
      title: isOpen ? msg`Please write to ${instructor}` : msg`Please write to the instructor`,
      paragraphs: [
        msg`You (or someone using this address) asked to enroll in ${group}. You can’t do that yourself anymore.`,
        msg`Please write to ${instructor}: just reply to this email.`,
      ],
    }),
  },
  enrollment_open: {
    name: msg`Enrollment is open`,
    when: msg`When enrollment opens, to people who asked to know on the course’s page`,
    say: ({ group, short, isOpen, instructor, startsOn }) => ({
      subject: isOpen
        ? msg`Enrollment is open: ${short}`
        : msg`Enrollment is open: ${short}, starting ${startsOn}`,
      preheader: msg`You asked us to tell you. This is the only email.`,
      paragraphs: [
        msg`You can now enroll in ${group} with ${instructor}. This email keeps no place for you.`,
      ],
      action: isOpen ? msg`See the course` : msg`See the cohort`,
      notes: [msg`We’ve deleted your address: you won’t get another email about this.`],
      why: msg`You’re receiving this email because you asked to know when enrollment opens.`,
    }),
  },
} satisfies LetterTexts;
