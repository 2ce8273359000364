import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { db } from '#db/query.ts';
import { maxLessons, maxLessonsInAll } from './vocabulary.ts';

// What moves goes half a step before another one; the same batch then numbers all of them from 1.

/** Where a lesson is, or would be outside the trash: the end, if its section has gone meanwhile. */
export const placeOfLesson = sql`coalesce(nullif(abs(position), 0), ${maxLessons + 1})`;

/**
 * Numbers the lessons of a course in each section. Those in the trash stay between the others, as
 * small parts of a number, and below 0, so that the last number is found at once. The plus makes SQLite
 * find the lessons by the course.
 */
export function numberLessons(ownerId: string, courseId: SQL) {
  return db.run(sql`UPDATE lessons SET position = ordered.number FROM
    (SELECT id, CASE WHEN deleted_at IS NULL THEN sum(deleted_at IS NULL) OVER before
        ELSE -sum(deleted_at IS NULL) OVER before - row_number() OVER before / 100000.0 END AS number
      FROM lessons WHERE owner_id = ${ownerId} AND course_id = ${courseId}
      WINDOW before AS (PARTITION BY +section_id ORDER BY ${placeOfLesson}, id
        ROWS UNBOUNDED PRECEDING)) ordered
    WHERE lessons.id = ordered.id AND lessons.position <> ordered.number`);
}

/** Numbers the sections of a course. */
export function numberSections(ownerId: string, courseId: SQL) {
  return db.run(sql`UPDATE sections SET position = ordered.number FROM
    (SELECT s.id, row_number() OVER (ORDER BY s.position, s.id) AS number
      FROM sections s WHERE s.owner_id = ${ownerId} AND s.course_id = ${courseId}) ordered
    WHERE sections.id = ordered.id AND sections.position <> ordered.number`);
}

/** The course of a lesson, also from the trash. */
export function courseOfLesson(ownerId: string, id: string): SQL {
  return sql`(SELECT o.course_id FROM lessons o WHERE o.owner_id = ${ownerId} AND o.id = ${id})`;
}

/** The course of a section. */
export function courseOfSection(ownerId: string, id: string): SQL {
  return sql`(SELECT o.course_id FROM sections o WHERE o.owner_id = ${ownerId} AND o.id = ${id})`;
}

/** The number after the last lesson of a section. */
export function endOfSection(ownerId: SQL, sectionId: SQL): SQL {
  return sql`(SELECT max(coalesce(max(e.position), 0), 0) + 1 FROM lessons e
    WHERE e.owner_id = ${ownerId} AND e.section_id = ${sectionId})`;
}

/** Whether a course has room for one more lesson outside the trash. */
export function hasRoomForLesson(ownerId: SQL, courseId: SQL): SQL {
  return sql`(SELECT count(*) FROM lessons r WHERE r.owner_id = ${ownerId}
    AND r.course_id = ${courseId} AND r.deleted_at IS NULL) < ${maxLessons}`;
}

/** Whether an owner can have so many more lessons at once, with those in the trash. */
export function hasRoomInAll(ownerId: string, more: number): SQL {
  return sql`(SELECT count(*) FROM lessons r WHERE r.owner_id = ${ownerId}) + ${more} <= ${maxLessonsInAll}`;
}
