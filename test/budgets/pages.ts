import {
  type Browser,
  createBrowser,
  type Reachable,
  signUpNewcomer,
  signUpPerson,
  tokenIn,
} from '../built/worker.ts';

/** Every page, and who gets to see it. */
export const pages = [
  ['/login', 'nobody'],
  ['/signup', 'nobody'],
  ['/confirm', 'nobody'],
  ['/terms', 'nobody'],
  ['/privacy', 'nobody'],
  ['/onboarding/course', 'newcomer'],
  ['/', 'instructor'],
  ['/cohorts', 'instructor'],
  ['/payments', 'instructor'],
  ['/settings', 'instructor'],
  ['/settings/billing', 'instructor'],
] as const;

export type Readers = Record<(typeof pages)[number][1], Browser> & {
  /** The address of a page, with what it cannot be shown without. */
  addressOf: (page: string) => string;
};

const email = 'ada@example.com';

/** Somebody for each page: without an account, without a course, and with three. */
export async function createReaders(built: Reachable): Promise<Readers> {
  const nobody = createBrowser(built.server, built.origin);
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
  await nobody.post('/api/accounts/auth/login/', { email });
  const token = tokenIn((await built.mailsTo(email)).at(-1));
  const addressOf = (page: string) => (page === '/confirm' ? `${page}?token=${token}` : page);
  return { nobody, newcomer, instructor, addressOf };
}
