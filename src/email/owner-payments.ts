import 'server-only';
import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Locale } from '#db/values.ts';
import { i18nFor } from '#i18n/server.ts';
import { fullPriceOf, priceOf } from '#lib/price.ts';
import { momentIn } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { buttonOf, messageOf, type Words, wordsIn } from './layout.ts';
import { plain } from './letters/letter-text.ts';
import type { Payload, PaymentReason } from './payload.ts';
import type { Message } from './send.ts';

/** Where instructors answer what payers and their banks say of a payment. */
const disputesAtStripe = 'https://dashboard.stripe.com/disputes';

/** What an email to an instructor says, as the outbox keeps it. */
type OwnersPayload = { name: string | null; language: Locale } & Pick<
  Payload,
  'payment' | 'account'
>;

/** `action` is what the button says; by default, that it leads to their payments. */
type OwnersWords = Omit<Words, 'why'> & { action?: MessageDescriptor };

/** What the texts mention. */
type Values = Record<'amount' | 'payer' | 'group' | 'decideBy', string>;

const seePayments = msg`See my payments`;

const wordsOfProblem: Record<PaymentReason, (values: Values) => OwnersWords> = {
  no_place: ({ amount, payer, group, decideBy }) => ({
    subject: msg`Please decide: ${amount} from ${payer} came too late for a place`,
    preheader: msg`Let them in, or pay it back.`,
    title: msg`A payment came too late`,
    paragraphs: [
      msg`${payer} paid ${amount} online for ${group}, but the place had been passed on by then, or they could no longer take part.`,
      msg`Please let them in or pay it back by ${decideBy}. If you don’t respond, the full amount is refunded automatically.`,
    ],
    action: msg`Decide now`,
  }),
  overpaid: ({ amount, payer, group }) => ({
    subject: msg`A payment needs a look: ${amount} from ${payer}`,
    preheader: msg`It is more than they owed.`,
    title: msg`Someone paid too much`,
    paragraphs: [
      msg`${payer} paid ${amount} online for ${group}, and that is more than they owed.`,
      msg`Pay back what is too much, or keep it on their account.`,
    ],
  }),
  disputed: ({ amount, payer, group }) => ({
    subject: msg`Disputed: ${amount} from ${payer}`,
    preheader: msg`Respond before Stripe’s deadline.`,
    title: msg`A payment is disputed`,
    paragraphs: [
      msg`The bank of ${payer} asks for ${amount} back, which they paid online for ${group}.`,
      msg`Respond in Stripe before its deadline, or you lose the money.`,
    ],
    action: msg`Respond in Stripe`,
  }),
  dispute_lost: ({ amount, payer, group }) => ({
    subject: msg`Dispute lost: ${amount} from ${payer}`,
    preheader: msg`The money went back to the payer.`,
    title: msg`A dispute was lost`,
    paragraphs: [
      msg`The dispute about a payment of ${payer} for ${group} was decided against you: ${amount} went back. It’s on their account as a refund. Their place hasn’t changed.`,
    ],
  }),
  bank_refused: ({ amount, payer, group }) => ({
    subject: msg`The bank refused a payment: ${amount} from ${payer}`,
    preheader: msg`This payment won’t arrive. We’ve emailed the payer.`,
    title: msg`A bank refused a payment`,
    paragraphs: [
      msg`The bank of ${payer} has refused their payment of ${amount} for ${group}. We’ve emailed them, and they can pay another way on their page.`,
    ],
  }),
  lost: ({ amount, payer, group }) => ({
    subject: msg`A refund failed: ${amount} to ${payer}`,
    preheader: msg`The money is back in your Stripe account.`,
    title: msg`A refund failed`,
    paragraphs: [
      msg`We refunded ${payer} ${amount} of what they paid for ${group}, but their bank rejected it. The money is in your Stripe account again, and we’ve taken the refund off their account.`,
      msg`Please agree with them on another way to pay it back.`,
    ],
  }),
  refund_refused: ({ amount, payer, group }) => ({
    subject: msg`Stripe refused a refund: ${amount} to ${payer}`,
    preheader: msg`Nothing has gone back yet.`,
    title: msg`Stripe refused a refund`,
    paragraphs: [
      msg`${payer} paid online for ${group}. We tried to refund ${amount}, but Stripe refused.`,
      msg`Please look at it in Stripe, and pay it back from there.`,
    ],
  }),
  refunded_by_itself: ({ amount, payer, group }) => ({
    subject: msg`Refunded automatically: ${amount} to ${payer}`,
    preheader: msg`You don’t need to do anything.`,
    title: msg`A payment was refunded automatically`,
    paragraphs: [
      msg`${payer} paid ${amount} online for ${group} when there was no place for them. No one decided within a day, so the full amount is refunded.`,
    ],
  }),
};

