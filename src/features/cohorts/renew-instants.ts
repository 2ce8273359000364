import 'server-only';
import { and, gt, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { dayMs, minuteMs } from '#lib/time/calendar.ts';
import { pick } from '#lib/to-json.ts';
import type { CohortInstants } from './cohort-times.ts';
import { type CohortRow, dateColumns, datesOf, isDated } from './get-cohort.ts';

/** Limits one statement, so that it does not block the database for long. */
const chunkRows = 1_000;
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

/**
 * Derives the instants of all cohorts that are not over again: countries change their clocks, and
 * this runtime may know of it when the one that wrote them did not. Those of open runs mean nothing.
 */
export async function renewInstants(ctx: Context): Promise<void> {
  const start = ctx.now();
  const [{ instantsOf }, { isZone }] = await Promise.all([
    import('./cohort-times.ts'),
    import('#lib/time/zones.ts'),
  ]);
  let [moved, unknownZones] = [0, 0];
  let rest: SQL | null = gt(endsAt, new Date(start.getTime() - marginMs));
  while (rest !== null && ctx.now().getTime() - start.getTime() < timeLimitMs) {
    const { rows }: { rows: TimesRow[] } = await ask(ctx, {
      rows: db
        .select(columns)
        .from(cohorts)
        .where(and(rest, isDated))
        .orderBy(endsAt, id)
        .limit(chunkRows),
    });
    const inZones = rows.filter((row) => isZone(row.timeZone));
    unknownZones += rows.length - inZones.length;
    const renewed = inZones.map((row) => ({ ...row, ...instantsOf(datesOf(row)) }));
    moved += await writeInstants(
      ctx,
      renewed.filter((row, index) => isMoved(row, inZones[index])),
    );
    rest = rows.length < chunkRows ? null : after(rows.at(-1));
  }
  ctx.observe.log('instants_moved', {
    cohorts: moved,
    unknown_zones: unknownZones,
    is_done: rest === null,
  });
}

function isMoved(renewed: TimesRow, stored: TimesRow | undefined): boolean {
  return instantColumns.some(
    (column) => renewed[column]?.getTime() !== stored?.[column]?.getTime(),
  );
}

/** The condition for what comes after a row, in the order of the index. */
function after(row: TimesRow | undefined): SQL | null {
  return row === undefined
    ? null
    : sql`(${endsAt}, ${id}) > (${sql.param(row.endsAt, endsAt)}, ${row.id})`;
}

/** Writes the instants of cohorts whose dates are still those that were read. */
async function writeInstants(ctx: Context, rows: TimesRow[]): Promise<number> {
  if (rows.length === 0) {
    return 0;
  }
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
