import { env } from 'cloudflare:workers';
import { minute } from '#support/days.ts';
import { wrongTotals } from '../features/ledger/support.ts';
import { placesOf } from '../features/rights/rights.ts';
import { wrongMoney } from './money-rules.ts';
import type { World } from './world.ts';

const eventsOf = 'FROM enrollment_events v JOIN enrollments e ON e.id = v.enrollment_id';
const holds = "(e.status = 'enrolled' OR (e.status = 'offered' AND e.expires_at > ?2))";
const ofOwner = 'JOIN cohorts c ON c.id = e.cohort_id WHERE e.owner_id = ?1';
const hasEnded = "e.status IN ('declined', 'refused', 'expired', 'left', 'removed')";
const canBePaid = `EXISTS (SELECT 1 FROM payment_accounts a WHERE a.owner_id = c.owner_id
  AND a.charges_enabled = 1 AND a.disconnected_at IS NULL)`;
/** What enrollment `e` owes in its cohort. */
const balance = `coalesce((SELECT max(0, b.balance) FROM balances b
  WHERE b.enrollment_id = e.id AND b.cohort_id = e.cohort_id), 0)`;
const isStanding = (entry: string) => `(${entry}.reverses_id IS NULL
  AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = ${entry}.id))`;
/** What enrollment `e` has in its account towards a price, and keeps: not what is used up. */
const credit = `max(0, coalesce((SELECT -sum(l.amount_minor) FROM ledger_entries l
    WHERE l.enrollment_id = e.id AND l.cohort_id = e.cohort_id AND NOT (${isStanding('l')}
      AND (l.kind = 'charge' OR l.source = 'leaving') AND NOT EXISTS (SELECT 1 FROM ledger_entries n
        WHERE n.enrollment_id = e.id AND n.cohort_id = e.cohort_id AND n.kind = 'charge'
          AND ${isStanding('n')} AND n.created_at > l.created_at))), 0)
  - coalesce((SELECT sum(w.amount_minor) FROM refunds_wanted w JOIN checkouts x
      ON x.id = w.checkout_id AND x.paid_currency = c.currency
    WHERE x.enrollment_id = e.id AND w.done_at IS NULL AND w.failed_at IS NULL), 0))`;
/** Whether what enrollment `e` has paid for is used up. */
const isUsedUp = `(c.kind = 'open' AND EXISTS (SELECT 1 FROM learning g WHERE g.enrollment_id = e.id
  AND g.access_from + c.access_days * 86400000 <= ?2))`;
/** What a place in cohort `c` costs enrollment `e` now. */
const price = `max(0, coalesce(CASE WHEN ?2 < c.early_until_at THEN c.early_price_minor
  ELSE c.price_minor END, 0) - CASE WHEN ${isUsedUp} THEN 0 ELSE ${credit} END)`;

