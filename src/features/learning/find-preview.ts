import 'server-only';
import { and, asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { db, query, type RowFrom } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { cohortSections, lessons, sections } from '#db/schema/lessons.ts';
import { meetings } from '#db/schema/meetings.ts';
import { hueOfCourse } from '#features/courses/list-courses.ts';
import type { LessonDocument } from '#features/documents/document.ts';
import { renderDocument } from '#features/documents/render-document.ts';
import { filesOfLesson } from '#features/files/find-files.ts';
import {
  inOutlineOrder,
  isInSection,
  isOfCourse,
  linkKeyRows,
  ofSelected,
} from '#features/lessons/find-content.ts';
import { isItsMeeting, overrideColumns } from '#features/lessons/find-openings.ts';
import {
  type OpeningRun,
  type SectionAccess,
  sectionAccess,
} from '#features/lessons/section-access.ts';
import { type Day, dayMs } from '#lib/time/calendar.ts';
import { dayIn } from '#lib/time/words.ts';
import { pick } from '#lib/to-json.ts';
import { type Outline, toSections } from './outline.ts';

/** As whom and when a course is previewed. Without a day and a cohort, everything is open. */
export type PreviewChoice = {
  /** Also what is not published, as it would be if it were. */
  hasDrafts: boolean;
  /** So many days after someone has started. */
  day: number | null;
  /** The id of a cohort, and a day on its clocks; today without one. */
  cohort: string | null;
  on: Day | null;
};

/** What a learner would see of a course, without the name of its instructor. */
export type Preview = Pick<Outline, 'course' | 'sections' | 'cohort'> & {
  /** What can be chosen: the cohorts of a course that has them. */
  cohorts: { id: string; name: string }[];
  /** The day that is shown of a cohort. */
  on: Day | null;
  /** When it is, for the reader. */
  now: Date;
};

type PreviewRows = {
  rows: RowFrom<typeof outlineRows>[];
  cohorts: RowFrom<typeof cohortRows>[];
  overrides: RowFrom<typeof overrideRows>[];
};

/** The course that the viewer has selected, as learners see its lessons: see `toPreview`. */
export function findCoursePreview({ cohort }: PreviewChoice) {
  return (_ctx: Context, ownerId: SQL, userId: SQL) =>
    query(previewQueries(ofSelected({ userId }), ownerId, cohort), (rows): PreviewRows => rows);
}

/**
 * The course of one of the viewer's lessons with the text of that lesson; null if there is none.
 * Without drafts, one that is not published has no text.
 */
export function findLessonPreview(id: string, { hasDrafts, cohort }: PreviewChoice) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        ...previewQueries(ofLesson({ ownerId, id }), ownerId, cohort),
        texts: textRows({ ownerId, id }),
        files: filesOfLesson({ ownerId, lessonId: id }),
        keys: linkKeyRows({ where: ofLesson({ ownerId, id }) }),
      },
      ({ texts: [text], files, keys, ...rows }) =>
        text === undefined
          ? null
          : { rows, files, keys, html: hasDrafts ? htmlOf(text.document) : text.html },
    );
}

function previewQueries(where: SQL, ownerId: SQL, cohort: string | null) {
  return {
    rows: outlineRows({ where }),
    cohorts: cohortRows({ where }),
    overrides: overrideRows({ ownerId, cohortId: cohort ?? '' }),
  };
}

/** Of a document that was checked when it was saved. */
function htmlOf(document: string): string {
  return renderDocument(JSON.parse(document) as LessonDocument);
}

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
      courseType: courses.courseType,
      hue: courses.hue,
      sectionId: sections.id,
      sectionTitle: sections.title,
      releaseDays: sections.releaseDays,
      lessonId: lessons.id,
      title: lessons.title,
      publishedTitle: lessons.publishedTitle,
      minutes: lessons.minutes,
      words: lessons.words,
      publishedWords: lessons.publishedWords,
    })
    .from(courses)
    .leftJoin(sections, isOfCourse)
    .leftJoin(lessons, isInSection)
    .where(where)
    .orderBy(...inOutlineOrder),
);

