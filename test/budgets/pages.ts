import {
  createVisitor,
  type Reachable,
  signUpNewcomer,
  signUpPerson,
  tokenIn,
  type Visitor,
} from '../built/worker.ts';
import type { Reader } from '../page-list.ts';

export type Readers = Record<Reader, Visitor> & {
  /** The URL of a page, with the parameters it needs. */
  addressOf: (page: string) => string;
};

const email = 'ada@example.com';

/** A reader for each page: without an account, without a course, and with three. */
export async function createReaders(built: Reachable): Promise<Readers> {
  const nobody = createVisitor(built.server, built.origin);
  const newcomer = await signUpNewcomer(built, {
    email: 'alan@example.com',
    firstName: 'Alan',
    lastName: 'Turing',
  });
  const instructor = await signUpPerson(built, {
    email,
    firstName: 'Ada',
    lastName: 'Lovelace',
    courseName: 'Analytical Engines',
  });
  for (const name of ['Difference Engines', 'Looms']) {
    await instructor.post('/api/courses/', { name, course_type: 'evergreen' });
  }
  const cohort = await createCohort(instructor);
  await nobody.post('/api/accounts/auth/login/', { email });
  const token = tokenIn((await built.mailsTo(email)).at(-1));
  // Another user, whose pages are not measured.
  const mover = { email: 'mae@example.com', firstName: 'Mae', lastName: 'Jemison' };
  const moving = await signUpNewcomer(built, mover);
  const { id } = (await (await moving.request('/api/accounts/auth/user/')).json()) as {
    id: string;
  };
  await moving.send('PATCH', `/api/accounts/${id}/`, { email: 'new.mae@example.com' });
  const stopToken = tokenIn((await built.mailsTo(mover.email)).at(-1));
  const tokens: Record<string, string> = { '/confirm': token, '/undo-address-change': stopToken };
  const addressOf = (page: string) =>
    page in tokens
      ? `${page}?token=${tokens[page]}`
      : page.replace('[id]', cohort.id).replace('[slug]', cohort.slug);
  return { nobody, newcomer, instructor, addressOf };
}

/** A published cohort of a course of its own, which is then not the selected one. */
async function createCohort(instructor: Visitor): Promise<{ id: string; slug: string }> {
  const courses = '/api/courses/';
  const selected = (await (await instructor.request(courses)).json()) as { id: string }[];
  const course = await instructor.post(courses, { name: 'Punched Cards', course_type: 'cohort' });
  const { id: courseId } = (await course.json()) as { id: string };
  const made = await instructor.post(`${courses}${courseId}/cohorts/`, {
    name: 'Winter',
    starts_on: '2099-01-04',
    ends_on: '2099-02-12',
    time_zone: 'Europe/Paris',
  });
  const { id, public_url: url } = (await made.json()) as { id: string; public_url: string };
  await instructor.post(`/api/cohorts/${id}/publish/`, {});
  await instructor.post(`${courses}${selected.at(-1)?.id}/select/`, {});
  return { id, slug: new URL(url).pathname.slice('/c/'.length) };
}
