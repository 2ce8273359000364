import 'server-only';
import { asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { Viewer } from '#features/identity/find-actor.ts';
import { ownColumns, toCourse } from './get-course.ts';

/** All courses of the viewer, oldest first. */
export function listCourses(_ctx: Context, ownerId: SQL) {
  return query(
    { rows: ownRows({ ownerId }) },
    ({ rows }) =>
      ({ selectedCourseId }: Viewer) =>
        rows.map((row) => toCourse({ ...row, selectedCourseId })),
  );
}

/** As many as every page has; the others are fetched when the selector needs them. */
const shownCourses = 8;

/** The viewer's first courses and the selected one, oldest first, and whether there are more. */
export function findCourses(_ctx: Context, ownerId: SQL, userId: SQL) {
  return query(
    { first: firstRows({ ownerId }), selected: selectedRow({ userId }) },
    ({ first, selected }) => {
      const shown = first.slice(0, shownCourses);
      const others = selected.filter(({ id }) => shown.every((one) => one.id !== id));
      return ({ selectedCourseId }: Viewer) => ({
        courses: [...shown, ...others].map((row) => toCourse({ ...row, selectedCourseId })),
        hasMore: first.length > shownCourses,
      });
    },
  );
}

/** The courses of an owner, oldest first. */
export const ownRows = prepared(({ ownerId }: Given<'ownerId'>) => ofOwner(ownerId));

const firstRows = prepared(({ ownerId }: Given<'ownerId'>) =>
  ofOwner(ownerId).limit(shownCourses + 1),
);

function ofOwner(ownerId: SQL) {
  return db
    .select(ownColumns)
    .from(courses)
    .where(eq(courses.ownerId, ownerId))
    .orderBy(asc(courses.createdAt), asc(courses.id));
}

const selectedRow = prepared(({ userId }: Given<'userId'>) => {
  const selected = db
    .select({ id: users.id, courseId: users.selectedCourseId })
    .from(users)
    .where(eq(users.id, userId));
  return db
    .select(ownColumns)
    .from(courses)
    .where(sql`(${courses.ownerId}, ${courses.id}) = (${selected})`);
});
