import { env } from 'cloudflare:workers';
import { crons } from '#settings.ts';
import { settled } from '#support/background.ts';
import { runByClock } from '#support/context.ts';
import { day, hour, minute } from '#support/days.ts';
import { mailsTo, requestTokenIn } from '#support/resend.ts';
import { deliverEvent } from '#support/stripe.ts';
import { canCharge } from '../../scripts/local/stripe/accounts.ts';
import { canDelay } from '../../scripts/local/stripe/checkout.ts';
import { Refusal } from '../../scripts/local/stripe/refusal.ts';
import { rowsOf } from '../../scripts/local/stripe/state.ts';
import { confirmPath, formOf, requestsPath } from '../features/places/support.ts';
import { type About, type Act, pick, withPlace } from './act.ts';
import { ownerActions } from './owner-actions.ts';
import type { Place, World } from './world.ts';

/** Enough for a run that forgets no one. */
const manyRequests = { REQUESTS_PER_RUN: '1000' };

/**
 * Every action of a random sequence, by description; `…` stands for the person. An action that is
 * not possible in the current state is refused, which is fine. Add new actions here, and those of the
 * owner in owner-actions.ts.
 */
export const actions: Record<string, Act> = {
  '… asks for a place on the public page, and confirms by email': async (world, about) => {
    const { person, cohort } = about;
    world.erased.delete(person.email);
    await world.byAnyone(requestsPath(cohort.slug), await formOf(person));
    const mail = mailsTo(person.email, world.resend.accepted).findLast(requestTokenIn);
    return mail && world.byAnyone(confirmPath, { token: requestTokenIn(mail) });
  },
  '… accepts': byLink('accept'),
  '… declines': byLink('decline'),
  '… leaves': byLink('leave'),
  '… comes back': byLink('rejoin'),
  '… opens the page at Stripe': openPage,
  '… pays on the last page at Stripe': (world, about) => onPage(world, about, 'pay'),
  '… pays by debit on the last page at Stripe': (world, about) => onPage(world, about, 'pay_later'),
  'the bank of … pays the debit': (world, about) => onPage(world, about, 'arrive'),
  'the bank of … refuses the debit': (world, about) => onPage(world, about, 'bounce'),
  '… comes back from Stripe': comeBack,
  '… pays at Stripe, from the first click to the last': async (world, about) => {
    await openPage(world, about);
    await onPage(world, about, 'pay');
    await comeBack(world, about);
  },
  'Stripe sends one of its last ten events': async ({ stripe }, { number }) => {
    await deliverEvent(stripe.state.events.at(-1 - number));
    await settled();
  },
  'the owner pays … back in Stripe': (world, about) =>
    withPlace(world, about, (place) => {
      const part = about.number > 4 ? `${1_000 * about.number}` : null;
      return atStripe(world, 'refund', chargeOf(world, place), part);
    }),
  'the last refund fails': async (world) => {
    const { id, created = 0 } = rowsOf(world.stripe.state, 'refund').at(-1) ?? {};
    // The clock asks about those of the last month.
    if (created * 1000 > world.now() - 30 * day) {
      await atStripe(world, 'refund_failed', id);
    }
  },
  '… asks their bank for the money back': (world, about) =>
    withPlace(world, about, (place) => atStripe(world, 'dispute', chargeOf(world, place))),
  'a bank decides the last dispute': async (world, { number }) =>
    atStripe(world, number > 4 ? 'win' : 'lose', rowsOf(world.stripe.state, 'dispute').at(-1)?.id),
  'Stripe pauses the account, or ends that': async (world, { number }) => {
    atStripe(world, number > 3 ? 'resume' : 'pause', accountIn(world)?.id);
    if (number % 2 === 0) {
      await deliverEvent(world.stripe.event('account.updated'));
    }
  },
  'the owner disconnects Lectern in Stripe': async (world, { number }) => {
    atStripe(world, 'disconnect', accountIn(world)?.id);
    if (number % 2 === 0) {
      await deliverEvent(world.stripe.event('account.application.deauthorized'));
    }
  },
  'the owner connects Stripe': async (world, { number }) => {
    await world.byOwner('POST', '/api/payment-account/', { country: 'FR' });
    if (number > 2) {
      atStripe(world, 'finish', accountIn(world)?.id);
    }
    await world.byOwner('POST', '/api/payment-account/check/');
  },
  ...ownerActions,
  'minutes pass': passing([1, 3, 5, 11, 20, 40, 50, 61, 71, 90].map((count) => count * minute)),
  'hours pass': passing([2, 6, 13, 20, 24, 25, 26, 49, 73, 96].map((count) => count * hour)),
  'the clock runs': () => runClock(),
  'the clock runs at night': () => runClock(Object.values(crons)),
  'the clock runs for weeks': async (world, { number }) => {
    // It lists what Stripe has paid back at least every month.
    for (let weeks = pick([2, 5], number); weeks > 0; weeks -= 1) {
      world.pass(7 * day);
      await runClock(Object.values(crons));
    }
  },
};

