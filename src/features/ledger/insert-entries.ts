import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { db } from '#db/query.ts';
import type { EnrollmentActor, LedgerKind, LedgerSource } from '#db/values.ts';

/** In which account an entry is, as SQL. */
type Account = Record<keyof typeof ofPlace, SQL | string>;

/** The account of enrollment `e` in cohort `c` of course `k`. */
const ofPlace = {
  owner_id: sql`c.owner_id`,
  course_id: sql`c.course_id`,
  course_name: sql`k.name`,
  cohort_id: sql`c.id`,
  cohort_name: sql`c.name`,
  person_id: sql`e.person_id`,
  enrollment_id: sql`e.id`,
};

/** The account of entry `x`, by the same columns. */
export const ofEntry = Object.fromEntries(
  Object.keys(ofPlace).map((column) => [column, sql.raw(`x.${column}`)]),
) as Account;

/** What takes entry `x` back. */
export const reversalOf = {
  account: ofEntry,
  kind: sql`x.kind`,
  amount: sql`-x.amount_minor`,
  currency: sql`x.currency`,
  money: { method: sql`x.method`, word: sql`x.method_word`, day: sql`x.received_on` },
  reversesId: sql`x.id`,
};

/** How and on which day money has come or gone; the method of a reversal may be null. */
export type Money = {
  method: SQL | string | null;
  word?: SQL | string | null;
  day: SQL | string | null;
};

type NewEntries = {
  /** The rows of which each gets one, with a condition. */
  from: SQL;
  account?: Partial<Account>;
  kind: LedgerKind | SQL;
  amount: SQL;
  currency: SQL | string;
  money?: Money;
  reversesId?: SQL;
  source: LedgerSource | SQL;
  /** Stripe's id of it, so that it is written once. */
  outsideId?: SQL;
  by: EnrollmentActor;
  /** The user who writes it by hand. */
  authorId?: string;
  now: number;
  /** Of the request, so that the same again writes nothing. */
  key?: string;
  id?: SQL | string;
  /** What stands before the statement, such as a CTE. */
  first?: SQL;
};

/** Writes entries to accounts, but for those that are there; the only statement that does. */
export function insertEntries({
  from,
  account,
  kind,
  amount,
  currency,
  money = { method: null, day: null },
  reversesId = sql`NULL`,
  source,
  outsideId = sql`NULL`,
  by,
  authorId,
  now,
  key,
  id = newId,
  first = sql``,
}: NewEntries) {
  const columns = {
    id,
    ...ofPlace,
    ...account,
    kind,
    amount_minor: amount,
    currency,
    method: money.method,
    method_word: money.word ?? null,
    received_on: money.day,
    reverses_id: reversesId,
    source,
    outside_id: outsideId,
    created_by: by,
    created_by_user_id: authorId ?? null,
    created_at: now,
    idempotency_key: key ?? null,
  };
  return db.all<{ id: string }>(sql`${first} INSERT INTO ledger_entries
      (${sql.raw(Object.keys(columns).join(', '))})
    SELECT ${sql.join(
      Object.values(columns).map((value) => sql`${value}`),
      sql`, `,
    )}
    FROM ${from} ON CONFLICT DO NOTHING RETURNING id`);
}

/** A random id as SQL. */
export const newId = sql`lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4'
  || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-'
  || hex(randomblob(6)))`;
