import 'server-only';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, type Query, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { isShown } from '#db/shown-lessons.ts';
import { enrollmentState } from '#features/cohorts/cohort-status.ts';
import { countedColumns } from '#features/cohorts/get-cohort.ts';
import { isSelected } from '#features/courses/list-courses.ts';
import { serverPaths } from '#paths.ts';
import { findRunOverview, selectedRun } from './find-run-overview.ts';

/** What Home shows of an evergreen course. */
export type HomeRun = ReturnType<typeof findHomeRun> extends Query<infer Answer> ? Answer : never;

const shownFaces = 5;

/**
 * How far the viewer's selected course is with its lessons, and how the people of its open run get
 * on, with who has come last; no run before enrollment was opened.
 */
export function findHomeRun(ctx: Context, ownerId: SQL, userId: SQL) {
  const [run, now] = [selectedRun({ userId }), ctx.now()];
  return query(
    {
      rows: runRow({ run, now }),
      lessons: lessonCounts({ userId }),
      overview: findRunOverview(run)(ctx, ownerId),
      faces: facesOf({ run }),
    },
    ({ rows: [row], lessons: [lessons], overview, faces }) => ({
      lessons: lessons ?? { all: 0, published: 0 },
      run:
        row === undefined
          ? null
          : {
              id: row.id,
              enrollment_state: enrollmentState(row, row, now),
              publicUrl: serverPaths.publicCohort(ctx.config.appOrigin, row.slug),
              applied: row.applied,
              overview,
              faces,
            },
    }),
  );
}

const runRow = prepared(({ run, now }: Given<'run' | 'now'>) =>
  db.select(countedColumns(now)).from(cohorts).where(eq(cohorts.id, run)),
);

const lessonCounts = prepared(({ userId }: Given<'userId'>) =>
  db
    .select({
      all: sql<number>`(SELECT count(*) FROM lessons l WHERE l.owner_id = ${courses}."owner_id"
        AND l.course_id = ${courses}."id" AND l.deleted_at IS NULL)`,
      published: sql<number>`(SELECT count(*) FROM lessons l
        WHERE l.owner_id = ${courses}."owner_id" AND l.course_id = ${courses}."id"
          AND ${isShown})`,
    })
    .from(courses)
    .where(isSelected(userId)),
);

const facesOf = prepared(({ run }: Given<'run'>) =>
  db.all<{ id: string; name: string }>(sql`SELECT p.id, p.name
    FROM enrollments e JOIN people p ON p.id = e.person_id
    WHERE e.cohort_id = ${run} AND e.status = 'enrolled'
    ORDER BY e.status_changed_at DESC LIMIT ${shownFaces}`),
);
