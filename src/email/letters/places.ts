import 'server-only';
import { msg } from '@lingui/core/macro';
import { ifYouCannotCome, type LetterTexts, openPage, whyAsked } from './letter-text.ts';

/** What people read of their place: how they got it, wait for it or lost it. */
export const placeLetters = {
  applied: {
    name: msg`Your request has arrived`,
    when: msg`When someone asks for a place and you decide who takes part`,
    say: ({ course, short, cohort, instructor }) => ({
      subject: msg`You asked for a place in ${short}`,
      preheader: msg`${instructor} decides, and we’ll email you the answer.`,
      paragraphs: [
        msg`${instructor} has your request for “${course}” (${cohort}) and decides who takes part. No place is kept for you yet.`,
        msg`We’ll email you as soon as there is an answer. You can withdraw your request on your page.`,
      ],
      action: msg`See my request`,
      why: whyAsked(instructor),
    }),
  },
  refused: {
    name: msg`Your request was turned down`,
    when: msg`When you turn someone down, unless you choose not to tell them`,
    facts: 'none',
    say: ({ course, short, cohort, instructor }) => ({
      subject: msg`No place for you this time: ${short}`,
      preheader: msg`${instructor} has answered your request.`,
      paragraphs: [
        msg`${instructor} can’t give you a place in “${course}” (${cohort}). If you have a question, reply to this email.`,
      ],
      why: whyAsked(instructor),
    }),
  },
  enrolled: {
    name: msg`You’re in`,
    when: msg`When someone gets a place`,
    hasFirstSession: true,
    say: ({ course, short, cohort, instructor, startsOn, firstSession }) => ({
      subject: msg`You’re in: ${short}, starting ${startsOn}`,
      preheader: msg`${instructor} is looking forward to seeing you.`,
      title: msg`You’re in!`,
      paragraphs: [msg`You have a place in “${course}” (${cohort}).`, ...firstSession],
      action: openPage,
      notes: [ifYouCannotCome],
      why: whyAsked(instructor),
    }),
  },
  added: {
    name: msg`You were added`,
    when: msg`When you add someone`,
    hasFirstSession: true,
    say: ({ course, short, cohort, instructor, startsOn, firstSession, ...values }) => ({
      subject: msg`${instructor} has enrolled you in ${short}, starting ${startsOn}`,
      preheader: msg`Not for you? You can remove yourself at any time.`,
      title: msg`You have a place`,
      paragraphs: [
        msg`${instructor} has added you to “${course}” (${cohort}).`,
        ...firstSession,
        ...values.whatIsKept,
      ],
      action: openPage,
      notes: values.isUnasked ? values.whatRemovingDoes : [ifYouCannotCome],
    }),
  },
  waitlisted: {
    name: msg`You’re on the waitlist`,
    when: msg`When someone joins the waitlist`,
    say: ({ course, short, cohort, instructor, position, hours, isByOwner, ...values }) => ({
      subject: msg`You’re number ${position} on the waitlist for ${short}`,
      preheader: msg`We’ll write to you as soon as a place is free.`,
      paragraphs: [
        ...(isByOwner
          ? [msg`${instructor} has put you on the waitlist for “${course}” (${cohort}).`]
          : []),
        msg`All places in “${course}” (${cohort}) are taken, and you’re number ${position} on the waitlist.`,
        msg`When a place is free for you, we’ll email you. It is then kept for you for ${hours} hours, or until the cohort begins.`,
        ...(isByOwner ? values.whatIsKept : []),
      ],
      action: openPage,
      notes: values.whatRemovingDoes,
      why: values.whyTakesPart,
    }),
  },
  offer: {
    name: msg`A place is free`,
    when: msg`When a place is offered`,
    say: ({ course, short, cohort, day, time, hours, whyTakesPart }) => ({
      subject: msg`A place is free for you in ${short}, until ${day}, ${time}`,
      preheader: msg`Accept it, or pass it on to the next person.`,
      title: msg`A place is free for you`,
      paragraphs: [
        msg`A place in “${course}” (${cohort}) is free, and you’re next. It’s kept for you for ${hours} hours at most: please accept or decline it by then.`,
      ],
      action: msg`Accept or decline`,
      why: whyTakesPart,
    }),
  },
  offer_expiring: {
    name: msg`Offer ending soon`,
    when: msg`When a quarter of the time to answer is left, and at least three hours before it ends`,
    say: ({ course, short, cohort, day, time, whyTakesPart }) => ({
      subject: msg`Your place in ${short} is kept until ${day}, ${time}`,
      preheader: msg`After that, it goes to the next person.`,
      title: msg`Your place is still free`,
      paragraphs: [
        msg`The place in “${course}” (${cohort}) that we keep for you is waiting for your answer.`,
      ],
      action: msg`Accept or decline`,
      why: whyTakesPart,
    }),
  },
  offer_expired: {
    name: msg`The place was passed on`,
    when: msg`When an offer was not answered in time`,
    say: ({ course, short, cohort, whyTakesPart }) => ({
      subject: msg`The place in ${short} was passed on`,
      preheader: msg`You can join the waitlist again.`,
      title: msg`Your offer has expired`,
      paragraphs: [
        msg`The place in “${course}” (${cohort}) was kept for you, and now goes to the next person. If you would still like to take part, join the waitlist again on your page.`,
      ],
      action: openPage,
      why: whyTakesPart,
    }),
  },
  invitation: {
    name: msg`Invitation`,
    when: msg`When you invite someone; many invitations go out one after another`,
    say: ({ course, short, cohort, instructor, whatIsKept, whatRemovingDoes }) => ({
      subject: msg`${instructor} invites you to ${short}`,
      preheader: msg`An invitation keeps no place, so answer soon.`,
      title: msg`You’re invited`,
      paragraphs: [
        msg`${instructor} invites you to “${course}” (${cohort}). An invitation doesn’t hold a place.`,
        ...whatIsKept,
      ],
      action: msg`Accept or decline`,
      notes: [
        msg`If you don’t know ${instructor}, ignore this email or decline: you won’t get this invitation again.`,
        ...whatRemovingDoes,
      ],
    }),
  },
  invitation_reminder: {
    name: msg`Reminder of an invitation`,
    when: msg`Once, three days before the invitation ends, if it was not answered`,
    say: ({ course, short, cohort, instructor, day, time }) => ({
      subject: msg`Your invitation to ${short} expires on ${day}, ${time}`,
      preheader: msg`This is the only reminder.`,
      title: msg`Your invitation is still open`,
      paragraphs: [msg`${instructor} has invited you to “${course}” (${cohort}). Will you come?`],
      action: msg`Accept or decline`,
    }),
  },
  removed: {
    name: msg`You’re no longer enrolled`,
    when: msg`When you remove someone, unless you choose not to tell them`,
    facts: 'none',
    say: ({ course, short, cohort, instructor }) => ({
      subject: msg`You’re no longer enrolled in ${short}`,
      preheader: msg`Your place there has ended.`,
      paragraphs: [
        msg`${instructor} has taken you off the roster of “${course}” (${cohort}). Reply to this email if you have questions.`,
      ],
    }),
  },
  left: {
    name: msg`You’ve left this cohort`,
    when: msg`When someone leaves`,
    facts: 'none',
    say: ({ course, short, cohort, instructor, canReturn, whyTakesPart }) => ({
      subject: msg`You’ve left ${short}`,
      preheader: canReturn
        ? msg`Changed your mind? You can ask for a place again.`
        : msg`Changed your mind? Reply to this email.`,
      paragraphs: [
        canReturn
          ? msg`You’ve left “${course}” (${cohort}). If this wasn’t you, open your page and ask for a place again.`
          : msg`You’ve left “${course}” (${cohort}). Enrollment isn’t open, so only ${instructor} can add you again. If this wasn’t you, write to ${instructor}.`,
      ],
      action: openPage,
      why: whyTakesPart,
    }),
  },
  left_by_owner: {
    name: msg`Enrollment has ended`,
    when: msg`When you mark someone as left, unless you choose not to tell them`,
    facts: 'none',
    say: ({ cohort, course, short, instructor }) => ({
      subject: msg`Your enrollment in ${short} (${cohort}) has ended`,
      preheader: msg`You no longer take part in ${course}.`,
      title: msg`Your enrollment has ended`,
      paragraphs: [
        msg`You no longer take part in “${course}” (${cohort}) with ${instructor}, and won’t get any more emails about its sessions.`,
        msg`If you have questions, reply to this email: ${instructor} will get your reply.`,
      ],
      action: msg`Open my page`,
    }),
  },
  transferred: {
    name: msg`You’re in another cohort now`,
    when: msg`When you move someone here, unless you choose not to tell them`,
    hasFirstSession: true,
    say: ({ course, short, cohort, instructor, former, startsOn, firstSession }) => ({
      subject: msg`You’re now in ${short} (${cohort}), starting ${startsOn}`,
      preheader: msg`${instructor} has moved your place. Please check the dates.`,
      paragraphs: [
        msg`${instructor} has moved your place from “${former}” to “${course}” (${cohort}). Your old place is free for someone else.`,
        ...firstSession,
      ],
      action: openPage,
      notes: [msg`If you can’t make it then, give up your place there, or reply to this email.`],
    }),
  },
} satisfies LetterTexts;
