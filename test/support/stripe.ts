import { env } from 'cloudflare:workers';
import { createHmac } from 'node:crypto';
import { Hono } from 'hono';
import type { Bindings } from '#env.ts';
import { act } from '../../scripts/local/stripe/actions.ts';
import { addApi } from '../../scripts/local/stripe/api.ts';
import { emptyState, rowsOf, type StripeEvent } from '../../scripts/local/stripe/state.ts';
import { createClient } from './client.ts';
import { fakeService, silence } from './far-side.ts';
import { sawSecret } from './secrets.ts';

const base = 'https://stripe.test';
/** Nothing is sent by itself: tests deliver what has happened, or lose it. */
const nowhere = { url: `${base}/nowhere`, secrets: [], signal: new AbortController().signal };

/** Stands in for Stripe by the one of `npm start`, in memory. */
export function fakeStripe() {
  current = makeStripe();
  return current;
}

let current: ReturnType<typeof makeStripe> | undefined;

/** The stand-in of the test that runs. */
export function currentStripe(): ReturnType<typeof makeStripe> {
  return current ?? fakeStripe();
}

function makeStripe() {
  const state = { ...emptyState() };
  state.sending.mode = 'lose';
  const app = new Hono();
  addApi(app as unknown as Parameters<typeof addApi>[0], state, base, nowhere);
  const sessions = () => rowsOf(state, 'checkout.session');
  fakeService(
    (url) => url.origin === base,
    async (request, signal) => {
      // Breaks like a real connection: workerd does not tell the stand-in that its caller has hung up.
      const response = await Promise.race([app.fetch(request), silence(signal)]);
      // The address of a page at Stripe is a secret.
      sawSecret(...sessions().map(({ id }) => `/pay/${id}`));
      return response;
    },
  );
  return {
    state,
    sessions,
    /** What someone, their bank or Stripe does to what has this id: see the stand-in's actions.ts. */
    act: (name: string, id: string, amount: string | null = null) =>
      act(state, name, id, { amount }),
    /** Pays on the last page that was made. */
    pay: () => act(state, 'pay', sessions().at(-1)?.id ?? ''),
    /** Lets the next call fail whose path has this: two attempts of the library. */
    fail: (path: string, status: (typeof state.failures)[number]['status'], more = {}) => {
      state.failures = [{ status, path, count: 2, after: false, saved: false, ...more }];
    },
    recover: () => {
      state.failures = [];
    },
    /** The last event of a type. */
    event: (type: string) => state.events.findLast((event) => event.type === type),
  };
}

type Delivery = {
  /** Off by so many seconds. */
  at?: number;
  secret?: string;
  /** Whose event it says it is, if not what it was. */
  account?: string | null;
  /** Sent instead of the signed body, or of the header; an empty one is left out. */
  raw?: BodyInit;
  header?: string;
  bindings?: Partial<Bindings>;
};

/** Stripe sends an event, from a network of its own: without cookies, origin or token. */
export async function deliverEvent(
  event: Pick<StripeEvent, 'type' | 'account' | 'object'> | undefined,
  { at = 0, account = event?.account ?? null, bindings = {}, ...given }: Delivery = {},
): Promise<Response> {
  const body = JSON.stringify({
    id: `evt_${crypto.randomUUID()}`,
    object: 'event',
    type: event?.type,
    ...(account !== null && { account }),
    data: { object: event?.object },
  });
  const secrets = env.STRIPE_WEBHOOK_SECRET.split(' ');
  const secret = given.secret ?? secrets.at(account === null ? 0 : -1) ?? '';
  return createClient().request('POST', '/api/webhooks/stripe/', undefined, {
    raw: given.raw ?? body,
    bindings,
    headers: {
      Origin: '',
      Cookie: '',
      'stripe-signature': given.header ?? signatureOf(body, secret, at),
    },
  });
}

/** Written from Stripe’s documentation, not from the code that checks it. */
function signatureOf(body: string, secret: string, at: number): string {
  const seconds = Math.floor(Date.now() / 1000) + at;
  const signed = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signed}`;
}
