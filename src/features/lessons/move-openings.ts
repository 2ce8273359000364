import 'server-only';
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type AnswerFrom, ask, db, query } from '#db/query.ts';
import { cohortSections, sections } from '#db/schema/lessons.ts';
import { refuseFields } from '#lib/app-error.ts';
import { renewRows } from '#lib/renew-rows.ts';
import {
  addDays,
  dayMs,
  dayOfWallTime,
  isDay,
  minuteMs,
  shiftWallTime,
} from '#lib/time/calendar.ts';

/** The sections that open on a date in a cohort, which moves with it. */
export type DatedOpenings = AnswerFrom<typeof findDatedOpenings>;

/** Those of one of the viewer's cohorts. */
export function findDatedOpenings(cohortId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        rows: db
          .select({
            id: sections.id,
            title: sections.title,
            opensLocal: sql<string>`${cohortSections.opensLocal}`,
          })
          .from(cohortSections)
          .innerJoin(sections, eq(sections.id, cohortSections.sectionId))
          .where(
            and(
              eq(cohortSections.ownerId, ownerId),
              eq(cohortSections.cohortId, cohortId),
              eq(cohortSections.mode, 'date'),
            ),
          )
          .orderBy(asc(sections.position), asc(sections.id)),
      },
      ({ rows }) => rows,
    );
}

type OpeningShift = DatedOpenings[number] & { after: string; opensAt: Date };

/**
 * The dates so many days later, in a zone that may be another. Clock times stay, but one that is
 * skipped there moves forward.
 *
 * @throws AppError `validation_failed` if one would leave the calendar
 */
export async function planOpenings(
  openings: DatedOpenings,
  days: number,
  zone: string,
): Promise<OpeningShift[]> {
  const { openingOn } = await import('./section-times.ts');
  return openings.map((row) => {
    const { opensLocal: local } = row;
    const moved = isDay(local) ? addDays(local, days) : shiftWallTime(local, days);
    refuseFields(isDay(dayOfWallTime(moved)) ? {} : { starts_on: ['date_invalid'] });
    const { opensLocal: after, opensAt } = openingOn(moved, zone);
    return { ...row, after, opensAt };
  });
}

/**
 * Moves the dates of a cohort, in the batch that moves it and after that. One that was set meanwhile
 * stays as it was typed.
 *
 * @param hasMoved whether the batch has made the change of the cohort `c`
 */
export function shiftOpenings(shifts: OpeningShift[], cohortId: string, hasMoved: SQL) {
  if (shifts.length === 0) {
    return undefined;
  }
  const wanted = JSON.stringify(
    shifts.map(({ id, opensLocal, after, opensAt }) => [id, opensLocal, after, opensAt.getTime()]),
  );
  return db.run(sql`UPDATE cohort_sections SET opens_local = w.value ->> 2, opens_at = w.value ->> 3
    FROM json_each(${wanted}) w JOIN cohorts c ON c.id = ${cohortId}
    WHERE cohort_sections.cohort_id = c.id AND cohort_sections.section_id = w.value ->> 0
      AND cohort_sections.opens_local = w.value ->> 1 AND ${hasMoved}`);
}

const timeLimitMs = 5 * minuteMs;
/** What opened in the past can open in the future instead, by no more than a zone can move. */
const marginMs = 2 * dayMs;

type TimeRow = {
  cohortId: string;
  sectionId: string;
  opensLocal: string;
  opensAt: number;
  timeZone: string;
};

/** Derives the instants of all sections that open on a date which is still to come again. */
export async function renewOpenings(ctx: Context): Promise<void> {
  const from = ctx.now().getTime() - marginMs;
  const { openingOn } = await import('./section-times.ts');
  const { moved, isDone } = await renewRows<TimeRow>(ctx, {
    limitMs: timeLimitMs,
    read: async (after, most) => {
      const { rows } = await ask(ctx, {
        rows: db.all<TimeRow>(sql`SELECT o.cohort_id AS cohortId, o.section_id AS sectionId,
            o.opens_local AS opensLocal, o.opens_at AS opensAt, c.time_zone AS timeZone
          FROM cohort_sections o CROSS JOIN cohorts c
          WHERE (o.cohort_id, o.section_id) > (${after?.cohortId ?? ''}, ${after?.sectionId ?? ''})
            AND c.id = o.cohort_id AND o.opens_at > ${from}
          ORDER BY o.cohort_id, o.section_id LIMIT ${most}`),
      });
      return rows;
    },
    renew: (row) => ({
      ...row,
      opensAt: openingOn(row.opensLocal, row.timeZone).opensAt.getTime(),
    }),
    write: (rows) => writeInstants(ctx, rows),
  });
  ctx.observe.log('sections_moved', { sections: moved, is_done: isDone });
}

/** Writes the instants of sections whose dates are still those that were read. */
async function writeInstants(ctx: Context, rows: TimeRow[]): Promise<number> {
  const { written } = await ask(ctx, {
    written: db.run(sql`UPDATE cohort_sections SET opens_at = w.value ->> 'opensAt'
      FROM json_each(${JSON.stringify(rows)}) w JOIN cohorts c
      WHERE cohort_sections.cohort_id = w.value ->> 'cohortId'
        AND cohort_sections.section_id = w.value ->> 'sectionId'
        AND cohort_sections.opens_local = w.value ->> 'opensLocal'
        AND c.id = cohort_sections.cohort_id AND c.time_zone = w.value ->> 'timeZone'`),
  });
  return written.meta.changes;
}
