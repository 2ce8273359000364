import 'server-only';
import { msg } from '@lingui/core/macro';
import { ifYouCannotCome, type LetterTexts, seePlace, whyAsked } from './letter-text.ts';

/** What people read of their place: how they got it, wait for it or lost it. */
export const placeLetters = {
  applied: {
    name: msg`Your request has arrived`,
    when: msg`When someone asks for a place and you decide who takes part`,
    say: ({ cohort, instructor }) => ({
      subject: msg`You have asked for a place in ${cohort}`,
      preheader: msg`${instructor} decides, and we’ll email you the answer.`,
      paragraphs: [
        msg`${instructor} has your request for “${cohort}” and decides who takes part. No place is kept for you yet.`,
        msg`We’ll email you as soon as there is an answer. You can withdraw your request on your page.`,
      ],
      action: msg`See my request`,
      why: whyAsked(instructor),
    }),
  },
  refused: {
    name: msg`Your request was turned down`,
    when: msg`When you turn someone down, unless you choose not to tell them`,
    say: ({ cohort, instructor }) => ({
      subject: msg`No place for you this time: ${cohort}`,
      preheader: msg`${instructor} has answered your request.`,
      paragraphs: [
        msg`${instructor} can’t give you a place in “${cohort}”. If you have a question, reply to this email.`,
      ],
      why: whyAsked(instructor),
    }),
  },
  enrolled: {
    name: msg`You are in`,
    when: msg`When someone gets a place`,
    say: ({ cohort, instructor, starts }) => ({
      subject: msg`You are in: ${cohort}, from ${starts}`,
      preheader: msg`${instructor} is looking forward to seeing you.`,
      paragraphs: [msg`You have a place in “${cohort}”.`],
      action: seePlace,
      notes: [ifYouCannotCome],
      why: whyAsked(instructor),
    }),
  },
  added: {
    name: msg`You were added`,
    when: msg`When you add someone`,
    say: ({ cohort, instructor, starts, isUnasked, whatIsKept, whatRemovingDoes }) => ({
      subject: msg`${instructor} has enrolled you: ${cohort}, from ${starts}`,
      preheader: msg`Not for you? You can remove yourself at any time.`,
      title: msg`You have a place`,
      paragraphs: [msg`${instructor} has added you to “${cohort}”.`, ...whatIsKept],
      action: seePlace,
      notes: isUnasked ? whatRemovingDoes : [ifYouCannotCome],
    }),
  },
  waitlisted: {
    name: msg`You are on the waitlist`,
    when: msg`When someone joins the waitlist`,
    say: ({ cohort, instructor, position, hours, isByOwner, ...values }) => ({
      subject: msg`You are number ${position} on the waitlist for ${cohort}`,
      preheader: msg`We’ll write to you as soon as a place is free.`,
      paragraphs: [
        ...(isByOwner ? [msg`${instructor} has put you on the waitlist for “${cohort}”.`] : []),
        msg`All places in “${cohort}” are taken, and you are number ${position} on its waitlist.`,
        msg`When a place is free for you, we’ll email you. It is then kept for you for ${hours} hours, or until the cohort begins.`,
        ...(isByOwner ? values.whatIsKept : []),
      ],
      action: seePlace,
      notes: values.whatRemovingDoes,
      why: values.whyTakesPart,
    }),
  },
  offer: {
    name: msg`A place is free`,
    when: msg`When a place is offered`,
    say: ({ cohort, day, time, hours, whyTakesPart }) => ({
      subject: msg`A place is free for you in ${cohort}, until ${day}, ${time}`,
      preheader: msg`Accept it, or pass it on to the next person.`,
      title: msg`A place is free for you`,
      paragraphs: [
        msg`A place in “${cohort}” is free, and you are next. It is kept for you for ${hours} hours at most: please accept or decline it by then.`,
      ],
      action: msg`Accept or decline`,
      why: whyTakesPart,
    }),
  },
  offer_expiring: {
    name: msg`A place is still free`,
    when: msg`When a quarter of the time to answer is left, and at least three hours before it ends`,
    say: ({ cohort, day, time, whyTakesPart }) => ({
      subject: msg`Your place in ${cohort} is kept until ${day}, ${time}`,
      preheader: msg`After that, it goes to the next person.`,
      title: msg`Your place is still free`,
      paragraphs: [msg`The place in “${cohort}” that we keep for you is waiting for your answer.`],
      action: msg`Accept or decline`,
      why: whyTakesPart,
    }),
  },
  offer_expired: {
    name: msg`The place was passed on`,
    when: msg`When an offer was not answered in time`,
    say: ({ cohort, whyTakesPart }) => ({
      subject: msg`The place in ${cohort} was passed on`,
      preheader: msg`You can join the waitlist again.`,
      title: msg`Your offer has expired`,
      paragraphs: [
        msg`The place in “${cohort}” was kept for you, and now goes to the next person. If you would still like to take part, join the waitlist again on your page.`,
      ],
      action: msg`Open my page`,
      why: whyTakesPart,
    }),
  },
  invitation: {
    name: msg`Invitation`,
    when: msg`When you invite someone; many invitations go out one after another`,
    say: ({ cohort, instructor, whatIsKept, whatRemovingDoes }) => ({
      subject: msg`${instructor} invites you: ${cohort}`,
      preheader: msg`An invitation keeps no place, so answer soon.`,
      title: msg`You are invited`,
      paragraphs: [
        msg`${instructor} invites you to “${cohort}”. An invitation doesn’t hold a place.`,
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
    say: ({ cohort, instructor, day, time }) => ({
      subject: msg`Your invitation expires on ${day}, ${time}: ${cohort}`,
      preheader: msg`This is the only reminder.`,
      title: msg`Your invitation is still open`,
      paragraphs: [
        msg`${instructor} has invited you to “${cohort}”, and would like to know whether you will come.`,
      ],
      action: msg`Accept or decline`,
    }),
  },
  removed: {
    name: msg`You were removed`,
    when: msg`When you remove someone, unless you choose not to tell them`,
    say: ({ cohort, instructor }) => ({
      subject: msg`You were removed: ${cohort}`,
      preheader: msg`Your place was taken back.`,
      title: msg`You were removed from a cohort`,
      paragraphs: [
        msg`${instructor} has removed you from “${cohort}”. If you think that this is a mistake, reply to this email.`,
      ],
    }),
  },
  left: {
    name: msg`You no longer take part`,
    when: msg`When someone leaves`,
    say: ({ cohort, whyTakesPart }) => ({
      subject: msg`You no longer take part: ${cohort}`,
      preheader: msg`Changed your mind? You can ask for a place again.`,
      paragraphs: [
        msg`You have left “${cohort}”. If this wasn’t you, open your page and ask for a place again.`,
      ],
      action: msg`Open my page`,
      why: whyTakesPart,
    }),
  },
  left_by_owner: {
    name: msg`Enrollment has ended`,
    when: msg`When you mark someone as left, unless you choose not to tell them`,
    facts: 'none',
    say: ({ cohort, course, instructor }) => ({
      subject: msg`Your enrollment has ended: ${cohort}`,
      preheader: msg`You no longer take part in ${course}.`,
      title: msg`Your enrollment has ended`,
      paragraphs: [
        msg`You no longer take part in “${course}” (${cohort}) with ${instructor}, and won’t get any more emails about its sessions.`,
        msg`If you have questions, reply to this email: ${instructor} reads the answers.`,
      ],
      action: msg`Open my page`,
    }),
  },
  transferred: {
    name: msg`You are in another cohort now`,
    when: msg`When you move someone here, unless you choose not to tell them`,
    say: ({ cohort, instructor, former, starts }) => ({
      subject: msg`You are now in ${cohort}, from ${starts}`,
      preheader: msg`${instructor} has moved your place. Please check the dates.`,
      paragraphs: [
        msg`${instructor} has moved your place from “${former}” to “${cohort}”. Your old place is free for someone else.`,
      ],
      action: seePlace,
      notes: [
        msg`If you can’t come then, please leave your place on that page, or reply to this email.`,
      ],
    }),
  },
} satisfies LetterTexts;
