import { env } from 'cloudflare:workers';
import { eq, type SQL, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask, type Query } from '#db/query.ts';
import { users } from '#db/schema/users.ts';
import { standings } from '#db/values.ts';
import { findCohortSummaries } from '#features/cohorts/list-choices.ts';
import { findNextEmails } from '#features/emails/find-emails.ts';
import { findActor } from '#features/identity/find-actor.ts';
import { findCohortLearning } from '#features/learning/find-cohort-learning.ts';
import { findLearnerCourse, findLearnerCourses } from '#features/learning/find-learner.ts';
import { findOutline } from '#features/lessons/find-outline.ts';
import { findAudiences } from '#features/messages/audiences.ts';
import { listRoster } from '#features/places/find-enrollments.ts';
import { findProgress } from '#features/places/find-standings.ts';
import { findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { findActivity, findRoster } from '#features/roster/find-roster.ts';
import { findHomeRun } from '#features/self-paced/find-home-run.ts';
import { contextOn } from '#support/context.ts';
import { cohortPageReads } from '#support/drive-cohorts.ts';
import {
  browserWith,
  createCourseRow,
  createOpenRun,
  createSession,
  createUser,
  db,
} from '#support/factories.ts';
import { deviceOf } from '#support/learners.ts';
import { createLessonRow, createSectionRow } from '#support/lesson-rows.ts';
import { recordDatabase } from '#support/recorder.ts';
import { words } from '#support/words.ts';
import { enrollMany } from '../letters/reminders.ts';

/** More than any page lists of one kind of people. */
const few = 600;
const many = env.EVERY_CASE === '1' ? 20_000 : 1_200;

/** A run with a price and so many people: a fifth have left, the first by name; the rest stand in all ways. */
async function readsOf(count: number) {
  const user = await createUser();
  const token = await createSession(user.id);
  const client = browserWith(token);
  const course = await createCourseRow(user.id);
  await db.update(users).set({ selectedCourseId: course.id }).where(eq(users.id, user.id));
  const lesson = await createLessonRow(await createSectionRow(course));
  const run = await createOpenRun(course, { priceMinor: 6_000, currency: 'EUR' });
  await enrollMany(run, count);
  const now = Date.now();
  const number = sql`CAST(substr(enrollment_id, 25) AS INTEGER)`;
  await db.run(sql`UPDATE enrollments SET completed_at = ${now} WHERE cohort_id = ${run.id}
    AND CAST(substr(id, 25) AS INTEGER) % 4 = 0`);
  await db.run(sql`UPDATE learning SET last_seen_at = ${now} - ${number} * 1000
    WHERE cohort_id = ${run.id} AND ${number} % 4 <> 3`);
  await db.run(sql`UPDATE enrollments SET status = 'left', changed_by = 'person', completed_at = NULL,
      status_changed_at = ${now} WHERE cohort_id = ${run.id}
    AND CAST(substr(id, 25) AS INTEGER) <= ${count / 5}`);
  for (const [rest, standing] of [
    [1, 'stuck'],
    [3, 'not_started'],
  ]) {
    await db.run(sql`UPDATE learning SET standing = ${standing} WHERE cohort_id = ${run.id}
      AND standing IS NOT NULL AND ${number} % 4 = ${rest}`);
  }

  /** How many rows each statement of a page reads. */
  async function rowsOf(find: (ctx: ReturnType<typeof contextOn>, id: SQL, user: SQL) => unknown) {
    const { db: recorded, take } = recordDatabase(env.DB);
    const ctx = contextOn({ DB: recorded });
    const found = find(ctx, sql`${user.id}`, sql`${user.id}`) as Query<unknown>;
    await ask(ctx, { found });
    const { statements, trips } = take();
    expect(trips).toBe(1);
    return statements.map(({ rowsRead }) => rowsRead);
  }

  const { id } = run;
  const middle = `${id.slice(0, 24)}${String(count - 250).padStart(12, '0')}`;
  const pages: Record<string, Awaited<ReturnType<typeof rowsOf>>> = {
    roster: await rowsOf(findRoster(id, '')),
    enrolled: await rowsOf(findRoster(id, 'status=enrolled')),
    owing: await rowsOf(findRoster(id, 'status=owing')),
    home: await rowsOf(findHomeRun),
    courses: await rowsOf(findCohortSummaries),
    outline: await rowsOf(findOutline(null)),
    learning: await rowsOf(findCohortLearning(id)),
    person: await rowsOf(findProgress(id, middle)),
  };
  const none = { status: null, search: '' };
  for (const standing of standings) {
    pages[standing] = await rowsOf(findRoster(id, `standing=${standing}`));
    // From the list that is read, someone after whom there are 100 more.
    const [first] = await db.all<{ id: string }>(sql`SELECT enrollment_id AS id FROM learning
      WHERE cohort_id = ${id} AND standing = ${standing}
      ORDER BY quiet_at DESC, rowid DESC LIMIT 1 OFFSET 10`);
    const after = first?.id ?? null;
    pages[`${standing}, next`] = await rowsOf(listRoster(id, { ...none, standing, after }));
  }
  const { db: recorded, take } = recordDatabase(env.DB);
  const bindings = { DB: recorded };
  const ctx = contextOn(bindings);
  const shown = { enrollment: middle, lesson: lesson.id };
  const device = await deviceOf({ id: middle, linkVersion: 1 });
  const opened: Record<string, () => Promise<unknown>> = {
    ...cohortPageReads(ctx, token, id, shown),
    'public page': () => findPublicPage(ctx, run.slug),
    'courses of a learner': () => findLearnerCourses(ctx, device),
    'page of a learner': () => findLearnerCourse(ctx, device, course.id),
    'page to write to them': () => findActor(ctx, token, { counts: findAudiences(id, [middle]) }),
    activity: () => findActor(ctx, token, { activity: findActivity(id) }),
    'next emails': () => findActor(ctx, token, { emails: findNextEmails(id) }),
  };
  for (const [name, read] of Object.entries(opened)) {
    await read();
    pages[name] = take().statements.map(({ rowsRead }) => rowsRead);
  }
  for (const path of words(`
    /cohorts/${id}/ /cohorts/${id}/learning/ /cohorts/${id}/enrollments/
    /cohorts/${id}/enrollments/?status=left /cohorts/${id}/enrollments/?status=enrolled
    /cohorts/${id}/waitlist/ /cohorts/${id}/requests/ /cohorts/${id}/emails/
    /cohorts/${id}/enrollments/${middle}/ /cohorts/${id}/ledger/
    /cohorts/${id}/ledger/?show=owing /cohorts/${id}/ledger/?show=left
    /courses/ /courses/choices/ /courses/${course.id}/ /courses/${course.id}/content/
    /courses/${course.id}/payments/ /courses/${course.id}/cohorts/ /public/cohorts/${run.slug}/`)) {
    const response = await client.request('GET', `/api${path}`, undefined, { bindings });
    expect(response.status, path).toBe(200);
    pages[path.replaceAll(/[\w-]*-[\w-]{12}/g, '{id}')] = take().statements.map(
      ({ rowsRead }) => rowsRead,
    );
  }
  return { pages, client, id };
}

test(`with ${many} people in a run, its pages read as many rows as with ${few}, and its file has all of them`, async () => {
  const before = await readsOf(few);
  const after = await readsOf(many);
  const grown = Object.entries(after.pages).flatMap(([page, rows]) =>
    rows.flatMap((read, index) => {
      const earlier = before.pages[page]?.[index] ?? 0;
      // Each range of an index reads one row more if another range follows it.
      return (read ?? 0) > earlier + 10 ? [`${page}, ${index}: ${earlier} → ${read}`] : [];
    }),
  );
  expect(grown).toEqual([]);

  const file = await after.client.get(`/api/cohorts/${after.id}/roster.csv`);
  expect(file.status).toBe(200);
  expect((await file.text()).trim().split('\n')).toHaveLength(1 + many);
});
