import 'server-only';
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { db, query, type RowFrom } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { lessons, sections } from '#db/schema/lessons.ts';
import { hueOfCourse, isSelected } from '#features/courses/list-courses.ts';
import type { LessonDocument } from '#features/documents/document.ts';
import { renderDocument } from '#features/documents/render-document.ts';
import { readingMinutes } from '#features/lessons/reading-minutes.ts';
import type { Outline } from './outline.ts';

/** What a learner would see of a course, without the names of a cohort and its instructor. */
type Preview = Pick<Outline, 'course' | 'sections'>;

/**
 * The course that the viewer has selected, as learners see its lessons.
 *
 * @param hasDrafts also what is not published, as it would be if it were
 */
export function findCoursePreview(hasDrafts: boolean) {
  return (_ctx: Context, _ownerId: SQL, userId: SQL) =>
    query({ rows: outlineRows({ where: ofSelected({ userId }) }) }, ({ rows }) =>
      previewOf(rows, hasDrafts),
    );
}

/**
 * The course of one of the viewer's lessons with the text of that lesson; null if there is none.
 * Without drafts, one that is not published has no text.
 */
export function findLessonPreview(id: string, hasDrafts: boolean) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        rows: outlineRows({ where: ofLesson({ ownerId, id }) }),
        texts: textRows({ ownerId, id }),
      },
      ({ rows, texts: [text] }) => {
        const preview = previewOf(rows, hasDrafts);
        return preview === null || text === undefined
          ? null
          : { preview, html: hasDrafts ? htmlOf(text.document) : text.html };
      },
    );
}

/** Of a document that was checked when it was saved. */
function htmlOf(document: string): string {
  return renderDocument(JSON.parse(document) as LessonDocument);
}

const ofSelected = fragment(({ userId }: Given<'userId'>) => sql`${isSelected(userId)}`);

const ofLesson = fragment(
  ({ ownerId, id }: Given<'ownerId' | 'id'>) =>
    sql`(${courses.ownerId}, ${courses.id}) = (${db
      .select({ ownerId: lessons.ownerId, courseId: lessons.courseId })
      .from(lessons)
      .where(isOwn(ownerId, id))})`,
);

function isOwn(ownerId: SQL, id: SQL) {
  return and(eq(lessons.ownerId, ownerId), eq(lessons.id, id), isNull(lessons.deletedAt));
}

const outlineRows = prepared(({ where }: Given<'where'>) =>
  db
    .select({
      courseId: courses.id,
      courseName: courses.name,
      hue: courses.hue,
      sectionId: sections.id,
      sectionTitle: sections.title,
      lessonId: lessons.id,
      title: lessons.title,
      publishedTitle: lessons.publishedTitle,
      minutes: lessons.minutes,
      words: lessons.words,
      publishedWords: lessons.publishedWords,
    })
    .from(courses)
    .leftJoin(
      sections,
      and(eq(sections.ownerId, courses.ownerId), eq(sections.courseId, courses.id)),
    )
    .leftJoin(
      lessons,
      and(
        eq(lessons.ownerId, sections.ownerId),
        eq(lessons.sectionId, sections.id),
        isNull(lessons.deletedAt),
      ),
    )
    .where(where)
    .orderBy(asc(sections.position), asc(sections.id), asc(lessons.position), asc(lessons.id)),
);

const textRows = prepared(({ ownerId, id }: Given<'ownerId' | 'id'>) =>
  db
    .select({ document: lessons.document, html: lessons.html })
    .from(lessons)
    .where(isOwn(ownerId, id)),
);

function previewOf(rows: RowFrom<typeof outlineRows>[], hasDrafts: boolean): Preview | null {
  const [first] = rows;
  if (first === undefined) {
    return null;
  }
  const parts = new Map<string, Preview['sections'][number]>();
  for (const { sectionId, lessonId, minutes, ...row } of rows) {
    const title = hasDrafts ? row.title : row.publishedTitle;
    const words = hasDrafts ? row.words : row.publishedWords;
    if (sectionId === null || lessonId === null || title === null) {
      continue;
    }
    const part = parts.get(sectionId) ?? {
      id: sectionId,
      title: row.sectionTitle,
      opens_at: null,
      opens_local: null,
      lessons: [],
    };
    parts.set(sectionId, part);
    part.lessons.push({
      id: lessonId,
      title,
      minutes: readingMinutes({ minutes, words: words ?? 0 }),
      is_done: false,
      done_at: null,
    });
  }
  const { courseId: id, courseName: name, hue } = first;
  return { course: { id, name, hue: hueOfCourse({ id, hue }) }, sections: [...parts.values()] };
}
