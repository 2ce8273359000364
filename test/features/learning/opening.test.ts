import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { cohorts } from '#db/schema/cohorts.ts';
import { cohortSections, sections } from '#db/schema/lessons.ts';
import { meetings } from '#db/schema/meetings.ts';
import { enrollments } from '#db/schema/people.ts';
import { users } from '#db/schema/users.ts';
import {
  findLearnerCourse,
  findLearnerCourses,
  findLearnerLesson,
  findWholeCourse,
  findWholeText,
} from '#features/learning/find-learner.ts';
import { findOwnCertificate } from '#features/learning/find-own-certificate.ts';
import {
  findCoursePreview,
  type PreviewChoice,
  toPreview,
} from '#features/learning/find-preview.ts';
import { markLesson } from '#features/learning/mark-lesson.ts';
import { contextOn, readAs } from '#support/context.ts';
import { day } from '#support/days.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createOpenRun,
  createUser,
  db,
} from '#support/factories.ts';
import { createLearner, deviceOf } from '#support/learners.ts';
import { createLessonRow, createMark, createSectionRow } from '#support/lesson-rows.ts';
import { updateRow } from '#support/rows.ts';
import { createMeeting } from '../letters/reminders.ts';

const ctx = contextOn();
const start = Date.UTC(2027, 2, 10, 15, 30);

/** The context some time after `start`. */
function after(days: number, ms = 0) {
  return { ...ctx, now: () => new Date(start + days * day + ms) };
}

/** What someone can do in a course at a moment. */
function readerOf(course: { id: string }, device: Awaited<ReturnType<typeof deviceOf>>) {
  return {
    find: (when: typeof ctx) => findLearnerCourse(when, { ...device }, course.id),
    read: async (when: typeof ctx) =>
      (await findLearnerCourse(when, { ...device }, course.id)).course,
    lesson: (when: typeof ctx, id = '') => findLearnerLesson(when, { ...device }, course.id, id),
    texts: async (when: typeof ctx) =>
      (await findWholeCourse(when, { ...device }, course.id)).lessons.map(({ html }) => html),
    mark: (when: typeof ctx, id = '') =>
      markLesson(when, { ...device }, course.id, id, { done: true }),
  };
}

/** An open run, in which someone has started, with a lesson at once, after 7 and after 14 days. */
async function createSelfPaced(ofRun: Partial<typeof cohorts.$inferInsert> = {}) {
  const course = await createCourseRow((await createUser()).id);
  const run = await createOpenRun(course, ofRun);
  const parts = await createParts(course);
  const { person, ...place } = await createEnrollment(run, { statusChangedAt: new Date(start) });
  const device = await deviceOf(person);
  return { course, ...parts, person, place, device, ...readerOf(course, device) };
}

async function createParts(course: { id: string; ownerId: string }) {
  const [sections, lessons]: [string[], string[]] = [[], []];
  for (const [no, releaseDays] of [null, 7, 14].entries()) {
    const [title, position] = [`Part ${no + 1}`, no + 1];
    const part = await createSectionRow(course, { title, position, releaseDays });
    const lesson = { title: `Lesson ${position}`, html: `<p>Text ${position}</p>` };
    sections.push(part.id);
    lessons.push((await createLessonRow(part, lesson)).id);
  }
  return { sections, lessons };
}

/** A cohort of Vancouver from January 4 to February 12, with someone in it, and the same parts. */
async function createCohort() {
  const course = await createCourseRow((await createUser()).id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, {
    publishedAt: new Date(),
    ...{ startsOn: '2027-01-04', endsOn: '2027-02-12', timeZone: 'America/Vancouver' },
    startsAt: new Date('2027-01-04T08:00:00Z'),
    endsAt: new Date('2027-02-13T08:00:00Z'),
  });
  const parts = await createParts(course);
  const statusChangedAt = new Date('2026-12-20T00:00:00Z');
  const { person, ...place } = await createEnrollment(cohort, { statusChangedAt });
  const device = await deviceOf(person);
  return { course, cohort, ...parts, place, device, ...readerOf(course, device) };
}

const at = (moment: string) => ({ ...ctx, now: () => new Date(moment) });

/** How a cohort opens a section in place of its rule; hidden unless a mode is given. */
function override(
  { id: cohortId, ownerId }: { id: string; ownerId: string },
  sectionId = '',
  values: Partial<typeof cohortSections.$inferInsert> = {},
) {
  return db
    .insert(cohortSections)
    .values({ ownerId, cohortId, sectionId, mode: 'hidden', ...values });
}

