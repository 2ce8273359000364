import { crons } from '#settings.ts';
import { settled } from '#support/background.ts';
import { runByClock } from '#support/context.ts';
import { minute } from '#support/days.ts';
import { mailsTo, requestTokenIn } from '#support/resend.ts';
import { deliverEvent } from '#support/stripe.ts';
import { Refusal } from '../../scripts/local/stripe/refusal.ts';
import { received } from '../features/ledger/support.ts';
import { confirmPath, formOf, requestsPath } from '../features/places/support.ts';
import type { Place, World } from './world.ts';

/** What an action is about: someone, one of the two cohorts, a number from 0 to 9, and a key. */
type About = {
  person: World['people'][number];
  cohort: World['cohorts'][number];
  number: number;
  key: string;
};
type Act<Result = unknown> = (world: World, about: About) => Promise<Result>;

const pauses = [1, 5, 20, 40, 71, 6 * 60, 25 * 60, 49 * 60, 3 * 24 * 60, 15 * 24 * 60];
/** Enough for a run that forgets no one. */
const manyRequests = { REQUESTS_PER_RUN: '1000' };

/**
 * Every action of a random sequence, by description; `…` stands for the person. An action that is
 * not possible in the current state is refused, which is fine. Add new actions here.
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
  '… opens the page at Stripe': async (world, about) => {
    const answer = await byLink('checkout')(world, about);
    if (answer?.ok) {
      world.shown.add((await answer.json<{ url: string }>()).url.split('/').at(-1) ?? '');
    }
  },
  '… pays on the last page at Stripe': (world, about) => atStripe(world, about, 'pay'),
  '… pays by debit on the last page at Stripe': (world, about) =>
    atStripe(world, about, 'pay_later'),
  'the bank of … pays the debit': (world, about) => atStripe(world, about, 'arrive'),
  'the bank of … refuses the debit': (world, about) => atStripe(world, about, 'bounce'),
  '… comes back from Stripe': (world, about) =>
    withPlace(world, about, (place) => {
      const input = { checkout_id: place.checkout };
      return place.checkout && world.byLink('checkout/check', place, input);
    }),
  'Stripe sends one of its last ten events': async ({ stripe }, { number }) => {
    await deliverEvent(stripe.state.events.at(-1 - number));
    await settled();
  },
  'the owner adds …': adding('enrolled'),
  'the owner adds … over capacity': adding('enrolled', { over_capacity: true }),
  'the owner puts … on the waitlist': adding('waitlisted'),
  'the owner invites …': adding('invited'),
  'the owner offers … a place': moving('offer'),
  'the owner lets … in': moving('accept'),
  'the owner approves …': moving('approve'),
  'the owner refuses …': moving('refuse'),
  'the owner withdraws the offer to …': moving('withdraw'),
  'the owner removes …': moving('remove'),
  'the owner moves … to the other cohort': (world, about) => {
    const target = world.cohorts.find(({ id }) => id !== about.cohort.id);
    return moving('transfer', { cohort_id: target?.id })(world, about);
  },
  'the owner takes cash from …': (world, about) =>
    withPlace(world, about, async ({ id, cohort }) => {
      const amount = 1_000 * (about.number + 1);
      const entry = { kind: 'payment', enrollments: [id], amount_minor: amount, ...received };
      const path = `/api/cohorts/${cohort}/ledger/`;
      if ((await world.byOwner('POST', path, entry, about.key)).status === 201) {
        world.taken.set(about.key, amount);
      }
    }),
  'the owner refunds … online': (world, about) =>
    withPlace(world, about, ({ checkout }) => {
      const part = about.number > 4 ? { amount_minor: 1_000 * about.number } : {};
      return checkout && ofCheckout(world, checkout, 'refunds', part, about.key);
    }),
  'the owner lets … in after a late payment': (world, about) =>
    withPlace(
      world,
      about,
      ({ checkout }) => checkout && ofCheckout(world, checkout, 'let-in', {}),
    ),
  'the owner changes the number of places': (world, { cohort, number }) =>
    world.byOwner('PATCH', `/api/cohorts/${cohort.id}/`, { capacity: 1 + (number % 3) }),
  'the owner closes enrollment, or opens it': (world, { cohort, number }) => {
    const enrollment_override = [null, 'closed', 'open', null][number % 4];
    return world.byOwner('PATCH', `/api/cohorts/${cohort.id}/`, { enrollment_override });
  },
  'the owner moves the dates': async (world, { cohort, number }) => {
    const path = `/api/cohorts/${cohort.id}/`;
    const now = await (await world.byOwner('GET', path)).json<Record<string, string>>();
    const fields = ['starts_on', 'ends_on', 'time_zone'];
    const wall = ['enrollment_opens_local', 'enrollment_closes_local', 'early_until_local'];
    const expected = Object.fromEntries([...fields, ...wall].map((name) => [name, now[name]]));
    const days = { starts_on: `2027-0${2 + (number % 4)}-01`, ends_on: '2027-08-01' };
    const input = { ...days, time_zone: 'Europe/Paris', expected };
    return world.byOwner('POST', `${path}move/`, input);
  },
  'the owner archives the cohort, or takes it out': (world, { cohort, number }) =>
    number < 3
      ? world.byOwner('POST', `/api/cohorts/${cohort.id}/archive/`, { notify: number === 1 })
      : world.byOwner('POST', `/api/cohorts/${cohort.id}/unarchive/`),
  'the owner erases …': (world, about) =>
    withPlace(world, about, async ({ person }) => {
      const answer = await world.byOwner('DELETE', `/api/people/${person.id}/`);
      if (answer.status === 204) {
        world.erased.add(about.person.email);
      }
    }),
  'time passes': async (world, { number }) => world.pass((pauses[number] ?? 1) * minute),
  'the clock runs': runClock,
};

/** What the clock does every few minutes, payments first, because these write emails to send. */
export async function runClock(): Promise<void> {
  for (const cron of [crons.money, crons.often]) {
    await runByClock(manyRequests, { cron });
    await settled();
  }
}

