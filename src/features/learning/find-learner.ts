import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context, LearnerDevice } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { accessEndsAt } from '#db/prices.ts';
import { ask, db, query } from '#db/query.ts';
import { inOrder, isShown, lessonCount, lessonsDone } from '#db/shown-lessons.ts';
import type { CourseHue } from '#db/values.ts';
import { hueOfCourse } from '#features/courses/list-courses.ts';
import { toShown } from '#features/files/file-addresses.ts';
import { filesIn, type LessonFileRow, lessonFileRows } from '#features/files/find-files.ts';
import { byKey } from '#features/files/shown-file.ts';
import {
  type OpeningRun,
  type SectionOverride,
  type SectionRule,
  sectionAccess,
} from '#features/lessons/section-access.ts';
import { type DeviceEntry, entriesOf, rememberedOf, rememberedUntil } from './device.ts';
import { lessonsOf, openLessonsOf, toSections } from './outline.ts';
import type { LearnerCourse, LearnerLesson, LearnerLessonText } from './schema.ts';

/**
 * Someone who reads lessons by the cookie of their browser: like a participant, they have no
 * session, and see what is theirs with one instructor.
 */
export type Learner = {
  id: string;
  linkVersion: number;
  name: string;
};

/** Whom a page is for. */
type Reader = {
  /** Null for a browser that is not remembered. */
  learner: Learner | null;
  /** Until when it is, if it is not used again. */
  rememberedUntil: Date;
};

/** Until when someone could read a course. */
export type EndedAccess = Pick<LearnerCourse, 'course' | 'cohort' | 'instructor' | 'person'> & {
  endedAt: Date;
  isCompleted: boolean;
};

/** A course on the page of all that a browser is remembered for. */
export type CourseOfLearner = Pick<LearnerCourse, 'course' | 'cohort' | 'instructor' | 'person'> & {
  done: number;
  of: number;
  /** Null while it can be read. */
  ended: EndedAccess | null;
};

/** All courses of the people for whom a browser is remembered, the latest cohort first. */
export async function findLearnerCourses(
  ctx: Context,
  device: LearnerDevice,
): Promise<Reader & { courses: CourseOfLearner[] }> {
  const ids = idsOf(entriesOf(ctx, device));
  const { people, places } = await ask(ctx, {
    people: peopleRows({ ids }),
    places: placeRows({ where: areOfPeople({ ids }) }),
  });
  const learners = await rememberedOf(ctx, device, people);
  const byCourse = Map.groupBy(places, ({ courseId }) => courseId);
  const read = [...byCourse.values()].flatMap((all) => placeOf(ctx, all, learners) ?? []);
  return {
    ...readerOf(ctx, learners[0]),
    courses: read
      .filter((place) => place.of > 0)
      .map((place) => ({
        ...headOf(place, learners),
        done: place.done,
        of: place.of,
        ended: endedOf(ctx, place, learners),
      }))
      .toSorted((one, other) => Number(one.ended !== null) - Number(other.ended !== null)),
  };
}

/** A course as a page shows it; null if it is open to no one whom the browser is remembered for. */
type FoundCourse = Reader & {
  course: LearnerCourse | null;
  /** Null unless they could read it before. */
  ended: EndedAccess | null;
};

/**
 * The outline of a course and how far its reader is.
 *
 * @param enrollmentId by default of the one whose link was used last
 */
export async function findLearnerCourse(
  ctx: Context,
  device: LearnerDevice,
  courseId: string,
  enrollmentId?: string,
): Promise<FoundCourse> {
  const ids = idsOf(entriesOf(ctx, device));
  const { read } = await ask(ctx, { read: courseQuery(ids, courseId) });
  const isTheirs = (place: PlaceRow) => place.enrollmentId === (enrollmentId ?? place.enrollmentId);
  return toFound(ctx, device, { ...read, places: read.places.filter(isTheirs) });
}

/** The same with one of its lessons; null if the lesson is not published there, or not open yet. */
export async function findLearnerLesson(
  ctx: Context,
  device: LearnerDevice,
  courseId: string,
  lessonId: string,
): Promise<FoundCourse & { lesson: LearnerLessonText | null }> {
  const where = isLesson({ lessonId });
  const { lessons, ...found } = await findWholeCourse(ctx, device, courseId, where);
  return { ...found, lesson: lessons[0] ?? null };
}

/** The same with all lessons that are open, to print, or those of which a condition holds. */
export async function findWholeCourse(
  ctx: Context,
  device: LearnerDevice,
  courseId: string,
  where = isAny({}),
): Promise<FoundCourse & { lessons: LearnerLessonText[] }> {
  const ids = idsOf(entriesOf(ctx, device));
  const { read, texts, files } = await ask(ctx, {
    read: courseQuery(ids, courseId),
    texts: textRows({ ids, courseId, where }),
    files: fileRows({ ids, courseId, where }),
  });
  const found = await toFound(ctx, device, read);
  return { ...found, lessons: await withFiles(ctx, textsOf(found.course, texts), files) };
}

