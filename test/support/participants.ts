import { eq, isNotNull } from 'drizzle-orm';
import { courses } from '#db/schema/courses.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { courseInterests, enrollmentRequests, type enrollments } from '#db/schema/people.ts';
import type { CheckoutProblem } from '#db/values.ts';
import { formStamp } from '#features/enrolling/form-stamp.ts';
import { learnerCodeOf, requestLearnerLink } from '#features/learning/learner-codes.ts';
import { sealLink } from '#lib/signed-links.ts';
import { contextOn } from './context.ts';
import { day } from './days.ts';
import {
  createCohortRow,
  createComingCohort,
  createCourseRow,
  createEnrollment,
  db,
  uniqueEmail,
} from './factories.ts';
import { createLearner } from './learners.ts';
import {
  connectAccount,
  createDebtor,
  createOpenCheckout,
  createPaidCheckout,
} from './payments.ts';
import { sawSecret } from './secrets.ts';

/** What is sent, and the cookie of the browser that sends it, where it matters. */
type ParticipantCall = {
  /** In place of the names in braces, from left to right. */
  ids?: (string | number)[];
  body?: unknown;
  cookie?: string;
};

type Make = (ownerId: string) => Promise<ParticipantCall>;
type Values = Partial<typeof enrollments.$inferInsert>;

const expiresAt = () => new Date(Date.now() + day);
const offered = { status: 'offered', expiresAt: expiresAt() } as const;

/** A call about what was made for it. */
function about<Made>(
  create: (ownerId: string) => Promise<Made>,
  callOf: (made: Made) => ParticipantCall | Promise<ParticipantCall>,
): Make {
  return async (ownerId) => callOf(await create(ownerId));
}

/**
 * Calls that do what their routes are for: of people without an account, and of instructors who
 * name one of them. By their routes, with the status of the answer.
 */
export const participantCalls: Record<string, Make> = {
  'GET /api/public/cohorts/{id}/ 200': about(createMember, ({ cohort: { slug } }) => ({
    ids: [slug],
  })),
  'POST /api/public/cohorts/{id}/requests/ 202': about(createMember, async ({ cohort }) => ({
    ids: [cohort.slug],
    body: { name: 'Grace Hopper', ...(await filledForm()) },
  })),
  'POST /api/public/requests/confirm/ 200': about(createRequest, (token) => ({ body: { token } })),
  'POST /api/public/courses/{id}/interests/ 202': about(createClosedCourse, async ({ slug }) => ({
    ids: [slug],
    body: await filledForm(),
  })),
  'POST /api/public/interests/confirm/ 200': about(createInterest, (token) => ({
    body: { token },
  })),
  'POST /api/public/interests/forget/ 204': about(createInterest, (token) => ({ body: { token } })),
  'PATCH /api/participation/ 200': about(createMember, ({ link }) => ({
    body: { link, language: 'fr' },
  })),
  'POST /api/participation/accept/ 200': answering(offered),
  'POST /api/participation/decline/ 200': answering({ ...offered, status: 'invited' }),
  'POST /api/participation/leave/ 200': answering({}),
  'POST /api/participation/rejoin/ 200': answering({ status: 'left' }),
  'POST /api/participation/new-link/ 202': about(createMember, ({ link, person: { email } }) => ({
    body: { link, email },
  })),
  'POST /api/participation/data-link/ 202': about(createMember, ({ link }) => ({ body: { link } })),
  'POST /api/participation/open/ 200': about(createLearnerOf, async ({ person }) => ({
    body: { link: await linkOf(person) },
  })),
  'POST /api/participation/data/ 200': holding('data'),
  'POST /api/participation/erase/ 204': holding('data'),
  'POST /api/participation/renew-link/ 204': holding('data'),
  'POST /api/participation/new-address/ 202': holding('data', () => ({ email: uniqueEmail() })),
  'POST /api/participation/confirm-address/ 200': proving,
  'POST /api/participation/remove-me/ 204': holding('remove'),
  'POST /api/participation/checkout/ 200': about(createDebtor, ({ link, enrollment_id }) => ({
    body: { link, enrollment_id },
  })),
  'POST /api/participation/checkout/check/ 200': about(createOpenCheckout, ({ link, id }) => ({
    body: { link, checkout_id: id },
  })),
  'POST /api/checkouts/{id}/refunds/ 202': paidWith(null, { waive_rest: true }),
  'POST /api/checkouts/{id}/let-in/ 204': paidWith('no_place', {}),
  'POST /api/checkouts/{id}/check/ 204': paidWith(null),
  'DELETE /api/checkouts/{id}/problem/ 204': paidWith('overpaid'),
  'DELETE /api/payment-account/ 204': about(connectAccount, () => ({})),
  'POST /api/learning/links/ 202': about(createLearnerOf, ({ course, person: { email } }) => ({
    body: { course_id: course.id, email },
  })),
  'POST /api/learning/codes/ 200': typing,
  'DELETE /api/learning/device/ 204': about(reading, ({ cookie = '' }) => ({ cookie })),
  'GET /api/learning/{course}/ 200': reading,
  'GET /api/learning/{course}/lessons/{id}/ 200': reading,
  'PUT /api/learning/{course}/lessons/{id}/ 200': about(reading, (read) => ({
    ...read,
    body: { opened: true, done: true },
  })),
  'GET /api/people/{id}/export/ 200': ofPerson,
  'DELETE /api/people/{id}/ 204': ofPerson,
  'POST /api/people/{id}/link/ 204': ofPerson,
  'PATCH /api/people/{id}/ 200': about(ofPerson, ({ ids = [] }) => ({
    ids,
    body: { name: 'Ada Byron', email: uniqueEmail() },
  })),
  'POST /api/cohorts/{id}/enrollments/{enrollment}/approve/ 200': deciding({ status: 'applied' }),
  'POST /api/cohorts/{id}/enrollments/{enrollment}/refuse/ 200': deciding({ status: 'applied' }),
  'POST /api/cohorts/{id}/enrollments/{enrollment}/withdraw/ 200': deciding(offered),
  'GET /api/mail/unsubscribe/?u={token} 302': about(unsubscribing, (token) => ({ ids: [token] })),
  'POST /api/mail/unsubscribe/?u={token} 200': about(unsubscribing, (token) => ({ ids: [token] })),
  'POST /api/mail/subscription/ 200': about(unsubscribing, (link) => ({
    body: { link, is_on: false },
  })),
};

