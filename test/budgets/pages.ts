import {
  createCohort,
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
