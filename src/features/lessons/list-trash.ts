import 'server-only';
import { and, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { lessons } from '#db/schema/lessons.ts';
import { isSelected } from '#features/courses/list-courses.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { daysInTrash } from './vocabulary.ts';

/** A course filled and emptied again and again can have more. */
const mostShown = 300;

/** A lesson in the trash, and when it is deleted permanently. */
export type TrashedLesson = { id: string; title: string; goesAt: Date };

/** The lessons of the viewer's selected course that are in the trash, the last one first. */
export function listTrashedLessons(_ctx: Context, _ownerId: SQL, userId: SQL) {
  return query({ rows: trashedRows({ userId }) }, ({ rows }): TrashedLesson[] =>
    rows
      .map(({ id, title, deletedAt }) => ({
        id,
        title,
        // The query finds only lessons with a time.
        goesAt: new Date((deletedAt ?? new Date(0)).getTime() + daysInTrash * dayMs),
      }))
      .sort((a, b) => b.goesAt.getTime() - a.goesAt.getTime()),
  );
}

const trashedRows = prepared(({ userId }: Given<'userId'>) =>
  db
    .select({ id: lessons.id, title: lessons.title, deletedAt: lessons.deletedAt })
    .from(courses)
    .innerJoin(lessons, and(eq(lessons.ownerId, courses.ownerId), eq(lessons.courseId, courses.id)))
    .where(and(isSelected(userId), isNotNull(lessons.deletedAt)))
    // In the order of the index. Of more than these, the newest are shown.
    .orderBy(desc(sql`${lessons}.rowid`))
    .limit(mostShown),
);
