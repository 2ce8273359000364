import 'server-only';
import { msg } from '@lingui/core/macro';
import { ifYouCannotCome, type LetterTexts, openCourse, openPage, pay } from './letter-text.ts';

const youCanStart = msg`You can start right now, or whenever it suits you.`;
const howToPay = msg`You pay on Stripe’s page, by card or what your bank offers.`;
const ifNotForYou = msg`If you’d rather not take part, you can leave on your page.`;

/** What people read of their place: how they got it, wait for it or lost it. */
export const placeLetters = {
  applied: {
    name: msg`Your request has arrived`,
    when: msg`When someone asks for a place and you decide who takes part`,
    say: ({ group, short, instructor, whyAsked }) => ({
      subject: msg`You asked for a place in ${short}`,
      preheader: msg`${instructor} decides, and we’ll email you the answer.`,
      paragraphs: [
        msg`${instructor} has your request for ${group} and decides who takes part. No place is kept for you yet.`,
        msg`We’ll email you as soon as there is an answer. You can withdraw your request on your page.`,
      ],
      action: msg`See my request`,
      why: whyAsked,
    }),
  },
  refused: {
    name: msg`Your request was turned down`,
    when: msg`When you turn someone down, unless you choose not to tell them`,
    facts: 'none',
    say: ({ group, short, instructor, whyAsked }) => ({
      subject: msg`No place for you this time: ${short}`,
      preheader: msg`${instructor} has answered your request.`,
      paragraphs: [
        msg`${instructor} can’t give you a place in ${group}. If you have a question, reply to this email.`,
      ],
      why: whyAsked,
    }),
  },
  enrolled: {
    name: msg`You’re in`,
    when: msg`When someone gets a place`,
    hasFirstSession: true,
    say: ({ group, short, isOpen, instructor, startsOn, firstSession, ...values }) => ({
      subject: isOpen ? msg`You’re in: ${short}` : msg`You’re in: ${short}, starting ${startsOn}`,
      preheader: isOpen
        ? msg`Start whenever you like, and go at your own pace.`
        : msg`${instructor} is looking forward to seeing you.`,
      title: msg`You’re in!`,
      paragraphs: [
        msg`You have a place in ${group}.`,
        ...(values.canStart ? [youCanStart] : []),
        ...firstSession,
      ],
      action: values.canStart ? openCourse : openPage,
      notes: [isOpen ? ifNotForYou : ifYouCannotCome],
      why: values.whyAsked,
    }),
  },
  added: {
    name: msg`You were added`,
    when: msg`When you add someone`,
    hasFirstSession: true,
    say: ({ group, short, isOpen, instructor, startsOn, firstSession, ...values }) => ({
      subject: isOpen
        ? msg`${instructor} has enrolled you in ${short}`
        : msg`${instructor} has enrolled you in ${short}, starting ${startsOn}`,
      preheader: msg`Not for you? You can remove yourself at any time.`,
      title: msg`You have a place`,
      paragraphs: [
        msg`${instructor} has added you to ${group}.`,
        ...(values.canStart ? [youCanStart] : []),
        ...firstSession,
        ...(values.isUnasked
          ? [msg`Please tell ${instructor} that you take part. One click on your page is enough.`]
          : []),
        ...values.whatIsKept,
      ],
      action: values.isUnasked ? msg`Yes, I take part` : values.canStart ? openCourse : openPage,
      notes: values.isUnasked ? values.whatRemovingDoes : [isOpen ? ifNotForYou : ifYouCannotCome],
    }),
  },
  waitlisted: {
    name: msg`You’re on the waitlist`,
    when: msg`When someone joins the waitlist`,
    say: ({ group, short, isOpen, instructor, position, hours, isByOwner, ...values }) => ({
      subject: msg`You’re number ${position} on the waitlist for ${short}`,
      preheader: msg`We’ll write to you as soon as a place is free.`,
      paragraphs: [
        ...(isByOwner ? [msg`${instructor} has put you on the waitlist for ${group}.`] : []),
        ...(values.waitsAgain
          ? [
              msg`${instructor} can’t take online payments at the moment, so the place you were offered is no longer kept.`,
            ]
          : []),
        msg`You’re number ${position} on the waitlist for ${group}.`,
        isOpen
          ? msg`When a place is free for you, we’ll email you. It is then kept for you for ${hours} hours.`
          : msg`When a place is free for you, we’ll email you. It is then kept for you for ${hours} hours, or until the cohort begins.`,
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
    say: ({ group, short, day, time, hours, toPay, whyTakesPart }) => ({
      subject: msg`A place is free for you in ${short}, until ${day}, ${time}`,
      preheader:
        toPay === null
          ? msg`Accept it, or pass it on to the next person.`
          : msg`Pay for it, or pass it on to the next person.`,
      title: msg`A place is free for you`,
      paragraphs: [
        toPay === null
          ? msg`A place in ${group} is free, and you’re next. It’s kept for you for ${hours} hours at most: please accept or decline it by then.`
          : msg`A place in ${group} is free, and you’re next. It’s kept for you for ${hours} hours at most, and yours once you’ve paid ${toPay}. If you don’t want it, please decline it on your page.`,
        ...(toPay === null ? [] : [howToPay]),
      ],
      action: toPay === null ? msg`Accept or decline` : pay(toPay),
      why: whyTakesPart,
    }),
  },
  offer_expiring: {
    name: msg`Offer ending soon`,
    when: msg`When a quarter of the time to answer is left, and at least three hours before it ends`,
    say: ({ group, short, day, time, toPay, whyTakesPart }) => ({
      subject: msg`Your place in ${short} is kept until ${day}, ${time}`,
      preheader: msg`After that, it goes to the next person.`,
      title: msg`Your place is still free`,
      paragraphs: [
        toPay === null
          ? msg`The place in ${group} that we keep for you is waiting for your answer.`
          : msg`The place in ${group} that we keep for you is yours once you’ve paid ${toPay}.`,
        ...(toPay === null ? [] : [howToPay]),
      ],
      action: toPay === null ? msg`Accept or decline` : pay(toPay),
      why: whyTakesPart,
    }),
  },
  offer_expired: {
    name: msg`The place was passed on`,
    when: msg`When a place that was kept for someone was not taken in time`,
    say: ({ group, short, paysFirst, whyTakesPart }) =>
      paysFirst
        ? {
            subject: msg`Your place in ${short} is no longer kept`,
            preheader: msg`You can ask for a place again.`,
            title: msg`Your place is no longer kept`,
            paragraphs: [
              msg`The place in ${group} was kept for you until now, and others can take it again. If you’d still like to take part, ask for a place again on your page.`,
            ],
            action: openPage,
            why: whyTakesPart,
          }
        : {
            subject: msg`The place in ${short} was passed on`,
            preheader: msg`You can join the waitlist again.`,
            title: msg`Your offer has expired`,
            paragraphs: [
              msg`The place in ${group} was kept for you, and now goes to the next person. If you would still like to take part, join the waitlist again on your page.`,
            ],
            action: openPage,
            why: whyTakesPart,
          },
  },
  invitation: {
    name: msg`Invitation`,
    when: msg`When you invite someone; many invitations go out one after another`,
    say: ({ group, short, instructor, whatIsKept, whatRemovingDoes }) => ({
      subject: msg`${instructor} invites you to ${short}`,
      preheader: msg`An invitation keeps no place, so answer soon.`,
      title: msg`You’re invited`,
      paragraphs: [
        msg`${instructor} invites you to ${group}. An invitation doesn’t hold a place.`,
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
    say: ({ group, short, instructor, day, time }) => ({
      subject: msg`Your invitation to ${short} expires on ${day}, ${time}`,
      preheader: msg`This is the only reminder.`,
      title: msg`Your invitation is still open`,
      paragraphs: [msg`${instructor} has invited you to ${group}. Will you come?`],
      action: msg`Accept or decline`,
    }),
  },
  removed: {
    name: msg`You’re no longer enrolled`,
    when: msg`When you remove someone, unless you choose not to tell them`,
    facts: 'none',
    say: ({ group, short, instructor }) => ({
      subject: msg`You’re no longer enrolled in ${short}`,
      preheader: msg`Your place there has ended.`,
      paragraphs: [
        msg`${instructor} has taken you off the roster of ${group}. Reply to this email if you have questions.`,
      ],
    }),
  },
  left: {
    name: msg`You’ve left this cohort`,
    when: msg`When someone leaves`,
    run: { name: msg`You’ve left this course` },
    facts: 'none',
    say: ({ group, short, isOpen, instructor, canReturn, whyTakesPart }) => ({
      subject: isOpen ? msg`You’ve left the course ${short}` : msg`You’ve left ${short}`,
      preheader: canReturn
        ? msg`Changed your mind? You can ask for a place again.`
        : msg`Changed your mind? Reply to this email.`,
      paragraphs: [
        canReturn
          ? msg`You’ve left ${group}. If this wasn’t you, open your page and ask for a place again.`
          : msg`You’ve left ${group}. Enrollment isn’t open, so only ${instructor} can add you again. If this wasn’t you, write to ${instructor}.`,
      ],
      action: openPage,
      why: whyTakesPart,
    }),
  },
  left_by_owner: {
    name: msg`Enrollment has ended`,
    when: msg`When you mark someone as left, unless you choose not to tell them`,
    facts: 'none',
    say: ({ group, isOpen, course, shortNamed, instructor, refund }) => ({
      subject: msg`Your enrollment in ${shortNamed} has ended`,
      preheader: msg`You no longer take part in ${course}.`,
      title: msg`Your enrollment has ended`,
      paragraphs: [
        isOpen
          ? msg`You no longer take part in ${group} with ${instructor}, and won’t get any more emails about it.`
          : msg`You no longer take part in ${group} with ${instructor}, and won’t get any more emails about its sessions.`,
        ...(refund === null ? [] : [msg`${instructor} is refunding you ${refund}.`]),
        msg`If you have questions, reply to this email: ${instructor} will get your reply.`,
      ],
      action: msg`Open my page`,
    }),
  },
  transferred: {
    name: msg`You’re in another cohort now`,
    when: msg`When you move someone here, unless you choose not to tell them`,
    run: { name: msg`Your place has moved` },
    hasFirstSession: true,
    say: ({ group, short, cohort, isOpen, instructor, former, startsOn, ...values }) => ({
      subject: isOpen
        ? msg`You’re now in ${short}`
        : msg`You’re now in ${short} (${cohort}), starting ${startsOn}`,
      preheader: isOpen
        ? msg`${instructor} has moved your place.`
        : msg`${instructor} has moved your place. Please check the dates.`,
      paragraphs: [
        isOpen
          ? msg`${instructor} has moved your place to ${group}. Your old one, in “${former}”, is free for someone else.`
          : msg`${instructor} has moved your place from “${former}” to ${group}. Your old place is free for someone else.`,
        ...(values.canStart ? [youCanStart] : []),
        ...values.firstSession,
      ],
      action: values.canStart ? openCourse : openPage,
      notes: [
        isOpen
          ? msg`If you don’t want this, leave on your page, or reply to this email.`
          : msg`If you can’t make it then, give up your place there, or reply to this email.`,
      ],
    }),
  },
} satisfies LetterTexts;