/** What the clock does every few minutes, payments first, because these write emails to send. */
export async function runClock(of: readonly string[] = []): Promise<void> {
  for (const cron of new Set([...of, crons.money, crons.often])) {
    await runByClock(manyRequests, { cron });
    await settled();
  }
}

function passing(times: readonly number[]): Act {
  return async (world, { number }) => world.pass(pick(times, number));
}

function byLink(path: string): Act {
  return (world, about) =>
    withPlace(world, about, (place) => world.byLink(path, place, { enrollment_id: place.id }));
}

function openPage(world: World, about: About) {
  return withPlace(world, about, async (place) => {
    const answer = await world.byLink('checkout', place, { enrollment_id: place.id });
    const { url = '', code } = await answer.json<{ url?: string; code?: string }>();
    const page = url.split('/').at(-1) ?? '';
    if (page !== '') {
      world.pages.set(about.person.email, page);
      world.shown.add(page);
    }
    if (code === 'payment_off' && (await takesPayments(world, place))) {
      world.complaints.add('someone who can be paid for was told that no payments are taken');
    }
  });
}

function comeBack(world: World, about: About) {
  return withPlace(world, about, (place) => {
    const input = { checkout_id: place.checkout };
    return place.checkout && world.byLink('checkout/check', place, input);
  });
}

/** What someone or their bank does on the last page at Stripe whose address they were given. */
async function onPage(world: World, { person }: About, act: string) {
  const page = world.stripe.sessions().find(({ id }) => id === world.pages.get(person.email));
  return page && (act !== 'pay_later' || canDelay(page)) && atStripe(world, act, page.id);
}

/** What happens at Stripe, if there is such a thing and it is possible. */
function atStripe({ stripe }: World, act: string, id: string | undefined, amount?: string | null) {
  try {
    return id !== undefined && stripe.act(act, id, amount);
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw error;
    }
  }
}

function chargeOf({ stripe }: World, { checkout }: Place): string | undefined {
  const paid = stripe.sessions().findLast(({ client_reference_id: of }) => of === checkout);
  return rowsOf(stripe.state, 'charge').find(
    ({ payment_intent: payment }) => payment === paid?.payment_intent,
  )?.id;
}

function accountIn({ stripe }: World) {
  return Object.values(stripe.state.accounts).at(-1);
}

/** Whether nothing stands in the way of a payment for a place. */
async function takesPayments(world: World, { id }: Place): Promise<boolean> {
  const account = accountIn(world);
  const row = await env.DB.prepare(
    `SELECT 1 FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id
      JOIN payment_accounts a ON a.owner_id = e.owner_id AND a.stripe_account = ?2
    WHERE e.id = ?1 AND c.payment_mode <> 'own' AND c.deleted_at IS NULL AND a.charges_enabled`,
  )
    .bind(id, account?.id ?? '')
    .first();
  return row !== null && account !== undefined && canCharge(account);
}
