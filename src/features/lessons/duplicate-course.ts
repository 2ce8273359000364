import 'server-only';
import { and, eq, exists, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { type AnswerFrom, ask, db, query } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { files } from '#db/schema/files.ts';
import { lessons } from '#db/schema/lessons.ts';
import { users } from '#db/schema/users.ts';
import { nextHue, requireSameRequest } from '#features/courses/create-course.ts';
import { courseColumns, courseRows, toCourse } from '#features/courses/list-courses.ts';
import type { Course, CourseCopyInput } from '#features/courses/schema.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import { hasRoomInAll } from './order.ts';

/** The ids of the lessons and files of a course, which its copy gets new ones for. */
export type CourseParts = AnswerFrom<typeof findCourseParts>;

/** What a copy of one of the viewer's courses has; null if there is no such course. */
export function findCourseParts(courseId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        courses: courseRows({ ownerId, id: courseId }),
        lessons: lessonIds({ ownerId, courseId }),
        files: fileIds({ ownerId, courseId }),
      },
      ({ courses: [course], ...parts }) =>
        course === undefined ? null : { courseId: course.id, ...parts },
    );
}

const lessonIds = prepared(({ ownerId, courseId }: Given<'ownerId' | 'courseId'>) =>
  db
    .select({ id: lessons.id })
    .from(lessons)
    .where(
      and(eq(lessons.ownerId, ownerId), eq(lessons.courseId, courseId), isNull(lessons.deletedAt)),
    ),
);

const fileIds = prepared(({ ownerId, courseId }: Given<'ownerId' | 'courseId'>) =>
  db
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.ownerId, ownerId), eq(files.courseId, courseId), isNull(files.uploadId))),
);

/**
 * Copies one of the viewer's courses with its sections, lessons and files, and selects the copy.
 * Drafts stay drafts, and what is published is published there too. Files are the same objects
 * under the same keys, so that texts need no change. Nothing of people is copied.
 *
 * @param parts read in the trip that found the viewer
 * @param idempotencyKey a retry with the same key returns the copy of that course as it is now
 * @throws AppError `idempotency_key_reused`; `too_many_lessons_in_all`; `rate_limited`; `not_found`
 *   if the course was deleted meanwhile
 */