async function withPlace<Result>(
  world: World,
  about: About,
  act: (place: Place) => Result,
): Promise<Awaited<Result> | null> {
  const place = await world.placeOf(about.person.email, about.cohort.id);
  return place && (await act(place));
}

function byLink(path: string): Act<Response | null> {
  return (world, about) =>
    withPlace(world, about, (place) => world.byLink(path, place, { enrollment_id: place.id }));
}

function adding(as: string, more: object = {}): Act {
  return async (world, { person, cohort }) => {
    const path = `/api/cohorts/${cohort.id}/enrollments/`;
    // As of today, someone whom a full cohort refuses is in the list of people all the same.
    world.erased.delete(person.email);
    await world.byOwner('POST', path, { as, ...person, ...more });
  };
}

function moving(move: string, more: object = {}): Act {
  return (world, about) =>
    withPlace(world, about, ({ id, cohort }) =>
      world.byOwner('POST', `/api/cohorts/${cohort}/enrollments/${id}/${move}/`, more),
    );
}

function ofCheckout(world: World, id: string, what: string, input: object, key?: string) {
  return world.byOwner('POST', `/api/checkouts/${id}/${what}/`, input, key);
}

/** What someone or their bank does on the last page at Stripe whose address they were given. */
function atStripe(world: World, about: About, act: string) {
  return withPlace(world, about, ({ checkout }) => {
    const page = world.stripe
      .sessions()
      .findLast(({ id, client_reference_id: of }) => of === checkout && world.shown.has(id));
    try {
      return page && world.stripe.act(act, page.id);
    } catch (error) {
      if (!(error instanceof Refusal)) {
        throw error;
      }
    }
  });
}
