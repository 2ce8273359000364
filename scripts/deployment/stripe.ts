import { randomUUID } from 'node:crypto';
import { Stripe } from 'stripe';
import { Settings } from '../../src/settings.ts';
import type { Finding } from './findings.ts';

/** What Lectern does, and whether Stripe's answer is the right one. */
type Step = { what: string; work: () => Promise<boolean> };

const amount = 100;
const minutes = 31;

/**
 * Makes a Checkout Session in Stripe's test mode, reads it and ends it, and asks for what else the
 * key has to allow. The key is the shell's STRIPE_SECRET_KEY, because those at Cloudflare cannot be
 * read.
 *
 * @param vars the settings of the environment in question
 */
export async function checkStripe(vars: Record<string, unknown>): Promise<Finding[]> {
  const key = process.env['STRIPE_SECRET_KEY'] ?? '';
  if (!/^[sr]k_test_/.test(key)) {
    return [{ kind: 'missing', text: whyNoTestKey(key) }];
  }
  const base = new URL(Settings.shape.STRIPE_BASE_URL.parse(vars['STRIPE_BASE_URL']));
  const checkout = Settings.shape.STRIPE_CHECKOUT_ORIGIN.parse(vars['STRIPE_CHECKOUT_ORIGIN']);
  const stripe = new Stripe(key, {
    host: base.hostname,
    ...(base.port !== '' && { port: base.port }),
    protocol: base.protocol === 'http:' ? 'http' : 'https',
    ...{ telemetry: false, maxNetworkRetries: 1, timeout: 10_000 },
  });
  const { make, others } = checkoutSteps(stripe, checkout);
  const made = await take(make, key);
  const findings = [made];
  if (made.kind !== 'unchecked') {
    for (const step of [...(made.kind === 'fine' ? others : []), ...otherSteps(stripe)]) {
      findings.push(await take(step, key));
    }
  }
  return [...findings, byHand];
}

const byHand: Finding = {
  kind: 'advice',
  text: 'Payments, refunds, disputes, events and connected accounts can only be tried by hand, once: docs/operating.md lists how.',
};

function whyNoTestKey(key: string): string {
  const how = 'Run `read -rs STRIPE_SECRET_KEY && export STRIPE_SECRET_KEY` and paste one.';
  if (key === '') {
    return `The shell has no STRIPE_SECRET_KEY, a key of Stripe's test mode. ${how}`;
  }
  return /^[sr]k_live_/.test(key)
    ? `STRIPE_SECRET_KEY is a live key, and nothing was done with it: the doctor makes a Checkout Session, in test mode only. Take a key that begins with sk_test_ or rk_test_. ${how}`
    : `STRIPE_SECRET_KEY must begin with sk_test_ or rk_test_. ${how}`;
}

/** Making a session, and what can be done with it then. */
function checkoutSteps(stripe: Stripe, checkoutOrigin: string): { make: Step; others: Step[] } {
  const idempotencyKey = randomUUID();
  const expires_at = Math.floor(Date.now() / 1000) + minutes * 60;
  const product_data = { name: 'Lectern: npm run doctor' };
  const open = () =>
    stripe.checkout.sessions.create(
      {
        mode: 'payment',
        line_items: [
          { quantity: 1, price_data: { currency: 'eur', unit_amount: amount, product_data } },
        ],
        ...{ success_url: 'https://example.com/', cancel_url: 'https://example.com/', expires_at },
        excluded_payment_method_types: ['sepa_debit'],
      },
      { idempotencyKey },
    );
  let id = '';
  let origin = '';
  const make = {
    what: 'make a Checkout Session of €1.00',
    work: async () => {
      const session = await open();
      id = session.id;
      origin = URL.parse(session.url ?? '')?.origin ?? '';
      const { status, amount_total: total, currency, livemode } = session;
      return status === 'open' && total === amount && currency === 'eur' && !livemode;
    },
  };
  const others = [
    {
      what: `send people to ${checkoutOrigin}, as STRIPE_CHECKOUT_ORIGIN says`,
      work: async () => origin === checkoutOrigin,
    },
    { what: 'make no second one for the same key', work: async () => (await open()).id === id },
    {
      what: 'read it',
      work: async () => (await stripe.checkout.sessions.retrieve(id)).payment_status === 'unpaid',
    },
    {
      what: 'end it, so that no one can pay it',
      work: async () => (await stripe.checkout.sessions.expire(id)).status === 'expired',
    },
  ];
  return { make, others };
}

/** What a key may do, asked in ways that change nothing. */
function otherSteps(stripe: Stripe): Step[] {
  const one = { limit: 1 };
  return [
    {
      what: 'refund',
      work: () =>
        stripe.refunds.create({ payment_intent: 'pi_of_the_doctor' }).then(
          () => false,
          (error: unknown) => {
            if (error instanceof Stripe.errors.StripeError && error.code === 'resource_missing') {
              return true;
            }
            throw error;
          },
        ),
    },
    { what: 'read refunds', work: async () => isList(await stripe.refunds.list(one)) },
    { what: 'read payments', work: async () => isList(await stripe.paymentIntents.list(one)) },
    { what: 'read disputes', work: async () => isList(await stripe.disputes.list(one)) },
    {
      what: 'read connected accounts (Accounts v2)',
      work: async () => isList(await stripe.v2.core.accounts.list(one)),
    },
  ];
}

/** The library takes any JSON for an answer, even that of something else than Stripe. */
function isList({ data }: { data?: unknown }): boolean {
  return Array.isArray(data);
}

async function take({ what, work }: Step, key: string): Promise<Finding> {
  try {
    return (await work())
      ? { kind: 'fine', text: `Lectern can ${what}` }
      : { kind: 'missing', text: `Lectern can’t ${what}: Stripe’s answer is another one.` };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) {
      throw error;
    }
    if (error instanceof Stripe.errors.StripeConnectionError) {
      return { kind: 'unchecked', text: `Whether Lectern can ${what}: Stripe can’t be reached.` };
    }
    return { kind: 'missing', text: `Lectern can’t ${what}: ${reasonOf(error, key)}` };
  }
}

function reasonOf(
  { message, statusCode }: InstanceType<typeof Stripe.errors.StripeError>,
  key: string,
) {
  const [, permission] = /Having the '(\w+)' permission/.exec(message) ?? [];
  if (permission !== undefined) {
    return `the key lacks the permission ${permission}. Edit the key at Stripe.`;
  }
  return statusCode === 401
    ? 'Stripe doesn’t know this key.'
    : `Stripe says “${message.replaceAll(key, '…')}”`;
}