export async function duplicateCourse(
  ctx: ViewerContext,
  parts: CourseParts,
  { name, course_type: type }: CourseCopyInput,
  idempotencyKey: string | null,
): Promise<Course> {
  // The row of a copy does not say of which course it is one.
  const key = idempotencyKey && `${parts.courseId} ${idempotencyKey}`;
  const { ownerId, viewer } = ctx;
  const now = ctx.now().getTime();
  const id = crypto.randomUUID();
  const [newLessons, newFiles] = [newIds(parts.lessons), newIds(parts.files)];
  const isMade = exists(db.select({ id: courses.id }).from(courses).where(eq(courses.id, id)));
  const limit = await limitOn(
    ctx,
    [
      { limit: 'courses_per_user', subject: viewer.id },
      { limit: 'course_copies_per_user', subject: viewer.id },
    ],
    'refuse',
  );
  const copied = await limitOn(
    ctx,
    [{ limit: 'lessons_at_once_per_user', subject: viewer.id }],
    'refuse',
  );
  const count = parts.lessons.length;
  const {
    course: [course],
    room: [room],
    usage,
    lessonUsage,
  } = await ask(ctx, {
    made: db.run(sql`INSERT INTO courses (id, owner_id, name, course_type, about, shows_outline,
        picture, idempotency_key, created_at, updated_at)
      SELECT ${id}, c.owner_id, ${name}, ${type}, c.about, c.shows_outline, c.picture,
        ${key}, ${now}, ${now}
      FROM courses c WHERE c.owner_id = ${ownerId} AND c.id = ${parts.courseId} AND ${limit.hasRoom}
        AND ${copied.hasRoom} AND ${hasRoomInAll(ownerId, count)}
      ON CONFLICT (owner_id, idempotency_key) DO NOTHING`),
    colored: db
      .update(courses)
      .set({ hue: nextHue(ownerId, id) })
      .where(and(eq(courses.id, id), eq(courses.ownerId, ownerId))),
    files: db.run(sql`INSERT INTO files (id, owner_id, course_id, key, object_key, name,
        content_type, size, width, height, created_at)
      SELECT n.value, f.owner_id, ${id}, f.key, f.object_key, f.name, f.content_type, f.size,
        f.width, f.height, ${now}
      FROM ${newFiles} n JOIN files f ON f.owner_id = ${ownerId} AND f.id = n.key
      WHERE ${isMade}`),
    // As they are now: a lesson may have moved into one that was not there when parts were read.
    sections: db.run(sql`INSERT INTO sections (id, owner_id, course_id, title, position,
        release_days, created_at, updated_at)
      SELECT ${newId}, s.owner_id, ${id}, s.title, s.position, s.release_days, ${now}, ${now}
      FROM sections s WHERE s.owner_id = ${ownerId} AND s.course_id = ${parts.courseId}
        AND ${isMade}`),
    // A copy's section has the place of its original.
    lessons: db.run(sql`INSERT INTO lessons (id, owner_id, course_id, section_id, position, minutes,
        title, words, draft_version, draft_at, published_title, published_words, published_version,
        published_at, created_at, updated_at, html, document, link_key)
      SELECT n.value, l.owner_id, ${id}, t.id, l.position, l.minutes, l.title, l.words,
        l.draft_version, l.draft_at, l.published_title, l.published_words, l.published_version,
        iif(l.published_at IS NULL, NULL, ${now}), ${now}, ${now}, l.html, l.document,
        coalesce(l.link_key, l.id)
      FROM ${newLessons} n
        JOIN lessons l ON l.owner_id = ${ownerId} AND l.id = n.key AND l.deleted_at IS NULL
        JOIN sections s ON s.owner_id = l.owner_id AND s.id = l.section_id
        JOIN sections t ON t.owner_id = s.owner_id AND t.course_id = ${id}
          AND t.position = s.position
      WHERE ${isMade}`),
    // Triggers do so for drafts alone. What only an earlier version had, the copy has not.
    uses: db.run(sql`INSERT INTO lesson_files (lesson_id, file_id, owner_id)
      SELECT n.value, m.value, u.owner_id FROM ${newLessons} n
        JOIN lesson_files u ON u.owner_id = ${ownerId} AND u.lesson_id = n.key
        JOIN ${newFiles} m ON m.key = u.file_id
        JOIN files f ON f.owner_id = u.owner_id AND f.id = u.file_id
        JOIN lessons l ON l.owner_id = u.owner_id AND l.id = u.lesson_id
      WHERE ${isMade} AND NOT EXISTS (SELECT 1 FROM lesson_files o
          WHERE o.lesson_id = n.value AND o.file_id = m.value)
        AND instr(l.html, '"' || f.key || '"') > 0`),
    selected: db
      .update(users)
      .set({ selectedCourseId: id })
      .where(and(eq(users.id, viewer.id), isMade)),
    course:
      key === null
        ? courseRows({ ownerId, id })
        : db
            .select(courseColumns(ownerId))
            .from(courses)
            .where(and(eq(courses.ownerId, ownerId), eq(courses.idempotencyKey, key))),
    room: db.all<{ isLeft: number }>(sql`SELECT ${hasRoomInAll(ownerId, count)} AS isLeft`),
    usage: limit.count(isMade.getSQL()),
    lessonUsage: copied.count(isMade.getSQL(), sql`${count}`),
  });
  if (course === undefined) {
    refuseFull(ctx, [...usage.full, ...lessonUsage.full]);
    throw new AppError(room?.isLeft === 0 ? 'too_many_lessons_in_all' : 'not_found');
  }
  requireSameRequest([course], course.name === name && course.courseType === type);
  return toCourse(course);
}

/** A random UUID, made by the database. */
const newId = sql.raw(`lower(printf('%s-%s-4%.3s-8%.3s-%s', hex(randomblob(4)), hex(randomblob(2)),
  hex(randomblob(2)), hex(randomblob(2)), hex(randomblob(6))))`);

/** A table of ids and the new ids that their copies get. */
function newIds(rows: readonly { id: string }[]): SQL {
  const pairs = Object.fromEntries(rows.map(({ id }) => [id, crypto.randomUUID()]));
  return sql`json_each(${JSON.stringify(pairs)})`;
}
