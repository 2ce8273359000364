import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import type { BalancePage } from '#features/ledger/schema.ts';
import { createClient } from '#support/client.ts';
import { db } from '#support/factories.ts';
import { rowsOf } from '../../scripts/local/stripe/state.ts';
import { linkFor } from '../features/rights/rights.ts';
import type { World } from './world.ts';

/** What of the money cannot be said by a statement alone, as its state at Stripe. */
export async function wrongMoney(world: World, hasRun: boolean): Promise<string[]> {
  return [
    ...(await wrongSum(world)),
    ...(await wrongReturns(world)),
    ...(await shutOut(world)),
    ...(hasRun ? await lostPages(world) : []),
  ];
}

type Entry = { kind: string; source: string; outsideId: string | null; amount: number };

function entriesOf({ ownerId }: World): Promise<Entry[]> {
  return db.all<Entry>(sql`SELECT kind, source, outside_id AS outsideId, -amount_minor AS amount
    FROM ledger_entries WHERE owner_id = ${ownerId}`);
}

const sumOf = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);

/** All that was ever paid is what was taken by hand, and what Stripe has told of: nothing twice. */
async function wrongSum(world: World): Promise<string[]> {
  const entries = (await entriesOf(world)).filter(({ kind }) => kind === 'payment');
  const told = new Set(entries.map(({ outsideId }) => outsideId ?? ''));
  const atStripe = world.stripe
    .sessions()
    .filter((page) => told.has(page.payment_intent ?? 'unpaid'));
  const expected = sumOf([
    ...world.taken.values(),
    ...atStripe.map(({ amount_total }) => amount_total),
  ]);
  const found = sumOf(entries.map(({ amount }) => amount));
  return found === expected ? [] : [`${found} was paid on all accounts, and ${expected} came in`];
}

/**
 * No account has more refunds than payments, by hand and online together; except for what was paid
 * back in Stripe, of which Lectern only hears, and what a bank has taken back.
 */
async function wrongReturns({ ownerId, stripe }: World): Promise<string[]> {
  const elsewhere = [...rowsOf(stripe.state, 'refund'), ...rowsOf(stripe.state, 'dispute')]
    .filter((back) => back.object === 'dispute' || back.metadata?.['refund'] === undefined)
    .flatMap(({ id }) => [id, `${id}:failed`]);
  const { results } = await env.DB.prepare(
    `SELECT -sum(amount_minor) AS net FROM ledger_entries
      WHERE owner_id = ?1 AND kind IN ('payment', 'refund')
        AND coalesce(outside_id, '') NOT IN (SELECT value FROM json_each(?2))
        -- Nor what the owner has corrected.
        AND enrollment_id NOT IN (SELECT x.enrollment_id FROM ledger_entries x
          WHERE x.owner_id = ?1 AND x.kind = 'payment' AND x.source = 'owner'
            AND x.reverses_id IS NOT NULL)
      GROUP BY enrollment_id, cohort_id HAVING net < 0`,
  )
    .bind(ownerId, JSON.stringify(elsewhere))
    .all<{ net: number }>();
  return results.map(({ net }) => `more was paid back than was paid (${-net})`);
}

type Payer = { id: string; linkVersion: number; courseId: string };

/** Who has paid for a time in which they can read that is not over, and cannot. */
async function shutOut(world: World): Promise<string[]> {
  const payers = await db.all<Payer>(sql`SELECT p.id, p.link_version AS linkVersion,
      c.course_id AS courseId
    FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id JOIN people p ON p.id = e.person_id
      JOIN balances b ON b.enrollment_id = e.id AND b.cohort_id = c.id
    WHERE e.owner_id = ${world.ownerId} AND e.status = 'enrolled' AND c.kind = 'open'
      AND c.access_days IS NOT NULL AND b.paid > b.refunded AND b.balance <= 0
      -- From the first time, a move, or what was charged or paid since.
      AND ${world.now()} < c.access_days * 86400000 + max(
        coalesce((SELECT max(v.at) FROM enrollment_events v
          WHERE v.enrollment_id = e.id AND v.moved_from IS NOT NULL), 0),
        coalesce((SELECT min(v.at) FROM enrollment_events v
          WHERE v.enrollment_id = e.id AND v.to_status = 'enrolled'), 0),
        coalesce((SELECT max(l.created_at) FROM ledger_entries l WHERE l.enrollment_id = e.id
          AND l.cohort_id = c.id AND l.kind = 'charge' AND l.reverses_id IS NULL
          -- A charge that replaces another gives no new time.
          AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.enrollment_id = e.id
            AND r.kind = 'charge' AND r.reverses_id IS NOT NULL AND r.created_at = l.created_at)), 0),
        coalesce((SELECT max(o.paid_at) FROM checkouts o WHERE o.enrollment_id = e.id
          AND o.cohort_id = c.id AND o.paid_minor >= o.price_minor), 0))`);
  const found = await Promise.all(payers.map((payer) => reads(payer)));
  return found.includes(false) ? ['someone has paid for lessons that they cannot read'] : [];
}

