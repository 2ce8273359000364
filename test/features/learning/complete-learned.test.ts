import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { cohortSections } from '#db/schema/lessons.ts';
import { enrollments } from '#db/schema/people.ts';
import { findRoster } from '#features/roster/find-roster.ts';
import { contextOn } from '#support/context.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { createLessonRow, createMark, createSectionRow, draft } from '#support/lesson-rows.ts';
import { updateRow } from '#support/rows.ts';
import { drainByClock } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { day, start } from '../places/storm.ts';
import { createOwner, enrollmentRow, refused, setTime } from '../places/support.ts';

const fresh = startFresh();
const past = { startsAt: new Date(start - 60 * day), endsAt: new Date(start - day) };

/**
 * A cohort that has ended, with two lessons that count and one that it hides: Ada has done both,
 * Bea one and the hidden one, Cleo has done both and left.
 */
async function createEnded(values: Parameters<typeof createOwner>[0] = {}) {
  const owner = await createOwner({ ...past, ...values });
  const { cohort, course, user } = owner;
  const section = await createSectionRow(course);
  const extra = await createSectionRow(course, { position: 2 });
  const lessons = [
    await createLessonRow(section),
    await createLessonRow(section, { position: 2 }),
    await createLessonRow(extra),
  ] as const;
  await createLessonRow(section, { ...draft, position: 3 });
  await db.insert(cohortSections).values({
    ownerId: user.id,
    cohortId: cohort.id,
    sectionId: extra.id,
    mode: 'hidden',
  });
  const [ada, bea, cleo] = [
    await createEnrollment(cohort, {}, { name: 'Ada Lovelace' }),
    await createEnrollment(cohort),
    await createEnrollment(cohort),
  ];
  const [first, second, hidden] = lessons;
  for (const [person, ...done] of [
    [ada, first, second],
    [bea, first, hidden],
    [cleo, first, second],
  ] as const) {
    await createMark(person, done[0]);
    await createMark(person, done[1]);
  }
  await updateRow(enrollments, cleo, { status: 'left' });
  return { ...owner, lessons, ada, bea, cleo };
}

test('everyone who has done every lesson is completed at once, and gets one email about the certificate', async () => {
  const { post, ada, bea, cleo } = await createEnded();
  expect(await post('learning/completions/', {})).toEqual({ status: 200, body: { completed: 1 } });
  expect((await enrollmentRow(ada.id))?.completedAt).toEqual(new Date(start));
  for (const { id } of [bea, cleo]) {
    expect((await enrollmentRow(id))?.completedAt).toBeNull();
  }
  // Again, it completes no one and changes no date.
  setTime(start + 60_000);
  expect((await post('learning/completions/', {})).body).toEqual({ completed: 0 });
  expect((await enrollmentRow(ada.id))?.completedAt).toEqual(new Date(start));

  for (let minute = 0; minute <= 60; minute += 10) {
    setTime(Date.now() + 10 * 60_000);
    await drainByClock();
  }
  expect(fresh.resend.accepted.map(({ to }) => to)).toEqual([ada.person.email]);
});

test('without lessons, no one has done them all', async () => {
  const { post, cohort } = await createOwner(past);
  await createEnrollment(cohort);
  expect((await post('learning/completions/', { before_end: true })).body).toEqual({
    completed: 0,
  });
});

test('before the end they are completed only if that is wanted', async () => {
  const { ada, post } = await createEnded({ endsAt: new Date(start + day) });
  expect(await post('learning/completions/', {})).toMatchObject(refused('cohort_not_over'));
  expect((await enrollmentRow(ada.id))?.completedAt).toBeNull();
  const early = await post('learning/completions/', { before_end: true });
  expect(early.body).toEqual({ completed: 1 });
});

test('once a cohort is over, its roster says how many have done every lesson, until all are marked', async () => {
  const { post, cohort, bea, lessons } = await createEnded();
  expect(await learnedOf(cohort)).toEqual({ people: 1, unmarked: 1 });
  await post('learning/completions/', {});
  expect(await learnedOf(cohort)).toEqual({ people: 1, unmarked: 0 });
  await createMark(bea, lessons[1]);
  expect(await learnedOf(cohort)).toEqual({ people: 2, unmarked: 1 });

  const running = await createEnded({ endsAt: new Date(start + day) });
  expect((await learnedOf(running.cohort)).unmarked).toBe(0);
  expect(await learnedOf({ ...cohort, ownerId: running.user.id })).toMatchObject({ people: 0 });
});

async function learnedOf({ id, ownerId }: { id: string; ownerId: string }) {
  const ctx = contextOn();
  const { roster } = await ask(ctx, { roster: findRoster(id, '')(ctx, sql`${ownerId}`) });
  return roster.learned;
}
