import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
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
  return { ...teacher, course, path: `/api/courses/${course.id}/cohorts/` };
}

type Teacher = Awaited<ReturnType<typeof createTeacher>>;

export function cohortPath(id: string, action = ''): string {
  return `/api/cohorts/${id}/${action}`;
}

/** A cohort that was made by the API. */
export async function createCohort({ client, path }: Teacher, values = {}): Promise<Cohort> {
  const response = await client.post(path, { ...spring, ...values });
  expect(response.status, await response.clone().text()).toBe(201);
  return response.json<Cohort>();
}

export async function readCohort(client: Client, id: string): Promise<Cohort> {
  const response = await client.get(cohortPath(id));
  expect(response.status).toBe(200);
  return response.json<Cohort>();
}

export async function rowOf(id: string) {
  const [row] = await db.select().from(cohorts).where(eq(cohorts.id, id));
  return row;
}

/** What a refused request says about fields, and its code. */
export async function refusal(response: Response) {
  expect(response.status, await response.clone().text()).toBeGreaterThanOrEqual(400);
  const { code, message, fields } = await response.json<{
    code: string;
    message: string;
    fields?: Record<string, string[]>;
  }>();
  return { status: response.status, code, message, fields: fields ?? {} };
}
