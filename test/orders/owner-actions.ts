import type { BalanceDetails, LedgerEntry } from '#features/ledger/schema.ts';
import { day, hour } from '#support/days.ts';
import { received } from '../features/ledger/support.ts';
import { type About, type Act, moving, pick, withPlace } from './act.ts';
import type { World } from './world.ts';

/** The wall time in Paris, in winter, after so long. */
const at = ({ now }: World, ms: number) => new Date(now() + ms + hour).toISOString().slice(0, 16);
const dayAfter = (world: World, days: number) => at(world, days * day).slice(0, 10);

/** What the owner does; `…` stands for the person. */
export const ownerActions: Record<string, Act> = {
  'the owner adds …': adding('enrolled'),
  'the owner adds … over capacity': adding('enrolled', { over_capacity: true }),
  'the owner puts … on the waitlist': adding('waitlisted'),
  'the owner invites …': adding('invited'),
  'the owner imports … from a list': (world, { person, cohort, number }) => {
    world.erased.delete(person.email);
    return world.byOwner('POST', `/api/cohorts/${cohort.id}/imports/`, {
      ...{ text: `name,email\n${person.name},${person.email}`, informed: true },
      ...{
        as: number < 6 ? 'enrolled' : 'invited',
        rest: pick(['waitlist', 'invite', 'add'], number),
      },
    });
  },
  'the owner offers … a place': moving('offer'),
  'the owner lets … in': moving('accept'),
  'the owner approves …': moving('approve'),
  'the owner refuses …': moving('refuse'),
  'the owner withdraws the offer to …': moving('withdraw'),
  'the owner removes …': moving('remove'),
  'the owner moves … to another cohort': (world, about) => {
    const others = world.cohorts.filter(({ id }) => id !== about.cohort.id);
    const isOver = about.number > 7;
    const target = { cohort_id: pick(others, about.number).id, over_capacity: isOver };
    return moving('transfer', () => target)(world, about);
  },
  'the owner marks … as left': ending('left'),
  'the owner settles the account of …': ending('settle'),
  'the owner takes cash from …': (world, about) => {
    const amount = pick([24_000, 1_000, 5_000, 18_000, 23_970], about.number);
    return write(world, about, { kind: 'payment', amount_minor: amount, ...received });
  },
  'the owner pays … back by hand': (world, about) => {
    const amount = about.number > 4 ? 1_000 * about.number : null;
    const rest = { amount_minor: amount, waive_rest: about.number % 2 === 0 };
    return write(world, about, { kind: 'refund', ...rest, ...received });
  },
  'the owner waives what … owes': (world, about) =>
    write(world, about, { kind: 'waiver', amount_minor: about.number > 4 ? 3_000 : null }),
  'the owner charges …': (world, about) =>
    write(world, about, { kind: 'charge', amount_minor: about.number > 4 ? 7_000 : null }),
  'the owner charges everyone': ofCohort('charges'),
  'the owner takes back an entry of …': (world, about) =>
    withAccount(world, about, async ({ entries }) => {
      const { id } = (entries.length > 0 && pick(entries, about.number)) || { id: 'none' };
      const answer = await world.byOwner('POST', `/api/ledger/${id}/reverse/`, {});
      const entry = await answer.json<LedgerEntry>();
      if (answer.ok && entry.kind === 'payment') {
        world.taken.set(entry.id, -entry.amount_minor);
      }
    }),
  'the owner reminds everyone who owes': ofCohort('payment-reminders'),
  'the owner refunds … online': (world, about) => {
    const part = about.number > 4 ? { amount_minor: 1_000 * about.number } : {};
    const input = { ...part, waive_rest: about.number % 2 === 0 };
    return ofCheckout(world, about, 'POST', 'refunds', input);
  },
  'the owner lets … in after a late payment': (world, about) =>
    ofCheckout(world, about, 'POST', 'let-in', { over_capacity: about.number > 4 }),
  'the owner asks Stripe about the payment of …': (world, about) =>
    ofCheckout(world, about, 'POST', 'check'),
  'the owner takes the payment of … off the list': (world, about) =>
    ofCheckout(world, about, 'DELETE', 'problem'),
  'the owner disconnects Stripe': async (world) => {
    const answer = await world.byOwner('DELETE', '/api/payment-account/');
    if (answer.status === 422) {
      world.complaints.add('an account cannot be disconnected');
    }
  },
  'the owner changes the number of places': setting(
    [1, 2, 3, null].map((capacity) => ({ capacity })),
  ),
  'the owner closes enrollment, or opens it': setting(
    [null, 'closed', 'open', null].map((enrollment_override) => ({ enrollment_override })),
  ),
  'the owner changes when enrollment closes': (world, about) => {
    const enrollment_closes_local = pick([null, at(world, 2 * hour), at(world, day)], about.number);
    return setting([{ enrollment_closes_local }])(world, about);
  },
  'the owner changes the price': setting([
    ...[12_000, 30_000, 24_000].map((price_minor) => ({ price_minor })),
    { price_minor: null, currency: null },
    { price_minor: 24_000, currency: 'EUR' },
  ]),
  'the owner sets an early price, or ends it': (world, about) => {
    const until = pick(
      [null, at(world, hour / 2), at(world, day), at(world, 20 * day)],
      about.number,
    );
    const early = until === null ? null : 18_000;
    return setting([{ early_price_minor: early, early_until_local: until }])(world, about);
  },
  'the owner changes the currency': setting([{ currency: 'USD' }, { currency: 'EUR' }]),
  'the owner changes how people pay': setting(
    ['own', 'online', 'online_first', 'online_first'].map((payment_mode) => ({ payment_mode })),
  ),
  'the owner changes how people join': setting(
    ['open', 'approval', 'invitation', 'open'].map((join_mode) => ({ join_mode })),
  ),
  'the owner changes how long people can read': setting(
    [10, 30, 60, null].map((access_days) => ({ access_days })),
  ),
  'the owner saves a welcome note': setting([{ welcome_note: 'Bring a pen.' }]),
  'the owner moves the dates': async (world, { cohort, number }) => {
    const path = `/api/cohorts/${cohort.id}/`;
    const now = await world.readByOwner<Record<string, string>>(path);
    const fields = ['starts_on', 'ends_on', 'time_zone'];
    const wall = ['enrollment_opens_local', 'enrollment_closes_local', 'early_until_local'];
    const expected = Object.fromEntries([...fields, ...wall].map((name) => [name, now?.[name]]));
    const begin = pick([-4, 0, 1, 2, 20, 40, 40, 70, 100, 150], number);
    const days = { starts_on: dayAfter(world, begin), ends_on: dayAfter(world, begin + 60) };
    return world.byOwner('POST', `${path}move/`, {
      ...{ ...days, time_zone: 'Europe/Paris', expected, notify: number % 2 === 0 },
    });
  },
  'the owner archives the cohort': ofCohort('archive'),
  'the owner takes the cohort out of the archive': ofCohort('unarchive'),
  'the owner moves the cohort to the trash': (world, { cohort, number }) =>
    world.byOwner('DELETE', `/api/cohorts/${cohort.id}/`, {
      ...{ notify: number > 4, money: pick([null, 'keep', 'refund'], number) },
    }),
  'the owner decides about the money of the cohort': (world, { cohort, number }) =>
    world.byOwner('POST', `/api/cohorts/${cohort.id}/money/`, {
      money: pick(['keep', 'refund'], number),
    }),
  'the owner takes the cohort out of the trash': ofCohort('restore'),
  'the owner deletes the cohort permanently': ofCohort('purge'),
  'the owner unpublishes the cohort': ofCohort('unpublish'),
  'the owner publishes the cohort': ofCohort('publish'),
  'the owner erases …': (world, about) =>
    withPlace(world, about, async ({ person }) => {
      const answer = await world.byOwner('DELETE', `/api/people/${person.id}/`);
      if (answer.status === 204) {
        world.erased.add(about.person.email);
      }
    }),
};

