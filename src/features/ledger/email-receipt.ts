import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import type { CohortKind } from '#db/values.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { insertMails, payloadOf } from '#features/outbox/queue-mails.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { balanceOf, isOwed } from './balances.ts';

/**
 * Writes the receipts of payments `l` for which a condition holds, to people who are or were in a
 * cohort, also one in the archive, and to those who have not agreed to take part: it is about money.
 *
 * @param key so that asking twice writes only one
 */
export function insertReceipts({ key, now, which }: { key: SQL; now: number; which: SQL }) {
  return insertMails({
    kind: 'receipt',
    key,
    dueAt: now,
    payload: payloadOf({
      receipt: sql`json_object('entry_id', l.id, 'minor', -l.amount_minor, 'currency', l.currency,
        'method', l.method, 'word', l.method_word, 'day', l.received_on,
        'left', CASE WHEN ${isOwed('e')} THEN max(0, ${balanceOf}) END)`,
    }),
    from: sql`ledger_entries l
      JOIN enrollments e ON e.id = l.enrollment_id AND e.cohort_id = l.cohort_id
      JOIN people p ON p.id = e.person_id JOIN cohorts c ON c.id = e.cohort_id
      JOIN courses k ON k.id = c.course_id JOIN users u ON u.id = e.owner_id
      WHERE l.kind = 'payment' AND l.reverses_id IS NULL AND c.deleted_at IS NULL
        AND ${which}`,
  });
}

/**
 * Emails a person the receipt for a payment that the viewer has recorded, once a day at most.
 *
 * @throws AppError `not_found` for an entry that does not exist or belongs to another user;
 *   `no_receipt` for one that is no payment, was reversed, or is of someone who gets no emails;
 *   `rate_limited`
 */
export async function emailReceipt(ctx: ViewerContext, entryId: string): Promise<void> {
  const { ownerId } = ctx;
  const now = ctx.now().getTime();
  const use = { limit: 'receipts_per_user', subject: ctx.viewer.id } as const;
  const limit = await limitOn(ctx, [use], 'refuse');
  const isOwn = sql`l.id = ${entryId} AND l.owner_id = ${ownerId}`;
  // Once a day, so that no one gets it at every press.
  const key = sql`'receipt:' || ${entryId} || ':' || ${ctx.now().toISOString().slice(0, 10)}`;
  const { own, sent, mails, usage } = await ask(ctx, {
    sent: db.all(sql`SELECT 1 FROM mails_due
      WHERE dedupe_key = ${key} AND owner_id = ${ownerId} AND failed_at IS NULL`),
    own: db.all<{ kind: CohortKind | null }>(sql`SELECT
        (SELECT c.kind FROM cohorts c WHERE c.id = l.cohort_id) AS kind
      FROM ledger_entries l WHERE ${isOwn}`),
    mails: insertReceipts({
      key,
      now,
      which: sql`${isOwn} AND ${limit.hasRoom}
        AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = l.id)`,
    }),
    usage: limit.count(),
  });
  const { kind } = requireFound(own[0]);
  refuseFull(ctx, usage.full);
  if (mails.length === 0 && sent.length > 0) {
    return;
  }
  if (mails.length === 0) {
    throw new AppError('no_receipt', { values: { kind: kind ?? 'dated' } });
  }
  sendSoon(ctx, mails);
  ctx.observe.log('receipt_queued', { count: mails.length });
}
