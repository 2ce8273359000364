import { and, desc, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { checkouts, refundsWanted } from '#db/schema/checkouts.ts';
import { ledgerEntries } from '#db/schema/ledger.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { crons } from '#settings.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { runByClock } from '#support/context.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { connectAccount } from '#support/payments.ts';
import { mailsTo } from '#support/resend.ts';
import { deliverEvent, type fakeStripe } from '#support/stripe.ts';
import type { startFresh } from '../places/fresh.ts';
import { createOwner, enrollBy, participate } from '../places/support.ts';
import { linkFor } from '../rights/rights.ts';

export type Stripe = ReturnType<typeof fakeStripe>;

/** An instructor who is paid at Stripe, with a cohort that costs 240 euros, and who pays there. */
export async function createSelling(values: Parameters<typeof createOwner>[0] = {}) {
  const owner = await createOwner({
    ...{ priceMinor: 24_000, currency: 'EUR', paymentMode: 'online' as const, ...values },
  });
  const account = await connectAccount(owner.user.id);
  return {
    ...owner,
    account,
    /** Someone with their link and what they do by it. */
    person: async (of: Parameters<typeof createEnrollment>[1] = {}) => {
      const { id, person } = await createEnrollment(owner.cohort, of, { consentedAt: new Date() });
      return payerOf(id, person);
    },
    entries: () =>
      db
        .select()
        .from(ledgerEntries)
        .where(eq(ledgerEntries.ownerId, owner.user.id))
        .orderBy(ledgerEntries.createdAt),
  };
}

export type Payer = Awaited<ReturnType<typeof payerOf>>;

/** What someone does by their link. */
export async function payerOf(
  id: string,
  person: { id: string; linkVersion: number; email: string },
) {
  const link = await linkFor(person);
  const client = createClient();
  const send = async (path: string, input: object) => {
    const address = `/api/participation/${path}/`;
    const response = await client.request('POST', address, { link, ...input });
    await settled();
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  };
  return {
    id,
    person,
    link,
    send,
    open: (more: object = {}) => send('checkout', { enrollment_id: id, ...more }),
    check: (checkoutId: string) => send('checkout/check', { checkout_id: checkoutId }),
    participate: (action: string) => participate(action, link, id),
  };
}

/** Someone who enrolls on the public page, with what they do by the link in their email. */
export async function enrolls(
  given: ReturnType<typeof startFresh>,
  { cohort }: { cohort: { id: string; slug: string } },
) {
  const { email, status } = await enrollBy(given.resend, cohort.slug);
  const [row] = await db
    .select({ id: enrollments.id, person: people })
    .from(enrollments)
    .innerJoin(people, eq(people.id, enrollments.personId))
    .where(and(eq(enrollments.cohortId, cohort.id), eq(people.email, email)));
  if (row === undefined) {
    throw new Error('No one has enrolled.');
  }
  const payer = await payerOf(row.id, row.person);
  return { ...payer, status, email, mail: () => mailsTo(email, given.resend.accepted).at(-1) };
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

/** The clock's run for payments, with what it sends. */
export async function runForMoney(): Promise<void> {
  await runByClock({}, { cron: crons.money });
  await settled();
}

/** Delivers the last event of a type, which changes what it has to. */
export async function deliverLast(stripe: Stripe, type: string): Promise<void> {
  const response = await deliverEvent(stripe.event(type));
  expect(response.status).toBe(200);
  await settled();
}
