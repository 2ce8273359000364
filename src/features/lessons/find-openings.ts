import 'server-only';
import { and, asc, eq, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query, type RowFrom } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { cohortSections, sections } from '#db/schema/lessons.ts';
import { meetings } from '#db/schema/meetings.ts';
import { endOfMeeting } from '#features/meetings/meeting-state.ts';
import { addDays } from '#lib/time/calendar.ts';
import { toJson } from '#lib/to-json.ts';
import { CohortSection } from './schema.ts';

/** A section, what a cohort does with it, and what that depends on. */
export type OpeningRow = RowFrom<typeof openingRows>;

/** The sections of one of the viewer's cohorts in their order; none without such a cohort. */
export function findOpenings(cohortId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query({ rows: openingRows({ ownerId, cohortId }) }, ({ rows }) => rows);
}

/** The query for them. */
export const openingRows = prepared(({ ownerId, cohortId }: Given<'ownerId' | 'cohortId'>) =>
  openingsWhere(and(eq(cohorts.ownerId, ownerId), eq(cohorts.id, cohortId))),
);

/** The same of the cohort that a condition names. */
export function openingsWhere(isOne: SQL | undefined) {
  const { id, title, releaseDays } = sections;
  const { mode, opensLocal, opensAt, meetingId, meetingEdge } = cohortSections;
  return db
    .select({
      ...{ id, title, releaseDays, mode, opensLocal, opensAt, meetingId, meetingEdge },
      meetingTitle: meetings.title,
      meetingStartsAt: meetings.startsAt,
      meetingMinutes: meetings.durationMinutes,
      meetingCancelledAt: meetings.cancelledAt,
      startsOn: cohorts.startsOn,
      timeZone: cohorts.timeZone,
    })
    .from(cohorts)
    .innerJoin(
      sections,
      and(eq(sections.ownerId, cohorts.ownerId), eq(sections.courseId, cohorts.courseId)),
    )
    .leftJoin(
      cohortSections,
      and(eq(cohortSections.cohortId, cohorts.id), eq(cohortSections.sectionId, sections.id)),
    )
    .leftJoin(meetings, eq(meetings.id, cohortSections.meetingId))
    .where(isOne)
    .orderBy(asc(sections.position), asc(sections.id));
}

/** When the live session of an override opens it; null if it is canceled or gone. */
export function meetingMoment(
  row: Pick<
    OpeningRow,
    'meetingEdge' | 'meetingStartsAt' | 'meetingMinutes' | 'meetingCancelledAt'
  >,
): Date | null {
  const { meetingStartsAt: startsAt, meetingMinutes: durationMinutes } = row;
  if (startsAt === null || durationMinutes === null || row.meetingCancelledAt !== null) {
    return null;
  }
  return row.meetingEdge === 'end' ? endOfMeeting({ startsAt, durationMinutes }) : startsAt;
}

/** Sections as the API returns them, with when they open. */
export async function toCohortSections(rows: OpeningRow[]): Promise<CohortSection[]> {
  const { firstInstantOf } = await import('#lib/time/instants.ts');
  return rows.map((row) => {
    const { mode, opensLocal, meetingId, meetingEdge: edge, releaseDays } = row;
    const byRule =
      releaseDays === null
        ? null
        : firstInstantOf(addDays(row.startsOn, releaseDays), row.timeZone);
    const opensAt = {
      rule: byRule,
      date: row.opensAt,
      meeting: meetingMoment(row) ?? byRule,
      hidden: null,
    }[mode ?? 'rule'];
    const override = mode && {
      mode,
      opens_local: opensLocal,
      meeting_id: meetingId,
      edge,
    };
    return toJson(CohortSection, { ...row, override, opensAt });
  });
}
