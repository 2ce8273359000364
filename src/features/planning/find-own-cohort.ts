import 'server-only';
import { and, eq, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, readLater } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import type { CourseType } from '#db/values.ts';
import { countedColumns, isOwn, toCohort } from '#features/cohorts/get-cohort.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import { meetingCount } from '#features/meetings/next-meeting.ts';
import { isPaused } from '#features/outbox/standing.ts';

/** A cohort with the name and type of its course, which need not be the selected one. */
export type OwnCohort = Cohort & {
  courseName: string;
  courseType: CourseType;
  /** How many live sessions take place. */
  meetingCount: number;
  /** Whether its emails go out without notes, because people mark the owner's as spam. */
  isWithoutNotes: boolean;
};

/** One of the viewer's cohorts for a page, even from the trash; null if there is none. */
export function findOwnCohort(id: string) {
  return (ctx: Context, ownerId: SQL) =>
    readLater(
      { rows: ownRow({ ownerId, id, now: ctx.now() }) },
      ({ rows: [row] }): OwnCohort | null => {
        if (row === undefined) {
          return null;
        }
        const { cohort, isPaused: isWithout, ...course } = row;
        return { ...toCohort(ctx, cohort), ...course, isWithoutNotes: isWithout === 1 };
      },
    );
}

const ownRow = prepared(({ ownerId, id, now }: Given<'ownerId' | 'id' | 'now'>) =>
  db
    .select({
      cohort: countedColumns(now),
      courseName: courses.name,
      courseType: courses.courseType,
      meetingCount,
      isPaused: isPaused(ownerId),
    })
    .from(cohorts)
    .innerJoin(courses, and(eq(courses.id, cohorts.courseId), eq(courses.ownerId, cohorts.ownerId)))
    .where(isOwn(ownerId, id)),
);
