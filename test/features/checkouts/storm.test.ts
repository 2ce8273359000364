import { env } from 'cloudflare:workers';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { checkouts } from '#db/schema/checkouts.ts';
import { ledgerEntries } from '#db/schema/ledger.ts';
import { enrollmentEvents, enrollments } from '#db/schema/people.ts';
import { checkoutRows } from '#features/checkouts/checkout-rows.ts';
import { lookUp } from '#features/checkouts/look-up.ts';
import { openCheckout } from '#features/checkouts/open-checkout.ts';
import { AppError } from '#lib/app-error.ts';
import { settled } from '#support/background.ts';
import { db } from '#support/factories.ts';
import { connectAccount } from '#support/payments.ts';
import { Refusal } from '../../../scripts/local/stripe/refusal.ts';
import {
  actionsOn,
  brokenRules,
  contextAt,
  createPeople,
  createPublished,
  enrollmentOf,
  start,
} from '../places/storm.ts';
import { setTime } from '../places/support.ts';
import { startPaying } from './support.ts';

const given = startPaying();

const [people, phases, capacity] = [40, 10, 5];
const callsOfPhase = env.EVERY_CASE === '1' ? 200 : 40;
/** So that pages end after three phases, and holds after four. */
const phaseMs = 21 * 60 * 1000;

const call = fc.constantFrom(
  ...(['enroll', 'enroll', 'open', 'open', 'pay', 'pay', 'hear', 'hear', 'accept'] as const),
  ...(['leave', 'add', 'sweep', 'resize'] as const),
);
const storm = fc.array(fc.tuple(call, fc.nat(people - 1)), {
  minLength: phases * callsOfPhase,
  maxLength: phases * callsOfPhase,
});

test(`a storm of ${phases * callsOfPhase} calls: no place too many, no entry twice, and no one in without money`, async () => {
  const { stripe } = given;
  const cohort = await createPublished({
    ...{ capacity, priceMinor: 24_000, currency: 'EUR', paymentMode: 'online_first' },
  });
  await connectAccount(cohort.ownerId);
  const act = actionsOn(cohort);
  const crowd = await createPeople(cohort, people);
  const [calls = []] = fc.sample(storm, { seed: Number(env.FUZZ_SEED), numRuns: 1 });
  let time = start;

  const payerOf = (person: (typeof crowd)[number]) => ({
    ...person,
    instructor: { name: 'Anna Martin' },
  });
  const addresses = new Set<string>();
  const open = async (person: (typeof crowd)[number]) => {
    const id = await enrollmentOf(cohort, person);
    if (id) {
      addresses.add((await openCheckout(contextAt(time), payerOf(person), id)).url);
    }
  };
  /** Pays on any page that is still open, however old, and whose address someone was given. */
  const pay = (index: number) => {
    const pages = stripe
      .sessions()
      .filter(({ status, url }) => status === 'open' && addresses.has(url ?? ''));
    const page = pages[index % Math.max(1, pages.length)];
    return page && stripe.act('pay', page.id);
  };
  /** An event about any checkout, whether it says something new or not. */
  const hear = async (index: number) => {
    const ctx = contextAt(time);
    const { rows } = await ask(ctx, {
      rows: checkoutRows(ctx, sql`o.owner_id = ${cohort.ownerId}`, 1_000),
    });
    const row = rows[index % Math.max(1, rows.length)];
    return row?.sessionId && lookUp(ctx, row);
  };

  for (let phase = 0; phase < phases; phase += 1) {
    time = start + phase * phaseMs;
    setTime(time);
    const now = calls.slice(phase * callsOfPhase, (phase + 1) * callsOfPhase);
    await Promise.all(
      now.map(async ([what, index], serial) => {
        const person = crowd[index];
        const at = time + serial;
        const todo = {
          enroll: () => person && act.enroll(at, person),
          open: () => person && open(person),
          pay: () => pay(index),
          hear: () => hear(index + serial),
          accept: () => person && act.accept(at, person),
          leave: () => person && act.leave(at, person),
          add: () => (serial % 10 === 0 ? person && act.add(at, person) : null),
          sweep: () => act.sweep(at),
          resize: () => act.resize(at, capacity + (index % 2)),
        };
        try {
          await todo[what]();
        } catch (error) {
          // What people read as an answer; anything else is a failure.
          const isAnswer = error instanceof AppError && error.code !== 'unavailable';
          expect(isAnswer || error instanceof Refusal, String(error)).toBe(true);
        }
      }),
    );
    expect(await brokenRules(cohort, time + callsOfPhase, capacity + 1)).toEqual([]);
  }
  // The last words of Stripe.
  const ctx = contextAt(time);
  const { rows } = await ask(ctx, {
    rows: checkoutRows(
      ctx,
      sql`o.owner_id = ${cohort.ownerId} AND o.session_id IS NOT NULL`,
      1_000,
    ),
  });
  for (const row of rows) {
    await lookUp(ctx, row);
  }
  await settled();

  const paid = await db
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.ownerId, cohort.ownerId), isNotNull(checkouts.paidAt)));
  const entries = await db
    .select()
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.ownerId, cohort.ownerId), eq(ledgerEntries.kind, 'payment')));
  const ofStripe = stripe.sessions().filter(({ status }) => status === 'complete');
  expect(entries.map(({ outsideId }) => outsideId).toSorted()).toEqual(
    ofStripe.map(({ payment_intent: payment }) => payment).toSorted(),
  );
  expect(paid).toHaveLength(ofStripe.length);
  expect(paid.length).toBeGreaterThan(capacity);

  const places = await db.select().from(enrollments).where(eq(enrollments.cohortId, cohort.id));
  const hasPaid = new Set(paid.map(({ enrollmentId }) => enrollmentId));
  const isIn = places.filter(({ status }) => status === 'enrolled');
  expect(isIn.filter(({ id, changedBy }) => changedBy === 'person' && !hasPaid.has(id))).toEqual(
    [],
  );
  // Everyone who paid is or was enrolled, declined, left, was removed, or waits for a decision.
  const isDecided = new Set(['enrolled', 'left', 'declined', 'removed']);
  const ins = await db
    .select()
    .from(enrollmentEvents)
    .where(eq(enrollmentEvents.toStatus, 'enrolled'));
  const lost = paid.filter(({ enrollmentId, problem, paidAt }) => {
    const place = places.find(({ id }) => id === enrollmentId);
    const wasIn = ins.some(
      (event) => event.enrollmentId === enrollmentId && paidAt && event.at >= paidAt,
    );
    return problem === null && !wasIn && !isDecided.has(place?.status ?? '');
  });
  expect(lost).toEqual([]);
});
