import { eq } from 'drizzle-orm';
import { files, lessonFiles } from '#db/schema/files.ts';
import { learnerCodes, learning } from '#db/schema/learning.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import {
  blockedAddresses,
  cohortErasures,
  courseInterests,
  enrollmentRequests,
} from '#db/schema/people.ts';
import { type createCohortRow, createEnrollment, db } from '#support/factories.ts';
import { createLessonRow, createMark, createSectionRow } from '#support/lesson-rows.ts';

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
  // A learner, a code of theirs, and a lesson that they have done.
  const lesson = await createLessonRow(await createSectionRow({ id: courseId, ownerId }));
  await createMark({ id: enrollmentId, ownerId, cohortId }, lesson, {
    openedAt: time,
    doneAt: time,
  });
  await db
    .update(learning)
    .set({
      lastSeenAt: time,
      lastLessonId: lesson.id,
      announcedAt: time,
      nudgeDueAt: time,
      quietAt: time,
    })
    .where(eq(learning.enrollmentId, enrollmentId));
  await db.insert(learnerCodes).values({
    personId: person.id,
    ownerId,
    attemptHash: canary,
    codeHash: canary,
    expiresAt: time,
  });
  const file = { ownerId, courseId, key: 'k3v9x2m7qa', objectKey: canary, name: canary };
  const fileId = crypto.randomUUID();
  await db.insert(files).values({
    ...file,
    id: fileId,
    contentType: 'image/png',
    size: 1,
    width: 1,
    height: 1,
    createdAt: time,
  });
  await db.insert(lessonFiles).values({ lessonId: lesson.id, fileId, ownerId });
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
