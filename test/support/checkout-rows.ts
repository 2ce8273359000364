import type { InferInsertModel } from 'drizzle-orm';
import { checkouts, paymentAccounts } from '#db/schema/checkouts.ts';
import { ledgerEntries } from '#db/schema/ledger.ts';
import { db } from './factories.ts';

type Account = Partial<InferInsertModel<typeof paymentAccounts>>;

/** Gives an instructor an account at Stripe that can be paid to. */
export async function createAccountRow(ownerId: string, values: Account = {}) {
  const at = new Date('2026-11-20T09:00:00Z');
  const row = {
    ownerId,
    stripeAccount: `acct_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`,
    country: 'FR',
    chargesEnabled: true,
    readyAt: at,
    connectedAt: at,
    checkedAt: at,
    ...values,
  };
  await db.insert(paymentAccounts).values(row);
  return row;
}

type Of = { cohort: { id: string; ownerId: string; courseId: string }; id: string; person: string };
type Checkout = Partial<InferInsertModel<typeof checkouts>> & { paidCurrency?: string };

/** A payment at Stripe that someone has made, with its entry in their account. */
export async function createPaidCheckout({ cohort, id, person }: Of, values: Checkout = {}) {
  const paidMinor = values.paidMinor ?? 24_000;
  const at = values.paidAt ?? new Date();
  const row = {
    id: crypto.randomUUID(),
    ownerId: cohort.ownerId,
    courseId: cohort.courseId,
    courseName: 'Writing',
    cohortId: cohort.id,
    cohortName: 'Autumn',
    enrollmentId: id,
    personId: person,
    paymentIntent: `pi_${crypto.randomUUID()}`,
    amountMinor: paidMinor,
    currency: 'EUR',
    status: 'paid' as const,
    paidMinor,
    paidCurrency: 'EUR',
    paidAt: at,
    expiresAt: at,
    createdAt: at,
    ...values,
  };
  await db.insert(checkouts).values(row);
  const { ownerId, courseId, courseName, cohortId, cohortName, enrollmentId, personId } = row;
  const entry = { ownerId, courseId, courseName, cohortId, cohortName, enrollmentId, personId };
  if (row.problem !== 'other_currency') {
    await db.insert(ledgerEntries).values({
      ...entry,
      id: crypto.randomUUID(),
      kind: 'payment',
      amountMinor: -paidMinor,
      currency: row.paidCurrency ?? 'EUR',
      method: 'online',
      receivedOn: '2026-11-20',
      source: 'stripe',
      outsideId: row.paymentIntent ?? null,
      createdBy: 'person',
      createdAt: at,
    });
  }
  return row;
}