async function reads({ courseId, ...person }: Payer): Promise<boolean> {
  const browser = createClient();
  const link = await linkFor(person);
  await browser.request('POST', '/api/participation/open/', { link, course_id: courseId });
  return (await browser.request('GET', `/api/learning/${courseId}/`)).status === 200;
}

/** Pages on which someone can pay, and after which no one looks. */
async function lostPages({ ownerId, stripe, shown, now }: World): Promise<string[]> {
  const open = stripe
    .sessions()
    .filter((page) => page.status === 'open' && page.expires_at * 1000 > now())
    .filter(({ id }) => shown.has(id));
  const { results } = await env.DB.prepare(
    `SELECT 1 FROM json_each(?1) j LEFT JOIN checkouts o ON o.id = j.value AND o.owner_id = ?2
      WHERE o.status IS NOT 'open'`,
  )
    .bind(JSON.stringify(open.map(({ client_reference_id: id }) => id)), ownerId)
    .all();
  return results.map(() => 'a page is open at Stripe, and over here');
}

/** What Stripe has, and what the accounts say of it, once the clock has asked for everything. */
export async function wrongAtStripe(world: World): Promise<string[]> {
  const { stripe } = world;
  const entries = await entriesOf(world);
  const [refunds, disputes] = [rowsOf(stripe.state, 'refund'), rowsOf(stripe.state, 'dispute')];
  return rowsOf(stripe.state, 'charge').flatMap((charge) => {
    // Of an account to which it has no access any more, Lectern knows nothing.
    if (!charge.paid || stripe.state.accounts[charge.account ?? '']?.isDisconnected) {
      return [];
    }
    const back = [
      ...refunds.filter(({ status }) => status !== 'failed'),
      ...disputes.filter(({ status }) => status === 'lost'),
    ].filter((each) => each.charge === charge.id);
    const ids = [...refunds, ...disputes]
      .filter((each) => each.charge === charge.id)
      .flatMap(({ id }) => [id, `${id}:failed`]);
    const known = [charge.payment_intent, ...ids];
    const own = entries.filter(
      ({ source, outsideId }) => source === 'stripe' && known.includes(outsideId ?? ''),
    );
    const held = charge.amount - sumOf(back.map(({ amount }) => amount));
    const said = sumOf(own.map(({ amount }) => amount));
    if (own.length === 0 && held > 0) {
      return [`Stripe has ${held} that is on no account`];
    }
    return said === held ? [] : [`Stripe has ${held} of a payment, and its account says ${said}`];
  });
}

/** What the lists of a cohort's accounts, and its file, do not say. */
export async function wrongLists(world: World, { id }: { id: string }): Promise<string[]> {
  const path = `/api/cohorts/${id}/ledger`;
  const [everyone, owing, left, gone] = await Promise.all(
    ['everyone', 'owing', 'left', 'gone'].map((show) =>
      world.readByOwner<BalancePage>(`${path}/?show=${show}`),
    ),
  );
  const file = await (await world.byOwner('GET', `${path}.csv`)).text();
  if (!everyone || !owing || !left || !gone) {
    return [];
  }
  const { totals } = everyone;
  const all = [...everyone.items, ...gone.items];
  const [counted] = await db.all<{ left: number; gone: number; entries: number }>(sql`SELECT
      coalesce(sum(list = 'left'), 0) AS left, coalesce(sum(list = 'gone'), 0) AS gone,
      (SELECT count(*) FROM ledger_entries WHERE cohort_id = ${id}) AS entries
    FROM balances WHERE cohort_id = ${id}`);
  const sums = (['charged_minor', 'waived_minor', 'paid_minor', 'refunded_minor'] as const).filter(
    (name) => sumOf(all.map((account) => account[name])) !== totals[name],
  );
  const lines = file.trim().split(/\r?\n/).length - 1;
  return [
    ...sums.map((name) => `the lists of accounts do not add up to the totals (${name})`),
    ...(owing.items.length === totals.owing ? [] : ['not everyone who owes is listed']),
    ...(left.items.length === counted?.left ? [] : ['not everyone to settle with is listed']),
    ...(gone.items.length === counted?.gone ? [] : ['not everyone who is gone is listed']),
    ...(lines === counted?.entries ? [] : ['the file has not all entries']),
  ];
}

/** What would be another balance if it was added up again. */
export async function wrongBalances({ ownerId }: World): Promise<string[]> {
  const read = () =>
    db.all(
      sql`SELECT * FROM balances WHERE owner_id = ${ownerId} ORDER BY enrollment_id, cohort_id`,
    );
  const before = JSON.stringify(await read());
  await db.run(sql`UPDATE balances SET is_stale = 1 WHERE owner_id = ${ownerId}`);
  return JSON.stringify(await read()) === before ? [] : ['a balance is not up to date'];
}