function createLearnerOf(ownerId: string) {
  return createLearner({}, ownerId);
}

/** What a call is about: someone in a cohort of the owner. */
async function createMember(ownerId: string, values: Values = {}) {
  const cohort = await createComingCohort(ownerId);
  const { id, person } = await createEnrollment(cohort, values);
  return { cohort, person, link: await linkOf(person), enrollment_id: id };
}

function linkOf(person: { id: string; linkVersion: number }): Promise<string> {
  return seal('person', person);
}

async function seal<Kind extends Parameters<typeof sealLink>[1]>(
  kind: Kind,
  parts: Parameters<typeof sealLink<Kind>>[2],
): Promise<string> {
  return seen(await sealLink(contextOn(), kind, parts));
}

/** The secret is the last part of a token. */
function seen(token: string): string {
  sawSecret(token.split('.').at(-1) ?? '');
  return token;
}

/** What a form sends that was opened a minute ago. */
async function filledForm() {
  const then = new Date(Date.now() - 60_000);
  const stamp = await formStamp({ ...contextOn(), now: () => then });
  return { email: uniqueEmail(), consent: true, stamp: seen(stamp) };
}

/** What a row has of someone who has filled in a form. */
function askedBy(ownerId: string) {
  const email = uniqueEmail();
  return {
    ...{ id: crypto.randomUUID(), ownerId, email, emailCanonical: email, consentVersion: 1 },
    ...{ language: 'en' as const, createdAt: new Date(), expiresAt: expiresAt() },
  };
}

/** Someone who asks for a place and has not confirmed it; returns their token. */
async function createRequest(ownerId: string): Promise<string> {
  const { cohort } = await createMember(ownerId);
  const asked = { ...askedBy(ownerId), cohortId: cohort.id, name: 'Grace Hopper' };
  await db.insert(enrollmentRequests).values(asked);
  const link = { id: asked.id, expiresAt: +asked.expiresAt };
  return seal('request', link);
}

/** A course with a page, and without a cohort that takes people. */
async function createClosedCourse(ownerId: string) {
  const course = await createCourseRow(ownerId, { courseType: 'cohort' });
  const slug = `writing-${crypto.randomUUID()}`;
  await db.update(courses).set({ slug }).where(eq(courses.id, course.id));
  return { ...course, slug };
}

