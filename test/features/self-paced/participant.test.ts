import { expect, test } from 'vitest';
import {
  openCertificate,
  openParticipant,
  toParticipation,
} from '#features/participant/find-participant.ts';
import { openRights } from '#features/rights/rights-holder.ts';
import { sealLink } from '#lib/signed-links.ts';
import { contextOn } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createOpenRun,
  createUser,
} from '#support/factories.ts';

const farDate = /2100|2101/;

async function createLearner(
  values: Parameters<typeof createOpenRun>[1] = {},
  place: Parameters<typeof createEnrollment>[1] = {},
) {
  const user = await createUser();
  const course = await createCourseRow(user.id, { name: 'Grammar' });
  const run = await createOpenRun(course, values);
  const { id, person } = await createEnrollment(run, place);
  return { id, course, run, person, link: await sealLink(contextOn(), 'person', person) };
}

test('what someone in a course is told of their place has no dates, and says until when they can read', async () => {
  const started = Date.now() - 60_000;
  const { link } = await createLearner(
    { accessDays: 90 },
    { statusChangedAt: new Date(started), createdAt: new Date(started) },
  );
  const found = await openParticipant(contextOn(), link);
  const [row] = found?.enrollments ?? [];
  if (row === undefined) {
    throw new Error('Nothing found.');
  }

  const days = (Number(row.accessEndsAt) - started) / (24 * 60 * 60 * 1000);
  expect(days).toBeCloseTo(90, 1);
  const told = toParticipation(contextOn(), row);
  expect(told).toMatchObject({
    kind: 'open',
    cohort_name: 'Grammar',
    starts_on: null,
    ends_on: null,
    status: 'enrolled',
    actions: ['leave'],
  });
  expect(JSON.stringify(told)).not.toMatch(farDate);
});

test('the certificate of a course says that it is of one', async () => {
  const { id, link } = await createLearner({}, { completedAt: new Date('2026-11-23T09:00:00Z') });

  const found = await openCertificate(contextOn(), link, id);
  expect(found?.place).toMatchObject({ kind: 'open', courseName: 'Grammar' });
  expect(found?.attended).toMatchObject({ sessions: 0 });
});

test('a page about someone’s data knows whether they are in courses alone', async () => {
  const { person, course } = await createLearner();
  const token = await sealLink(contextOn(), 'remove', {
    ...person,
    expiresAt: Date.now() + 60_000,
  });
  const isOnlyInRuns = async () =>
    (await openRights(contextOn(), 'remove', token))?.isOnlyInRuns ?? null;
  expect(await isOnlyInRuns()).toBe(true);

  const cohort = await createCohortRow(course);
  await createEnrollment(cohort, { personId: person.id });
  expect(await isOnlyInRuns()).toBe(false);
});
