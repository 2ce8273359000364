import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { dateFields } from '#features/cohorts/cohort-dates.ts';
import type { Cohort, DatesPreview } from '#features/cohorts/schema.ts';
import { pick } from '#lib/to-json.ts';
import type { Client } from '#support/client.ts';
import { createCourseRow, createSignedInClient, db } from '#support/factories.ts';

export const days = { starts_on: '2027-01-04', ends_on: '2027-02-12', time_zone: 'Europe/Paris' };

export const noWindow = {
  enrollment_opens_local: null,
  enrollment_closes_local: null,
  early_until_local: null,
};

/** Settings that a copy takes over. */
export const settings = {
  description: 'Six weeks.\n\nBring a pen.',
  join_mode: 'invitation',
  capacity: 20,
  waitlist: false,
  offer_hours: 72,
  minimum_people: 6,
  shows_minimum: true,
  shows_places_left: false,
  place: 'Room 4, 12 rue des Écoles',
  price_minor: 24_000,
  currency: 'EUR',
  language: 'fr',
};

export const spring = { name: 'Writing in spring', ...days };

/** An instructor with a course of cohorts, as from a page that was loaded before. */
export async function createTeacher(user: Parameters<typeof createSignedInClient>[0] = {}) {
  const teacher = await createSignedInClient(user);
  await teacher.client.get('/api/health/');
  const course = await createCourseRow(teacher.user.id, { courseType: 'cohort' });
  const path = `/api/courses/${course.id}/cohorts/`;
  return { ...teacher, send: teacher.client.send, course, path };
}

type Teacher = Pick<Awaited<ReturnType<typeof createTeacher>>, 'client' | 'path'>;

export function cohortPath(id: string, action = ''): string {
  return `/api/cohorts/${id}/${action}`;
}

/** A cohort that was made by the API. */
export async function createCohort({ client, path }: Teacher, values = {}): Promise<Cohort> {
  const { status, body } = await client.send<Cohort>('POST', path, { ...spring, ...values });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

export async function readCohort({ send }: Pick<Client, 'send'>, id: string): Promise<Cohort> {
  return (await send<Cohort>('GET', cohortPath(id))).body;
}

/** The days, times and zone of a cohort. */
export function datesOf(cohort: Cohort): DatesPreview['before'] {
  return pick(cohort, dateFields);
}

/** Moves a cohort from the dates that it has. */
export async function move(
  { client, cohort }: { client: Client; cohort: { id: string } },
  target: object,
  options = {},
) {
  const expected = datesOf(await readCohort(client, cohort.id));
  const { starts_on, ends_on, time_zone } = expected;
  const input = { starts_on, ends_on, time_zone, expected, ...target };
  return client.send<DatesPreview>('POST', cohortPath(cohort.id, 'move/'), input, options);
}

/** An instructor with a cohort, and what they do with it. */
export async function createOwn(values = {}) {
  const teacher = await createTeacher();
  const cohort = await createCohort(teacher, values);
  const { id } = cohort;
  const act = <Body = Cohort>(method: string, action = '', input?: object, options = {}) =>
    teacher.send<Body>(method, cohortPath(id, action), input, options);
  return {
    ...teacher,
    cohort,
    id,
    act,
    patch: (input: object, options = {}) => act('PATCH', '', input, options),
    post: (action: string, input?: object) => act('POST', `${action}/`, input),
    read: () => readCohort(teacher, id),
    move: (target: object, options = {}) => move({ ...teacher, cohort }, target, options),
  };
}

export async function rowOf(id: string) {
  const [row] = await db.select().from(cohorts).where(eq(cohorts.id, id));
  return row;
}

/** A refusal of some fields, with what each says. */
export function invalid(fields: Record<string, unknown>) {
  return { status: 400, body: { code: 'validation_failed', fields } };
}
