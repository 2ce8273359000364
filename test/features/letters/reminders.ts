import { eq, sql } from 'drizzle-orm';
import { beforeEach } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import type { meetings } from '#db/schema/meetings.ts';
import { newsDue } from '#db/schema/news.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { makeReminders } from '#features/letters/make-reminders.ts';
import { contextOn } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createMeetingRow,
  createUser,
  db,
} from '#support/factories.ts';
import { setTime } from '../places/support.ts';

/** When this cohort was made: all reminders are to come. */
export const made = Date.UTC(2026, 11, 1, 12);
/** 9 AM in Paris, three days before the first day. */
export const reminded = Date.UTC(2027, 0, 1, 8);
/** 6 PM in Paris, on the second day. */
export const evening = Date.UTC(2027, 0, 5, 17);

type CohortValues = Partial<typeof cohorts.$inferInsert>;

/** A published cohort of an instructor of its own. */
export async function createCohort(values: CohortValues = {}) {
  const owner = await createUser({ firstName: 'Anna', lastName: 'Martin' });
  const course = await createCourseRow(owner.id, { courseType: 'cohort', name: 'Writing' });
  return createCohortRow(course, {
    publishedAt: new Date(made),
    createdAt: new Date(made),
    updatedAt: new Date(made),
    startReminderAt: new Date(reminded),
    ...values,
  });
}

export async function createMeeting(
  cohort: { id: string; ownerId: string },
  values: Partial<typeof meetings.$inferInsert> = {},
) {
  const [startsAt, madeAt] = [new Date(evening), new Date(made)];
  const dates = { startsAt, createdAt: madeAt, updatedAt: madeAt };
  return createMeetingRow(cohort, { title: 'First draft', ...dates, ...values });
}

/** Before each test of the file, sets the clock, and deletes the cohorts, news and emails of others. */
export function startAt(moment: number): void {
  beforeEach(async () => {
    setTime(moment);
    await db.delete(cohorts);
    await db.delete(newsDue);
    await db.delete(mailsDue);
  });
}

/** Runs the scheduled job at a moment. */
export async function clockAt(moment: number, bindings: Parameters<typeof contextOn>[0] = {}) {
  setTime(moment);
  const ctx = contextOn(bindings);
  await makeReminders(ctx);
  await drainOutbox(ctx, null);
}

/** Enrolls this many people at once, who are numbered from `first`. */
export async function enrollMany(
  cohort: { id: string; ownerId: string },
  count: number,
  first = 1,
) {
  const numbers = sql`(WITH RECURSIVE n(no) AS (SELECT ${first} UNION ALL SELECT no + 1 FROM n)
    SELECT no FROM n LIMIT ${count})`;
  // Like the id of the cohort, with the number at the end.
  const person = sql`substr(${cohort.id}, 1, 24) || printf('%012d', no)`;
  await db.run(sql`INSERT INTO people (id, owner_id, email, email_canonical, name, name_key,
      language, source, link_version, created_at, updated_at)
    SELECT ${person}, ${cohort.ownerId}, ${person} || '@example.com', ${person} || '@example.com',
      'Grace Hopper', 'grace hopper', 'en', 'self', 1, ${made}, ${made} FROM ${numbers}`);
  await db.run(sql`INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key, status,
      changed_by, status_changed_at, created_at)
    SELECT ${person}, ${cohort.ownerId}, ${cohort.id}, ${person}, 'grace hopper', 'enrolled',
      'person', ${made}, ${made} FROM ${numbers}`);
}

export function mailsOf(cohort: { id: string }) {
  return db.select().from(mailsDue).where(eq(mailsDue.cohortId, cohort.id));
}
