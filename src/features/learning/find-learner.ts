import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context, LearnerDevice } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { ask, db, query } from '#db/query.ts';
import type { CourseHue, Locale } from '#db/values.ts';
import { hueOfCourse } from '#features/courses/list-courses.ts';
import { readingMinutes } from '#features/lessons/reading-minutes.ts';
import { type DeviceEntry, entriesOf, rememberedOf, rememberedUntil } from './device.ts';
import type { LearnerCourse, LearnerLesson, LearnerLessonText } from './schema.ts';

/**
 * Someone who reads lessons by the cookie of their browser: like a participant, they have no
 * session, and see what is theirs with one instructor.
 */
export type Learner = {
  id: string;
  linkVersion: number;
  name: string;
  language: Locale;
};

/** Whom a page is for. */
type Reader = {
  /** Null for a browser that is not remembered. */
  learner: Learner | null;
  /** Until when it is, if it is not used again. */
  rememberedUntil: Date;
};

/** A course on the page of all that a browser is remembered for. */
export type CourseOfLearner = Pick<LearnerCourse, 'course' | 'cohort' | 'instructor' | 'person'> & {
  done: number;
  of: number;
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
  const first = new Map<string, PlaceRow>();
  for (const place of ofPeople(places, learners)) {
    if (place.of > 0 && !first.has(place.courseId)) {
      first.set(place.courseId, place);
    }
  }
  return {
    ...readerOf(ctx, learners[0]),
    courses: [...first.values()].map((place) => ({
      ...headOf(place, learners),
      done: place.done,
      of: place.of,
    })),
  };
}

/** A course as a page shows it; null if it is not open to anyone for whom the browser is remembered. */
type FoundCourse = Reader & {
  course: LearnerCourse | null;
  /** Where they read it; empty if it is not open. */
  enrollmentId: string;
};

/** The outline of a course and how far its reader is. */
export async function findLearnerCourse(
  ctx: Context,
  device: LearnerDevice,
  courseId: string,
): Promise<FoundCourse> {
  const ids = idsOf(entriesOf(ctx, device));
  const rows = await ask(ctx, { read: courseQuery(ids, courseId) });
  return toFound(ctx, device, rows.read);
}

/** The same with one of its lessons; null if the lesson is not published there. */
export async function findLearnerLesson(
  ctx: Context,
  device: LearnerDevice,
  courseId: string,
  lessonId: string,
): Promise<FoundCourse & { lesson: LearnerLessonText | null }> {
  const ids = idsOf(entriesOf(ctx, device));
  const { read, texts } = await ask(ctx, {
    read: courseQuery(ids, courseId),
    texts: textRows({ ids, courseId, where: isLesson({ lessonId }) }),
  });
  const found = await toFound(ctx, device, read);
  const lesson = textsOf(found.course, texts).find(({ id }) => id === lessonId);
  return { ...found, lesson: lesson ?? null };
}

/** The same with all lessons, to print. */
export async function findWholeCourse(
  ctx: Context,
  device: LearnerDevice,
  courseId: string,
): Promise<FoundCourse & { lessons: LearnerLessonText[] }> {
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

/** Whether learners see lesson `l`. */
export const isShown = sql`(l.published_at IS NOT NULL AND l.deleted_at IS NULL)`;

/** How many lessons of course `k` learners see. */
export const lessonCount = sql`(SELECT count(*) FROM lessons l
  WHERE l.owner_id = k.owner_id AND l.course_id = k.id AND ${isShown})`;

/** How many of them the person of enrollment `e` has done. */
export const lessonsDone = sql`coalesce((SELECT g.done FROM learning g
  WHERE g.enrollment_id = e.id), 0)`;

export const peopleRows = prepared(({ ids }: Given<'ids'>) =>
  db.all<Learner>(sql`SELECT p.id, p.link_version AS linkVersion, p.name, p.language
    FROM json_each(${ids}) j CROSS JOIN people p ON p.id = j.value WHERE p.erased_at IS NULL`),
);

/** Where someone reads a course. */
export type PlaceRow = {
  enrollmentId: string;
  personId: string;
  /** Milliseconds since 1970. */
  completedAt: number | null;
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
      e.completed_at AS completedAt, c.id AS cohortId, c.name AS cohortName,
      k.id AS courseId, k.name AS courseName, k.hue AS courseHue,
      u.first_name || ' ' || u.last_name AS instructor, u.email,
      coalesce(g.done, 0) AS done, ${lessonCount} AS "of", g.last_lesson_id AS lastLessonId
    FROM ${where} AND ${isReading} ORDER BY c.starts_on DESC, c.id`),
);

const withCourse = sql`CROSS JOIN enrollments e ON e.person_id = j.value
  JOIN cohorts c ON c.id = e.cohort_id JOIN courses k ON k.id = c.course_id
  JOIN users u ON u.id = k.owner_id LEFT JOIN learning g ON g.enrollment_id = e.id`;

export const areOfPeople = fragment(
  ({ ids }: Given<'ids'>) => sql`json_each(${ids}) j ${withCourse} WHERE true`,
);

export const areInCourse = fragment(
  ({ ids, courseId }: Given<'ids' | 'courseId'>) =>
    sql`json_each(${ids}) j ${withCourse} WHERE c.course_id = ${courseId}`,
);

/** Of the person of a code, whether or not it is right. */
export const areOfAttempt = fragment(
  ({ attemptHash }: Given<'attemptHash'>) =>
    sql`(SELECT person_id AS value FROM learner_codes WHERE attempt_hash = ${attemptHash}) j
      ${withCourse} WHERE true`,
);

/** A lesson of the outline that learners see. */
type LessonRow = {
  id: string;
  sectionId: string;
  section: string | null;
  sectionPosition: number;
  position: number;
  title: string;
  minutes: number | null;
  words: number;
};

const lessonRows = prepared(({ courseId }: Given<'courseId'>) =>
  db.all<LessonRow>(sql`SELECT l.id, l.section_id AS sectionId, s.title AS section,
      s.position AS sectionPosition, l.position, l.published_title AS title, l.minutes,
      coalesce(l.published_words, 0) AS words
    FROM courses k JOIN lessons l ON l.owner_id = k.owner_id AND l.course_id = k.id
      JOIN sections s ON s.id = l.section_id
    WHERE k.id = ${courseId} AND ${isShown}`),
);

/** Sorted here, because no index has the order. */
function inOrder(rows: LessonRow[]): LessonRow[] {
  return rows.toSorted(
    (one, other) =>
      one.sectionPosition - other.sectionPosition ||
      one.sectionId.localeCompare(other.sectionId) ||
      one.position - other.position ||
      one.id.localeCompare(other.id),
  );
}

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
    WHERE k.id = ${courseId} AND ${isShown} AND ${where}
      AND EXISTS (SELECT 1 FROM json_each(${ids}) j CROSS JOIN enrollments e ON e.person_id = j.value
        JOIN cohorts c ON c.id = e.cohort_id WHERE c.course_id = k.id AND ${isReading})`),
);

