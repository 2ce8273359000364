import 'server-only';
import { msg } from '@lingui/core/macro';
import { type LetterTexts, openPage } from './letter-text.ts';

/** The links to lessons, and to what is kept of people. */
export const rightsLetters = {
  new_link: {
    name: msg`A new link`,
    when: msg`When someone asks for one, or when you send the link again`,
    facts: 'none',
    say: ({ short, instructor, isUnasked, whatIsKept, whatRemovingDoes }) => ({
      subject: short === '' ? msg`Your new link` : msg`Your new link for ${short}`,
      preheader: msg`It opens your page with ${instructor}.`,
      title: msg`Your new link`,
      paragraphs: [
        msg`Here’s the link to your page. Older links may no longer work.`,
        ...whatIsKept,
      ],
      action: openPage,
      notes: isUnasked
        ? whatRemovingDoes
        : [msg`If you didn’t ask for this, please ignore this email: nothing has changed.`],
      ...(short === '' && {
        why: msg`You’re receiving this email because ${instructor} has you on their list.`,
      }),
    }),
  },
  learner_link: {
    name: msg`Link and code to continue`,
    when: msg`When someone who takes part opens the lessons in another browser`,
    facts: 'none',
    say: ({ short, course, instructor }) => ({
      subject: msg`Your link and code for ${short}`,
      preheader: msg`A link and a code to continue reading.`,
      title: msg`Your link and code`,
      paragraphs: [
        msg`Here’s your link to “${course}” with ${instructor}. Or enter the code in the window where you asked for it.`,
      ],
      action: msg`Open the course`,
      notes: [
        msg`The code works once and expires in 10 minutes.`,
        msg`If you didn’t ask for this, please ignore this email. Don’t share the link or the code with anyone: either one opens your lessons.`,
      ],
      why: msg`You’re receiving this email because someone asked for it on the page of the course.`,
    }),
  },
  data_link: {
    name: msg`Copy of personal data`,
    when: msg`When someone asks for everything kept about them`,
    facts: 'none',
    say: ({ short, instructor }) => ({
      subject: short === '' ? msg`The link to your data` : msg`The link to your data: ${short}`,
      preheader: msg`It shows what ${instructor} keeps about you.`,
      title: msg`The link to your data`,
      paragraphs: [
        msg`Here you can download what we keep about you for ${instructor}, change your email address or erase everything.`,
      ],
      action: msg`Open my data`,
      notes: [
        msg`This link expires in 10 minutes.`,
        msg`If you didn’t ask for this, someone else has the link to your page. Nothing has changed; ask ${instructor} for a new link.`,
      ],
      why: msg`You’re receiving this email because someone asked for it on your page.`,
    }),
  },
  address_proof: {
    name: msg`A new address`,
    when: msg`When someone changes their email address`,
    facts: 'none',
    say: ({ short, isOpen, instructor }) => ({
      subject:
        short === ''
          ? msg`Confirm your new email address`
          : msg`Confirm your new email address: ${short}`,
      preheader: msg`Emails from ${instructor} will then be sent here.`,
      title: msg`Confirm your new email address`,
      paragraphs: [
        isOpen
          ? msg`Someone who takes part in a course with ${instructor} would like to get their emails at this address. If it was you, please confirm it.`
          : msg`Someone who takes part in cohorts of ${instructor} would like to get their emails at this address. If it was you, please confirm it.`,
      ],
      action: msg`Confirm my address`,
      notes: [
        msg`This link expires in 24 hours.`,
        msg`If you didn’t ask for this, please ignore this email: nothing changes unless you confirm.`,
      ],
      why: msg`You’re receiving this email because someone gave this address as their own.`,
    }),
  },
} satisfies LetterTexts;
