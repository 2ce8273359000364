import { eq, sql } from 'drizzle-orm';
import { vi } from 'vitest';
import type { Context } from '#context.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
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
import { payload as everyPayload } from '../../email/every-email.ts';
import { setTime } from '../places/support.ts';

type MailValues = Partial<typeof mailsDue.$inferInsert>;
type Bindings = Parameters<typeof runByClock>[0];

export const payload = { ...everyPayload, enrollment: null };

export const messageMail = mailOf('message', {
  message: { subject: 'Hello', text: 'Bring a pen.' },
});

/** An email of a kind, with what it says beside the rest. */
export function mailOf<Kind extends OutboxKind>(kind: Kind, facts: Partial<Payload>) {
  return { kind, payload: JSON.stringify({ ...payload, ...facts }) };
}

/** Someone enrolled, and the email that says so, due now. */
export async function createDue(
  values: MailValues = {},
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
    payload: JSON.stringify({ ...payload, person: { id: person.id, link_version: 1 } }),
    ...values,
  });
}

/** An offer that is due, and ends at a moment. */
export function createOffer(values: MailValues, ends: number): ReturnType<typeof createDue> {
  const offered = { status: 'offered', expiresAt: new Date(ends) } as const;
  return createDue({ kind: 'offer', payload: payloadUntil(ends), ...values }, offered);
}

export async function createMail(values: MailValues & { toAddress: string }) {
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

/** Creates this many, one after another. */
export async function repeat<Made>(
  count: number,
  create: (no: number) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  for (let no = 0; no < count; no += 1) {
    made.push(await create(no));
  }
  return made;
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

/** News that is due at a moment, of as many owners. */
export async function createNews(count: number, dueAt: number) {
  await createMany(count, 'roster_news');
  await db.run(sql`INSERT INTO users (id, first_name, last_name, email, email_canonical,
      email_verified_at, language, roster_news, created_at)
    SELECT id, 'Anna', 'Martin', to_address, to_address, 1, 'en', 1, 1 FROM mails_due`);
  await db.run(sql`UPDATE mails_due SET due_at = ${dueAt}, owner_id = id,
    payload = '{"name":"Anna","language":"en","cohorts":[]}'`);
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

/** An address that emails no longer reach. */
export function suppress({ toCanonical: emailCanonical }: { toCanonical: string }) {
  const bounced = { emailCanonical, reason: 'bounced', since: new Date() } as const;
  return db.insert(suppressedAddresses).values(bounced);
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
export function drain(ids: string[], bindings: Bindings = {}) {
  return drainOutbox(contextOn(bindings), ids);
}

export function drainAt(moment: number, bindings: Bindings = {}) {
  setTime(moment);
  return drainByClock(bindings);
}

/** Runs the scheduled job. */
export function drainByClock(bindings: Bindings = {}) {
  const run = (ctx: Context) => drainOutbox(ctx, null);
  return runByClock(bindings, {
    cron: crons.often,
    jobs: [{ name: 'sending', cron: crons.often, run }],
  });
}
