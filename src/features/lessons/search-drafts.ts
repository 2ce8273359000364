import 'server-only';
import type { SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { lessons, sections } from '#db/schema/lessons.ts';
import { isSelected } from '#features/courses/list-courses.ts';
import type { LessonDocument } from '#features/documents/document.ts';
import { blockTexts } from '#features/documents/document-text.ts';
import { inOutlineOrder, isInSection, isOfCourse } from './find-content.ts';
import { searchLessons } from './search-lessons.ts';

/**
 * The lessons of the viewer's selected course whose drafts have a text, in their order. Nothing is
 * read for an empty query: a search reads the texts of a whole course.
 */
export function searchDrafts(text: string) {
  return (_ctx: Context, _ownerId: SQL, userId: SQL) =>
    query({ rows: text === '' ? undefined : draftRows({ userId }) }, ({ rows = [] }) =>
      searchLessons(
        rows.map(({ document, ...row }) => ({ ...row, text: textOf(document) })),
        text,
      ),
    );
}

function textOf(document: string): string {
  // As it was checked when it was saved.
  const texts = blockTexts(JSON.parse(document) as LessonDocument);
  return texts.join(' ').replace(/\s+/g, ' ');
}

const draftRows = prepared(({ userId }: Given<'userId'>) =>
  db
    .select({
      id: lessons.id,
      title: lessons.title,
      section: sections.title,
      document: lessons.document,
    })
    .from(courses)
    .innerJoin(sections, isOfCourse)
    .innerJoin(lessons, isInSection)
    .where(isSelected(userId))
    .orderBy(...inOutlineOrder),
);
