import 'server-only';
import { sql } from 'drizzle-orm';
import { isLive } from '#db/people.ts';
import { db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { toCohort } from '#features/cohorts/get-cohort.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import { createSlug } from '#features/cohorts/slug.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { AppError } from '#lib/app-error.ts';
import { changeStateOutsideTrash } from './change-state.ts';

/**
 * Publishes one of the viewer's cohorts; a published one stays as it is. With the first of them,
 * the course gets a page of its own, whose address never changes.
 *
 * @throws AppError `not_found`, `cohort_in_trash`
 */
export async function publishCohort(
  ctx: ViewerContext,
  id: string,
  courseName: string,
): Promise<Cohort> {
  const first = query(
    {
      course: db.run(sql`UPDATE courses SET slug = ${createSlug(courseName)}
        WHERE slug IS NULL AND (owner_id, id) = (SELECT c.owner_id, c.course_id FROM cohorts c
          WHERE c.id = ${id} AND c.owner_id = ${ctx.ownerId} AND c.deleted_at IS NULL)`),
    },
    () => [],
  );
  return toCohort(ctx, await changeStateOutsideTrash(ctx, id, 'publishedAt', true, { first }));
}

/**
 * Makes a published cohort of the viewer a draft again, as long as no one takes part, waits or is
 * invited. Its address stays.
 *
 * @throws AppError `not_found`, `cohort_in_trash`, `cohort_has_people`
 */
export async function unpublishCohort(ctx: ViewerContext, id: string): Promise<Cohort> {
  const hasNobody = sql`NOT EXISTS (SELECT 1 FROM enrollments e
    WHERE e.cohort_id = ${cohorts}."id" AND ${isLive})`;
  const row = await changeStateOutsideTrash(ctx, id, 'publishedAt', false, { where: hasNobody });
  if (row.publishedAt !== null) {
    const n = row.enrolled + row.offered + row.waitlisted + row.applied + row.invited;
    throw new AppError('cohort_has_people', { values: { n } });
  }
  return toCohort(ctx, row);
}
