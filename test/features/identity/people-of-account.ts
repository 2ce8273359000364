import { mailsDue } from '#db/schema/outbox.ts';
import {
  blockedAddresses,
  cohortErasures,
  courseInterests,
  enrollmentRequests,
} from '#db/schema/people.ts';
import { type createCohortRow, createEnrollment, db } from '#support/factories.ts';

/** Someone in a cohort, with a row in every table about people; the ids of those to fill. */
export async function createPeople(
  { id: cohortId, ownerId, courseId }: Awaited<ReturnType<typeof createCohortRow>>,
  canary: string,
) {
  const time = new Date(2004, 0);
  const { id: enrollmentId, person } = await createEnrollment(
    { id: cohortId, ownerId },
    { question: 'Why?', answer: 'Because', completedAt: time },
    { note: 'Sits in front', consentedAt: time, consentVersion: 1, noInvitationsAt: time },
  );
  const [requestId, interestId, mailId] = [0, 1, 2].map(() => crypto.randomUUID());
  const common = { ownerId, language: 'en', consentVersion: 1, createdAt: time } as const;
  const address = { email: `${canary}@example.com`, emailCanonical: `${canary}@example.com` };
  await db.insert(enrollmentRequests).values({
    ...common,
    ...address,
    id: requestId ?? '',
    cohortId,
    name: 'Grace Hopper',
    question: 'Why?',
    answer: 'Because',
    personId: person.id,
    expiresAt: new Date(2005, 0),
  });
  await db.insert(courseInterests).values({
    ...common,
    ...address,
    id: interestId ?? '',
    courseId,
    confirmedAt: time,
    expiresAt: new Date(2005, 0),
  });
  await db.insert(mailsDue).values({
    id: mailId ?? '',
    dedupeKey: canary,
    ownerId,
    enrollmentId,
    cohortId,
    toAddress: address.email,
    toCanonical: address.emailCanonical,
    kind: 'enrolled',
    payload: '{}',
    dueAt: time,
    sentAt: time,
    failedAt: time,
    failure: 'refused',
    providerId: 'an id',
    bouncedAt: time,
    complainedAt: time,
  });
  await db.insert(cohortErasures).values({ ownerId, cohortId, at: time, actor: 'person' });
  await db
    .insert(blockedAddresses)
    .values({ ownerId, cohortId, hash: canary, reason: 'removed', createdAt: time });
  return {
    people: person.id,
    enrollments: enrollmentId,
    enrollment_requests: requestId ?? '',
    course_interests: interestId ?? '',
    mails_due: mailId ?? '',
  };
}
