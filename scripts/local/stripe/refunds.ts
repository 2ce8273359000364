import {
  type Input,
  integerAt,
  type Known,
  metadataAt,
  refuseUnknown,
  requiredAt,
  textAt,
} from './input.ts';
import { formatAmount } from './money.ts';
import { found, refuse } from './refusal.ts';
import {
  type Charge,
  type Dispute,
  newId,
  now,
  type Owner,
  type Refund,
  record,
  rowOf,
  type State,
  shown,
} from './state.ts';

const parameters: Known = {
  ...{ payment_intent: true, amount: true, metadata: true, reason: true, expand: true },
};

/** @throws Refusal as Stripe does: no more than is left, and nothing that a bank has taken back */
export function createRefund(state: State, input: Input, account: Owner): Refund {
  refuseUnknown(input, parameters);
  const intentId = requiredAt(input, 'payment_intent');
  const intent = rowOf(state, 'payment_intent', intentId);
  found(intent.account === account ? intent : undefined, 'payment_intent', intentId);
  const charge = rowOf(state, 'charge', intent.latest_charge);
  if (intent.status !== 'succeeded') {
    refuse(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`);
  }
  if (charge.disputed) {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
    refuse(message, { code: 'charge_disputed' });
  }
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) {
    const message = `Charge ${charge.id} has already been refunded.`;
    refuse(message, { code: 'charge_already_refunded' });
  }
  const amount = integerAt(input, 'amount') ?? left;
  if (amount < 1 || amount > left) {
    const [wanted, most] = [amount, left].map((each) => formatAmount(each, charge.currency));
    const message = `Refund amount (${wanted}) is greater than unrefunded amount on charge (${most})`;
    refuse(amount < 1 ? 'Invalid positive integer' : message, { param: 'amount' });
  }
  const refund: Refund = {
    ...{ ...ofCharge(charge), id: newId('re'), object: 'refund', created: now(), amount },
    // As our own code sends it.
    reason: textAt(input, 'reason') as Refund['reason'],
    metadata: metadataAt(input, 'metadata'),
    status: 'succeeded',
  };
  state.rows[refund.id] = refund;
  changeRefunded(charge, amount);
  record(state, 'refund.created', shown(refund), account);
  record(state, 'charge.refunded', shown(charge), account);
  return refund;
}

/** The money of a refund comes back. */
export function failRefund(state: State, refund: Refund): void {
  if (refund.status === 'failed') {
    refuse('This refund has failed already.');
  }
  refund.status = 'failed';
  changeRefunded(rowOf(state, 'charge', refund.charge), -refund.amount);
  record(state, 'refund.updated', shown(refund), refund.account);
  record(state, 'refund.failed', shown(refund), refund.account);
}

function changeRefunded(charge: Charge, by: number): void {
  charge.amount_refunded += by;
  charge.refunded = charge.amount_refunded === charge.amount;
}

/** A bank takes back what is left of a payment, until it is decided. */
export function openDispute(state: State, charge: Charge): void {
  if (charge.status !== 'succeeded' || charge.disputed) {
    refuse('This payment cannot be disputed.');
  }
  const amount = charge.amount - charge.amount_refunded;
  const dispute: Dispute = {
    ...{ ...ofCharge(charge), id: newId('dp'), object: 'dispute', created: now(), amount },
    ...{ reason: 'fraudulent', status: 'needs_response' },
  };
  charge.disputed = true;
  state.rows[dispute.id] = dispute;
  record(state, 'charge.dispute.created', shown(dispute), charge.account);
}

export function closeDispute(state: State, dispute: Dispute, status: 'won' | 'lost'): void {
  if (dispute.status !== 'needs_response') {
    refuse('This dispute is closed.');
  }
  dispute.status = status;
  record(state, 'charge.dispute.closed', shown(dispute), dispute.account);
}

function ofCharge({ account, currency, id: charge, payment_intent }: Charge) {
  return { account, currency, charge, payment_intent };
}
