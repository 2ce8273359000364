import type { Stripe } from 'stripe';
import { found } from './refusal.ts';

/** Whose something is: a connected account, or null for the operator's own. */
export type Owner = string | null;

/** The fields of Stripe's that are kept; others that it has are of no use to Lectern. */
type Kept<T extends { id: string; created: number }, Names extends keyof T> = Pick<
  T,
  Names | 'id' | 'created'
> & { account: Owner };
type OfPayment = { payment_intent: string; charge: string };

export type Session = Kept<
  Stripe.Checkout.Session,
  | ('mode' | 'status' | 'payment_status' | 'cancel_url' | 'url' | 'expires_at')
  | ('client_reference_id' | 'customer_email' | 'locale' | 'metadata' | 'livemode')
> & {
  object: 'checkout.session';
  success_url: string;
  amount_total: number;
  currency: string;
  payment_intent: string | null;
  /** What is bought, and what its payment gets; Stripe does not show these. */
  hidden: {
    product: string;
    intent: Pick<Intent, 'description' | 'metadata'>;
    excludedMethods: string[];
  };
};

export type Intent = Kept<
  Stripe.PaymentIntent,
  'amount' | 'amount_received' | 'currency' | 'status' | 'description' | 'metadata'
> & { object: 'payment_intent'; latest_charge: string };

export type Charge = Kept<
  Stripe.Charge,
  'amount' | 'amount_refunded' | 'currency' | 'status' | 'paid' | 'refunded' | 'disputed'
> & {
  object: 'charge';
  payment_intent: string;
  payment_method_details: { type: string };
};

export type Refund = Kept<Stripe.Refund, 'amount' | 'currency' | 'status' | 'reason' | 'metadata'> &
  OfPayment & { object: 'refund' };

export type Dispute = Kept<Stripe.Dispute, 'amount' | 'currency' | 'status' | 'reason'> &
  OfPayment & { object: 'dispute' };

/** What v1 of the API has, by its id. */
export type Row = Session | Intent | Charge | Refund | Dispute;

/** A connected account of Accounts v2; `showAccount` has it as Stripe does. */
export type Account = {
  id: string;
  created: number;
  contactEmail: string;
  country: string;
  metadata: Record<string, string>;
  status: 'restricted' | 'pending' | 'active';
  /** What Stripe still wants, in its words. */
  due: string[];
  isPaused: boolean;
  isDisconnected: boolean;
};

/** A link to onboarding, which works once. */
type AccountLink = {
  account: string;
  refreshUrl: string;
  returnUrl: string;
  expiresAt: number;
  isUsed: boolean;
};

export type StripeEvent = {
  id: string;
  type: string;
  account: Owner;
  created: number;
  object: object;
  state: 'due' | 'held' | 'lost' | 'sent';
  /** The status that each delivery was answered with; null without an answer. */
  answers: (number | null)[];
};

/** How events are sent and calls fail: see stand-in.ts. */
export type Sending = {
  mode: 'send' | 'lose' | 'hold';
  times: number;
  age_s: number;
  account: Owner;
};
export type Failure = {
  status: number | 'hang' | 'html' | '404-without-error' | 'drop';
  path: string;
  count: number;
  after: boolean;
  saved: boolean;
};

export type Answer = { status: number; body: object };

export type State = {
  rows: Record<string, Row>;
  accounts: Record<string, Account>;
  links: Record<string, AccountLink>;
  events: StripeEvent[];
  /** By idempotency key. */
  answers: Record<string, Answer & { request: string }>;
  /** With their idempotency keys, and null while they are not answered. */
  calls: {
    method: string;
    path: string;
    account: Owner;
    key: string | null;
    status: number | null;
  }[];
  sending: Sending;
  failures: Failure[];
};

export function emptyState(): State {
  return {
    ...{ rows: {}, accounts: {}, links: {}, events: [], answers: {}, calls: [], failures: [] },
    sending: { mode: 'send', times: 1, age_s: 0, account: null },
  };
}

type OfKind<Kind extends Row['object']> = Extract<Row, { object: Kind }>;

/** The oldest first. */
export function rowsOf<Kind extends Row['object']>(state: State, kind: Kind): OfKind<Kind>[] {
  return Object.values(state.rows).filter((row): row is OfKind<Kind> => row.object === kind);
}

/** @throws Refusal without one of this kind */
export function rowOf<Kind extends Row['object']>(
  state: State,
  kind: Kind,
  id: string,
): OfKind<Kind> {
  return found(
    rowsOf(state, kind).find((row) => row.id === id),
    kind,
    id,
  );
}

/** A row as Stripe shows it. */
export function shown(row: Row): object {
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => !['account', 'hidden'].includes(name)),
  );
}

/** In seconds, as in all of v1. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}

export function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`;
}

/** Adds an event, which is sent when the work is done. */
export function record(state: State, type: string, object: object, account: Owner): void {
  const states = { send: 'due', hold: 'held', lose: 'lost' } as const;
  state.events.push({
    ...{ id: newId('evt'), created: now(), state: states[state.sending.mode], answers: [] },
    ...{ type, account, object: structuredClone(object) },
  });
}