test('a section of an open run is listed with its day, and read from that moment on', async () => {
  const { course, device, read, lesson, texts, lessons: ids } = await createSelfPaced();
  const [first, second, third] = ids;
  const times = { opens_at: '2027-03-17T15:30:00.000Z', opens_local: null };
  expect(await read(after(7, -1))).toMatchObject({
    cohort: null,
    sections: [
      { title: 'Part 1', opens_at: null },
      { title: 'Part 2', ...times, lessons: [{ title: 'Lesson 2' }] },
      { opens_at: '2027-03-24T15:30:00.000Z' },
    ],
    ...{ done: 0, of: 3, continue_with: first, access_ends_at: null },
  });
  expect((await lesson(after(7, -1), second)).lesson).toBeNull();
  const found = await lesson(after(7), second);
  expect(found.lesson).toMatchObject({ number: 2, previous: first, next: null });
  expect((await lesson(after(7), third)).lesson).toBeNull();
  expect(await texts(after(6))).toEqual(['<p>Text 1</p>']);
  expect(await texts(after(14))).toHaveLength(3);
  // The same are searched.
  const { lessons: searched } = await findWholeText(after(6), { ...device }, course.id);
  expect(searched.map(({ html }) => html)).toEqual(['<p>Text 1</p>']);
});

test('no one marks a lesson before it opens, or goes on to one', async () => {
  const { mark, read, lessons: ids } = await createSelfPaced();
  await expect(mark(after(7, -1), ids[1])).rejects.toMatchObject({ code: 'not_found' });
  expect(await mark(after(6), ids[0])).toMatchObject({ done: 1, of: 3, next: null });
  expect((await read(after(6)))?.continue_with).toBeNull();
  expect(await mark(after(7), ids[1])).toMatchObject({ done: 2, of: 3 });
  expect((await read(after(14)))?.continue_with).toBe(ids[2]);
});

test('who leaves and comes back does not start again, and can read as long as someone new', async () => {
  const { place, read } = await createSelfPaced({ accessDays: 30 });
  const become = (status: 'left' | 'enrolled', days: number) =>
    updateRow(enrollments, place, { status, statusChangedAt: new Date(start + days * day) });
  await become('left', 3);
  expect(await read(after(5))).toBeNull();
  await become('enrolled', 6);
  expect(await read(after(6))).toMatchObject({
    sections: [{}, { opens_at: '2027-03-17T15:30:00.000Z' }, {}],
    access_ends_at: '2027-04-15T15:30:00.000Z',
  });
});

test('a cohort opens a section with a live session, and by its rule once that is canceled', async () => {
  const { cohort, read, sections: parts } = await createCohort();
  const session = await createMeeting(cohort, { startsAt: new Date('2027-01-06T02:00:00Z') });
  const withSession = { mode: 'meeting', meetingId: session.id, meetingEdge: 'end' } as const;
  await override(cohort, parts[1], withSession);
  const opensLocal = async () => (await read(at('2027-01-04T08:00:00Z')))?.sections[1]?.opens_local;
  expect(await opensLocal()).toBe('2027-01-05T19:30');
  await updateRow(meetings, session, { startsAt: new Date('2027-01-07T02:00:00Z') });
  expect(await opensLocal()).toBe('2027-01-06T19:30');
  await updateRow(meetings, session, { cancelledAt: new Date() });
  expect(await opensLocal()).toBe('2027-01-11');
  await updateRow(meetings, session, { cancelledAt: null });
  await db.delete(meetings).where(eq(meetings.id, session.id));
  expect(await opensLocal()).toBe('2027-01-11');
});

test('a section that a cohort hides is not there, and counts nowhere', async () => {
  const { course, cohort, device, lesson, mark, place, read, ...parts } = await createCohort();
  const [first = '', second = '', third] = parts.lessons;
  await createMark(place, { id: first });
  await createMark(place, { id: second });
  await override(cohort, parts.sections[1]);
  const now = at('2027-01-25T00:00:00Z');
  const sections = [{}, { title: 'Part 3' }];
  expect(await read(now)).toMatchObject({ done: 1, of: 2, sections });
  expect((await findLearnerCourses(now, device)).courses).toMatchObject([{ done: 1, of: 2 }]);
  expect((await lesson(now, second)).lesson).toBeNull();
  expect(await mark(now, third)).toMatchObject({ done: 2, of: 2 });
  // Another cohort of the course reads it.
  const other = await createCohortRow(course, { publishedAt: new Date() });
  const { person } = await createEnrollment(other);
  const elsewhere = await readerOf(course, await deviceOf(person)).read(now);
  expect(elsewhere).toMatchObject({ of: 3 });
});

