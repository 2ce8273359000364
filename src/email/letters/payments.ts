import 'server-only';
import { msg } from '@lingui/core/macro';
import { type LetterTexts, openPage, pay } from './letter-text.ts';

/** What people read of a place that is theirs once they have paid, and of money that goes back. */
export const paymentLetters = {
  place_held: {
    name: msg`A place is kept until it’s paid`,
    when: msg`When someone asks for a place that they pay for first, or you approve their request`,
    say: ({ group, short, instructor, day, time, city, toPay, ...values }) => ({
      subject: msg`Kept for you until ${day}, ${time}: your place in ${short}`,
      preheader: msg`It’s yours once you’ve paid.`,
      title: msg`Your place is kept for you`,
      paragraphs: [
        ...(values.isApproved ? [msg`${instructor} has approved your request.`] : []),
        msg`Your place in ${group} is kept until ${day}, ${time} (${city}). After that, others can take it.`,
        msg`You pay on Stripe’s page, by card or what your bank offers. Then the place is yours.`,
      ],
      action: toPay === null ? openPage : pay(toPay),
      notes: [msg`If you no longer want the place, please decline it on your page.`],
      why: values.whyTakesPart,
    }),
  },
  payment_failed: {
    name: msg`The bank refused a payment`,
    when: msg`When a payment that a bank was to confirm doesn’t arrive`,
    facts: 'none',
    say: ({ group, short, payment: { amount }, whyAsked }) => ({
      subject: msg`Your payment of ${amount} for ${short} didn’t go through`,
      preheader: msg`Your bank refused it. Nothing was charged.`,
      title: msg`Your payment didn’t go through`,
      paragraphs: [
        msg`Your bank refused the payment of ${amount} for ${group}. Nothing was charged.`,
        msg`Your page shows where you stand, and how to pay another way.`,
      ],
      action: openPage,
      notes: [msg`If you have a question, reply to this email.`],
      why: whyAsked,
    }),
  },
  paid_without_place: {
    name: msg`Paid too late for the place`,
    when: msg`When someone’s payment arrives after their place was passed on`,
    facts: 'none',
    say: ({ group, short, instructor, payment: { amount, decideBy, zone }, whyAsked }) => ({
      subject: msg`Your payment of ${amount} for ${short} came too late`,
      preheader: msg`Either you still get a place, or you’re refunded in full.`,
      title: msg`Your payment came too late`,
      paragraphs: [
        msg`Your payment of ${amount} for ${group} has arrived, but the place had been passed on by then, or you could no longer take part.`,
        msg`${instructor} decides until ${decideBy} (${zone}) whether you still get a place. Otherwise, you’re refunded in full automatically.`,
      ],
      action: openPage,
      notes: [msg`You don’t need to do anything. If you have a question, reply to this email.`],
      why: whyAsked,
    }),
  },
  paid_back: {
    name: msg`Money paid back`,
    when: msg`When what someone has paid online goes back to them`,
    facts: 'none',
    say: ({ group, short, payment: { amount }, whyAsked }) => ({
      subject: msg`Refund of ${amount}: ${short}`,
      preheader: msg`The way you paid, within a few days.`,
      title: msg`Refund of ${amount}`,
      paragraphs: [
        msg`${amount} of what you paid for ${group} goes back to you, the way you paid it. Banks take 5 to 10 days for this.`,
      ],
      action: openPage,
      notes: [msg`If you have a question, reply to this email.`],
      why: whyAsked,
    }),
  },
} satisfies LetterTexts;
