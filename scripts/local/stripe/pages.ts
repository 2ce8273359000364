import { canCharge } from './accounts.ts';
import { canDelay } from './checkout.ts';
import { formatAmount } from './money.ts';
import {
  type Account,
  type Charge,
  type Dispute,
  type Intent,
  type Refund,
  type Row,
  rowOf,
  rowsOf,
  type Session,
  type State,
  type StripeEvent,
} from './state.ts';

const style = `
  body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 40rem; padding: 0 1rem; }
  section { border-top: 1px solid #ccc; margin-top: 1.5rem; } h2 { font-size: 1.1rem; }
  li { margin: .75rem 0; overflow-wrap: anywhere; } form { display: inline; }
  button, input { font: inherit; padding: .4rem .7rem; margin: .15rem .15rem .15rem 0; }
  .wide button { display: block; width: 100%; padding: .8rem; } input { width: 6rem; }
  .note { background: #fff3c4; color: #4a3b00; padding: .5rem .75rem; border-radius: .25rem; }
  @media (prefers-color-scheme: dark) { body { background: #16181d; color: #e8e8e8; } a { color: #9cc4ff; } }`;

/** A page that says that it is not Stripe's. */
export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>${safe(title)}</title><style>${style}</style>
<p class="note">A stand-in for Stripe, on this machine. No money moves.</p>
<main><h1>${safe(title)}</h1>${body}</main></html>`;
}

/** Where people pay. */
export function payPage(session: Session, said: string | null): string {
  const { status, amount_total: amount, currency, hidden, customer_email: email } = session;
  const back = session.cancel_url;
  const way = back === null ? '' : `<p><a href="${safe(back)}">Back without paying</a></p>`;
  const end =
    status === 'expired' ? 'This session has expired.' : 'This session has been paid already.';
  const pay = `<form method="post" class="wide">
    <button name="how" value="pay">Pay ${safe(formatAmount(amount, currency))}</button>
    ${canDelay(session) ? '<button name="how" value="pay_later">Pay with a delayed method (SEPA)</button>' : ''}
    <button name="how" value="decline">Card is declined</button></form>`;
  return page(
    hidden.product,
    `<p><strong>${safe(formatAmount(amount, currency))}</strong></p>
    ${email === null ? '' : `<p>${safe(email)}</p>`}
    ${said === null ? '' : `<p class="note" role="alert">${safe(said)}</p>`}
    ${status === 'open' ? pay : `<p>${end}</p>`}${way}`,
  );
}

/** Where instructors give Stripe what it asks for. */
export function connectPage({ account, returnUrl }: State['links'][string], state: State): string {
  const due = state.accounts[account]?.due ?? [];
  return page(
    'Get paid with Stripe',
    `<p>Account ${safe(account)}</p>
    <p>${due.length === 0 ? 'Nothing is missing.' : 'Still missing:'}</p>
    <ul>${due.map((each) => `<li>${safe(each)}</li>`).join('')}</ul>
    <form method="post" class="wide">
      <button name="how" value="finish">Finish</button>
      <button name="how" value="finish_in_part">Finish, with one thing still missing</button>
      <button name="how" value="finish_unchecked">Finish, and Stripe takes its time to check</button>
    </form><p><a href="${safe(returnUrl)}">Return without finishing</a></p>`,
  );
}

/** All that there is, with what people, banks and Stripe can do about it. */
export function homePage(state: State): string {
  const { sending, events, accounts } = state;
  const held = events.filter((event) => event.state === 'held').length;
  const modes = ['send', 'lose', 'hold'].map(
    (mode) =>
      `<button name="mode" value="${mode}" ${sending.mode === mode ? 'disabled' : ''}>${mode} events</button>`,
  );
  const sections = {
    Sessions: rowsOf(state, 'checkout.session').map((session) => sessionRow(state, session)),
    Payments: rowsOf(state, 'charge').map(chargeRow),
    Refunds: rowsOf(state, 'refund').map(refundRow),
    Disputes: rowsOf(state, 'dispute').map(disputeRow),
    Accounts: Object.values(accounts).map(accountRow),
    Events: events.slice(-50).toReversed().map(eventRow),
  };
  const shownSections = Object.entries(sections).map(([title, rows]) => {
    const items = rows.map((row) => `<li>${row}</li>`).join('');
    return `<section><h2>${title}</h2><ul>${items || '<li>None yet.</li>'}</ul></section>`;
  });
  return page(
    'Payments',
    `<form method="post" action="/_control/webhooks">${modes.join('')}</form>
    <form method="post" action="/_control/webhooks/release">
      <button name="order" value="sent">Deliver ${held} held events</button>
      <button name="order" value="reversed">In reverse</button></form>
    ${shownSections.join('')}`,
  );
}

function sessionRow(state: State, session: Session): string {
  const { id, status, payment_status, payment_intent: intent, hidden } = session;
  const isWaiting =
    intent !== null && rowOf(state, 'payment_intent', intent).status === 'processing';
  return `${summary(session)} for ${safe(hidden.product)}: ${status}, ${payment_status}
    ${status === 'open' ? `<a href="/pay/${id}">Open</a> ${buttons(id, { expire: 'Let it expire' })}` : ''}
    ${isWaiting ? buttons(id, { arrive: 'The money arrives', bounce: 'It does not' }) : ''}`;
}

function chargeRow(charge: Charge): string {
  const { id, status, amount_refunded: back, currency, disputed, payment_method_details } = charge;
  const can = status === 'succeeded' && !charge.refunded && !disputed;
  const amount =
    '<input name="amount" inputmode="numeric" placeholder="all" aria-label="Amount, in cents">';
  return `${summary(charge)} by ${payment_method_details.type}: ${status},
    ${safe(formatAmount(back, currency))} refunded${disputed ? ', disputed' : ''}
    ${can ? buttons(id, { refund: 'Refund' }, amount) + buttons(id, { dispute: 'Dispute' }) : ''}`;
}

function refundRow(refund: Refund): string {
  const { id, status } = refund;
  return `${summary(refund)}: ${status}
    ${status === 'failed' ? '' : buttons(id, { refund_failed: 'It fails' })}`;
}

function disputeRow(dispute: Dispute): string {
  const isOpen = dispute.status === 'needs_response';
  return `${summary(dispute)}: ${dispute.status}
    ${isOpen ? buttons(dispute.id, { win: 'It is won', lose: 'It is lost' }) : ''}`;
}

function accountRow(account: Account): string {
  const changes = { pause: 'Pause', resume: 'Resume', disconnect: 'Disconnect' };
  return `${account.id}, ${safe(account.contactEmail)}:
    takes ${canCharge(account) ? '' : 'no '}payments ${buttons(account.id, changes)}`;
}

function eventRow({ id, type, state, answers }: StripeEvent): string {
  const answered = answers.map((status) => status ?? 'no answer').join(', ');
  return `${type}: ${state} ${answered}
    <form method="post" action="/_control/events/${id}/replay"><button>Repeat</button></form>`;
}

/** Buttons that do what actions.ts has by their names. */
function buttons(id: string, actions: Record<string, string>, field = ''): string {
  const made = Object.entries(actions).map(
    ([name, words]) => `<button name="action" value="${name}">${words}</button>`,
  );
  return `<form method="post" action="/_control/act">
    <input type="hidden" name="id" value="${safe(id)}">${field}${made.join('')}</form>`;
}

function summary(row: Exclude<Row, Intent>): string {
  const amount = row.object === 'checkout.session' ? row.amount_total : row.amount;
  const whose = row.account === null ? 'the operator' : row.account;
  return `${safe(formatAmount(amount, row.currency))} to ${safe(whose)}`;
}

function safe(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
