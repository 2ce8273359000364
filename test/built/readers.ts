import type { Reader } from '../page-list.ts';
import {
  askForAddress,
  createCohort,
  createInvited,
  createLesson,
  createMeetings,
  createParticipant,
  createVisitor,
  firstCourseOf,
  openCourse,
  type Reachable,
  signUpNewcomer,
  signUpPerson,
  tokenIn,
  type Visitor,
} from './worker.ts';

export type Readers = Record<Reader, Visitor> & {
  /** The URL of a page with the parameters it needs, in a language where it asks for one. */
  addressOf: (page: string, language?: string) => string;
  /** Of the instructor, with someone in it. */
  cohortId: string;
};

const instructorByDefault = {
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  courseName: 'Analytical Engines',
};

/** The text of a lesson of 6,000 characters, as words that differ. */
const lessonText = Array.from({ length: 1_500 }, (_, at) =>
  ((at * 7_919) % 46_656).toString(36),
).join(' ');

/** A reader for each page: without an account, without a course, with three, and enrolled. */
export async function createReaders(
  built: Reachable,
  person = instructorByDefault,
): Promise<Readers> {
  const nobody = createVisitor(built.server, built.origin);
  const newcomer = await signUpNewcomer(built, {
    email: 'alan@example.com',
    firstName: 'Alan',
    lastName: 'Turing',
  });
  const instructor = await signUpPerson(built, person);
  for (const name of ['Difference Engines', 'Looms']) {
    await instructor.post('/api/courses/', { name, course_type: 'evergreen' });
  }
  const cohort = await createCohort(instructor);
  const meetingId = await createMeetings(instructor, cohort, 2);
  await nobody.post('/api/accounts/auth/login/', { email: person.email });
  const token = tokenIn((await built.mailsTo(person.email)).at(-1));
  const mover = { email: 'mae@example.com', firstName: 'Mae', lastName: 'Jemison' };
  const moving = await signUpNewcomer(built, mover);
  const inviting = { email: 'grete@example.com', firstName: 'Joan', lastName: 'Clarke' };
  const inviter = await signUpPerson(built, { ...inviting, courseName: 'Ciphers' });
  const invited = await createInvited(built, inviter, await createCohort(inviter));
  const participant = await createParticipant(built, instructor, cohort);
  const courseId = await firstCourseOf(instructor);
  const lessonId = await createLesson(instructor, courseId, { text: lessonText });
  const learner = await openCourse(built, participant.link);
  await askForAddress(moving, 'new.mae@example.com');
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
  const addressOf = (page: string, language = 'en') => {
    const path = page
      .replace('[id]', page.startsWith('/lessons/') ? lessonId : cohort.id)
      .replace('[course]', courseId)
      .replace('[lesson]', lessonId)
      .replace('[enrollment]', participant.enrollmentId)
      .replace('[meeting]', meetingId)
      .replace('[kind]', 'enrolled')
      .replace('[slug]', cohort.slug)
      .replace('[link]', participant.link);
    const query = [
      ...(page in tokens ? [`token=${tokens[page]}`] : []),
      ...(page === '/p/unsubscribe' ? [`u=${invited.token}`] : []),
      // Otherwise, they are in the language of their person.
      ...(page.startsWith('/p/') ? [`lang=${language}`] : []),
    ];
    return [path, ...(query.length > 0 ? [query.join('&')] : [])].join('?');
  };
  return { nobody, newcomer, instructor, learner, addressOf, cohortId: cohort.id };
}