/** Less no one can pay online. */
const least = 50;

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
    'enrolled > left',
    // To another cohort; and an offer that is cut.
    'enrolled > enrolled',
    'offered > offered expired',
  ],
  clock: [
    'waitlisted > offered',
    'offered invited > expired',
    // An invitation outlives an hour without payment, and a place in the queue a pause of the account.
    'offered > invited waitlisted',
    // When the cohort is over.
    'waitlisted applied > expired',
  ],
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
  'totals are not the sum of balances': `SELECT 1 FROM balance_totals t
    WHERE t.owner_id = ?1 AND t.cohort_id IN (${wrongTotals})`,
  'money stayed behind, and no list says so': `SELECT b.paid - b.refunded FROM balances b
    JOIN enrollments e ON e.id = b.enrollment_id AND e.cohort_id <> b.cohort_id
    WHERE b.owner_id = ?1 AND b.paid > b.refunded AND b.list IS NOT 'left'`,
  'more was paid back online than was paid': `SELECT 1 FROM checkouts
    WHERE owner_id = ?1 AND refunded_minor > coalesce(paid_minor, 0)`,
  'someone has paid and was never in, and nobody has to decide': `SELECT 1 FROM checkouts o
    JOIN enrollments e ON e.id = o.enrollment_id
    WHERE o.owner_id = ?1 AND o.status = 'paid' AND o.problem IS NULL
      AND o.price_minor IS NOT NULL AND o.refunded_minor < o.paid_minor AND NOT EXISTS (SELECT 1 FROM enrollment_events v
        WHERE v.enrollment_id = e.id AND v.to_status = 'enrolled')`,
  'a page is in another currency than its account': `SELECT 1 FROM checkouts o
    JOIN enrollments e ON e.id = o.enrollment_id JOIN ledger_entries l ON l.cohort_id = e.cohort_id
    WHERE o.owner_id = ?1 AND o.status IN ('open', 'confirming') AND l.currency <> o.currency`,
  // Unless the person or the owner has ended it.
  'a place is held for less time than the page on which it is paid': `SELECT 1 FROM checkouts o
    JOIN enrollments e ON e.id = o.enrollment_id
    WHERE o.owner_id = ?1 AND o.status = 'open' AND o.expires_at > ?2 AND o.price_minor IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM enrollment_events v WHERE v.enrollment_id = e.id
        AND v.at >= o.created_at AND v.to_status NOT IN ('offered', 'expired'))
      AND (e.status = 'expired' OR (e.status = 'offered' AND e.expires_at < o.expires_at))`,
  'a place is kept for money that no one can pay': `SELECT e.changed_by FROM enrollments e
    ${ofOwner} AND e.status = 'offered' AND e.status_changed_at >= ?2
      AND c.payment_mode = 'online_first' AND ${price} >= ${least} AND NOT ${canBePaid}`,
  'an invitation has ended before its time': `SELECT 1 FROM enrollments e ${ofOwner}
    AND e.status = 'expired' AND ?2 < c.ends_at AND EXISTS (SELECT 1 FROM enrollment_events i
      WHERE i.enrollment_id = e.id AND i.to_status = 'invited' AND i.actor = 'owner'
        AND i.at + 14 * 86400000 > ?2 AND NOT EXISTS (SELECT 1 FROM enrollment_events v
          WHERE v.enrollment_id = e.id AND v.id > i.id
            AND v.to_status NOT IN ('offered', 'expired')))`,
  'someone is in without money': `SELECT 1 FROM enrollments e ${ofOwner}
    AND e.status = 'enrolled' AND e.status_changed_at >= ?2 AND e.changed_by <> 'owner'
      AND c.payment_mode = 'online_first' AND ${price} >= ${least} AND NOT EXISTS (SELECT 1 FROM checkouts o
        WHERE o.enrollment_id = e.id AND o.paid_at >= ?2)`,
  'someone owes more than the price they have agreed to and paid': `SELECT ${balance}
    FROM enrollments e ${ofOwner} AND e.status = 'enrolled' AND ${balance} > 0
      AND EXISTS (SELECT 1 FROM checkouts o JOIN ledger_entries l ON l.enrollment_id = e.id
          AND l.kind = 'charge' AND l.amount_minor > o.price_minor AND l.created_at >= o.created_at
          AND l.source = 'enrollment' AND l.cohort_id = o.cohort_id
          AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = l.id)
        WHERE o.enrollment_id = e.id AND o.cohort_id = e.cohort_id AND o.status = 'paid'
          AND o.refunded_minor = 0 AND NOT EXISTS (SELECT 1 FROM enrollment_events v
            WHERE v.enrollment_id = e.id AND v.at >= o.created_at AND v.to_status <> 'enrolled'
              AND v.to_status <> 'offered'))`,
  'someone hears nothing of their money at Stripe': `SELECT l.kind FROM ledger_entries l
    JOIN enrollments e ON e.id = l.enrollment_id JOIN people p ON p.id = e.person_id
    WHERE l.owner_id = ?1 AND l.source = 'stripe' AND l.reverses_id IS NULL AND l.created_at >= ?2
      AND l.outside_id NOT LIKE 'dp%'
      AND NOT EXISTS (SELECT 1 FROM mails_due m WHERE m.to_canonical = p.email_canonical
        AND m.kind IN ('receipt', 'paid_without_place', 'paid_back') AND m.due_at >= ?2
        AND m.failure IS NOT 'not_needed')`,
  'an email asks for money that is not owed': `SELECT m.kind, e.status, m.payload ->> '$.owed.minor',
      m.payload ->> '$.payable' FROM mails_due m
    JOIN enrollments e ON e.id = m.enrollment_id ${ofOwner} AND m.sent_at >= ?2
      AND (m.payload ->> '$.owed.minor' > ${balance} - (SELECT coalesce(sum(o.amount_minor), 0)
          FROM checkouts o WHERE o.enrollment_id = e.id AND o.status = 'confirming')
          -- What a bank has just given back.
          - (SELECT coalesce(sum(l.amount_minor), 0) FROM ledger_entries l
            WHERE l.enrollment_id = e.id AND l.outside_id LIKE 'dp%')
        OR m.payload ->> '$.payable' > CASE e.status
          WHEN 'offered' THEN ${price} WHEN 'enrolled' THEN ${balance} ELSE 0 END
          -- What was paid in the same step, but after the email.
          + (SELECT iif(count(*) > 1, -max(l.amount_minor), 0) FROM ledger_entries l
            WHERE l.enrollment_id = e.id AND l.kind = 'payment' AND l.source = 'stripe'
              AND l.created_at >= ?2)
          -- What was paid since it was written, its text leaves out.
          + (SELECT -coalesce(sum(l.amount_minor), 0) FROM ledger_entries l
            WHERE l.enrollment_id = e.id AND l.kind = 'payment' AND e.status = 'enrolled'
              AND l.created_at BETWEEN m.payload ->> '$.enrollment.since' AND ?2 - 1))`,
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
      WHEN 'place_held' THEN 'offered'
      WHEN 'offer_expired' THEN 'expired' WHEN 'payment_reminder' THEN 'enrolled'
      WHEN 'added' THEN 'enrolled' WHEN 'transferred' THEN 'enrolled'
      WHEN 'invitation' THEN 'invited' WHEN 'invitation_reminder' THEN 'invited'
      WHEN 'enrolled' THEN m.kind WHEN 'waitlisted' THEN m.kind WHEN 'applied' THEN m.kind
      WHEN 'refused' THEN m.kind WHEN 'removed' THEN m.kind WHEN 'left' THEN m.kind END`,
};

/** What must hold once the clock has run. */
const rulesAfterClock: Record<string, string> = {
  'someone waits while a place is free': `SELECT 1 FROM cohorts c WHERE c.owner_id = ?1
    AND c.archived_at IS NULL AND c.deleted_at IS NULL AND c.published_at IS NOT NULL
    AND c.starts_at - 3600000 > ?2
    AND (SELECT count(*) FROM enrollments e WHERE e.cohort_id = c.id AND ${holds})
      < coalesce(c.capacity, 1000)
    AND EXISTS (SELECT 1 FROM enrollments e WHERE e.cohort_id = c.id AND e.status = 'waitlisted'
      AND (c.payment_mode <> 'online_first' OR ${canBePaid}))`,
  'an offer or an invitation is over, and stands': `SELECT 1 FROM enrollments e
    WHERE e.owner_id = ?1 AND e.status IN ('offered', 'invited') AND e.expires_at <= ?2`,
};

/** And once it has run when nothing has happened for some minutes: it looks at every page by then. */
const rulesWhenCalm: Record<string, string> = {
  'a page at Stripe is over, and counts as open': `SELECT 1 FROM checkouts o
    WHERE o.owner_id = ?1 AND o.status = 'open' AND o.expires_at < ?2 - 3600000`,
  'a refund is due, and not made': `SELECT w.attempts FROM refunds_wanted w
    WHERE w.owner_id = ?1 AND w.due_at <= ?2 - 3600000 AND w.done_at IS NULL
      AND w.failed_at IS NULL`,
  'a payment without a place was not decided about': `SELECT 1 FROM checkouts o
    WHERE o.owner_id = ?1 AND o.problem = 'no_place' AND o.decide_by <= ?2 - 3600000`,
  'a page at Stripe asks for more than is owed': `SELECT o.amount_minor, e.status
    FROM checkouts o LEFT JOIN enrollments e ON e.id = o.enrollment_id
      LEFT JOIN cohorts c ON c.id = e.cohort_id
    WHERE o.owner_id = ?1 AND o.status = 'open' AND o.session_id IS NOT NULL AND o.expires_at > ?2
      AND o.amount_minor > coalesce(CASE WHEN c.deleted_at IS NOT NULL THEN 0
        WHEN ${hasEnded} AND e.owes_after_leaving = 0 THEN 0
        WHEN e.status = 'offered' THEN o.price_minor - ${credit} ELSE ${balance} END, 0)`,
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
  const isCalm = hasRun && world.now() - world.acted.at >= 5 * minute;
  const all = Object.entries({
    ...{ ...rules, ...(hasRun && rulesAfterClock), ...(isCalm && rulesWhenCalm) },
  });
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
  const said = [...world.complaints];
  world.complaints.clear();
  return [...broken, ...said, ...(await wrongMoney(world, hasRun)), ...(await namesLeft(world))];
}

async function namesLeft({ erased }: World): Promise<string[]> {
  const found = await Promise.all([...erased].map(placesOf));
  return found.flat().map((place) => `${place} names someone who was erased`);
}
