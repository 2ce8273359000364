import 'server-only';
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query, type RowFrom } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { CourseHue } from '#db/values.ts';
import { picturePath } from '#features/files/picture-path.ts';
import { requireFound } from '#lib/app-error.ts';
import { toJson } from '#lib/to-json.ts';
import { hueOf } from '#ui/brand.ts';
import { Course } from './schema.ts';

/** All courses of the viewer, oldest first. */
export function listCourses(_ctx: Context, ownerId: SQL, userId: SQL) {
  return query({ rows: ownRows({ ownerId, userId }) }, ({ rows }) => rows.map(toCourse));
}

/** As many as every page has; the others are fetched when the selector needs them. */
const shownCourses = 8;

/** The viewer's first courses and the selected one, oldest first, and whether there are more. */
export function findCourses(_ctx: Context, ownerId: SQL, userId: SQL) {
  return query(
    { first: firstRows({ ownerId, userId }), selected: selectedRow({ userId }) },
    ({ first, selected }) => {
      const shown = first.slice(0, shownCourses);
      const others = selected.filter(({ id }) => shown.every((one) => one.id !== id));
      return {
        courses: [...shown, ...others].map(toCourse),
        hasMore: first.length > shownCourses,
      };
    },
  );
}

/** The courses of an owner, oldest first. */
export const ownRows = prepared(({ ownerId, userId }: Given<'ownerId' | 'userId'>) =>
  ofOwner(ownerId, userId),
);

const firstRows = prepared(({ ownerId, userId }: Given<'ownerId' | 'userId'>) =>
  ofOwner(ownerId, userId).limit(shownCourses + 1),
);

function ofOwner(ownerId: SQL, userId: SQL) {
  return db
    .select(courseColumns(userId))
    .from(courses)
    .where(eq(courses.ownerId, ownerId))
    .orderBy(asc(courses.createdAt), asc(courses.id));
}

const selectedRow = prepared(({ userId }: Given<'userId'>) =>
  db.select(courseColumns(userId)).from(courses).where(isSelected(userId)),
);

/** Whether it is the course that a user has selected, which says whose it is. */
export function isSelected(userId: SQL): SQL {
  return sql`(${courses.ownerId}, ${courses.id}) = (${selectedBy(userId)})`;
}

/** A user and the course that they have selected, together, so that the user is looked up once. */
export function selectedBy(userId: SQL) {
  return db
    .select({ id: users.id, courseId: users.selectedCourseId })
    .from(users)
    .where(eq(users.id, userId));
}

/**
 * One of the viewer's courses.
 *
 * @throws AppError `not_found` for a course that does not exist or belongs to another user
 */
export function getCourse(id: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query({ rows: courseRows({ ownerId, id }) }, ({ rows: [row] }) => toCourse(requireFound(row)));
}

/** The query for an owner's course and whether it is selected. */
export const courseRows = prepared(({ ownerId, id }: Given<'ownerId' | 'id'>) =>
  db
    .select(courseColumns(ownerId))
    .from(courses)
    .where(and(eq(courses.id, id), eq(courses.ownerId, ownerId))),
);

/**
 * Lets a read of what belongs to a course be only for its owner.
 *
 * @throws AppError `not_found` for a course that does not exist or belongs to another user
 */
export function requireOwnCourse(courseId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query({ rows: ownCourse({ courseId, ownerId }) }, ({ rows: [row] }) => requireFound(row));
}

const ownCourse = prepared(({ courseId, ownerId }: Given<'courseId' | 'ownerId'>) =>
  db
    .select({ id: courses.id, name: courses.name })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.ownerId, ownerId))),
);

/** The columns of a course that `toCourse` needs, and the course that a user has selected. */
export function courseColumns(userId: SQL | string) {
  return {
    id: courses.id,
    name: courses.name,
    courseType: courses.courseType,
    about: courses.about,
    picture: courses.picture,
    showsOutline: courses.showsOutline,
    hue: courses.hue,
    createdAt: courses.createdAt,
    updatedAt: courses.updatedAt,
    selectedCourseId: sql<string | null>`(SELECT ${users.selectedCourseId} FROM ${users}
      WHERE ${users.id} = ${userId})`,
  };
}

/** The color of a course: its own, or for older ones that of its id. */
export function hueOfCourse({ id, hue }: { id: string; hue: CourseHue | null }): CourseHue {
  return hue ?? hueOf(id);
}

/** A course as the API returns it, with nothing else of its row. */
export function toCourse(row: RowFrom<typeof courseRows>): Course {
  return toJson(Course, {
    ...row,
    hue: hueOfCourse(row),
    picture: row.picture && picturePath(row.picture),
    isSelected: row.id === row.selectedCourseId,
  });
}
