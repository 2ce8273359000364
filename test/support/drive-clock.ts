import { eq } from 'drizzle-orm';
import { jobs } from '#cron.ts';
import { counters } from '#db/schema/counters.ts';
import { newsDue } from '#db/schema/news.ts';
import { addressRestores, knownSignIns } from '#db/schema/sign-in.ts';
import { webhookDeliveries } from '#db/schema/suppression.ts';
import { findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { crons } from '#settings.ts';
import { runByClock } from './context.ts';
import { day, hour } from './days.ts';
import type { Drive } from './driver.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createLink,
  createMeetingRow,
  createSession,
  createUser,
  db,
  uniqueEmail,
} from './factories.ts';
import { createWaitedFor } from './participants.ts';
import { bounced, deliver } from './webhook.ts';

/** What Resend tells. */
export const driveWebhooks: Drive = async ({ drive, bindings }) => {
  const { email } = await createUser();
  await drive('webhook: bounce', () => deliver(bounced(email), { bindings }));
  const unknown = bounced(uniqueEmail());
  await drive('webhook: bounce of an unknown address', () => deliver(unknown, { bindings }));
  const again = { id: crypto.randomUUID(), bindings };
  await deliver(bounced(uniqueEmail()), again);
  await drive('webhook: the same again', () => deliver(bounced(uniqueEmail()), again));
};

/** What the cron trigger of every 5 minutes does. */
export const driveOften: Drive = async ({ drive, bindings, ctx }) => {
  // What others have left due.
  await runByClock({}, { cron: crons.often });
  const waitedFor = await createWaitedFor((await createUser()).id);
  await drive('the public page of a course', () => findPublicPage(ctx, waitedFor.slug));
  await leaveDue();
  await drive('the jobs of every 5 minutes', () => runByClock(bindings, { cron: crons.often }));
};

/** What those of every hour and every night do. */
export const driveCleanUp: Drive = async ({ drive, bindings }) => {
  // What others have left expired.
  await runByClock();
  await leaveExpired();
  await drive('clean-up', () => runByClock(bindings));
  await drive('clean-up, nothing to do', () => runByClock(bindings));
  // Not the renewal of instants, which reads every cohort and session that is not over.
  const nightly = {
    cron: crons.nightly,
    jobs: jobs.filter(({ name }) => !name.startsWith('renewal of')),
  };
  await drive('the nightly jobs', () => runByClock(bindings, nightly));
};

/** News, and reminders of a first day and of a live session in half an hour. */
async function leaveDue(): Promise<void> {
  const [now, soon] = [new Date(), new Date(Date.now() + hour / 2)];
  const course = await createCourseRow((await createUser()).id, { courseType: 'cohort' });
  const values = { publishedAt: now, startReminderAt: now, startsAt: soon };
  const cohort = await createCohortRow(course, values);
  await createMeetingRow(cohort, { startsAt: soon });
  // A trigger notes that it is news.
  await createEnrollment(cohort);
  await db.update(newsDue).set({ dueAt: now }).where(eq(newsDue.ownerId, cohort.ownerId));
}

/** A row of each kind that the clean-up removes. */
async function leaveExpired(): Promise<void> {
  const past = new Date(Date.now() - 100 * day);
  const { id: userId, email, emailCanonical } = await createUser();
  await createLink({ id: userId, emailCanonical }, { expiresAt: past });
  await createSession(userId, { createdAt: past, lastSeenAt: past });
  const spent = { key: crypto.randomUUID(), windowStart: past, count: 1, expiresAt: past };
  await db.insert(counters).values(spent);
  await db.insert(webhookDeliveries).values({ id: crypto.randomUUID(), expiresAt: past });
  const former = { id: crypto.randomUUID(), tokenHash: crypto.randomUUID(), userId };
  await db
    .insert(addressRestores)
    .values({ ...former, email, emailCanonical, createdAt: past, expiresAt: past });
  await db.insert(knownSignIns).values({ userId, origin: 'here', expiresAt: past });
  const { id } = await createCourseRow(userId);
  await createCohortRow({ id, ownerId: userId }, { deletedAt: past });
}
