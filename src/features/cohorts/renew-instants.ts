import 'server-only';
import { and, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { renewRows } from '#lib/renew-rows.ts';
import { dayMs, minuteMs } from '#lib/time/calendar.ts';
import { pick } from '#lib/to-json.ts';
import type { CohortInstants } from './cohort-times.ts';
import { type CohortRow, dateColumns, datesOf, isDated } from './get-cohort.ts';

/** Every night begins with what ends first, so what this leaves for later can wait. */
const timeLimitMs = 10 * minuteMs;
/** What ended in the past can end in the future instead, by no more than a zone can move. */
const marginMs = 2 * dayMs;

const instantColumns = [
  'startsAt',
  'endsAt',
  'startReminderAt',
  'enrollmentOpensAt',
  'enrollmentClosesAt',
  'earlyUntilAt',
] as const satisfies (keyof CohortInstants)[];

const { id, endsAt } = cohorts;
const columns = pick(cohorts, ['id', ...dateColumns, ...instantColumns]);

type TimesRow = Pick<CohortRow, keyof typeof columns>;

/** Derives the instants of all cohorts that are not over again. Those of open runs mean nothing. */
export async function renewInstants(ctx: Context): Promise<void> {
  const first = { id: '', endsAt: new Date(ctx.now().getTime() - marginMs) };
  const { instantsOf } = await import('./cohort-times.ts');
  const { moved, unknownZones, isDone } = await renewRows<TimesRow>(ctx, {
    limitMs: timeLimitMs,
    read: async (after, most) => {
      const last = after ?? first;
      const { rows } = await ask(ctx, {
        rows: db
          .select(columns)
          .from(cohorts)
          .where(
            and(sql`(${endsAt}, ${id}) > (${sql.param(last.endsAt, endsAt)}, ${last.id})`, isDated),
          )
          .orderBy(endsAt, id)
          .limit(most),
      });
      return rows;
    },
    renew: (row) => ({ ...row, ...instantsOf(datesOf(row)) }),
    write: (rows) => writeInstants(ctx, rows),
  });
  ctx.observe.log('instants_moved', {
    cohorts: moved,
    unknown_zones: unknownZones,
    is_done: isDone,
  });
}

/** Writes the instants of cohorts whose dates are still those that were read. */
async function writeInstants(ctx: Context, rows: TimesRow[]): Promise<number> {
  const wanted = rows.map((row) => [
    row.id,
    ...instantColumns.map((column) => row[column]?.getTime() ?? null),
    ...dateColumns.map((column) => row[column]),
  ]);
  const value = (index: number) => sql`wanted.value ->> ${sql.raw(String(index))}`;
  const set = instantColumns.map(
    (column, index) => sql`${sql.identifier(cohorts[column].name)} = ${value(1 + index)}`,
  );
  const isStill = dateColumns.map(
    (column, index) => sql`${cohorts[column]} IS ${value(1 + instantColumns.length + index)}`,
  );
  const { written } = await ask(ctx, {
    written: db.run(sql`UPDATE ${cohorts} SET ${sql.join(set, sql`, `)}
      FROM json_each(${JSON.stringify(wanted)}) AS wanted
      WHERE ${id} = ${value(0)} AND ${sql.join(isStill, sql` AND `)}`),
  });
  return written.meta.changes;
}
