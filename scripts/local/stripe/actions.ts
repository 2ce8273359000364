import { accountChanges, changeAccount, disconnect } from './accounts.ts';
import { expireSession, pay, sessionOf, settle } from './checkout.ts';
import { closeDispute, createRefund, failRefund, openDispute } from './refunds.ts';
import { refuse } from './refusal.ts';
import { rowOf, type State } from './state.ts';

type Given = { amount?: string | null };
type Act = (state: State, id: string, given: Given) => unknown;

/** What people, banks and Stripe do, by name, with the id of what it is done to. */
const acts: Record<string, Act> = {
  pay: (state, id) => pay(state, sessionOf(state, id)),
  pay_later: (state, id) => pay(state, sessionOf(state, id), true),
  expire: (state, id) => expireSession(state, sessionOf(state, id)),
  arrive: (state, id) => settle(state, sessionOf(state, id), true),
  bounce: (state, id) => settle(state, sessionOf(state, id), false),
  refund: (state, id, { amount }) => {
    const { account, payment_intent } = rowOf(state, 'charge', id);
    createRefund(state, { payment_intent, amount: amount ?? '' }, account);
  },
  refund_failed: (state, id) => failRefund(state, rowOf(state, 'refund', id)),
  dispute: (state, id) => openDispute(state, rowOf(state, 'charge', id)),
  win: (state, id) => closeDispute(state, rowOf(state, 'dispute', id), 'won'),
  lose: (state, id) => closeDispute(state, rowOf(state, 'dispute', id), 'lost'),
  disconnect,
  ...Object.fromEntries(
    Object.entries(accountChanges).map(([name, change]): [string, Act] => [
      name,
      (state, id) => changeAccount(state, id, change),
    ]),
  ),
};

/** @throws Refusal if there is no such thing to do, or it cannot be done now */
export function act(state: State, name: string, id: string, given: Given = {}): void {
  const work = acts[name] ?? refuse(`Actions are ${Object.keys(acts).join(', ')}.`);
  work(state, id, given);
}
