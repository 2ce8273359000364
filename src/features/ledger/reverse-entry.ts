import 'server-only';
import { sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import { type EntryRow, entryColumns, toEntry } from './balances.ts';
import type { LedgerEntry, ReverseInput } from './schema.ts';

/**
 * Takes one of the viewer's entries back, by another with the opposite sign. The same again returns
 * that one.
 *
 * @throws AppError `not_found` for an entry that does not exist or belongs to another user;
 *   `entry_is_reversal` for one that takes back another; `rate_limited`
 */
export async function reverseEntry(
  ctx: ViewerContext,
  entryId: string,
  { note }: ReverseInput,
): Promise<LedgerEntry> {
  const { id: ownerId } = ctx.viewer;
  const now = ctx.now().getTime();
  const id = crypto.randomUUID();
  const use = { limit: 'ledger_writes_per_user', subject: ownerId } as const;
  const limit = await limitOn(ctx, [use], 'allow');
  const isMade = sql`EXISTS (SELECT 1 FROM ledger_entries l WHERE l.id = ${id})`;
  const { entry, reversal, usage } = await ask(ctx, {
    written: db.run(sql`INSERT INTO ledger_entries (id, owner_id, course_id, course_name,
        cohort_id, cohort_name, person_id, enrollment_id, kind, amount_minor, currency, method,
        received_on, reverses_id, source, created_by, created_by_user_id, created_at)
      SELECT ${id}, x.owner_id, x.course_id, x.course_name, x.cohort_id, x.cohort_name,
        x.person_id, x.enrollment_id, x.kind, -x.amount_minor, x.currency, x.method,
        x.received_on, x.id, 'owner', 'owner', ${ctx.viewer.id}, ${now}
      FROM ledger_entries x
      WHERE x.id = ${entryId} AND x.owner_id = ${ownerId} AND x.reverses_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id)
        AND ${limit.hasRoom}
      ON CONFLICT DO NOTHING`),
    noted:
      note === null
        ? undefined
        : db.run(sql`INSERT INTO ledger_notes (entry_id, owner_id, text)
            SELECT ${id}, ${ownerId}, ${note} WHERE ${isMade}`),
    entry: db.all<{ reversesId: string | null }>(sql`SELECT l.reverses_id AS reversesId
      FROM ledger_entries l WHERE l.id = ${entryId} AND l.owner_id = ${ownerId}`),
    reversal: db.all<EntryRow>(sql`SELECT ${entryColumns} FROM ledger_entries l
      WHERE l.reverses_id = ${entryId} AND l.owner_id = ${ownerId}`),
    usage: limit.count(isMade),
  });
  if (entry[0] === undefined) {
    throw new AppError('not_found');
  }
  if (entry[0].reversesId !== null) {
    throw new AppError('entry_is_reversal');
  }
  const [row] = reversal;
  if (row === undefined) {
    refuseFull(ctx, usage.full);
    throw new AppError('unavailable');
  }
  if (row.id === id) {
    ctx.observe.log('ledger_written', { kind: row.kind, count: 1, is_reversal: true });
  }
  return toEntry(row);
}