/** The same without their files, to search in them. */
export async function findWholeText(
  ctx: Context,
  device: LearnerDevice,
  courseId: string,
): Promise<FoundCourse & { lessons: LessonWithoutFiles[] }> {
  const ids = idsOf(entriesOf(ctx, device));
  const { read, texts } = await ask(ctx, {
    read: courseQuery(ids, courseId),
    texts: textRows({ ids, courseId, where: isAny({}) }),
  });
  const found = await toFound(ctx, device, read);
  return { ...found, lessons: textsOf(found.course, texts) };
}

/** The ids of people, as statements bind them. They are not checked yet: see `rememberedOf`. */
export function idsOf(entries: DeviceEntry[]): string {
  return JSON.stringify(entries.map(({ id }) => id));
}

/** Whether enrollment `e` in cohort `c` lets its person read the lessons of the course. */
export const isReading = sql`(e.status = 'enrolled' AND c.published_at IS NOT NULL
  AND c.deleted_at IS NULL)`;

export const peopleRows = prepared(({ ids }: Given<'ids'>) =>
  db.all<Learner>(sql`SELECT p.id, p.link_version AS linkVersion, p.name
    FROM json_each(${ids}) j CROSS JOIN people p ON p.id = j.value WHERE p.erased_at IS NULL`),
);

/** Where someone reads a course. */
export type PlaceRow = OpeningRun & {
  enrollmentId: string;
  personId: string;
  /** Milliseconds since 1970. */
  completedAt: number | null;
  startedAt: number;
  /** Null without an end. */
  accessEndsAt: number | null;
  cohortId: string;
  cohortName: string;
  courseId: string;
  courseName: string;
  courseHue: CourseHue | null;
  instructor: string;
  email: string;
  /** How many of the lessons that learners see they have done, by the triggers. */
  done: number;
  of: number;
  lastLessonId: string | null;
};

/** Where people read, the cohort that starts last first. */
export const placeRows = prepared(({ where }: Given<'where'>) =>
  db.all<PlaceRow>(sql`SELECT e.id AS enrollmentId, e.person_id AS personId,
      e.completed_at AS completedAt, coalesce(g.started_at, e.status_changed_at) AS startedAt,
      c.id AS cohortId, c.name AS cohortName, c.kind, c.starts_on AS startsOn,
      c.time_zone AS timeZone, ${accessEndsAt} AS accessEndsAt, k.id AS courseId, k.name AS courseName, k.hue AS courseHue, u.first_name || ' ' || u.last_name AS instructor, u.email,
      ${lessonsDone} AS done, ${lessonCount} AS "of", g.last_lesson_id AS lastLessonId
    FROM ${where} AND ${isReading} ORDER BY c.starts_on DESC, c.id`),
);

const withCourse = sql`CROSS JOIN enrollments e ON e.person_id = j.value
  JOIN cohorts c ON c.id = e.cohort_id JOIN courses k ON k.id = c.course_id
  JOIN users u ON u.id = k.owner_id LEFT JOIN learning g ON g.enrollment_id = e.id`;

export const areOfPeople = fragment(
  ({ ids }: Given<'ids'>) => sql`json_each(${ids}) j ${withCourse} WHERE true`,
);

const areInCourse = fragment(
  ({ ids, courseId }: Given<'ids' | 'courseId'>) =>
    sql`json_each(${ids}) j ${withCourse} WHERE c.course_id = ${courseId}`,
);

/** Of the person of a code, whether or not it is right. */
export const areOfAttempt = fragment(
  ({ attemptHash }: Given<'attemptHash'>) =>
    sql`(SELECT person_id AS value FROM learner_codes WHERE attempt_hash = ${attemptHash}) j
      ${withCourse} WHERE true`,
);

/** A lesson of the outline that learners see, with the rule of its section. */
type LessonRow = SectionRule & {
  id: string;
  sectionId: string;
  section: string | null;
  title: string;
  minutes: number | null;
  words: number;
};

const lessonRows = prepared(({ courseId }: Given<'courseId'>) =>
  db.all<LessonRow>(sql`SELECT l.id, l.section_id AS sectionId, s.title AS section,
      l.published_title AS title, l.minutes, coalesce(l.published_words, 0) AS words,
      s.release_days AS releaseDays
    FROM courses k JOIN lessons l ON l.owner_id = k.owner_id AND l.course_id = k.id
      JOIN sections s ON s.id = l.section_id
    WHERE k.id = ${courseId} AND ${isShown} ORDER BY ${inOrder}`),
);