/**
 * Tells an instructor what a payment needs from them, or what has become of it without them.
 *
 * @param payments their page of payments
 */
export function paymentProblem(
  to: string,
  { name, language, payment }: OwnersPayload,
  payments: string,
): Promise<Message> {
  const i18n = i18nFor(language);
  const { minor = 0, currency = 'EUR', time_zone: zone = 'UTC', reason = 'lost' } = payment ?? {};
  const [course, cohort] = [plain(payment?.course ?? ''), plain(payment?.cohort ?? '')];
  // An open run is called by its course.
  const isOpen = course === cohort;
  const payer = payment?.payer == null ? i18n._(msg`Someone`) : plain(payment.payer);
  const moment = momentIn(zone, new Date(payment?.decide_by ?? 0), language);
  const city = cityOf(zone, language);
  const { action = seePayments, ...words } = wordsOfProblem[reason]({
    amount: priceOf(minor, currency, language),
    payer,
    group: i18n._(isOpen ? msg`“${course}”` : msg`“${course}” (${cohort})`),
    decideBy: i18n._(msg`${moment} (${city})`),
  });
  const isAtStripe = reason === 'disputed';
  return messageOf(to, {
    language,
    ...wordsIn(i18n, {
      ...words,
      why: msg`You’re receiving this email because people pay you online.`,
    }),
    greeting: greetingOf(name, i18n),
    kind: i18n._(msg`Your payments`),
    button: buttonOf({ label: action, link: isAtStripe ? disputesAtStripe : payments }, i18n),
    ...(isAtStripe && { second: { label: i18n._(seePayments), link: payments } }),
    facts: [
      { label: i18n._(msg`Amount`), value: fullPriceOf(minor, currency, language) },
      { label: i18n._(msg`Paid by`), value: payer },
      { label: i18n._(msg`Course`), value: course },
      ...(isOpen ? [] : [{ label: i18n._(msg`Cohort`), value: cohort }]),
    ],
  });
}

const ifNotYou = msg`If it wasn’t you, someone else has accessed your account: log out of all other sessions in your settings, and reply to this email so that we can help.`;

const wordsOfAccount: Record<
  NonNullable<Payload['account']>['change'],
  Required<Omit<OwnersWords, 'notes'>>
> = {
  connected: {
    subject: msg`A Stripe account is connected to Lectern`,
    preheader: msg`Not you? Then please act right away.`,
    title: msg`A Stripe account is connected`,
    paragraphs: [
      msg`A Stripe account was connected to your Lectern account. What people pay you online goes there.`,
      ifNotYou,
    ],
    action: msg`See how I get paid`,
  },
  disconnected: {
    subject: msg`Your Stripe account is disconnected from Lectern`,
    preheader: msg`No one can pay you online for now.`,
    title: msg`Your Stripe account is disconnected`,
    paragraphs: [
      msg`Your Stripe account was disconnected from your Lectern account. Until you connect one again, no one can pay you online. What was paid stays in your Stripe account.`,
      ifNotYou,
    ],
    action: msg`See how I get paid`,
  },
  paused: {
    subject: msg`Stripe has paused payments to you`,
    preheader: msg`Until this is resolved, no one can pay you online.`,
    title: msg`Stripe has paused payments`,
    paragraphs: [
      msg`Stripe takes no more payments for your account at the moment. Until you resolve this in Stripe, no one can pay you online, and no one can take a place that has to be paid first.`,
      msg`Free places aren’t offered meanwhile: new people join the waitlist where there is one. All of it continues by itself once Stripe takes payments again.`,
    ],
    action: msg`Resolve it at Stripe`,
  },
};

/**
 * Tells an instructor what has become of their account at Stripe.
 *
 * @param settings their page about it
 */
export function accountNotice(
  to: string,
  { name, language, account }: OwnersPayload,
  settings: string,
): Promise<Message> {
  const i18n = i18nFor(language);
  const words = wordsOfAccount[account?.change ?? 'paused'];
  return messageOf(to, {
    language,
    ...wordsIn(i18n, {
      ...words,
      why: msg`You’re receiving this email because your Lectern account takes payments at Stripe.`,
    }),
    greeting: greetingOf(name, i18n),
    kind: i18n._(msg`Your account`),
    button: buttonOf({ label: words.action, link: settings }, i18n),
    facts: [],
  });
}

function greetingOf(name: string | null, i18n: I18n): string {
  return i18n._(name === null ? msg`Hello,` : msg`Hello ${name},`);
}
