import type { Page } from '@playwright/test';
import { stampOfForm } from '#support/form-stamp.ts';
import { readSecrets } from '../../scripts/local/settings.ts';
import { type Cohort, comingDays, makeCohort } from './cohorts.ts';
import { clientOf } from './people.ts';
import { askApi } from './support.ts';

export type Enrollment = { id: string; person_id: string; status: string };

type PersonInput = {
  name: string;
  email: string;
  as?: 'enrolled' | 'invited';
  language?: string;
  over_capacity?: boolean;
};

/** Adds someone to a cohort, by the API. */
export async function addPerson(
  page: Page,
  { id }: Pick<Cohort, 'id'>,
  person: PersonInput,
): Promise<Enrollment> {
  const input = { as: 'enrolled', ...person };
  return (await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/`, input)) as Enrollment;
}

/** A published cohort that begins in a few weeks, with these people. */
export async function cohortWith(
  page: Page,
  people: PersonInput[],
  cohort: Partial<Parameters<typeof makeCohort>[1]> = {},
): Promise<Cohort & { people: Enrollment[] }> {
  const made = await makeCohort(page, { name: 'Winter', ...comingDays, ...cohort }, 'publish');
  const added = [];
  for (const person of people) {
    added.push(await addPerson(page, made, person));
  }
  return { ...made, people: added };
}

/** Asks for a place as on the public page of a cohort, and confirms none of these requests. */
export async function requestPlaces(
  page: Page,
  { public_url: url }: Pick<Cohort, 'public_url'>,
  people: { name: string; email: string }[],
): Promise<void> {
  const path = `/api/public/cohorts/${url.split('/').at(-1)}/`;
  for (const person of people) {
    const form = { ...person, consent: true, language: 'en', stamp: oldStamp() };
    await askApi(page, 'POST', `${path}requests/`, form);
  }
}

/** The stamp of a public form that was open for a while; all servers of a run have one secret. */
export function oldStamp(): string {
  return stampOfForm(readSecrets()['APP_SECRET'] ?? '');
}

/** People who have asked for a place and confirmed it: they enroll, or wait if none is free. */
export async function enrollPeople(
  page: Page,
  cohort: Pick<Cohort, 'public_url'>,
  people: { name: string; email: string }[],
): Promise<void> {
  await requestPlaces(page, cohort, people);
  const client = await clientOf(page);
  for (const { email } of people) {
    const { text } = await client.mailTo(email, '/p/confirm');
    const [, token = ''] = /\/p\/confirm\?token=([\w.-]+)/.exec(text) ?? [];
    await askApi(page, 'POST', '/api/public/requests/confirm/', { token });
  }
}
