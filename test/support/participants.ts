import { eq, isNotNull } from 'drizzle-orm';
import { courses } from '#db/schema/courses.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { courseInterests, enrollmentRequests, type enrollments } from '#db/schema/people.ts';
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

/**
 * Calls that do what their routes are for: of people without an account, and of instructors who
 * name one of them. By their routes, with the status of the answer.
 */
export const participantCalls: Record<string, Make> = {
  'GET /api/public/cohorts/{id}/ 200': async (ownerId) => ({
    ids: [(await createMember(ownerId)).cohort.slug],
  }),
  'POST /api/public/cohorts/{id}/requests/ 202': async (ownerId) => ({
    ids: [(await createMember(ownerId)).cohort.slug],
    body: { name: 'Grace Hopper', ...(await filledForm()) },
  }),
  'POST /api/public/requests/confirm/ 200': async (ownerId) => ({
    body: { token: await createRequest(ownerId) },
  }),
  'POST /api/public/courses/{id}/interests/ 202': async (ownerId) => ({
    ids: [(await createClosedCourse(ownerId)).slug],
    body: await filledForm(),
  }),
  'POST /api/public/interests/confirm/ 200': waiting,
  'POST /api/public/interests/forget/ 204': waiting,
  'PATCH /api/participation/ 200': async (ownerId) => ({
    body: { link: (await createMember(ownerId)).link, language: 'fr' },
  }),
  'POST /api/participation/accept/ 200': answering({ status: 'offered', expiresAt: expiresAt() }),
  'POST /api/participation/decline/ 200': answering({ status: 'invited', expiresAt: expiresAt() }),
  'POST /api/participation/leave/ 200': answering({}),
  'POST /api/participation/rejoin/ 200': answering({ status: 'left' }),
  'POST /api/participation/new-link/ 202': async (ownerId) => {
    const { link, person } = await createMember(ownerId);
    return { body: { link, email: person.email } };
  },
  'POST /api/participation/data-link/ 202': async (ownerId) => ({
    body: { link: (await createMember(ownerId)).link },
  }),
  'POST /api/participation/open/ 200': async (ownerId) => ({
    body: { link: await linkOf((await createLearner({}, ownerId)).person) },
  }),
  'POST /api/participation/data/ 200': holding('data'),
  'POST /api/participation/erase/ 204': holding('data'),
  'POST /api/participation/renew-link/ 204': holding('data'),
  'POST /api/participation/new-address/ 202': holding('data', () => ({ email: uniqueEmail() })),
  'POST /api/participation/confirm-address/ 200': proving,
  'POST /api/participation/remove-me/ 204': holding('remove'),
  'POST /api/participation/checkout/ 200': async (ownerId) => {
    const { link, enrollment_id } = await createDebtor(ownerId);
    return { body: { link, enrollment_id } };
  },
  'POST /api/participation/checkout/check/ 200': async (ownerId) => {
    const { link, id } = await createOpenCheckout(ownerId);
    return { body: { link, checkout_id: id } };
  },
  'POST /api/checkouts/{id}/refunds/ 202': async (ownerId) => ({
    ids: [(await createPaidCheckout(ownerId)).id],
    body: { waive_rest: true },
  }),
  'POST /api/checkouts/{id}/let-in/ 204': async (ownerId) => ({
    ids: [(await createPaidCheckout(ownerId, 'no_place')).id],
    body: {},
  }),
  'POST /api/checkouts/{id}/check/ 204': async (ownerId) => ({
    ids: [(await createPaidCheckout(ownerId)).id],
  }),
  'DELETE /api/checkouts/{id}/problem/ 204': async (ownerId) => ({
    ids: [(await createPaidCheckout(ownerId, 'overpaid')).id],
  }),
  'DELETE /api/payment-account/ 204': async (ownerId) => {
    await connectAccount(ownerId);
    return {};
  },
  'POST /api/learning/links/ 202': async (ownerId) => {
    const { course, person } = await createLearner({}, ownerId);
    return { body: { course_id: course.id, email: person.email } };
  },
  'POST /api/learning/codes/ 200': typing,
  'DELETE /api/learning/device/ 204': async (ownerId) => ({ ...(await reading(ownerId)), ids: [] }),
  'GET /api/learning/{course}/ 200': reading,
  'GET /api/learning/{course}/lessons/{id}/ 200': reading,
  'PUT /api/learning/{course}/lessons/{id}/ 200': async (ownerId) => ({
    ...(await reading(ownerId)),
    body: { opened: true, done: true },
  }),
  'GET /api/people/{id}/export/ 200': ofPerson,
  'DELETE /api/people/{id}/ 204': ofPerson,
  'POST /api/people/{id}/link/ 204': ofPerson,
  'PATCH /api/people/{id}/ 200': async (ownerId) => ({
    ...(await ofPerson(ownerId)),
    body: { name: 'Ada Byron', email: uniqueEmail() },
  }),
  'POST /api/cohorts/{id}/enrollments/{enrollment}/approve/ 200': deciding({ status: 'applied' }),
  'POST /api/cohorts/{id}/enrollments/{enrollment}/refuse/ 200': deciding({ status: 'applied' }),
  'POST /api/cohorts/{id}/enrollments/{enrollment}/withdraw/ 200': deciding({
    status: 'offered',
    expiresAt: expiresAt(),
  }),
  'GET /api/mail/unsubscribe/?u={token} 302': async (ownerId) => ({
    ids: [await unsubscribing(ownerId)],
  }),
  'POST /api/mail/unsubscribe/?u={token} 200': async (ownerId) => ({
    ids: [await unsubscribing(ownerId)],
  }),
  'POST /api/mail/subscription/ 200': async (ownerId) => ({
    body: { link: await unsubscribing(ownerId), is_on: false },
  }),
};

