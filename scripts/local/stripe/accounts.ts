import {
  type Input,
  type Known,
  metadataAt,
  objectOf,
  refuseUnknown,
  requiredAt,
  textAt,
  urlAt,
} from './input.ts';
import { found, Refusal, refuse } from './refusal.ts';
import { type Account, newId, now, record, type State } from './state.ts';

const accountParameters: Known = {
  ...{ contact_email: true, display_name: true, dashboard: true, metadata: true, include: true },
  identity: { country: true, entity_type: true },
  configuration: { merchant: { capabilities: { card_payments: { requested: true } } } },
  defaults: {
    ...{ currency: true, locales: true },
    responsibilities: { fees_collector: true, losses_collector: true },
  },
};

/** Without `configurations`, which Stripe has refused since 2026-09-30.endive. */
const linkParameters: Known = {
  account: true,
  use_case: {
    type: true,
    account_onboarding: { refresh_url: true, return_url: true, collection_options: true },
  },
};

const includable = ['configuration.merchant', 'defaults', 'identity', 'requirements'];

/** What Stripe asks of a new account, in its words for programs. */
const firstDue = [
  'configuration.merchant.mcc',
  'defaults.profile.business_url',
  'identity.attestations.terms_of_service.account',
  'identity.individual.documents.primary_verification',
];
/** What stays due if onboarding is finished only in part. */
const lastDue = firstDue.slice(-1);

const linkSeconds = 300;

/** @throws Refusal as Stripe does */
export function createAccount(state: State, input: Input): object {
  refuseUnknown(input, accountParameters);
  const requested = 'configuration[merchant][capabilities][card_payments][requested]';
  if (textAt(input, requested) !== 'true') {
    refuse('The stand-in makes accounts that take cards.', { param: requested });
  }
  const country = requiredAt(input, 'identity[country]');
  if (!/^[A-Za-z]{2}$/.test(country)) {
    refuse(`Invalid country: ${country}`, { param: 'identity.country' });
  }
  const responsibilities = 'defaults[responsibilities]';
  const choices = {
    dashboard: 'full',
    ...{ [`${responsibilities}[fees_collector]`]: 'stripe' },
    ...{ [`${responsibilities}[losses_collector]`]: 'stripe' },
  };
  for (const [path, choice] of Object.entries(choices)) {
    if (requiredAt(input, path) !== choice) {
      refuse(`The stand-in only knows ${choice} for ${path}.`, { param: path });
    }
  }
  const account: Account = {
    ...{ id: newId('acct'), created: now(), status: 'restricted', due: [...firstDue] },
    ...{ isPaused: false, isDisconnected: false },
    ...{ contactEmail: requiredAt(input, 'contact_email'), country: country.toUpperCase() },
    metadata: metadataAt(input, 'metadata'),
  };
  state.accounts[account.id] = account;
  return showAccount(account, input);
}

/** @throws Refusal with 403 if there is none, or if it has left the platform */
export function accountOf(state: State, id: string): Account {
  const account = state.accounts[id];
  if (account === undefined || account.isDisconnected) {
    const message = `The provided key 'sk_test_***' does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`;
    throw new Refusal(403, { code: 'account_invalid', message });
  }
  return account;
}

/** With what `include` names; the rest is null, as Stripe has it. */
export function showAccount(account: Account, { include }: Input): object {
  const included = Object.values(objectOf(include)).map(String);
  const unknown = included.find((name) => !includable.includes(name));
  if (unknown !== undefined) {
    refuse(`Invalid include: ${unknown}`, { param: 'include' });
  }
  const parts: Record<string, object> = {
    configuration: { merchant: { applied: true, capabilities: { card_payments: cards(account) } } },
    identity: { country: account.country },
    requirements: requirementsOf(account),
    defaults: {
      responsibilities: {
        ...{ fees_collector: 'stripe', losses_collector: 'stripe' },
        requirements_collector: 'stripe',
      },
    },
  };
  const shownParts = Object.entries(parts).map(([name, part]) => [
    name,
    included.some((each) => each.split('.')[0] === name) ? part : null,
  ]);
  return {
    ...{ id: account.id, object: 'v2.core.account', applied_configurations: ['merchant'] },
    ...{ closed: false, contact_email: account.contactEmail, dashboard: 'full' },
    ...{ created: new Date(account.created * 1000).toISOString(), livemode: false },
    ...{ metadata: account.metadata, ...Object.fromEntries(shownParts) },
  };
}

