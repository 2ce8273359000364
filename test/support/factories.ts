import { env } from 'cloudflare:workers';
import { eq, type InferInsertModel } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { daysOff, meetings } from '#db/schema/meetings.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { addressRestores, links, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { newCode } from '#features/identity/codes.ts';
import { nameKeyOf } from '#lib/text.ts';
import { createToken, hashToken } from '#lib/tokens.ts';
import { createClient } from './client.ts';
import { contextOn } from './context.ts';
import { day, minute } from './days.ts';
import { sawAddress, sawSecret } from './secrets.ts';

export const db = drizzle(env.DB);

let serial = 0;

/** An address that no other test uses. */
export function uniqueEmail(): string {
  serial += 1;
  const address = `instructor${serial}@example.com`;
  sawAddress(address);
  return address;
}

/** Adds a row, and returns what it was made of. */
export async function insertRow<Table extends SQLiteTable, Row extends InferInsertModel<Table>>(
  table: Table,
  row: Row,
): Promise<Row> {
  await db.insert(table).values(row);
  return row;
}

/** A token whose appearance in a log or in the database fails the test. */
function newToken(): string {
  const token = createToken();
  sawSecret(token);
  return token;
}

/** A user, verified by default. */
export async function createUser(values: Partial<typeof users.$inferInsert> = {}) {
  const email = values.email ?? uniqueEmail();
  return insertRow(users, {
    id: crypto.randomUUID(),
    firstName: 'Ada',
    lastName: 'Lovelace',
    email,
    emailCanonical: email.toLowerCase(),
    emailVerifiedAt: new Date(),
    language: 'en' as const,
    createdAt: new Date(),
    ...values,
  });
}

/**
 * More rows like one, with the numbers `n` from 1 behind its id.
 *
 * @param changes what else they have of their own, as SQL by column
 */
