import { env } from 'cloudflare:workers';
import { placesOf } from '../features/rights/rights.ts';
import type { World } from './world.ts';

const eventsOf = 'FROM enrollment_events v JOIN enrollments e ON e.id = v.enrollment_id';
const holds = "(e.status = 'enrolled' OR (e.status = 'offered' AND e.expires_at > ?2))";

/** By which ways a status may follow others, by who did it. */
const ways: Record<string, string[]> = {
  person: [
    'new invited left declined expired > applied waitlisted offered enrolled',
    'offered > enrolled declined',
    'invited > declined',
    'applied waitlisted enrolled > left',
  ],
  owner: [
    'new invited applied waitlisted offered declined refused expired left removed > enrolled',
    'new declined refused expired left removed > invited',
    'new invited declined refused expired left removed > waitlisted',
    'waitlisted > offered',
    'applied > waitlisted offered refused',
    'invited applied waitlisted offered enrolled > removed',
    // To another cohort; and an offer that is cut.
    'enrolled > enrolled',
    'offered > offered',
  ],
  clock: ['waitlisted > offered', 'offered invited > expired'],
};
const legal = Object.entries(ways).flatMap(([actor, all]) =>
  all.flatMap((way) => {
    const [from = [], to = []] = way.split(' > ').map((list) => list.split(' '));
    return from.flatMap((one) => to.map((other) => `${actor}: ${one} > ${other}`));
  }),
);

/**
 * What must hold after each step: a statement that finds what breaks it. ?1 is the owner, ?2 is now,
 * and ?3 how many places were taken before the step, by the cohort. A rule that is added here is
 * checked in all orders.
 */
const rules: Record<string, string> = {
  'more places are taken than there are': `SELECT 1 FROM cohorts c WHERE c.owner_id = ?1
    AND (SELECT count(*) FROM enrollments e WHERE e.cohort_id = c.id AND e.over_capacity = 0
      AND ${holds}) > max(c.capacity, ?3 ->> c.id)`,
  'a balance is not the sum of its entries': `SELECT 1 FROM (
      SELECT enrollment_id, cohort_id, charged - waived - paid + refunded AS sum FROM balances
        WHERE owner_id = ?1
      UNION ALL SELECT enrollment_id, cohort_id, -amount_minor FROM ledger_entries
        WHERE owner_id = ?1)
    GROUP BY enrollment_id, cohort_id HAVING sum(sum) <> 0`,
  'more was paid back online than was paid': `SELECT 1 FROM checkouts
    WHERE owner_id = ?1 AND refunded_minor > coalesce(paid_minor, 0)`,
  'someone has paid and was never in, and nobody has to decide': `SELECT 1 FROM checkouts o
    JOIN enrollments e ON e.id = o.enrollment_id
    WHERE o.owner_id = ?1 AND o.status = 'paid' AND o.problem IS NULL
      AND o.refunded_minor < o.paid_minor AND NOT EXISTS (SELECT 1 FROM enrollment_events v
        WHERE v.enrollment_id = e.id AND v.to_status = 'enrolled')`,
  // Not of a page that was opened before someone left and asked again: today it stays open.
  'a place is held for less time than the page on which it is paid': `SELECT 1 FROM checkouts o
    JOIN enrollments e ON e.id = o.enrollment_id
    WHERE o.owner_id = ?1 AND o.status = 'open' AND o.expires_at > ?2
      AND o.created_at >= e.status_changed_at
      AND (e.status = 'expired' OR (e.status = 'offered' AND e.expires_at < o.expires_at))`,
  'someone is in without money': `SELECT 1 ${eventsOf} JOIN cohorts c ON c.id = e.cohort_id
    WHERE e.owner_id = ?1 AND c.payment_mode = 'online_first' AND v.to_status = 'enrolled'
      AND v.actor <> 'owner' AND NOT EXISTS (SELECT 1 FROM ledger_entries l
        WHERE l.enrollment_id = e.id AND l.kind = 'payment')`,
  'a status came by no legal way': `SELECT v.actor || ': ' || coalesce(v.from_status, 'new')
      || ' > ' || v.to_status AS way ${eventsOf}
    WHERE e.owner_id = ?1 AND way NOT IN (SELECT value FROM json_each('${JSON.stringify(legal)}'))`,
  'a history has a gap, or ends elsewhere': `SELECT 1 FROM (SELECT e.status, v.from_status,
        v.to_status, lag(v.to_status) OVER events AS before, lead(v.id) OVER events AS next
      ${eventsOf} WHERE e.owner_id = ?1
      WINDOW events AS (PARTITION BY v.enrollment_id ORDER BY v.id))
    WHERE from_status IS NOT before OR (next IS NULL AND to_status <> status)`,
  'an email says what is not so': `SELECT m.kind, e.status FROM mails_due m
    JOIN enrollments e ON e.id = m.enrollment_id
    WHERE e.owner_id = ?1 AND m.sent_at >= ?2 AND e.status <> CASE m.kind
      WHEN 'offer' THEN 'offered' WHEN 'offer_expiring' THEN 'offered'
      WHEN 'offer_expired' THEN 'expired' WHEN 'payment_reminder' THEN 'enrolled'
      WHEN 'added' THEN 'enrolled' WHEN 'transferred' THEN 'enrolled'
      WHEN 'invitation' THEN 'invited' WHEN 'invitation_reminder' THEN 'invited'
      WHEN 'enrolled' THEN m.kind WHEN 'waitlisted' THEN m.kind WHEN 'applied' THEN m.kind
      WHEN 'refused' THEN m.kind WHEN 'removed' THEN m.kind WHEN 'left' THEN m.kind END`,
};

