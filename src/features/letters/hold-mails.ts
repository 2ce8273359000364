import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isAccessOver, usableAccount } from '#db/prices.ts';
import { ask, db, type Query, query } from '#db/query.ts';
import type { SuppressionReason } from '#db/values.ts';
import { balanceOf } from '#features/ledger/balances.ts';
import { type LimitUse, limitOn, refund, type Usage } from '#features/limits/limit-on.ts';
import { type ClaimedMail, claimMails, type Group } from '#features/outbox/claimed-mails.ts';
import { isLate, isStillNeeded, mailsWithFacts } from './is-still-needed.ts';
import { isAsked, type SendingFacts, sendingFacts } from './sending-rules.ts';

/** An email that this worker has claimed, with what it is about as it is now. */
export type HeldMail = ClaimedMail &
  SendingFacts & {
    to: string;
    toCanonical: string;
    payload: string;
    /** What it says as many others do; null if all is in the payload. */
    facts: string | null;
    isNeeded: 0 | 1;
    isLate: 0 | 1;
    suppressed: SuppressionReason | null;
    /** Whether its reader has marked an email of this owner as spam. */
    isUnwelcome: 0 | 1;
    /** Whether its owner takes payments online at the moment, for a place that can be paid so. */
    takesPayments: 0 | 1;
  };

/** Claims emails, looks at what they are about, and counts them for the limits that all share. */
export async function holdMails(ctx: Context, group: Group) {
  const now = ctx.now().getTime();
  const { claim, isClaimed } = claimMails(now, group);
  const { claimed, mails, budget } = await ask(ctx, {
    claimed: claim,
    mails: readMails(ctx, now, isClaimed),
    budget: await budgetFor(ctx, isClaimed),
  });
  const ids = new Set(claimed.map(({ id }) => id));
  return { held: mails.filter(({ id }) => ids.has(id)), budget };
}

/**
 * The same emails as they are by now, with the room that they have. Without those that are no
 * longer held by this worker: they may be erased.
 */
export async function lookAgain(ctx: Context, held: readonly HeldMail[]): Promise<HeldMail[]> {
  const ids = JSON.stringify(held.map(({ id }) => id));
  const areThere = sql`m.id IN (SELECT value FROM json_each(${ids}))
    AND m.due_at = ${held[0]?.claimedUntil ?? 0} AND m.sent_at IS NULL AND m.failed_at IS NULL`;
  const { mails } = await ask(ctx, { mails: readMails(ctx, ctx.now().getTime(), areThere) });
  return mails;
}

/** What email `m` says. It asks for no more than is owed by now. */
const payloadNow = sql`CASE WHEN e.status = 'enrolled' AND m.payload ->> '$.payable' > 0
  THEN json_set(m.payload, '$.payable', min(m.payload ->> '$.payable', max(0, ${balanceOf})))
  ELSE m.payload END`;

function readMails(ctx: Context, now: number, which: SQL) {
  const facts = Object.entries(sendingFacts(ctx, now)).map(
    ([name, fact]) => sql`${fact} AS ${sql.identifier(name)}`,
  );
  return db.all<HeldMail>(sql`SELECT m.id, m.kind, m.owner_id AS ownerId, m.to_address AS "to",
        m.to_canonical AS toCanonical, ${payloadNow} AS payload, t.facts, m.attempts, m.batch_key AS batchKey,
        m.due_at AS claimedUntil, ${isStillNeeded(now)} AS isNeeded, ${isLate(now)} AS isLate,
        s.reason AS suppressed,
        EXISTS (SELECT 1 FROM mails_due x WHERE x.to_canonical = m.to_canonical
          AND x.owner_id = m.owner_id AND x.complained_at IS NOT NULL) AS isUnwelcome,
        CASE WHEN c.payment_mode <> 'own' AND NOT ${isAccessOver(now, sql`e.id`)}
          THEN ${usableAccount(ctx)} IS NOT NULL ELSE 0 END AS takesPayments,
        ${sql.join(facts, sql`, `)}
      FROM ${mailsWithFacts}
      LEFT JOIN undeliverable_addresses s ON s.email_canonical = m.to_canonical
      WHERE ${which}`);
}

/** The share of all emails about cohorts that a worker has counted for those that it holds. */
export type Budget = {
  /** How many could go out before they were counted; null for any number. */
  left: { all: number | null; unasked: number | null };
  all: Usage;
  unasked: Usage;
};

/** The limits that all of them share. */
export const uses = {
  all: { limit: 'cohort_mails', subject: 'all' },
  unasked: { limit: 'unasked_cohort_mails', subject: 'all' },
} as const satisfies Record<string, LimitUse>;

/**
 * Counts the emails that were just held, so that workers at the same time share what is left. What
 * of it is not sent is given back by `release`.
 *
 * @param held the condition of these emails `m`
 */
async function budgetFor(ctx: Context, held: SQL): Promise<Query<Budget>> {
  const [all, unasked] = await Promise.all([
    limitOn(ctx, [uses.all], 'refuse'),
    limitOn(ctx, [uses.unasked], 'refuse'),
  ]);
  const count = sql`(SELECT count(*) FROM mails_due m WHERE ${held})`;
  const unaskedCount = sql`(SELECT count(*) FROM mails_due m WHERE ${held} AND NOT ${isAsked})`;
  return query(
    {
      left: db.all<Budget['left']>(sql`SELECT ${all.left} AS "all", ${unasked.left} AS unasked`),
      all: all.count(sql`${count} > 0`, count),
      unasked: unasked.count(sql`${unaskedCount} > 0`, unaskedCount),
    },
    ({ left: [left = { all: null, unasked: null }], ...usage }) => ({ left, ...usage }),
  );
}

/** Gives back what was counted for emails that were not sent. */
export function release({ all, unasked }: Budget, sent: { all: number; unasked: number }) {
  return { all: refundRest(all, sent.all), unasked: refundRest(unasked, sent.unasked) };
}

function refundRest({ counted, times }: Usage, sent: number) {
  return counted.length > 0 && times > sent ? refund(counted, times - sent) : undefined;
}
