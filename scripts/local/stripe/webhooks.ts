import { createHmac } from 'node:crypto';
import { now, type Sending, type State, type StripeEvent } from './state.ts';

/** Where events go, and the secrets they are signed with: of own events, and of connected ones. */
export type Endpoint = { url: string; secrets: string[]; signal: AbortSignal };

const version = '2026-10-28.endive';
const answerMs = 15_000;

/** Sends what has been recorded since, before what follows. */
export async function sendRecorded(state: State, endpoint: Endpoint): Promise<void> {
  const due = state.events.filter((event) => event.state === 'due');
  for (const event of due) {
    // Here, so that a call at the same time does not send it too.
    event.state = 'sent';
  }
  await sendAll(state, due, endpoint);
}

/** Sends events that were held, in the order of these ids. */
export async function release(state: State, endpoint: Endpoint, ids: string[]): Promise<void> {
  const held = state.events.filter((event) => event.state === 'held');
  const chosen = ids.flatMap((id) => held.filter((event) => event.id === id));
  await sendAll(state, chosen, endpoint);
}

async function sendAll(state: State, events: StripeEvent[], endpoint: Endpoint): Promise<void> {
  for (const event of events) {
    await send(state, event, endpoint);
  }
}

/** Sends an event, as often as told at once, and notes the answers. */
export async function send(
  state: State,
  event: StripeEvent,
  endpoint: Endpoint,
  given: Partial<Sending> = {},
): Promise<void> {
  const { times, age_s, account } = { ...state.sending, ...given };
  const claimed = account ?? event.account;
  const body = JSON.stringify({
    ...{ id: event.id, object: 'event', type: event.type, api_version: version },
    ...{ created: event.created, livemode: false, pending_webhooks: 1 },
    ...(claimed !== null && { account: claimed }),
    data: { object: event.object },
  });
  const secret = endpoint.secrets.at(claimed === null ? 0 : -1) ?? '';
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Stripe-Signature': sign(body, secret, now() - age_s),
  };
  const post = async () => {
    const signal = AbortSignal.any([endpoint.signal, AbortSignal.timeout(answerMs)]);
    const response = await fetch(endpoint.url, { method: 'POST', headers, body, signal });
    await response.body?.cancel();
    return response.status;
  };
  const answers = Array.from({ length: times }, () => post().catch(() => null));
  event.state = 'sent';
  event.answers.push(...(await Promise.all(answers)));
}

function sign(body: string, secret: string, time: number): string {
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}