/** What must hold once the clock has run. */
const rulesAfterClock: Record<string, string> = {
  'someone waits while a place is free': `SELECT 1 FROM cohorts c WHERE c.owner_id = ?1
    AND c.archived_at IS NULL AND c.starts_at - 3600000 > ?2
    AND (SELECT count(*) FROM enrollments e WHERE e.cohort_id = c.id AND ${holds}) < c.capacity
    AND EXISTS (SELECT 1 FROM enrollments e
      WHERE e.cohort_id = c.id AND e.status = 'waitlisted')`,
  'an offer or an invitation is over, and stands': `SELECT 1 FROM enrollments e
    WHERE e.owner_id = ?1 AND e.status IN ('offered', 'invited') AND e.expires_at <= ?2`,
};

/** How many places are taken, by the cohort, as JSON. */
export async function takenIn({ ownerId, now }: World): Promise<string> {
  const taken = `SELECT json_group_object(c.id, (SELECT count(*) FROM enrollments e
      WHERE e.cohort_id = c.id AND e.over_capacity = 0 AND ${holds})) AS taken
    FROM cohorts c WHERE c.owner_id = ?1`;
  const row = await env.DB.prepare(taken).bind(ownerId, now()).first<{ taken: string }>();
  return row?.taken ?? '{}';
}

/** What does not hold, in words. */
export async function brokenRules(world: World, before: string, hasRun: boolean) {
  const all = Object.entries({ ...rules, ...(hasRun && rulesAfterClock) });
  const found = await env.DB.batch<Record<string, unknown>>(
    all.map(([, rule]) =>
      env.DB.prepare(`WITH given AS (SELECT ?1, ?2, ?3) ${rule} LIMIT 1`).bind(
        ...[world.ownerId, world.now(), before],
      ),
    ),
  );
  const broken = all.flatMap(([name], index) => {
    const [row] = found[index]?.results ?? [];
    return row ? [`${name} (${Object.values(row).join(', ')})`] : [];
  });
  return [...broken, ...(await wrongMoney(world)), ...(await namesLeft(world))];
}

/** All that was ever paid is what was taken by hand, and what Stripe has told of: nothing twice. */
async function wrongMoney({ ownerId, taken, stripe }: World): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT source, outside_id, -amount_minor AS amount FROM ledger_entries
      WHERE owner_id = ? AND kind = 'payment'`,
  )
    .bind(ownerId)
    .all<{ source: string; outside_id: string | null; amount: number }>();
  const told = new Set(results.map(({ outside_id: payment }) => payment ?? ''));
  const atStripe = stripe.sessions().filter((page) => told.has(page.payment_intent ?? 'unpaid'));
  const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);
  const expected = sum([...taken.values(), ...atStripe.map(({ amount_total }) => amount_total)]);
  const found = sum(results.map(({ amount }) => amount));
  return found === expected ? [] : [`${found} was paid on all accounts, and ${expected} came in`];
}

/** Payments that Stripe has taken, and no account has. */
export async function lostMoney({ ownerId, stripe }: World): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT outside_id AS id FROM ledger_entries WHERE owner_id = ? AND source = 'stripe'`,
  )
    .bind(ownerId)
    .all<{ id: string }>();
  const known = new Set(results.map(({ id }) => id));
  const paid = stripe.sessions().filter(({ payment_status }) => payment_status === 'paid');
  const lost = paid.filter(({ payment_intent }) => !known.has(payment_intent ?? ''));
  return lost.map(({ amount_total }) => `Stripe has ${amount_total} that is on no account`);
}

async function namesLeft({ erased }: World): Promise<string[]> {
  const found = await Promise.all([...erased].map(placesOf));
  return found.flat().map((place) => `${place} names someone who was erased`);
}