function adding(as: string, more: object = {}): Act {
  return async (world, { person, cohort }) => {
    const path = `/api/cohorts/${cohort.id}/enrollments/`;
    // As of today, someone whom a full cohort refuses is in the list of people all the same.
    world.erased.delete(person.email);
    await world.byOwner('POST', path, { as, ...person, ...more });
  };
}

function ofCohort(path: string): Act {
  return (world, { cohort }) => world.byOwner('POST', `/api/cohorts/${cohort.id}/${path}/`);
}

/** Saves one of several changes of settings. */
function setting(patches: readonly object[]): Act {
  return (world, { cohort, number }) =>
    world.byOwner('PATCH', `/api/cohorts/${cohort.id}/`, pick(patches, number));
}

/** What the owner decides about the account of someone who leaves or has left, as they see it. */
function ending(path: string): Act {
  return (world, about) =>
    withAccount(world, about, (account) => {
      const paid = account.paid_minor - account.refunded_minor;
      const balance = Math.max(0, account.balance_minor);
      const money =
        balance === 0 && paid <= 0 ? null : pick(['refund', 'waive', 'keep'], about.number);
      return moving(path, () => ({ money, balance_minor: balance, paid_minor: paid }))(
        world,
        about,
      );
    });
}

/** Acts on the account of someone's place. */
function withAccount(world: World, about: About, act: (account: BalanceDetails) => unknown) {
  return withPlace(world, about, async ({ id, cohort }) => {
    const account = await world.readByOwner<BalanceDetails>(`/api/cohorts/${cohort}/ledger/${id}/`);
    return account && act(account);
  });
}

/** Writes an entry to someone's account. */
function write(world: World, about: About, entry: { kind: string; amount_minor: number | null }) {
  return withPlace(world, about, async ({ id, cohort }) => {
    const path = `/api/cohorts/${cohort}/ledger/`;
    const input = { enrollments: [id], ...entry };
    const { status } = await world.byOwner('POST', path, input, about.key);
    if (status === 201 && entry.kind === 'payment') {
      world.taken.set(about.key, entry.amount_minor ?? 0);
    }
  });
}

function ofCheckout(world: World, about: About, method: string, what: string, input?: object) {
  return withPlace(
    world,
    about,
    ({ checkout }) =>
      checkout && world.byOwner(method, `/api/checkouts/${checkout}/${what}/`, input, about.key),
  );
}
