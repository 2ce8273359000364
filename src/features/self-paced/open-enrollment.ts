import 'server-only';
import { sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { countedColumns, createSlug, toOpenRun } from '#features/cohorts/get-cohort.ts';
import type { OpenRun } from '#features/cohorts/schema.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { AppError } from '#lib/app-error.ts';
import { dayMs } from '#lib/time/calendar.ts';
import type { EnrollmentInput } from './schema.ts';

/** A day that no one sees: an open run has no end. */
const endsOn = '2100-12-31';
const endsAt = Date.UTC(2101, 0, 1);

/**
 * Opens enrollment in one of the viewer's evergreen courses: creates and publishes its open run. If
 * there is one already, it stays as it is. The run has the name of its course, and its address,
 * which the course gets here unless it has one.
 *
 * @returns the run as it is now, and whether it is new
 * @throws AppError `not_found`, `course_is_cohort`
 */
export async function openEnrollment(
  ctx: ViewerContext,
  course: { id: string; name: string },
  { opens }: EnrollmentInput,
): Promise<{ run: OpenRun; isNew: boolean }> {
  const id = crypto.randomUUID();
  const now = ctx.now().getTime();
  const day = Math.floor(now / dayMs) * dayMs;
  const startsOn = new Date(day).toISOString().slice(0, 10);
  const isOurs = sql`k.id = ${course.id} AND k.owner_id = ${ctx.ownerId}
    AND k.course_type = 'evergreen'`;
  const ofOurs = sql`(SELECT k.owner_id, k.id FROM courses k WHERE ${isOurs})`;
  const { runs } = await ask(ctx, {
    named: db.run(sql`UPDATE courses AS k SET slug = ${createSlug(course.name)}
      WHERE k.slug IS NULL AND ${isOurs}`),
    // Open until its last moment, unless its owner closes it.
    inserted: db.run(sql`INSERT INTO cohorts (id, owner_id, course_id, kind, name, slug,
        starts_on, ends_on, time_zone, starts_at, ends_at, enrollment_closes_local,
        enrollment_closes_at, enrollment_override, join_mode, waitlist, offer_hours, shows_minimum, shows_places_left,
        language, reminds_start, reminds_day_before, published_at, created_at, updated_at)
      SELECT ${id}, k.owner_id, k.id, 'open', k.name, k.slug,
        ${startsOn}, ${endsOn}, 'UTC', ${day}, ${endsAt}, '2101-01-01T00:00',
        ${endsAt}, ${opens ? null : 'closed'}, 'open', 1, 48, 0, 1, ${ctx.viewer.language}, 0, 0, ${now}, ${now}, ${now}
      FROM courses k WHERE ${isOurs}
      ON CONFLICT DO NOTHING`),
    runs: db
      .select(countedColumns(ctx.now()))
      .from(cohorts)
      .where(
        sql`(${cohorts.ownerId}, ${cohorts.courseId}) = ${ofOurs} AND ${cohorts.kind} = 'open'`,
      ),
  });
  const [run] = runs;
  if (run === undefined) {
    throw new AppError('course_is_cohort');
  }
  return { run: toOpenRun(ctx, run), isNew: run.id === id };
}
