import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { db } from '#db/query.ts';
import { balanceOf } from './balances.ts';
import { insertEntries, type Money } from './insert-entries.ts';
import { keptBy, netPaidBy, payingEnrollments, refundsOnline } from './paid-online.ts';
import type { SettleInput } from './schema.ts';

type Settlement = {
  ownerId: string;
  authorId: string;
  /** Which enrollments `e` of the owner. */
  which: SQL;
  now: number;
  /** The day of a refund, in the zone of the cohort. */
  today: string;
  money: SettleInput['money'];
  /** Of the request, for the entries that it writes. */
  key: string;
  /** Whether this request decides about the account of enrollment `e`. */
  isDue: SQL;
};

/** Whether a request has written an entry of a kind. */
export function hasWritten(ownerId: string, key: string, kind: 'refund' | 'waiver'): SQL {
  return sql`EXISTS (SELECT 1 FROM ledger_entries w
    WHERE w.owner_id = ${ownerId} AND w.idempotency_key = ${key} AND w.kind = ${kind})`;
}

/** Whether a refund `w` is of a request. */
export function isWantedBy(key: string): SQL {
  return sql`substr(w.id, 1, ${key.length}) = ${key}`;
}

/** Whether a request has wanted a refund from Stripe for an enrollment. */
export function hasWanted(enrollmentId: string, key: string): SQL {
  return sql`EXISTS (SELECT 1 FROM checkouts o CROSS JOIN refunds_wanted w ON w.checkout_id = o.id
    WHERE o.enrollment_id = ${enrollmentId} AND ${isWantedBy(key)})`;
}

/** Whether the account of enrollment `e` is still as its owner has seen it when they decided. */
export function isAsSeen({ money, balance_minor: due, paid_minor: paid }: SettleInput): SQL {
  const isSame = sql`(max(0, ${balanceOf}) = ${Math.max(0, due)} AND ${netPaidBy(sql`e.id`)} = ${paid})`;
  return money === null ? sql`(${balanceOf} <= 0 AND ${netPaidBy(sql`e.id`)} <= 0)` : isSame;
}

/**
 * The entries that end accounts of enrollments `e` as their owner has decided: all that was paid
 * goes back as it came, and what is then open is waived. A trigger takes the waiver back if they
 * are enrolled again. What was paid online Stripe sends back, soon after; what is open then is waived
 * with it.
 */
export function settlement(of: Settlement) {
  const { which, money, ownerId, authorId, now, today, key, isDue } = of;
  type How = { money?: Money; of?: SQL; from: SQL; condition: SQL };
  const insert = (
    kind: 'refund' | 'waiver',
    amount: SQL,
    { money: how, of: accounts = sql`enrollments`, from, condition }: How,
  ) =>
    insertEntries({
      from: sql`${accounts} e JOIN cohorts c ON c.id = e.cohort_id JOIN courses k ON k.id = c.course_id
        JOIN ledger_entries x ON x.id = (SELECT y.id FROM ledger_entries y
          WHERE y.enrollment_id = e.id AND y.cohort_id = e.cohort_id ${from}
          ORDER BY y.created_at DESC LIMIT 1)
        WHERE ${which} AND e.owner_id = ${ownerId} AND ${amount} <> 0 AND ${condition}`,
      kind,
      amount,
      currency: sql`x.currency`,
      ...(how && { money: how }),
      source: 'leaving',
      by: 'owner',
      authorId,
      now,
      key,
    });
  return {
    waived:
      money === 'refund'
        ? waiveAfterRefunds(sql`${which} AND e.owner_id = ${ownerId} AND ${isDue}`)
        : undefined,
    wanted:
      money === 'refund'
        ? db.run(sql`INSERT INTO refunds_wanted (id, checkout_id, owner_id, amount_minor,
              waive_rest, reason, due_at, created_at)
            SELECT ${key} || ':' || r.id, r.id, r.owner_id, r.amount, 1, 'owner', ${now}, ${now}
            FROM ${refundsOnline(sql`${which} AND e.owner_id = ${ownerId} AND ${isDue}`)} r
            WHERE true ON CONFLICT DO NOTHING`)
        : undefined,
    refund:
      money === 'refund'
        ? insert('refund', sql`max(0, ${keptBy(sql`e.id`)})`, {
            money: { method: sql`x.method`, word: sql`x.method_word`, day: today },
            of: payingEnrollments,
            from: sql`AND y.kind = 'payment' AND y.method <> 'online' AND y.reverses_id IS NULL`,
            condition: isDue,
          })
        : undefined,
    waiver:
      money === 'refund' || money === 'waive'
        ? insert('waiver', sql`min(0, -${balanceOf})`, {
            from: sql``,
            condition: money === 'refund' ? hasWritten(ownerId, key, 'refund') : isDue,
          })
        : undefined,
  };
}

/**
 * Changes refunds that are under way to enrollments `e`, so that what is open after them is waived.
 *
 * @param also what else is set of these refunds
 */
export function waiveAfterRefunds(which: SQL, also: SQL = sql``) {
  return db.run(sql`UPDATE refunds_wanted SET waive_rest = 1${also}
    WHERE waive_rest = 0 AND done_at IS NULL AND failed_at IS NULL AND checkout_id IN (SELECT o.id
      FROM ${payingEnrollments} e JOIN checkouts o ON o.enrollment_id = e.id WHERE ${which})`);
}