/** An open course that someone waits for. No one waits for any other, so every run is the same. */
export async function createWaitedFor(ownerId: string) {
  await db.delete(courseInterests).where(isNotNull(courseInterests.confirmedAt));
  const course = await createClosedCourse(ownerId);
  const interest = { ...askedBy(ownerId), courseId: course.id, confirmedAt: new Date() };
  await db.insert(courseInterests).values(interest);
  await createCohortRow(course, { publishedAt: new Date(), enrollmentOverride: 'open' });
  return course;
}

/** Someone who waits for enrollment of a course, and has not confirmed it; returns their token. */
async function createInterest(ownerId: string): Promise<string> {
  const { id: courseId } = await createClosedCourse(ownerId);
  const interest = { ...askedBy(ownerId), courseId };
  await db.insert(courseInterests).values(interest);
  const link = { id: interest.id, expiresAt: +interest.expiresAt };
  return seal('interest', link);
}

/** Someone with a link that gives access to more than their page. */
function holding(purpose: 'data' | 'remove', more: () => object = () => ({})): Make {
  return async (ownerId) => {
    const { person } = await createMember(ownerId);
    const token = await seal(purpose, { ...person, expiresAt: +expiresAt() });
    return { body: { token, ...more() } };
  };
}

/** An email to another address that someone gave as theirs, and its token. */
async function proving(ownerId: string): Promise<ParticipantCall> {
  const { person } = await createMember(ownerId);
  const [id, address, { linkVersion }] = [crypto.randomUUID(), uniqueEmail(), person];
  await db.insert(mailsDue).values({
    ...{ id, ownerId, toAddress: address, toCanonical: address, kind: 'address_proof' },
    dedupeKey: `address_proof:${person.id}:1`,
    payload: JSON.stringify({ person: { id: person.id, link_version: linkVersion } }),
    dueAt: new Date(),
    sentAt: new Date(),
  });
  const token = await seal('address', { id, linkVersion, expiresAt: +expiresAt() });
  return { body: { token } };
}

/** The token that stands for someone's invitations in the links of emails. */
async function unsubscribing(ownerId: string): Promise<string> {
  const values: Values = { status: 'invited', expiresAt: expiresAt() };
  const { person } = await createMember(ownerId, values);
  return seal('invitation', { id: person.id });
}

async function ofPerson(ownerId: string): Promise<ParticipantCall> {
  return { ids: [(await createMember(ownerId)).person.id] };
}

/** Someone about whom their instructor decides. */
function deciding(values: Values): Make {
  return about(
    (ownerId) => createMember(ownerId, values),
    ({ cohort, enrollment_id }) => ({ ids: [cohort.id, enrollment_id], body: {} }),
  );
}

/** Someone who decides about their place. */
function answering(values: Values): Make {
  return about(
    (ownerId) => createMember(ownerId, values),
    ({ link, enrollment_id }) => ({ body: { link, enrollment_id } }),
  );
}

/** Someone has paid, perhaps with a problem. */
function paidWith(problem: CheckoutProblem | null, body?: object): Make {
  return about(
    (ownerId) => createPaidCheckout(ownerId, problem),
    ({ id }) => ({ ids: [id], body }),
  );
}

/** What someone reads by the cookie of their browser. */
async function reading(ownerId: string): Promise<ParticipantCall> {
  const { course, lessons, device } = await createLearner({}, ownerId);
  return { ids: [course.id, lessons[0]], cookie: `__Host-learner=${device.cookie}` };
}

/** Someone who types the code of an email into the browser that asked for it. */
async function typing(ownerId: string): Promise<ParticipantCall> {
  const { course, person } = await createLearner({}, ownerId);
  const { email: address, emailCanonical: canonical } = person;
  const asked = { course_id: course.id, email: { address, canonical } };
  const attempt = await requestLearnerLink(contextOn(), asked);
  sawSecret(attempt);
  const [mail] = await db.select().from(mailsDue).where(eq(mailsDue.toCanonical, canonical));
  return {
    body: { code: await learnerCodeOf(contextOn(), mail?.id ?? '') },
    cookie: `__Host-learner-attempt=${attempt}`,
  };
}
