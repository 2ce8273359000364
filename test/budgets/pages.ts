import {
  createCohort,
  createInvited,
  createLesson,
  createMeetings,
  createParticipant,
  createVisitor,
  openCourse,
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

/** The text of a lesson of 6,000 characters, as words that differ. */
const lessonText = Array.from({ length: 1_500 }, (_, at) =>
  ((at * 7_919) % 46_656).toString(36),
).join(' ');

/** A reader for each page: without an account, without a course, with three, and enrolled. */
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
  const meetingId = await createMeetings(instructor, cohort, 2);
  await nobody.post('/api/accounts/auth/login/', { email });
  const token = tokenIn((await built.mailsTo(email)).at(-1));
  const mover = { email: 'mae@example.com', firstName: 'Mae', lastName: 'Jemison' };
  const moving = await signUpNewcomer(built, mover);
  const inviting = { email: 'grete@example.com', firstName: 'Joan', lastName: 'Clarke' };
  const inviter = await signUpPerson(built, { ...inviting, courseName: 'Ciphers' });
  const invited = await createInvited(built, inviter, await createCohort(inviter));
  const participant = await createParticipant(built, instructor, cohort);
  const [{ id: courseId = '' } = {}] = (await (
    await instructor.request('/api/courses/')
  ).json()) as { id?: string }[];
  const lessonId = await createLesson(instructor, courseId, { text: lessonText });
  const learner = await openCourse(built, participant.link);
  const { id } = (await (await moving.request('/api/accounts/auth/user/')).json()) as {
    id: string;
  };
  await moving.send('PATCH', `/api/accounts/${id}/`, { email: 'new.mae@example.com' });
  const stopToken = tokenIn((await built.mailsTo(mover.email)).at(-1));
  const tokens: Record<string, string> = {
    '/confirm': token,
    '/undo-address-change': stopToken,
    '/p/confirm': participant.token,
    '/p/certificate': `${participant.link}&place=${participant.enrollmentId}`,
    '/p/data': participant.dataToken,
    '/p/remove': participant.removeToken,
    '/p/address': participant.addressToken,
  };
  const addressOf = (page: string) =>
    page === '/p/unsubscribe'
      ? `${page}?u=${invited.token}`
      : page in tokens
        ? `${page}?token=${tokens[page]}`
        : page
            .replace('[id]', page.startsWith('/lessons/') ? lessonId : cohort.id)
            .replace('[course]', courseId)
            .replace('[lesson]', lessonId)
            .replace('[enrollment]', participant.enrollmentId)
            .replace('[meeting]', meetingId)
            .replace('[kind]', 'enrolled')
            .replace('[slug]', cohort.slug)
            .replace('[link]', participant.link);
  return { nobody, newcomer, instructor, learner, addressOf };
}