export async function copyRow(
  table: string,
  id: string,
  count: number,
  changes: Record<string, string> = {},
): Promise<void> {
  const info = env.DB.prepare(`SELECT name FROM pragma_table_info('${table}')`);
  const { results } = await info.all<{ name: string }>();
  const names = results.map(({ name }) => name);
  const values = names.map((name) => changes[name] ?? (name === 'id' ? 'id || n' : name));
  await env.DB.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
     INSERT INTO ${table} (${names}) SELECT ${values} FROM ${table}, numbers WHERE id = ?`,
  )
    .bind(count, id)
    .run();
}

/** A link in a user's mailbox; its token is what the email would contain. */
export async function createLink(
  user: { id: string; emailCanonical: string },
  values: Partial<typeof links.$inferInsert> = {},
) {
  const token = newToken();
  await db.insert(links).values({
    id: crypto.randomUUID(),
    tokenHash: await hashToken(token),
    userId: user.id,
    purpose: 'login',
    emailCanonical: user.emailCanonical,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + minute),
    ...values,
  });
  return token;
}

/**
 * A login of a user that waits for its code, in its own browser. The code and the token are what
 * the email would contain.
 */
export async function createAttempt(
  user: { id: string; emailCanonical: string },
  values: Partial<typeof links.$inferInsert> = {},
) {
  const id = crypto.randomUUID();
  const attempt = newToken();
  const { digits: code, columns } = await newCode(contextOn(), id, attempt);
  const expiresAt = new Date(Date.now() + 10 * minute);
  const token = await createLink(user, { id, expiresAt, ...columns, ...values });
  const client = createClient();
  client.cookies.set('__Host-attempt', attempt);
  return { client, code, token, attempt, wrong: code === '000000' ? '000001' : '000000' };
}

/**
 * A pending address change, with the session that requested it and the tokens that its emails would
 * contain.
 */
export async function createChange(user: { id: string }, email = uniqueEmail()) {
  const sessionId = crypto.randomUUID();
  const sessionToken = await createSession(user.id, { id: sessionId });
  const stopToken = newToken();
  const emailCanonical = email.toLowerCase();
  const token = await createLink(
    { id: user.id, emailCanonical },
    {
      purpose: 'address_change',
      newEmail: email,
      sessionId,
      stopTokenHash: await hashToken(stopToken),
    },
  );
  return { email, token, stopToken, sessionToken };
}

/** A link in the mailbox of a user's former address; its token is what the email would contain. */
export async function createRestore(
  user: { id: string },
  values: Partial<typeof addressRestores.$inferInsert> = {},
) {
  const token = newToken();
  const email = values.email ?? uniqueEmail();
  await db.insert(addressRestores).values({
    id: crypto.randomUUID(),
    tokenHash: await hashToken(token),
    userId: user.id,
    email,
    emailCanonical: email.toLowerCase(),
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + minute),
    ...values,
  });
  return token;
}

/** A session of a user; its token is what the cookie would contain. */
export async function createSession(
  userId: string,
  values: Partial<typeof sessions.$inferInsert> = {},
) {
  const token = newToken();
  await db.insert(sessions).values({
    id: crypto.randomUUID(),
    tokenHash: await hashToken(token),
    userId,
    userAgent: 'a test',
    createdAt: new Date(),
    lastSeenAt: new Date(),
    ...values,
  });
  return token;
}

/** A browser with the cookie of a session. */
export function browserWith(token: string) {
  const client = createClient();
  client.cookies.set('__Host-session', token);
  return client;
}

/** A browser that is signed in. */
export async function createSignedInClient(values: Partial<typeof users.$inferInsert> = {}) {
  const user = await createUser(values);
  return { client: browserWith(await createSession(user.id)), user };
}

export async function createCourseRow(
  ownerId: string,
  values: Partial<typeof courses.$inferInsert> = {},
) {
  return insertRow(courses, {
    id: crypto.randomUUID(),
    ownerId,
    name: 'Biology 101',
    courseType: 'evergreen' as const,
    createdAt: new Date(),
    updatedAt: new Date(),
    ...values,
  });
}

/** A draft of six weeks in Paris, in a course of the owner. */
export async function createCohortRow(
  course: { id: string; ownerId: string },
  values: Partial<typeof cohorts.$inferInsert> = {},
) {
  const id = crypto.randomUUID();
  return insertRow(cohorts, {
    id,
    ownerId: course.ownerId,
    courseId: course.id,
    name: 'Writing in spring',
    startsOn: '2027-01-04',
    endsOn: '2027-02-12',
    timeZone: 'Europe/Paris',
    startsAt: new Date('2027-01-03T23:00:00Z'),
    endsAt: new Date('2027-02-12T23:00:00Z'),
    joinMode: 'open' as const,
    waitlist: true,
    offerHours: 48 as const,
    showsMinimum: false,
    showsPlacesLeft: true,
    language: 'en' as const,
    slug: `writing-in-spring-${id}`,
    createdAt: new Date(),
    updatedAt: new Date(),
    ...values,
  });
}

/** A published cohort that starts in a month, in a course of its own. */
export async function createComingCohort(
  ownerId: string,
  values: Partial<typeof cohorts.$inferInsert> = {},
) {
  const course = await createCourseRow(ownerId, { courseType: 'cohort' });
  return createCohortRow(course, {
    publishedAt: new Date(Date.now() - day),
    startsAt: new Date(Date.now() + 30 * day),
    endsAt: new Date(Date.now() + 60 * day),
    ...values,
  });
}

/** The open run of an evergreen course of the owner, with enrollment open. */
export async function createOpenRun(
  course: { id: string; ownerId: string; name: string },
  values: Partial<typeof cohorts.$inferInsert> = {},
) {
  const slug = `biology-101-${course.id}`;
  await db.update(courses).set({ slug }).where(eq(courses.id, course.id));
  return createCohortRow(course, {
    kind: 'open',
    name: course.name,
    slug,
    startsOn: '2026-01-01',
    endsOn: '2100-12-31',
    timeZone: 'UTC',
    startsAt: new Date('2026-01-01T00:00:00Z'),
    endsAt: new Date('2101-01-01T00:00:00Z'),
    enrollmentClosesLocal: '2101-01-01T00:00',
    enrollmentClosesAt: new Date('2101-01-01T00:00:00Z'),
    remindsStart: false,
    remindsDayBefore: false,
    publishedAt: new Date(),
    ...values,
  });
}

/** A live session of such a cohort, in the evening of its second day. */
export async function createMeetingRow(
  cohort: { id: string; ownerId: string },
  values: Partial<typeof meetings.$inferInsert> = {},
) {
  return insertRow(meetings, {
    id: crypto.randomUUID(),
    ownerId: cohort.ownerId,
    cohortId: cohort.id,
    title: 'Scenes',
    startsLocal: '2027-01-05T18:00',
    startsAt: new Date('2027-01-05T17:00:00Z'),
    durationMinutes: 90,
    createdAt: new Date(),
    updatedAt: new Date(),
    ...values,
  });
}

export async function createDaysOff(
  { id: cohortId, ownerId }: { id: string; ownerId: string },
  days: string[],
  reason = '',
) {
  const rows = days.map((onDate) => ({
    id: crypto.randomUUID(),
    cohortId,
    ownerId,
    onDate,
    reason,
  }));
  return db
    .insert(daysOff)
    .values(rows.map((row) => ({ ...row, createdAt: new Date() })))
    .returning();
}

/** A participant of an instructor. */
export async function createPerson(
  ownerId: string,
  values: Partial<typeof people.$inferInsert> = {},
) {
  const email = values.email ?? uniqueEmail();
  const name = values.name ?? 'Grace Hopper';
  return insertRow(people, {
    id: crypto.randomUUID(),
    ownerId,
    email,
    emailCanonical: email.toLowerCase(),
    name,
    nameKey: nameKeyOf(name),
    language: 'en' as const,
    source: 'self' as const,
    linkVersion: 1,
    agreedAt: values.consentedAt ?? null,
    createdAt: new Date(),
    updatedAt: new Date(),
    ...values,
  });
}

/** Where a participant stands in a cohort: enrolled, by default. */
export async function createEnrollment(
  cohort: { id: string; ownerId: string },
  values: Partial<typeof enrollments.$inferInsert> = {},
  of: Partial<typeof people.$inferInsert> = {},
) {
  const person = await createPerson(cohort.ownerId, of);
  const enrollment = await insertRow(enrollments, {
    id: crypto.randomUUID(),
    ownerId: cohort.ownerId,
    cohortId: cohort.id,
    personId: person.id,
    nameKey: person.nameKey,
    status: 'enrolled' as const,
    changedBy: 'person' as const,
    // Not now: what has just changed gets an email.
    statusChangedAt: new Date(Date.now() - minute),
    createdAt: new Date(),
    ...values,
  });
  return { ...enrollment, person };
}
