import { and, desc, eq } from 'drizzle-orm';
import { beforeEach, expect } from 'vitest';
import { checkouts, refundsWanted } from '#db/schema/checkouts.ts';
import { ledgerEntries } from '#db/schema/ledger.ts';
import { enrollments, people } from '#db/schema/people.ts';
import type { Bindings } from '#env.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { sweep } from '#features/places/sweep.ts';
import { requireFound } from '#lib/app-error.ts';
import { crons } from '#settings.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { runByClock } from '#support/context.ts';
import { day } from '#support/days.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { connectAccount } from '#support/payments.ts';
import { mailsTo } from '#support/resend.ts';
import { currentStripe, deliverEvent, fakeStripe } from '#support/stripe.ts';
import { checkBalances } from '../ledger/support.ts';
import { startFresh } from '../places/fresh.ts';
import { contextAt, start } from '../places/storm.ts';
import {
  createOwner,
  enrollBy,
  enrollmentRow,
  participate,
  personRow,
  setTime,
} from '../places/support.ts';
import { linkFor } from '../rights/rights.ts';

/** Each test begins with stand-ins, as `startFresh` says, and for Stripe; its accounts add up. */
export function startPaying() {
  const fresh = startFresh();
  checkBalances();
  beforeEach(() => {
    fakeStripe();
  });
  return {
    get stripe() {
      return currentStripe();
    },
    mailsTo: (email: string) => mailsTo(email, fresh.resend.accepted),
    get accepted() {
      return fresh.resend.accepted;
    },
    /** Someone whom the instructor has added or invited. */
    payerOf: async (id: string) => {
      const row = await enrollmentRow(id);
      return payerOf(id, requireFound(await personRow(row?.personId ?? '')));
    },
    /** Someone who enrolls on the public page, with what they do by the link in their email. */
    enrolls: async ({ cohort }: { cohort: { id: string; slug: string } }) => {
      const { email, status } = await enrollBy(fresh.resend, cohort.slug);
      const row = await db
        .select({ id: enrollments.id, person: people })
        .from(enrollments)
        .innerJoin(people, eq(people.id, enrollments.personId))
        .where(and(eq(enrollments.cohortId, cohort.id), eq(people.email, email)))
        .get();
      const { id, person } = requireFound(row);
      const payer = await payerOf(id, person);
      const mail = () => mailsTo(email, fresh.resend.accepted).at(-1);
      return { ...payer, status, email, mail };
    },
  };
}

/** An instructor who is paid at Stripe, with a cohort that costs 240 euros, and who pays there. */
export async function createSelling(values: Parameters<typeof createOwner>[0] = {}) {
  const owner = await createOwner({
    ...{ priceMinor: 24_000, currency: 'EUR', paymentMode: 'online' as const, ...values },
  });
  const account = await connectAccount(owner.user.id);
  const isOwners = eq(ledgerEntries.ownerId, owner.user.id);
  const entries = () =>
    db.select().from(ledgerEntries).where(isOwners).orderBy(ledgerEntries.createdAt);
  return {
    ...owner,
    account,
    /** Someone with their link and what they do by it. */
    person: async (of: Parameters<typeof createEnrollment>[1] = {}) => {
      const { id, person } = await createEnrollment(owner.cohort, of, { consentedAt: new Date() });
      return payerOf(id, person);
    },
    /** Moves someone to a copy of the cohort; returns its id. */
    moveAway: async ({ id }: { id: string }) => {
      const copy = { starts_on: '2027-09-06', name: 'Fall' };
      const cohort_id = (await owner.post('duplicate/', copy)).body.id;
      await owner.post(`enrollments/${id}/transfer/`, { cohort_id });
      return cohort_id;
    },
    entries,
    /** The amounts of the entries of a kind. */
    amounts: async (kind: string) =>
      (await entries()).filter((one) => one.kind === kind).map(({ amountMinor }) => amountMinor),
  };
}

/** The same with one place, which is someone's once they have paid. */
export const createFirst = (values: Parameters<typeof createOwner>[0] = {}) =>
  createSelling({ paymentMode: 'online_first', capacity: 1, ...values });

/** The same with an evergreen course, with ten days of access, that people can enroll in. */
export const createRun = (values: Parameters<typeof createOwner>[0] = {}) =>
  createSelling({
    ...{ kind: 'open', paymentMode: 'online_first', accessDays: 10 },
    ...{ enrollmentOverride: 'open', endsAt: new Date(start + 3_650 * day), ...values },
  });

export type Selling = Awaited<ReturnType<typeof createSelling>>;
export type Payer = Awaited<ReturnType<ReturnType<typeof startPaying>['enrolls']>>;

export const statusOf = async ({ id }: { id: string }) => (await enrollmentRow(id))?.status;

/** What someone does by their link. */
async function payerOf(id: string, person: { id: string; linkVersion: number; email: string }) {
  const link = await linkFor(person);
  const client = createClient();
  const send = async (path: string, input: object, bindings: Partial<Bindings> = {}) => {
    const address = `/api/participation/${path}/`;
    const response = await client.request('POST', address, { link, ...input }, { bindings });
    await settled();
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  };
  const open = (more: object = {}, bindings: Partial<Bindings> = {}) =>
    send('checkout', { enrollment_id: id, ...more }, bindings);
  return {
    id,
    person,
    link,
    open,
    /** Pays on a page of their own, of which Stripe tells. */
    pay: async () => {
      await open();
      await payLast();
    },
    check: (checkoutId: string) => send('checkout/check', { checkout_id: checkoutId }),
    participate: (action: string) => participate(action, link, id),
  };
}

/** The newest payment at Stripe of an enrollment. */
export function checkoutOf({ id }: { id: string }) {
  return db
    .select()
    .from(checkouts)
    .where(eq(checkouts.enrollmentId, id))
    .orderBy(desc(checkouts.createdAt))
    .get();
}

export function wantedOf(checkoutId: string) {
  return db.select().from(refundsWanted).where(eq(refundsWanted.checkoutId, checkoutId));
}

/** The clock's run for payments at a moment, and the sending of emails after it. */
export async function runForMoney(time = Date.now()): Promise<void> {
  setTime(time);
  await runByClock({}, { cron: crons.money });
  await drainOutbox(contextAt(time), null);
  await settled();
}

/** The clock's run for places at a moment. */
export async function sweepAt(time: number): Promise<void> {
  setTime(time);
  await sweep(contextAt(time));
  await settled();
}

/** Delivers the last event of a type, which changes what it has to. */
export async function deliverLast(type: string): Promise<void> {
  const response = await deliverEvent(currentStripe().event(type));
  expect(response.status).toBe(200);
  await settled();
}

/** The last page that was made is paid, and Stripe tells so. */
export async function payLast(): Promise<void> {
  currentStripe().pay();
  await deliverLast('checkout.session.completed');
}