const cohortColumns = pick(cohorts, ['id', 'name', 'kind', 'startsOn', 'timeZone']);

/** The latest first. */
const cohortRows = prepared(({ where }: Given<'where'>) =>
  db
    .select(cohortColumns)
    .from(courses)
    .innerJoin(cohorts, and(eq(cohorts.ownerId, courses.ownerId), eq(cohorts.courseId, courses.id)))
    .where(and(where, eq(cohorts.kind, 'dated'), isNull(cohorts.deletedAt)))
    .orderBy(desc(cohorts.startsOn), asc(cohorts.id)),
);

const overrideRows = prepared(({ ownerId, cohortId }: Given<'ownerId' | 'cohortId'>) =>
  db
    .select({ sectionId: cohortSections.sectionId, ...overrideColumns })
    .from(cohortSections)
    .leftJoin(meetings, isItsMeeting)
    .where(and(eq(cohortSections.ownerId, ownerId), eq(cohortSections.cohortId, cohortId))),
);

const textRows = prepared(({ ownerId, id }: Given<'ownerId' | 'id'>) =>
  db
    .select({ document: lessons.document, html: lessons.html })
    .from(lessons)
    .where(isOwn(ownerId, id)),
);

/**
 * A course as someone would see it who has started some days ago, or in a cohort on a day, from its
 * first moment on.
 *
 * @param rows those of `findCoursePreview`
 * @returns null without a course
 */
export async function toPreview(
  { now }: Pick<Context, 'now'>,
  { rows, cohorts: all, overrides }: PreviewRows,
  choice: PreviewChoice,
): Promise<Preview | null> {
  const [first] = rows;
  if (first === undefined) {
    return null;
  }
  const cohort = all.find(({ id }) => id === choice.cohort) ?? null;
  const at = cohort === null ? now() : await momentOf(cohort, choice.on, now());
  const { day, hasDrafts } = choice;
  const accessOf = ({ sectionId, releaseDays }: SectionOfRow): Promise<SectionAccess> => {
    const override = overrides.find((one) => one.sectionId === sectionId) ?? null;
    if (cohort !== null) {
      return sectionAccess({ releaseDays }, override, cohort, { startedAt: 0 }, at);
    }
    const startedAt = at.getTime() - (day ?? 0) * dayMs;
    const rule = day === null ? null : releaseDays;
    return sectionAccess({ releaseDays: rule }, null, anyRun, { startedAt }, at);
  };
  const shown = rows.flatMap((row) => {
    const { sectionId, sectionTitle: section, lessonId: id } = row;
    const title = hasDrafts ? row.title : row.publishedTitle;
    const words = (hasDrafts ? row.words : row.publishedWords) ?? 0;
    return sectionId === null || id === null || title === null
      ? []
      : [{ ...row, sectionId, section, id, title, words }];
  });
  const { courseId: id, courseName: name, courseType, hue } = first;
  return {
    course: { id, name, hue: hueOfCourse({ id, hue }) },
    sections: await toSections(shown, accessOf),
    cohort,
    cohorts: courseType === 'cohort' ? all : [],
    on: cohort && dayIn(cohort.timeZone, at),
    now: at,
  };
}

type SectionOfRow = Pick<PreviewRows['rows'][number], 'sectionId' | 'releaseDays'>;

/** In which only the moment of enrolling counts. */
const anyRun: OpeningRun = {
  kind: 'open',
  startsOn: '',
  timeZone: 'UTC',
};

/** The first moment of a day where the cohort is; without a day, now. */
async function momentOf(cohort: OpeningRun, on: Day | null, now: Date): Promise<Date> {
  if (on === null) {
    return now;
  }
  const { firstInstantOf } = await import('#lib/time/instants.ts');
  return firstInstantOf(on, cohort.timeZone);
}