type OverrideRow = SectionOverride & { cohortId: string; sectionId: string };

/** What the cohorts of people do with sections. A live session that was canceled is as none. */
const overrideRows = prepared(({ ids, courseId }: Given<'ids' | 'courseId'>) =>
  db.all<OverrideRow>(sql`SELECT DISTINCT o.cohort_id AS cohortId, o.section_id AS sectionId, o.mode,
      o.opens_local AS opensLocal, o.opens_at AS opensAt, o.meeting_edge AS meetingEdge,
      t.starts_at AS meetingStartsAt, t.duration_minutes AS meetingMinutes
    FROM json_each(${ids}) j CROSS JOIN enrollments e ON e.person_id = j.value
      JOIN cohorts c ON c.id = e.cohort_id JOIN cohort_sections o ON o.cohort_id = c.id
      LEFT JOIN meetings t ON t.id = o.meeting_id AND t.cancelled_at IS NULL
    WHERE c.course_id = ${courseId} AND ${isReading}`),
);

type MarkRow = { enrollmentId: string; lessonId: string; doneAt: number };

const markRows = prepared(({ ids, courseId }: Given<'ids' | 'courseId'>) =>
  db.all<MarkRow>(sql`SELECT m.enrollment_id AS enrollmentId, m.lesson_id AS lessonId,
      m.done_at AS doneAt
    FROM json_each(${ids}) j CROSS JOIN enrollments e ON e.person_id = j.value
      JOIN cohorts c ON c.id = e.cohort_id JOIN lesson_marks m ON m.enrollment_id = e.id
    WHERE c.course_id = ${courseId} AND m.done_at IS NOT NULL`),
);

type TextRow = { id: string; html: string };

/** The texts of lessons, which are not even read for a cookie with ids that someone made up. */
const textRows = prepared(({ ids, courseId, where }: Given<'ids' | 'courseId' | 'where'>) =>
  db.all<TextRow>(sql`SELECT l.id, l.html FROM courses k
      JOIN lessons l ON l.owner_id = k.owner_id AND l.course_id = k.id
    WHERE k.id = ${courseId} AND ${isShown} AND ${where} AND ${hasReader(ids)}`),
);

/** The files of those lessons. */
const fileRows = prepared(({ ids, courseId, where }: Given<'ids' | 'courseId' | 'where'>) =>
  lessonFileRows(
    sql`courses k JOIN lessons l ON l.owner_id = k.owner_id AND l.course_id = k.id
      JOIN lesson_files u ON u.owner_id = l.owner_id AND u.lesson_id = l.id`,
    sql`k.id = ${courseId} AND ${isShown} AND ${where} AND ${hasReader(ids)}`,
  ),
);

