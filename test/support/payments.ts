import { eq, sql } from 'drizzle-orm';
import { ask } from '#db/query.ts';
import { checkouts, paymentAccounts } from '#db/schema/checkouts.ts';
import type { CheckoutProblem } from '#db/values.ts';
import { checkoutRows } from '#features/checkouts/checkout-rows.ts';
import { lookUp } from '#features/checkouts/look-up.ts';
import { openCheckout } from '#features/checkouts/open-checkout.ts';
import { requireFound } from '#lib/app-error.ts';
import { sealLink } from '#lib/signed-links.ts';
import { settled } from './background.ts';
import { contextOn } from './context.ts';
import { createCohortRow, createCourseRow, createEnrollment, db } from './factories.ts';
import { sawSecret } from './secrets.ts';
import { currentStripe } from './stripe.ts';

const day = 24 * 60 * 60 * 1000;

/** Connects an account at the stand-in for Stripe that people can pay to. */
export async function connectAccount(ownerId: string): Promise<string> {
  const id = `acct_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const now = new Date();
  currentStripe().state.accounts[id] = {
    ...{ id, created: Math.floor(now.getTime() / 1000), contactEmail: 'anna@lectern.test' },
    ...{ country: 'FR', metadata: {}, status: 'active', due: [], isPaused: false },
    isDisconnected: false,
  };
  await db
    .insert(paymentAccounts)
    .values({
      ...{ ownerId, stripeAccount: id, country: 'FR', chargesEnabled: true, readyAt: now },
      ...{ connectedAt: now, checkedAt: now },
    })
    .onConflictDoNothing();
  return id;
}

/** Someone who owes an owner 240 euros that they can pay online, with their link. */
export async function createDebtor(ownerId: string) {
  await connectAccount(ownerId);
  const course = await createCourseRow(ownerId, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, {
    ...{ priceMinor: 24_000, currency: 'EUR', paymentMode: 'online' },
    publishedAt: new Date(Date.now() - day),
    startsAt: new Date(Date.now() + 30 * day),
    endsAt: new Date(Date.now() + 60 * day),
  });
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
  const { rows } = await ask(ctx, { rows: checkoutRows(sql`o.id = ${open.id}`) });
  await lookUp(ctx, requireFound(rows[0]));
  await settled();
  if (problem === 'no_place') {
    await db.run(sql`UPDATE enrollments SET status = 'expired' WHERE id = ${open.enrollment_id}`);
  }
  const decideBy = problem === 'no_place' ? new Date(Date.now() + day) : null;
  await db.update(checkouts).set({ problem, decideBy }).where(eq(checkouts.id, open.id));
  return open;
}
