import { eq, type InferInsertModel, sql } from 'drizzle-orm';
import { ask } from '#db/query.ts';
import { checkouts, paymentAccounts } from '#db/schema/checkouts.ts';
import { ledgerEntries } from '#db/schema/ledger.ts';
import type { CheckoutProblem } from '#db/values.ts';
import { checkoutRows } from '#features/checkouts/checkout-rows.ts';
import { lookUp } from '#features/checkouts/look-up.ts';
import { openCheckout } from '#features/checkouts/open-checkout.ts';
import { requireFound } from '#lib/app-error.ts';
import { sealLink } from '#lib/signed-links.ts';
import { settled } from './background.ts';
import { contextOn } from './context.ts';
import { day } from './days.ts';
import { createComingCohort, createEnrollment, db } from './factories.ts';
import { sawSecret } from './secrets.ts';
import { currentStripe } from './stripe.ts';

type Account = Partial<InferInsertModel<typeof paymentAccounts>>;

/** An account that people can pay to, of which Stripe knows nothing. */
export async function createAccountRow(ownerId: string, values: Account = {}): Promise<string> {
  const stripeAccount = `acct_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const now = new Date();
  await db
    .insert(paymentAccounts)
    .values({
      ...{ ownerId, stripeAccount, country: 'FR', chargesEnabled: true, readyAt: now },
      ...{ connectedAt: now, checkedAt: now, ...values },
    })
    .onConflictDoNothing();
  return stripeAccount;
}

/** Connects an account at the stand-in for Stripe that people can pay to. */
export async function connectAccount(ownerId: string): Promise<string> {
  const id = await createAccountRow(ownerId);
  currentStripe().state.accounts[id] = {
    ...{ id, created: Math.floor(Date.now() / 1000), contactEmail: 'anna@lectern.test' },
    ...{ country: 'FR', metadata: {}, status: 'active', due: [], isPaused: false },
    isDisconnected: false,
  };
  return id;
}

/** Someone who owes an owner 240 euros that they can pay online, with their link. */
export async function createDebtor(ownerId: string) {
  await connectAccount(ownerId);
  const price = { priceMinor: 24_000, currency: 'EUR', paymentMode: 'online' } as const;
  const cohort = await createComingCohort(ownerId, price);
  const { id, person } = await createEnrollment(cohort, {});
  const link = await sealLink(contextOn(), 'person', person);
  sawSecret(link.split('.')[1] ?? '');
  return { cohort, person, link, enrollment_id: id };
}

/** The same with a page at Stripe on which they are about to pay. */
export async function createOpenCheckout(ownerId: string) {
  const debtor = await createDebtor(ownerId);
  const payer = { ...debtor.person, instructor: { name: 'Anna Martin' } };
  const { checkout_id: id } = await openCheckout(contextOn(), payer, debtor.enrollment_id);
  return { ...debtor, id };
}

/** The same, paid; perhaps with something that its owner has to look at. */
export async function createPaidCheckout(ownerId: string, problem: CheckoutProblem | null = null) {
  const open = await createOpenCheckout(ownerId);
  currentStripe().pay();
  const ctx = contextOn();
  const { rows } = await ask(ctx, { rows: checkoutRows(ctx, sql`o.id = ${open.id}`) });
  await lookUp(ctx, requireFound(rows[0]));
  await settled();
  if (problem === 'no_place') {
    await db.run(sql`UPDATE enrollments SET status = 'expired' WHERE id = ${open.enrollment_id}`);
  }
  const decideBy = problem === 'no_place' ? new Date(Date.now() + day) : null;
  await db.update(checkouts).set({ problem, decideBy }).where(eq(checkouts.id, open.id));
  return open;
}

type Of = { cohort: { id: string; ownerId: string; courseId: string }; id: string; person: string };
type Checkout = Partial<InferInsertModel<typeof checkouts>>;

/** A payment that someone is about to make, of which Stripe knows nothing. */
export async function insertCheckout({ cohort, id, person }: Of, values: Checkout = {}) {
  const now = new Date();
  const row = {
    id: crypto.randomUUID(),
    ...{ ownerId: cohort.ownerId, courseId: cohort.courseId, courseName: 'Writing' },
    ...{ cohortId: cohort.id, cohortName: 'Autumn', enrollmentId: id, personId: person },
    ...{ amountMinor: 24_000, currency: 'EUR', status: 'open' as const },
    ...{ expiresAt: now, createdAt: now, ...values },
  };
  await db.insert(checkouts).values(row);
  return row;
}

type Paid = { paidMinor?: number; paidCurrency?: string; currency?: string; paidAt?: Date };

/** A payment that someone has made, with its entry in their account. */
export async function insertPaidCheckout(of: Of, values: Paid = {}) {
  const { paidMinor = 24_000, paidCurrency = 'EUR', paidAt: at = new Date() } = values;
  const payment = `pi_${crypto.randomUUID()}`;
  const row = await insertCheckout(of, {
    ...{ status: 'paid', amountMinor: paidMinor, paymentIntent: payment, expiresAt: at },
    ...{ createdAt: at, ...values, paidMinor, paidCurrency, paidAt: at },
  });
  const { ownerId, courseId, courseName, cohortId, cohortName, enrollmentId, personId } = row;
  await db.insert(ledgerEntries).values({
    ...{ ownerId, courseId, courseName, cohortId, cohortName, enrollmentId, personId },
    ...{ id: crypto.randomUUID(), kind: 'payment', method: 'online', source: 'stripe' },
    ...{ amountMinor: -paidMinor, currency: paidCurrency, receivedOn: '2026-11-20' },
    ...{ outsideId: payment, createdBy: 'person', createdAt: at },
  });
  return row;
}