/** Whether one of these people can read course `k`. */
function hasReader(ids: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${ids}) j
    CROSS JOIN enrollments e ON e.person_id = j.value
    JOIN cohorts c ON c.id = e.cohort_id WHERE c.course_id = k.id AND ${isReading})`;
}

/** By its id or, if course `k` has none with it, by what links call it. */
const isLesson = fragment(
  ({ lessonId }: Given<'lessonId'>) => sql`l.id = coalesce(
    (SELECT x.id FROM lessons x WHERE x.id = ${lessonId} AND x.course_id = k.id),
    (SELECT x.id FROM lessons x WHERE x.owner_id = k.owner_id AND x.course_id = k.id
      AND x.link_key = ${lessonId} AND x.deleted_at IS NULL ORDER BY x.id LIMIT 1))`,
);
const isAny = fragment(() => sql`true`);

type CourseRows = {
  people: Learner[];
  places: PlaceRow[];
  lessons: LessonRow[];
  overrides: OverrideRow[];
  marks: MarkRow[];
};

function courseQuery(ids: string, courseId: string) {
  return query(
    {
      people: peopleRows({ ids }),
      places: placeRows({ where: areInCourse({ ids, courseId }) }),
      lessons: lessonRows({ courseId }),
      overrides: overrideRows({ ids, courseId }),
      marks: markRows({ ids, courseId }),
    },
    (rows): CourseRows => rows,
  );
}

async function toFound(
  ctx: Context,
  device: LearnerDevice,
  { people, places, ...rows }: CourseRows,
): Promise<FoundCourse> {
  const learners = await rememberedOf(ctx, device, people);
  const place = placeOf(ctx, places, learners);
  if (place === undefined) {
    return { ...readerOf(ctx, learners[0]), course: null, ended: null };
  }
  const reader = readerOf(
    ctx,
    learners.find(({ id }) => id === place.personId),
  );
  const ended = endedOf(ctx, place, learners);
  const course = ended === null ? await toCourse(ctx, place, learners, rows) : null;
  return { ...reader, course, ended };
}

/**
 * Where a course is read: as the first of the people who have a place there, who are checked, and
 * where it can be read rather than where it no longer can.
 */
function placeOf(ctx: Context, places: PlaceRow[], people: Learner[]): PlaceRow | undefined {
  return people
    .map(({ id }) => places.filter(({ personId }) => personId === id))
    .find((theirs) => theirs.length > 0)
    ?.toSorted((one, other) => Number(isOver(ctx, one)) - Number(isOver(ctx, other)))[0];
}

function isOver({ now }: Context, { accessEndsAt: end }: PlaceRow): boolean {
  return end !== null && end <= now().getTime();
}

function endedOf(ctx: Context, place: PlaceRow, learners: Learner[]): EndedAccess | null {
  const endedAt = new Date(place.accessEndsAt ?? 0);
  return isOver(ctx, place)
    ? { ...headOf(place, learners), endedAt, isCompleted: place.completedAt !== null }
    : null;
}

async function toCourse(
  ctx: Context,
  place: PlaceRow,
  learners: Learner[],
  rows: Pick<CourseRows, 'lessons' | 'overrides' | 'marks'>,
): Promise<LearnerCourse> {
  const marks = rows.marks.filter(({ enrollmentId }) => enrollmentId === place.enrollmentId);
  const doneAt = new Map(marks.map((mark) => [mark.lessonId, mark.doneAt]));
  const overrides = rows.overrides.filter(({ cohortId }) => cohortId === place.cohortId);
  const accessOf = (row: LessonRow) => {
    const override = overrides.find(({ sectionId }) => sectionId === row.sectionId) ?? null;
    return sectionAccess(row, override, place, place, ctx.now());
  };
  const shown = await toSections(rows.lessons, accessOf, doneAt);
  const all = shown.flatMap(({ lessons }) => lessons);
  return {
    ...headOf(place, learners),
    sections: shown,
    done: all.filter((lesson) => lesson.is_done).length,
    of: all.length,
    continue_with: nextToDo(openLessonsOf(shown), place.lastLessonId),
    completed_at: isoOf(place.completedAt),
    access_ends_at: isoOf(place.accessEndsAt),
  };
}

function isoOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** The lesson that someone was last at, unless it is done: then the next one that is not. */
function nextToDo(lessons: LearnerLesson[], lastId: string | null): string | null {
  const last = lessons.findIndex(({ id }) => id === lastId);
  const isOpen = ({ is_done: isDone }: LearnerLesson) => !isDone;
  const next = lessons.slice(Math.max(0, last)).find(isOpen) ?? lessons.find(isOpen);
  return next?.id ?? null;
}

function headOf(place: PlaceRow, learners: Learner[]) {
  const { courseId: id, courseName: name, courseHue: hue } = place;
  return {
    course: { id, name, hue: hueOfCourse({ id, hue }) },
    cohort: place.kind === 'open' ? null : { id: place.cohortId, name: place.cohortName },
    instructor: { name: place.instructor, email: place.email },
    person: {
      name: learners.find(({ id: one }) => one === place.personId)?.name ?? '',
      enrollment_id: place.enrollmentId,
    },
  };
}

function readerOf(ctx: Context, learner: Learner | undefined): Reader {
  return { learner: learner ?? null, rememberedUntil: rememberedUntil(ctx) };
}

type LessonWithoutFiles = Omit<LearnerLessonText, 'files'>;

/** Those lessons that are open of which there are texts, in order. */
function textsOf(course: LearnerCourse | null, texts: TextRow[]): LessonWithoutFiles[] {
  const htmlOf = new Map(texts.map(({ id, html }) => [id, html]));
  const open = lessonsOf(course ?? { sections: [] }).filter(({ opening }) => opening === null);
  return open.flatMap(({ opening: _, ...lesson }, at) => {
    const html = htmlOf.get(lesson.id);
    return html === undefined
      ? []
      : { ...lesson, html, previous: open[at - 1]?.id ?? null, next: open[at + 1]?.id ?? null };
  });
}

/** Lessons with the files of their texts, each of which gets its address once. */
async function withFiles(
  ctx: Context,
  lessons: LessonWithoutFiles[],
  files: LessonFileRow[],
): Promise<LearnerLessonText[]> {
  const filesOf = Map.groupBy(files, ({ lessonId }) => lessonId);
  const captions = filesOf.get(null) ?? [];
  const used = lessons.map(({ id, html }) =>
    filesIn(html, [...(filesOf.get(id) ?? []), ...captions]),
  );
  const once = new Map(used.flat().map((file) => [file.key, file]));
  const shown = byKey(await toShown(ctx, [...once.values()]));
  return lessons.map((lesson, at) => ({
    ...lesson,
    files: (used[at] ?? []).flatMap(({ key }) => shown.get(key) ?? []),
  }));
}
