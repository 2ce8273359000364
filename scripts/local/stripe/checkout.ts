import { canCharge } from './accounts.ts';
import {
  type Input,
  integerAt,
  type Known,
  metadataAt,
  objectOf,
  refuseUnknown,
  requiredAt,
  textAt,
  urlAt,
} from './input.ts';
import { divisorOf, formatAmount, rangeOf } from './money.ts';
import { refuse } from './refusal.ts';
import { newId, now, type Owner, record, rowOf, type Session, type State, shown } from './state.ts';

const parameters: Known = {
  ...{ mode: true, success_url: true, cancel_url: true, expires_at: true, locale: true },
  ...{ client_reference_id: true, customer_email: true, expand: true },
  ...{ metadata: true, excluded_payment_method_types: true },
  payment_intent_data: { metadata: true, description: true },
  line_items: {
    each: {
      quantity: true,
      price_data: {
        ...{ currency: true, unit_amount: true },
        product_data: { name: true, description: true },
      },
    },
  },
};

const [minMinutes, maxHours] = [30, 24];

/** The one of the methods whose money is there days later that the stand-in has. */
const delayedMethod = 'sepa_debit';

/** @throws Refusal as Stripe does */
export function createSession(state: State, input: Input, account: Owner, base: string): Session {
  refuseUnknown(input, parameters);
  if (requiredAt(input, 'mode') !== 'payment') {
    refuse('The stand-in only takes payments.', { param: 'mode' });
  }
  const email = textAt(input, 'customer_email');
  if (email !== null && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) {
    refuse(`Invalid email address: ${email}`, { code: 'email_invalid', param: 'customer_email' });
  }
  const reference = textAt(input, 'client_reference_id');
  if (reference !== null && reference.length > 200) {
    refuse('Invalid string: must be at most 200 characters', { param: 'client_reference_id' });
  }
  const id = newId('cs_test');
  const session: Session = {
    ...{ id, object: 'checkout.session', mode: 'payment', livemode: false, account },
    ...{ status: 'open', payment_status: 'unpaid', payment_intent: null, created: now() },
    ...{ client_reference_id: reference, customer_email: email, ...priceOf(input) },
    // As our own code sends them.
    locale: textAt(input, 'locale') as Session['locale'],
    metadata: metadataAt(input, 'metadata'),
    success_url: urlAt(input, 'success_url') ?? requiredAt(input, 'success_url'),
    cancel_url: urlAt(input, 'cancel_url'),
    expires_at: expiryOf(input),
    url: `${base}/pay/${id}`,
    hidden: {
      product: requiredAt(input, 'line_items[0][price_data][product_data][name]'),
      intent: {
        description: textAt(input, 'payment_intent_data[description]'),
        metadata: metadataAt(objectOf(input['payment_intent_data']), 'metadata'),
      },
      excludedMethods: Object.values(objectOf(input['excluded_payment_method_types'])).map(String),
    },
  };
  const seller = account === null ? undefined : state.accounts[account];
  if (seller !== undefined && !canCharge(seller)) {
    refuse('Your account cannot currently make live charges.');
  }
  state.rows[id] = session;
  return session;
}

function priceOf(input: Input): { amount_total: number; currency: string } {
  const place = 'line_items[0][price_data]';
  const currency = requiredAt(input, `${place}[currency]`).toLowerCase();
  requiredAt(input, `${place}[unit_amount]`);
  const quantity = integerAt(input, 'line_items[0][quantity]') ?? 1;
  const amount = (integerAt(input, `${place}[unit_amount]`) ?? 0) * quantity;
  const [least, most] = rangeOf(currency);
  if (amount < least || amount > most) {
    const isSmall = amount < least;
    const end = isSmall ? 'add up to at least' : 'be no more than';
    const limit = formatAmount(isSmall ? least : most, currency);
    refuse(`The Checkout Session's total amount due must ${end} ${limit}`, {
      code: isSmall ? 'amount_too_small' : 'amount_too_large',
    });
  }
  if (amount % divisorOf(currency) !== 0) {
    refuse(`Amounts in ${currency} must be divisible by ${divisorOf(currency)}.`);
  }
  return { amount_total: amount, currency };
}

function expiryOf(input: Input): number {
  const expiresAt = integerAt(input, 'expires_at') ?? now() + maxHours * 3600;
  // Some seconds for the way of the call.
  if (expiresAt < now() + minMinutes * 60 - 5 || expiresAt > now() + maxHours * 3600 + 5) {
    const message =
      'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.';
    refuse(message, { param: 'expires_at' });
  }
  return expiresAt;
}

/** A session, with its end if that has come. */
export function sessionOf(state: State, id: string): Session {
  const session = rowOf(state, 'checkout.session', id);
  if (session.status === 'open' && session.expires_at <= now()) {
    expireSession(state, session);
  }
  return session;
}

/** @throws Refusal unless it is open */
export function expireSession(state: State, session: Session): Session {
  if (session.status !== 'open') {
    const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`;
    refuse(message);
  }
  Object.assign(session, { status: 'expired', url: null });
  record(state, 'checkout.session.expired', shown(session), session.account);
  return session;
}

/** Pays an open session by card, or by a method whose money comes days later. */
export function pay(state: State, session: Session, isDelayed = false): void {
  if (session.status !== 'open') {
    refuse(`This session is ${session.status}.`);
  }
  const { account, amount_total: amount, currency } = session;
  const common = { created: now(), account, amount, currency };
  const [intent, charge] = [newId('pi'), newId('ch')];
  state.rows[intent] = {
    ...{ ...common, ...session.hidden.intent, id: intent, object: 'payment_intent' },
    ...{ amount_received: 0, status: 'processing', latest_charge: charge },
  };
  state.rows[charge] = {
    ...{ ...common, id: charge, object: 'charge', payment_intent: intent, amount_refunded: 0 },
    ...{ status: 'pending', paid: false, refunded: false, disputed: false },
    payment_method_details: { type: isDelayed ? delayedMethod : 'card' },
  };
  Object.assign(session, { status: 'complete', url: null, payment_intent: intent });
  if (!isDelayed) {
    endPayment(state, session, true);
  }
  record(state, 'checkout.session.completed', shown(session), account);
}

/** The bank says of a delayed payment whether the money comes. */
export function settle(state: State, session: Session, isPaid: boolean): void {
  endPayment(state, session, isPaid);
  const type = `checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`;
  record(state, type, shown(session), session.account);
}

function endPayment(state: State, session: Session, isPaid: boolean): void {
  const intent = rowOf(state, 'payment_intent', session.payment_intent ?? '');
  const charge = rowOf(state, 'charge', intent.latest_charge);
  if (intent.status !== 'processing') {
    refuse('This payment is not being processed.');
  }
  intent.status = isPaid ? 'succeeded' : 'requires_payment_method';
  intent.amount_received = isPaid ? intent.amount : 0;
  Object.assign(charge, { status: isPaid ? 'succeeded' : 'failed', paid: isPaid });
  session.payment_status = isPaid ? 'paid' : 'unpaid';
}

/** Whether a method is offered whose money comes days later. */
export function canDelay({ hidden }: Session): boolean {
  return !hidden.excludedMethods.includes(delayedMethod);
}
