import 'server-only';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { ask, db, insertWhere } from '#db/query.ts';
import { cohortSections } from '#db/schema/lessons.ts';
import { type CohortRow, requireDated, requireOutsideTrash } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { AppError, refuseFields, requireFound } from '#lib/app-error.ts';
import { openingRows, toCohortSections } from './find-openings.ts';
import type { CohortSection, OpeningInput } from './schema.ts';

/**
 * Says when a section opens in one of the viewer's cohorts, instead of what the course says.
 *
 * @throws AppError `not_found` unless the section is of the cohort's course; `validation_failed` for
 *   a day or time that its clocks skip, and for a live session that it does not have;
 *   `course_self_paced`; `cohort_in_trash`; `dates_changed` if it was moved to another zone meanwhile
 */
export async function setOpening(
  ctx: ViewerContext,
  cohort: CohortRow,
  sectionId: string,
  { mode, opens_local: typed, meeting_id: meetingId, edge }: OpeningInput,
): Promise<CohortSection> {
  requireDated(cohort);
  requireOutsideTrash(cohort);
  const { ownerId } = ctx;
  const { id: cohortId, timeZone } = cohort;
  const { typedOpening } = await import('./section-times.ts');
  const opening = typed === undefined ? null : typedOpening(typed, timeZone, ctx.request.locale);
  const set = {
    mode,
    opensLocal: opening?.opensLocal ?? null,
    opensAt: opening?.opensAt ?? null,
    meetingId: meetingId ?? null,
    meetingEdge: edge ?? null,
  };
  const { changed, rows } = await ask(ctx, {
    changed: db
      .insert(cohortSections)
      .select(
        insertWhere(
          cohortSections,
          { ...set, cohortId, sectionId, ownerId },
          sql`EXISTS (SELECT 1 FROM cohorts c
            JOIN sections s ON s.owner_id = c.owner_id AND s.course_id = c.course_id
            WHERE c.id = ${cohortId} AND c.owner_id = ${ownerId} AND s.id = ${sectionId}
              AND c.deleted_at IS NULL AND c.time_zone = ${timeZone})`,
          meetingId === undefined
            ? undefined
            : sql`EXISTS (SELECT 1 FROM meetings m WHERE m.id = ${meetingId}
                AND m.cohort_id = ${cohortId} AND m.owner_id = ${ownerId}
                AND m.cancelled_at IS NULL)`,
        ),
      )
      .onConflictDoUpdate({ target: [cohortSections.cohortId, cohortSections.sectionId], set })
      .returning({ sectionId: cohortSections.sectionId }),
    rows: openingRows({ ownerId, cohortId }),
  });
  const row = requireFound(rows.find(({ id }) => id === sectionId));
  if (changed.length === 0) {
    if (row.timeZone !== timeZone) {
      throw new AppError('dates_changed');
    }
    refuseFields(meetingId === undefined ? {} : { meeting_id: ['section_meeting_required'] });
    throw new AppError('cohort_in_trash');
  }
  const [section] = await toCohortSections([row]);
  return requireFound(section);
}

/**
 * Lets a section open in one of the viewer's cohorts as the course says.
 *
 * @throws AppError `not_found` unless the section is of the cohort's course; `course_self_paced`;
 *   `cohort_in_trash`
 */
export async function clearOpening(
  ctx: ViewerContext,
  cohort: CohortRow,
  sectionId: string,
): Promise<void> {
  requireDated(cohort);
  requireOutsideTrash(cohort);
  const { ownerId } = ctx;
  const { rows } = await ask(ctx, {
    cleared: db.delete(cohortSections).where(isOpening(ownerId, cohort.id, sectionId)),
    rows: openingRows({ ownerId, cohortId: cohort.id }),
  });
  requireFound(rows.find(({ id }) => id === sectionId));
}

function isOpening(ownerId: string, cohortId: string, sectionId: string): SQL | undefined {
  return and(
    eq(cohortSections.cohortId, cohortId),
    eq(cohortSections.sectionId, sectionId),
    eq(cohortSections.ownerId, ownerId),
  );
}
