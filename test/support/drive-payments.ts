import { sql } from 'drizzle-orm';
import { crons } from '#settings.ts';
import { settled } from './background.ts';
import { runByClock } from './context.ts';
import type { Drive } from './driver.ts';
import { createUser, db } from './factories.ts';
import { createOpenCheckout, createPaidCheckout } from './payments.ts';
import { deliverEvent } from './stripe.ts';

/** What Stripe tells, and what the clock does about payments: each by an owner of its own. */
export const drivePayments: Drive = async ({ drive, bindings, stripe }) => {
  const told = (name: string, type: string) =>
    drive(`Stripe: ${name}`, async () => {
      await deliverEvent(stripe.event(type), { bindings });
      await settled();
    });
  await createOpenCheckout((await createUser()).id);
  stripe.pay();
  await told('someone has paid', 'checkout.session.completed');
  await told('the same again', 'checkout.session.completed');
  const charge = Object.values(stripe.state.rows).findLast(({ object }) => object === 'charge');
  stripe.act('refund', charge?.id ?? '', '1000');
  await told('a refund was made there', 'refund.created');
  const account = Object.keys(stripe.state.accounts).at(-1) ?? '';
  stripe.act('pause', account);
  await told('an account is paused', 'account.updated');

  // Of all others, nothing is due.
  await db.run(sql`UPDATE checkouts SET check_at = NULL`);
  await db.run(sql`UPDATE payment_accounts SET listed_at = ${Date.now()}`);
  const { id } = await createOpenCheckout((await createUser()).id);
  await db.run(sql`UPDATE checkouts SET check_at = 1 WHERE id = ${id}`);
  const late = await createPaidCheckout((await createUser()).id, 'no_place');
  await db.run(sql`UPDATE checkouts SET decide_by = 1 WHERE id = ${late.id}`);
  const limits = { REQUESTS_PER_RUN: '200' };
  await drive('clock: payments', async () => {
    await runByClock({ ...bindings, ...limits }, { cron: crons.money });
    await settled();
  });
};