/** What a call is about: someone in a cohort of the owner. */
async function createMember(ownerId: string, values: Values = {}) {
  const cohort = await createComingCohort(ownerId);
  const { id, person } = await createEnrollment(cohort, values);
  return { cohort, person, link: await linkOf(person), enrollment_id: id };
}

async function linkOf(person: { id: string; linkVersion: number }): Promise<string> {
  return seen(await sealLink(contextOn(), 'person', person));
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
  return seen(await sealLink(contextOn(), 'request', link));
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

/** Someone who waits for enrollment of a course. */
async function waiting(ownerId: string): Promise<ParticipantCall> {
  const { id: courseId } = await createClosedCourse(ownerId);
  const interest = { ...askedBy(ownerId), courseId };
  await db.insert(courseInterests).values(interest);
  const token = seen(
    await sealLink(contextOn(), 'interest', { id: interest.id, expiresAt: +interest.expiresAt }),
  );
  return { body: { token } };
}

/** Someone with a link that gives access to more than their page. */
function holding(purpose: 'data' | 'remove', more: () => object = () => ({})): Make {
  return async (ownerId) => {
    const { person } = await createMember(ownerId);
    const token = seen(
      await sealLink(contextOn(), purpose, { ...person, expiresAt: +expiresAt() }),
    );
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
  const token = seen(
    await sealLink(contextOn(), 'address', { id, linkVersion, expiresAt: +expiresAt() }),
  );
  return { body: { token } };
}

/** The token that stands for someone's invitations in the links of emails. */
async function unsubscribing(ownerId: string): Promise<string> {
  const values: Values = { status: 'invited', expiresAt: expiresAt() };
  const { person } = await createMember(ownerId, values);
  return seen(await sealLink(contextOn(), 'invitation', { id: person.id }));
}

async function ofPerson(ownerId: string): Promise<ParticipantCall> {
  return { ids: [(await createMember(ownerId)).person.id] };
}

/** Someone about whom their instructor decides. */
function deciding(values: Values): Make {
  return async (ownerId) => {
    const { cohort, enrollment_id } = await createMember(ownerId, values);
    return { ids: [cohort.id, enrollment_id], body: {} };
  };
}

/** Someone who decides about their place. */
function answering(values: Values): Make {
  return async (ownerId) => {
    const { link, enrollment_id } = await createMember(ownerId, values);
    return { body: { link, enrollment_id } };
  };
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