function cards({ status, due, isPaused }: Account): object {
  const details = {
    active: [],
    pending: [{ code: 'determining_status', resolution: 'no_resolution' }],
    restricted: [
      due.length > 0
        ? { code: 'requirements_past_due', resolution: 'provide_info' }
        : { code: 'restricted_other', resolution: 'contact_stripe' },
    ],
  };
  const shownStatus = isPaused ? 'restricted' : status;
  return { status: shownStatus, status_details: details[shownStatus] };
}

function requirementsOf({ due, isPaused }: Account): object {
  const deadline = { status: isPaused ? 'past_due' : 'currently_due' };
  const impact = { capability: 'card_payments', configuration: 'merchant', deadline };
  const entries = due.map((description) => ({
    ...{ awaiting_action_from: 'user', description, errors: [], minimum_deadline: deadline },
    ...{ impact: { restricts_capabilities: [impact] } },
    requested_reasons: [{ code: 'routine_onboarding' }],
  }));
  return { entries, summary: entries.length > 0 ? { minimum_deadline: deadline } : null };
}

/** @throws Refusal as Stripe does */
export function createLink(state: State, input: Input, baseUrl: string): object {
  refuseUnknown(input, linkParameters);
  const account = accountOf(state, requiredAt(input, 'account'));
  if (requiredAt(input, 'use_case[type]') !== 'account_onboarding') {
    refuse('The stand-in only has links to onboarding.', { param: 'use_case.type' });
  }
  const place = 'use_case[account_onboarding]';
  requiredAt(input, `${place}[refresh_url]`);
  const refreshUrl = urlAt(input, `${place}[refresh_url]`) ?? '';
  const returnUrl = urlAt(input, `${place}[return_url]`) ?? refreshUrl;
  const [id, expiresAt] = [newId('link'), now() + linkSeconds];
  state.links[id] = { account: account.id, refreshUrl, returnUrl, expiresAt, isUsed: false };
  return {
    ...{ object: 'v2.core.account_link', account: account.id, livemode: false },
    ...{ created: new Date().toISOString(), url: `${baseUrl}/connect/${id}` },
    ...{ expires_at: new Date(expiresAt * 1000).toISOString(), use_case: input['use_case'] },
  };
}

/** What an instructor or Stripe does about an account, by name. */
export const accountChanges: Record<string, Partial<Account>> = {
  finish: { status: 'active', due: [] },
  finish_in_part: { due: lastDue },
  finish_unchecked: { status: 'pending', due: [] },
  pause: { isPaused: true, due: lastDue },
  resume: { isPaused: false, status: 'active', due: [] },
};

/** Changes an account, of which Stripe tells as of one of v1. */
export function changeAccount(state: State, id: string, change: Partial<Account>): void {
  const account = found(state.accounts[id], 'account', id);
  Object.assign(account, change);
  const isActive = canCharge(account);
  const shown = {
    ...{ id, object: 'account', charges_enabled: isActive, payouts_enabled: isActive },
    ...{ details_submitted: account.due.length === 0, country: account.country },
  };
  record(state, 'account.updated', shown, id);
}

/** The instructor ends the connection in their own dashboard. */
export function disconnect(state: State, id: string): void {
  found(state.accounts[id], 'account', id).isDisconnected = true;
  const application = { id: 'ca_standin', object: 'application', name: 'Lectern' };
  record(state, 'account.application.deauthorized', application, id);
}

export function canCharge({ status, isPaused, isDisconnected }: Account): boolean {
  return status === 'active' && !isPaused && !isDisconnected;
}
