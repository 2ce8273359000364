import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { mailsDue } from '#features/outbox/table.ts';
import { createClient } from '#support/client.ts';
import { createUser, db } from '#support/factories.ts';
import { fakeResend, mailsTo } from '#support/resend.ts';
import { startFresh } from '../people/fresh.ts';
import { countsOf, createPublished } from '../people/storm.ts';
import { createOwner, enrollBy } from '../people/support.ts';
import { enrollMany } from '../reminders/support.ts';
import { drainByClock } from './support.ts';

const [queued, signingIn, newcomers, capacity] = [700, 6, 4, 2];
/** How long each request to Resend takes. */
const resendMs = 20;
const batchMs = 400;

startFresh();

test(`${queued} emails of one owner hold up no one who signs in, and no other cohort`, {
  timeout: 120_000,
}, async () => {
  const { cohort, client: owner } = await createOwner();
  await enrollMany(cohort, queued);
  const users = await Promise.all(Array.from({ length: signingIn }, () => createUser()));
  const filling = await createPublished({ capacity });
  const resend = slowResend();

  const trashed = await owner.request('DELETE', `/api/cohorts/${cohort.id}/`, { notify: true });
  expect(trashed.status).toBe(204);
  const clock = drainByClock();
  await Promise.all(
    users.map(async ({ email }) => {
      const asked = await createClient().post('/api/accounts/auth/login/', { email });
      expect(asked.status, await asked.clone().text()).toBe(200);
      // As soon as it is answered.
      expect(mailsTo(email, resend.accepted)).toHaveLength(1);
    }),
  );
  expect(await dueCount()).toBeGreaterThan(queued / 5);
  const people = [];
  for (let n = 0; n < newcomers; n += 1) {
    // Each reads an email, uses its link, and gets another one.
    people.push(await enrollBy(resend, filling.slug));
  }
  expect(await countsOf(filling)).toEqual({
    enrolled: capacity,
    waitlisted: newcomers - capacity,
  });
  for (const { email } of people) {
    expect(mailsTo(email, resend.accepted)).toHaveLength(2);
  }

  await clock;
  for (let run = 0; (await dueCount()) > 0 && run < queued / 10; run += 1) {
    await drainByClock();
  }
  const told = resend.accepted.filter(({ subject }) => subject.startsWith('Canceled'));
  expect(told).toHaveLength(queued);
  expect(new Set(told.map(({ to }) => to)).size).toBe(queued);
});

/** How many emails are still to be sent. */
async function dueCount(): Promise<number> {
  return db.$count(mailsDue, sql`sent_at IS NULL`);
}

function slowResend() {
  const resend = fakeResend();
  const answer = vi.mocked(globalThis.fetch).getMockImplementation();
  vi.mocked(globalThis.fetch).mockImplementation(async (...request) => {
    const isBatch = String(request[0]).endsWith('/batch');
    await new Promise((resolve) => setTimeout(resolve, isBatch ? batchMs : resendMs));
    return answer?.(...request) ?? Response.error();
  });
  return resend;
}
