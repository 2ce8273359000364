import 'server-only';
import { and, asc, eq, isNull, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query, type RowFrom } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { cohortSections, sections } from '#db/schema/lessons.ts';
import { meetings } from '#db/schema/meetings.ts';
import { toJson } from '#lib/to-json.ts';
import { CohortSection } from './schema.ts';
import { sectionOpening } from './section-access.ts';

/** A section, and what a cohort does with it. A live session that was canceled is as none. */
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

const { mode, opensLocal, opensAt, meetingId, meetingEdge } = cohortSections;

/** What a cohort does with a section. */
export const overrideColumns = {
  ...{ mode, opensLocal, opensAt, meetingEdge },
  meetingStartsAt: meetings.startsAt,
  meetingMinutes: meetings.durationMinutes,
};

/** A live session that was canceled is as none. */
export const isItsMeeting = and(eq(meetings.id, meetingId), isNull(meetings.cancelledAt));

/** The same of the cohort that a condition names. */
export function openingsWhere(isOne: SQL | undefined) {
  const { id, title, releaseDays } = sections;
  return db
    .select({
      ...{ id, title, releaseDays, meetingId, ...overrideColumns },
      meetingTitle: meetings.title,
      kind: cohorts.kind,
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
    .leftJoin(meetings, isItsMeeting)
    .where(isOne)
    .orderBy(asc(sections.position), asc(sections.id));
}

/** Sections as the API returns them, with when they open. */
export function toCohortSections(rows: OpeningRow[]): Promise<CohortSection[]> {
  return Promise.all(
    rows.map(async (row) => {
      const { mode, opensLocal, meetingId, meetingEdge: edge } = row;
      const override = mode && { mode, opens_local: opensLocal, meeting_id: meetingId, edge };
      return toJson(CohortSection, { ...row, override, opensAt: await momentOf(row) });
    }),
  );
}

/** Null if it is hidden, or opens with the enrollment. */
async function momentOf({ mode, ...row }: OpeningRow): Promise<Date | null> {
  if (mode === 'hidden') {
    return null;
  }
  // A cohort opens it for everyone at once, whenever they have enrolled.
  const opening = await sectionOpening(row, mode && { mode, ...row }, row, { startedAt: 0 });
  return opening?.opensAt ?? null;
}
