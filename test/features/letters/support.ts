import { eq, sql } from 'drizzle-orm';
import { vi } from 'vitest';
import type { Context } from '#context.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import type { OutboxKind } from '#email/kinds.ts';
import type { Payload } from '#email/payload.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { crons } from '#settings.ts';
import { contextOn, runByClock } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createUser,
  db,
  uniqueEmail,
} from '#support/factories.ts';

export const payload: Payload = {
  name: 'Grace Hopper',
  language: 'en',
  instructor: { name: 'Anna Martin', email: 'anna@example.com' },
  cohort: {
    name: 'Writing in spring',
    course: 'Writing',
    starts_on: '2027-01-04',
    ends_on: '2027-02-12',
    time_zone: 'Europe/Paris',
    place: null,
    welcome_note: null,
    price_minor: null,
    currency: null,
  },
  person: null,
  request: null,
  enrollment: null,
  before: null,
  note: null,
};

/** Someone enrolled, and the email that says so, due now. */
export async function createDue(
  values: Partial<typeof mailsDue.$inferInsert> = {},
  enrollment: Parameters<typeof createEnrollment>[1] = {},
  who: Parameters<typeof createEnrollment>[2] = {},
) {
  const owner = await createUser();
  const course = await createCourseRow(owner.id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, { publishedAt: new Date() });
  const { id: enrollmentId, person } = await createEnrollment(cohort, enrollment, who);
  return createMail({
    ownerId: owner.id,
    enrollmentId,
    toAddress: person.email,
    toCanonical: person.emailCanonical,
    payload: JSON.stringify({ ...payload, person: { id: person.id, link_version: 1 } }),
    ...values,
  });
}

export async function createMail(
  values: Partial<typeof mailsDue.$inferInsert> & { toAddress: string },
) {
  const mail = {
    id: crypto.randomUUID(),
    dedupeKey: crypto.randomUUID(),
    toCanonical: values.toAddress.toLowerCase(),
    kind: 'enrolled' as const,
    payload: JSON.stringify(payload),
    dueAt: new Date(),
    ...values,
  };
  await db.insert(mailsDue).values(mail);
  return mail;
}

/** This many emails without an owner, due now, each to another address. */
export async function createMany(count: number, kind: OutboxKind) {
  const now = Date.now();
  await db.run(sql`WITH RECURSIVE n(no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM n
      WHERE no < ${count})
    INSERT INTO mails_due (id, dedupe_key, to_address, to_canonical, kind, payload, due_at)
    SELECT ${kind} || no, ${kind} || no, ${kind} || no || '@example.com',
      ${kind} || no || '@example.com', ${kind}, ${JSON.stringify(payload)}, ${now} FROM n`);
}

export async function mailRow(id: string) {
  const [row] = await db.select().from(mailsDue).where(eq(mailsDue.id, id));
  if (row === undefined) {
    throw new Error('There is no such email');
  }
  return row;
}

/** The payload of an email about an enrollment that ends at a moment. */
export function payloadUntil(expires_at: number | null, more: object = {}): string {
  const enrollment = { expires_at, offer_hours: 24, position: null, ...more };
  return JSON.stringify({ ...payload, enrollment });
}

/** An email that was sent and then marked as spam. */
export function createSpam(
  ownerId: string | null | undefined,
  at: Date,
  toAddress = uniqueEmail(),
) {
  return createMail({ ownerId: ownerId ?? null, toAddress, sentAt: at, complainedAt: at });
}

/** Does something after each email that the fake Resend accepts. */
export function afterEachMail(act: () => Promise<unknown> | unknown): void {
  const send = vi.mocked(globalThis.fetch).getMockImplementation();
  vi.mocked(globalThis.fetch).mockImplementation(async (input, init) => {
    const answer = await send?.(input, init);
    await act();
    return answer ?? Response.error();
  });
}

/** What a request does with its own emails. */
export function drain(ids: string[], bindings: Parameters<typeof contextOn>[0] = {}) {
  return drainOutbox(contextOn(bindings), ids);
}

/** Runs the scheduled job. */
export function drainByClock(bindings: Parameters<typeof runByClock>[0] = {}) {
  const run = (ctx: Context) => drainOutbox(ctx, null);
  return runByClock(bindings, {
    cron: crons.often,
    jobs: [{ name: 'sending', cron: crons.often, run }],
  });
}
