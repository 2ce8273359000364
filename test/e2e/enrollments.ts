import type { Page } from '@playwright/test';
import { stampOfForm } from '#support/form-stamp.ts';
import { readSecrets } from '../../scripts/local/settings.ts';
import { type Cohort, comingDays, makeCohort, slugOf } from './cohorts.ts';
import { languageOf, mailedPart } from './people.ts';
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
  const input = { as: 'enrolled', language: await languageOf(page), ...person };
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

/** Asks for places as on the public page of a cohort, and confirms none of these requests. */
export async function requestPlaces(
  page: Page,
  cohort: Pick<Cohort, 'public_url'>,
  people: { name: string; email: string; [field: string]: string }[],
): Promise<void> {
  const language = await languageOf(page);
  for (const person of people) {
    const form = { ...person, consent: true, language, stamp: oldStamp() };
    await askApi(page, 'POST', `/api/public/cohorts/${slugOf(cohort)}/requests/`, form);
  }
}

/** The stamp of a public form that was open for a while; all servers of a run have one secret. */
function oldStamp(): string {
  return stampOfForm(readSecrets()['APP_SECRET'] ?? '');
}

/** The same for one place; resolves to the query of the link that confirms it. */
export async function requestPlace(
  page: Page,
  cohort: Pick<Cohort, 'public_url'>,
  person: { name: string; email: string; [field: string]: string },
): Promise<string> {
  await requestPlaces(page, cohort, [person]);
  return mailedPart(page, person.email, '/p/confirm?');
}

/** The enrollment of the person with this address, in any status. */
export async function placeOf(
  page: Page,
  { id }: Pick<Cohort, 'id'>,
  email: string,
): Promise<string> {
  const list = await askApi(page, 'GET', `/api/cohorts/${id}/enrollments/`);
  const { items } = list as { items: { id: string; email: string }[] };
  return items.find((item) => item.email === email)?.id ?? '';
}

/** People who have asked for a place and confirmed it: they enroll, or wait if none is free. */
export async function enrollPeople(
  page: Page,
  cohort: Pick<Cohort, 'public_url'>,
  people: Parameters<typeof requestPlaces>[2],
): Promise<void> {
  for (const person of people) {
    const query = new URLSearchParams(await requestPlace(page, cohort, person));
    const token = query.get('token');
    await askApi(page, 'POST', '/api/public/requests/confirm/', { token });
  }
}