const isLesson = fragment(({ lessonId }: Given<'lessonId'>) => sql`l.id = ${lessonId}`);
const isAny = fragment(() => sql`true`);

type CourseRows = {
  people: Learner[];
  places: PlaceRow[];
  lessons: LessonRow[];
  marks: MarkRow[];
};

function courseQuery(ids: string, courseId: string) {
  return query(
    {
      people: peopleRows({ ids }),
      places: placeRows({ where: areInCourse({ ids, courseId }) }),
      lessons: lessonRows({ courseId }),
      marks: markRows({ ids, courseId }),
    },
    (rows): CourseRows => rows,
  );
}

async function toFound(
  ctx: Context,
  device: LearnerDevice,
  { people, places, lessons, marks }: CourseRows,
): Promise<FoundCourse> {
  const learners = await rememberedOf(ctx, device, people);
  const [place] = ofPeople(places, learners);
  if (place === undefined) {
    return { ...readerOf(ctx, learners[0]), course: null, enrollmentId: '' };
  }
  const learner = learners.find(({ id }) => id === place.personId);
  return {
    ...readerOf(ctx, learner),
    course: toCourse(place, learners, lessons, marks),
    enrollmentId: place.enrollmentId,
  };
}

function toCourse(
  place: PlaceRow,
  learners: Learner[],
  rows: LessonRow[],
  marks: MarkRow[],
): LearnerCourse {
  const own = marks.filter(({ enrollmentId }) => enrollmentId === place.enrollmentId);
  const doneAt = new Map(own.map((mark) => [mark.lessonId, mark.doneAt]));
  const lessons = inOrder(rows).map((row) => ({ row, lesson: toLesson(row, doneAt.get(row.id)) }));
  const sections = new Map<string, LearnerCourse['sections'][number]>();
  for (const { row, lesson } of lessons) {
    const { sectionId: id, section: title } = row;
    const section = sections.get(id) ?? { id, title, lessons: [] };
    section.lessons.push(lesson);
    sections.set(id, section);
  }
  const all = lessons.map(({ lesson }) => lesson);
  return {
    ...headOf(place, learners),
    sections: [...sections.values()],
    done: all.filter((lesson) => lesson.is_done).length,
    of: all.length,
    continue_with: nextToDo(all, place.lastLessonId),
    completed_at: place.completedAt === null ? null : new Date(place.completedAt).toISOString(),
  };
}

function toLesson({ id, title, minutes, words }: LessonRow, doneAt?: number): LearnerLesson {
  return {
    id,
    title,
    minutes: readingMinutes({ minutes, words }),
    is_done: doneAt !== undefined,
    done_at: doneAt === undefined ? null : new Date(doneAt).toISOString(),
  };
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
    cohort: { id: place.cohortId, name: place.cohortName },
    instructor: { name: place.instructor, email: place.email },
    person: { name: learners.find(({ id: one }) => one === place.personId)?.name ?? '' },
  };
}

/** Only the places of people who were checked. */
export function ofPeople(places: PlaceRow[], people: Learner[]): PlaceRow[] {
  return places.filter(({ personId }) => people.some(({ id }) => id === personId));
}

function readerOf(ctx: Context, learner: Learner | undefined): Reader {
  return { learner: learner ?? null, rememberedUntil: rememberedUntil(ctx) };
}

/** The lessons with their texts, in order. */
function textsOf(course: LearnerCourse | null, texts: TextRow[]): LearnerLessonText[] {
  const lessons = (course?.sections ?? []).flatMap(({ title, lessons: those }) =>
    those.map((lesson) => ({ ...lesson, section: title })),
  );
  return lessons.flatMap((lesson, at) => {
    const text = texts.find(({ id }) => id === lesson.id);
    return text === undefined
      ? []
      : {
          ...lesson,
          number: at + 1,
          html: text.html,
          previous: lessons[at - 1]?.id ?? null,
          next: lessons[at + 1]?.id ?? null,
        };
  });
}