test('after the last day of access a course says so, and nothing of it can be read', async () => {
  const { course, device, place, lessons, ...someone } = await createSelfPaced({ accessDays: 30 });
  const [first] = lessons;
  const readAt = (when: typeof ctx) => someone.lesson(when, first);
  expect(await readAt(after(30, -1))).toMatchObject({ ended: null, lesson: { id: first } });
  const endedAt = new Date(start + 30 * day);
  expect(await readAt(after(30))).toMatchObject({
    course: null,
    lesson: null,
    ended: { course: { id: course.id }, endedAt },
  });
  expect(await someone.texts(after(30))).toEqual([]);
  await expect(someone.mark(after(30), first)).rejects.toMatchObject({ code: 'not_found' });
  const { courses } = await findLearnerCourses(after(30), device);
  expect(courses).toMatchObject([{ ended: { endedAt } }]);
  // Who has left is told nothing of it.
  await updateRow(enrollments, place, { status: 'left' });
  expect(await readAt(after(30))).toMatchObject({ course: null, ended: null });
});

test('someone in two cohorts reads in the later one, or the one to which they still have access', async () => {
  const { course, cohort, device, person } = await createLearner();
  const { find } = readerOf(course, device);
  const days = { startsOn: '2099-01-05', endsOn: '2099-01-06', publishedAt: new Date() };
  const over = { endsAt: new Date(Date.now() - day), accessDays: 0 };
  const ended = await createCohortRow(course, { ...days, ...over });
  await createEnrollment(ended, { personId: person.id });
  expect(await find(ctx)).toMatchObject({ course: { cohort: { id: cohort.id } }, ended: null });

  const later = await createCohortRow(course, days);
  await createEnrollment(later, { personId: person.id });
  expect(await find(ctx)).toMatchObject({ course: { cohort: { id: later.id } } });
});

test('who has completed a course has their certificate, also after their access', async () => {
  const { course, device, place, person } = await createSelfPaced({ accessDays: 30 });
  const other = await createSelfPaced();
  const find = (of = device) => findOwnCertificate(after(40), of, course.id);
  expect(await find()).toMatchObject({ learner: { id: person.id }, certificate: null });
  const completedAt = new Date(start + 20 * day);
  await updateRow(enrollments, place, { completedAt });
  expect(await find()).toMatchObject({
    certificate: { name: person.name, completedAt, cohort: { kind: 'open' } },
  });
  expect((await find(other.device)).certificate).toBeNull();
  expect((await find({ cookie: null })).certificate).toBeNull();
});

test('a preview shows what someone sees after some days, or in a cohort on a date', async () => {
  const [selfPaced, inCohort] = [await createSelfPaced(), await createCohort()];
  type Previewed = { course: { id: string; ownerId: string } };
  const preview = async ({ course }: Previewed, choice: Partial<PreviewChoice>) => {
    await updateRow(users, { id: course.ownerId }, { selectedCourseId: course.id });
    const all = { hasDrafts: false, day: null, cohort: null, on: null, ...choice };
    const rows = await readAs(course.ownerId, findCoursePreview(all));
    const shown = await toPreview(after(0), rows, all);
    return shown?.sections.map(({ title, opens_at: opensAt }) => (opensAt === null ? title : null));
  };
  const [one, two, three] = ['Part 1', 'Part 2', 'Part 3'];
  expect(await preview(selfPaced, {})).toEqual([one, two, three]);
  expect(await preview(selfPaced, { day: 0 })).toEqual([one, null, null]);
  expect(await preview(selfPaced, { day: 6 })).toEqual([one, null, null]);
  expect(await preview(selfPaced, { day: 7 })).toEqual([one, two, null]);
  const { cohort, sections: parts } = inCohort;
  const of = { cohort: cohort.id };
  expect(await preview(inCohort, { ...of, on: '2027-01-10' })).toEqual([one, null, null]);
  expect(await preview(inCohort, { ...of, on: '2027-01-11' })).toEqual([one, two, null]);
  await override(cohort, parts[0]);
  expect(await preview(inCohort, { ...of, on: '2027-01-11' })).toEqual([two, null]);
  // A cohort of another instructor is as none.
  expect(await preview(selfPaced, of)).toEqual([one, two, three]);
  await updateRow(sections, { id: parts[2] ?? '' }, { releaseDays: 0 });
  expect(await preview(inCohort, { ...of, on: '2027-01-04' })).toEqual([null, three]);
});
