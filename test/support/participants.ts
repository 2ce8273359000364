import { eq, isNotNull } from 'drizzle-orm';
import { courses } from '#db/schema/courses.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import type { enrollments } from '#db/schema/people.ts';
import { courseInterests, enrollmentRequests } from '#db/schema/people.ts';
import { formStamp } from '#features/enrolling/form-stamp.ts';
import { learnerCodeOf, requestLearnerLink } from '#features/learning/learner-codes.ts';
import { sealLink } from '#lib/signed-links.ts';
import { contextOn } from './context.ts';
import {
  createCohortRow,
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

const day = 24 * 60 * 60 * 1000;

/** A call, and the status of its answer if the path does not determine it. */
type Call = {
  address: string;
  body: unknown;
  status?: number;
  /** The cookie of the browser that sends it, where it matters. */
  cookie?: string;
};

/** What a call is about: someone in a cohort of the owner. */
async function createMember(ownerId: string, values: Partial<typeof enrollments.$inferInsert>) {
  const course = await createCourseRow(ownerId, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, {
    publishedAt: new Date(Date.now() - day),
    startsAt: new Date(Date.now() + 30 * day),
    endsAt: new Date(Date.now() + 60 * day),
  });
  const { id, person } = await createEnrollment(cohort, values);
  const link = await sealLink(contextOn(), 'person', person);
  sawSecret(link.split('.')[1] ?? '');
  return { cohort, person, link, enrollment_id: id };
}

const expiresAt = () => new Date(Date.now() + day);

/** The calls of people without an account, and those that name one of them, by their routes. */
const calls: Record<string, (ownerId: string) => Promise<Call>> = {
  'GET /api/public/cohorts/{id}/': async (ownerId) => {
    const { cohort } = await createMember(ownerId, {});
    return { address: `/api/public/cohorts/${cohort.slug}/`, body: undefined };
  },
  'POST /api/public/cohorts/{id}/requests/': async (ownerId) => {
    const { cohort } = await createMember(ownerId, {});
    const then = new Date(Date.now() - 60_000);
    const stamp = await formStamp({ ...contextOn(), now: () => then });
    sawSecret(stamp.split('.')[1] ?? '');
    return {
      address: `/api/public/cohorts/${cohort.slug}/requests/`,
      body: { name: 'Grace Hopper', email: uniqueEmail(), consent: true, stamp },
    };
  },
  'POST /api/public/requests/confirm/': async (ownerId) => {
    const { cohort } = await createMember(ownerId, {});
    const [id, email, expires] = [crypto.randomUUID(), uniqueEmail(), expiresAt()];
    await db.insert(enrollmentRequests).values({
      id,
      ownerId,
      cohortId: cohort.id,
      email,
      emailCanonical: email,
      name: 'Grace Hopper',
      language: 'en',
      consentVersion: 1,
      createdAt: new Date(),
      expiresAt: expires,
    });
    const token = await sealLink(contextOn(), 'request', { id, expiresAt: expires.getTime() });
    return { address: '/api/public/requests/confirm/', body: { token } };
  },
  'POST /api/public/courses/{id}/interests/': async (ownerId) => {
    const { slug } = await createClosedCourse(ownerId);
    const then = new Date(Date.now() - 60_000);
    const stamp = await formStamp({ ...contextOn(), now: () => then });
    sawSecret(stamp.split('.')[1] ?? '');
    return {
      address: `/api/public/courses/${slug}/interests/`,
      body: { email: uniqueEmail(), consent: true, stamp },
    };
  },
  'POST /api/public/interests/confirm/': (ownerId) => answering(ownerId, 'confirm'),
  'POST /api/public/interests/forget/': (ownerId) => answering(ownerId, 'forget'),
  'POST /api/participation/checkout/': async (ownerId) => {
    const { link, enrollment_id } = await createDebtor(ownerId);
    return { address: '/api/participation/checkout/', body: { link, enrollment_id } };
  },
  'POST /api/participation/checkout/check/': async (ownerId) => {
    const { link, id } = await createOpenCheckout(ownerId);
    const body = { link, checkout_id: id };
    return { address: '/api/participation/checkout/check/', body };
  },
  'POST /api/checkouts/{id}/refunds/': async (ownerId) => {
    const { id } = await createPaidCheckout(ownerId);
    return { address: `/api/checkouts/${id}/refunds/`, body: { waive_rest: true }, status: 202 };
  },
  'POST /api/checkouts/{id}/let-in/': async (ownerId) => {
    const { id } = await createPaidCheckout(ownerId, 'no_place');
    return { address: `/api/checkouts/${id}/let-in/`, body: {}, status: 204 };
  },
  'POST /api/checkouts/{id}/check/': async (ownerId) => {
    const { id } = await createPaidCheckout(ownerId);
    return { address: `/api/checkouts/${id}/check/`, body: undefined, status: 204 };
  },
  'DELETE /api/payment-account/': async (ownerId) => {
    await connectAccount(ownerId);
    return { address: '/api/payment-account/', body: undefined };
  },
  'DELETE /api/checkouts/{id}/problem/': async (ownerId) => {
    const { id } = await createPaidCheckout(ownerId, 'overpaid');
    return { address: `/api/checkouts/${id}/problem/`, body: undefined };
  },
  'PATCH /api/participation/': async (ownerId) => {
    const { link } = await createMember(ownerId, {});
    return { address: '/api/participation/', body: { link, language: 'fr' } };
  },
  'POST /api/participation/accept/': (ownerId) =>
    acting(ownerId, 'accept', { status: 'offered', expiresAt: expiresAt() }),
  'POST /api/participation/decline/': (ownerId) =>
    acting(ownerId, 'decline', { status: 'invited', expiresAt: expiresAt() }),
  'POST /api/participation/leave/': (ownerId) => acting(ownerId, 'leave', {}),
  'POST /api/participation/rejoin/': (ownerId) => acting(ownerId, 'rejoin', { status: 'left' }),
  'POST /api/participation/new-link/': async (ownerId) => {
    const { link, person } = await createMember(ownerId, {});
    return { address: '/api/participation/new-link/', body: { link, email: person.email } };
  },
  'POST /api/participation/data-link/': async (ownerId) => {
    const { link } = await createMember(ownerId, {});
    return { address: '/api/participation/data-link/', body: { link } };
  },
  'POST /api/participation/open/': async (ownerId) => {
    const { person } = await createLearner({}, ownerId);
    const link = await sealLink(contextOn(), 'person', person);
    sawSecret(link.split('.')[1] ?? '');
    return { address: '/api/participation/open/', body: { link } };
  },
  'POST /api/learning/links/': async (ownerId) => {
    const { course, person } = await createLearner({}, ownerId);
    return {
      address: '/api/learning/links/',
      body: { course_id: course.id, email: person.email },
    };
  },
  'POST /api/learning/codes/': async (ownerId) => {
    const { course, person } = await createLearner({}, ownerId);
    const { email, emailCanonical } = person;
    const attempt = await requestLearnerLink(contextOn(), {
      course_id: course.id,
      email: { address: email, canonical: emailCanonical },
    });
    sawSecret(attempt);
    const [mail] = await db.select().from(mailsDue).where(eq(mailsDue.toCanonical, emailCanonical));
    return {
      address: '/api/learning/codes/',
      body: { code: await learnerCodeOf(contextOn(), mail?.id ?? '') },
      cookie: `__Host-learner-attempt=${attempt}`,
    };
  },
  'DELETE /api/learning/device/': async (ownerId) => ({
    ...(await reading(ownerId)),
    address: '/api/learning/device/',
    status: 204,
  }),
  'GET /api/learning/{course}/': (ownerId) => reading(ownerId),
  'GET /api/learning/{course}/lessons/{id}/': (ownerId) => reading(ownerId, 'lesson'),
  'PUT /api/learning/{course}/lessons/{id}/': async (ownerId) => ({
    ...(await reading(ownerId, 'lesson')),
    body: { opened: true, done: true },
  }),
  'POST /api/participation/data/': (ownerId) => holding(ownerId, 'data', 'data'),
  'POST /api/participation/erase/': (ownerId) => holding(ownerId, 'data', 'erase'),
  'POST /api/participation/renew-link/': (ownerId) => holding(ownerId, 'data', 'renew-link'),
  'POST /api/participation/new-address/': (ownerId) =>
    holding(ownerId, 'data', 'new-address', { email: uniqueEmail() }),
  'POST /api/participation/confirm-address/': proving,
  'POST /api/participation/remove-me/': (ownerId) => holding(ownerId, 'remove', 'remove-me'),
  'GET /api/people/{id}/export/': async (ownerId) => {
    const { person } = await createMember(ownerId, {});
    return { address: `/api/people/${person.id}/export/`, body: undefined };
  },
  'DELETE /api/people/{id}/': async (ownerId) => {
    const { person } = await createMember(ownerId, {});
    return { address: `/api/people/${person.id}/`, body: undefined };
  },
  'POST /api/cohorts/{id}/enrollments/{enrollment}/approve/': (ownerId) =>
    deciding(ownerId, 'approve'),
  'POST /api/cohorts/{id}/enrollments/{enrollment}/refuse/': (ownerId) =>
    deciding(ownerId, 'refuse'),
  'POST /api/cohorts/{id}/enrollments/{enrollment}/withdraw/': (ownerId) =>
    deciding(ownerId, 'withdraw', { status: 'offered', expiresAt: expiresAt() }),
  'GET /api/mail/unsubscribe/': async (ownerId) => ({
    address: `/api/mail/unsubscribe/?u=${await unsubscribing(ownerId)}`,
    body: undefined,
    status: 302,
  }),
  'POST /api/mail/unsubscribe/': async (ownerId) => ({
    address: `/api/mail/unsubscribe/?u=${await unsubscribing(ownerId)}`,
    body: undefined,
  }),
  'POST /api/mail/subscription/': async (ownerId) => ({
    address: '/api/mail/subscription/',
    body: { link: await unsubscribing(ownerId), is_on: false },
  }),
  'PATCH /api/people/{id}/': async (ownerId) => {
    const { person } = await createMember(ownerId, {});
    return {
      address: `/api/people/${person.id}/`,
      body: { name: 'Ada Byron', email: uniqueEmail() },
    };
  },
  'POST /api/people/{id}/link/': async (ownerId) => {
    const { person } = await createMember(ownerId, {});
    return { address: `/api/people/${person.id}/link/`, body: undefined };
  },
};

/** A course with a page, and without a cohort that takes people. */
async function createClosedCourse(ownerId: string) {
  const course = await createCourseRow(ownerId, { courseType: 'cohort' });
  const slug = `writing-${crypto.randomUUID()}`;
  await db.update(courses).set({ slug }).where(eq(courses.id, course.id));
  return { ...course, slug };
}

/** Someone who waits for enrollment of a course. */
async function createInterest(
  course: { id: string; ownerId: string },
  values: Partial<typeof courseInterests.$inferInsert> = {},
) {
  const [email, expires] = [uniqueEmail(), expiresAt()];
  const interest = {
    id: crypto.randomUUID(),
    ownerId: course.ownerId,
    courseId: course.id,
    email,
    emailCanonical: email,
    language: 'en' as const,
    consentVersion: 1,
    createdAt: new Date(),
    expiresAt: expires,
    ...values,
  };
  await db.insert(courseInterests).values(interest);
  const link = { id: interest.id, expiresAt: +expires };
  const token = await sealLink(contextOn(), 'interest', link);
  sawSecret(token.split('.')[2] ?? '');
  return { ...interest, token };
}

/** An open course that someone waits for. No one waits for any other, so every run is the same. */
export async function createWaitedFor(ownerId: string) {
  await db.delete(courseInterests).where(isNotNull(courseInterests.confirmedAt));
  const course = await createClosedCourse(ownerId);
  await createInterest(course, { confirmedAt: new Date() });
  await createCohortRow(course, { publishedAt: new Date(), enrollmentOverride: 'open' });
  return course;
}

async function answering(ownerId: string, what: 'confirm' | 'forget'): Promise<Call> {
  const { token } = await createInterest(await createClosedCourse(ownerId));
  return { address: `/api/public/interests/${what}/`, body: { token } };
}

/** Someone with a link that gives access to more than their page. */
async function holding(
  ownerId: string,
  purpose: 'data' | 'remove',
  path: string,
  more: object = {},
): Promise<Call> {
  const { person } = await createMember(ownerId, {});
  const token = await sealLink(contextOn(), purpose, {
    ...person,
    expiresAt: expiresAt().getTime(),
  });
  sawSecret(token.split('.')[2] ?? '');
  return { address: `/api/participation/${path}/`, body: { token, ...more } };
}

/** An email to another address that someone gave as theirs, and its token. */
async function proving(ownerId: string): Promise<Call> {
  const { person } = await createMember(ownerId, {});
  const [id, address] = [crypto.randomUUID(), uniqueEmail()];
  await db.insert(mailsDue).values({
    id,
    dedupeKey: `address_proof:${person.id}:1`,
    ownerId,
    toAddress: address,
    toCanonical: address,
    kind: 'address_proof',
    payload: JSON.stringify({ person: { id: person.id, link_version: person.linkVersion } }),
    dueAt: new Date(),
    sentAt: new Date(),
  });
  const token = await sealLink(contextOn(), 'address', {
    id,
    linkVersion: person.linkVersion,
    expiresAt: expiresAt().getTime(),
  });
  sawSecret(token.split('.')[2] ?? '');
  return { address: '/api/participation/confirm-address/', body: { token } };
}

/** The token that stands for someone's invitations in the links of emails. */
async function unsubscribing(ownerId: string): Promise<string> {
  const { person } = await createMember(ownerId, { status: 'invited', expiresAt: expiresAt() });
  const token = await sealLink(contextOn(), 'invitation', { id: person.id });
  sawSecret(token.split('.')[2] ?? '');
  return token;
}

/** Someone who asks for a place, about whom their instructor decides. */
async function deciding(
  ownerId: string,
  what: 'approve' | 'refuse' | 'withdraw',
  values: Partial<typeof enrollments.$inferInsert> = { status: 'applied' },
): Promise<Call> {
  const { cohort, enrollment_id } = await createMember(ownerId, values);
  return { address: `/api/cohorts/${cohort.id}/enrollments/${enrollment_id}/${what}/`, body: {} };
}

/** What someone reads by the cookie of their browser. */
async function reading(ownerId: string, what?: 'lesson'): Promise<Call> {
  const { course, lessons, device } = await createLearner({}, ownerId);
  const address = `/api/learning/${course.id}/`;
  return {
    address: what === undefined ? address : `${address}lessons/${lessons[0]}/`,
    body: undefined,
    cookie: `__Host-learner=${device.cookie}`,
  };
}

async function acting(
  ownerId: string,
  action: string,
  values: Partial<typeof enrollments.$inferInsert>,
): Promise<Call> {
  const { link, enrollment_id } = await createMember(ownerId, values);
  return { address: `/api/participation/${action}/`, body: { link, enrollment_id } };
}

/** A call that does what its route is for; null for a route that is not about participants. */
export function participantCall(route: string, ownerId: string): Promise<Call> | null {
  return calls[route]?.(ownerId) ?? null;
}

export const participantRoutes = Object.keys(calls);

/** The statuses that routes answer with, by their last word, if it is not 200. */
const statuses: Record<string, number> = {
  requests: 202,
  interests: 202,
  forget: 204,
  'new-link': 202,
  'renew-link': 204,
  'data-link': 202,
  'new-address': 202,
  link: 204,
  links: 202,
  erase: 204,
  'remove-me': 204,
};

/** The status that such a call is answered with. */
export function statusOf(route: string): number {
  return route.startsWith('DELETE') ? 204 : (statuses[route.split('/').at(-2) ?? ''] ?? 200);
}
