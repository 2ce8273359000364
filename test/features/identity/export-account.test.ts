import { env } from 'cloudflare:workers';
import { type Column, eq, getTableColumns, getTableName } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import type * as z from 'zod/mini';
import { files, lessonFiles } from '#db/schema/files.ts';
import { learnerCodes } from '#db/schema/learning.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import {
  blockedAddresses,
  cohortErasures,
  courseInterests,
  enrollmentRequests,
} from '#db/schema/people.ts';
import { knownSignIns } from '#db/schema/sign-in.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import { users } from '#db/schema/users.ts';
import { AccountExport } from '#features/identity/export-account.ts';
import { createToken } from '#lib/tokens.ts';
import { closedLists } from '#support/closed-lists.ts';
import { loggedEvents } from '#support/console.ts';
import { hour } from '#support/days.ts';
import {
  browserWith,
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createLink,
  createRestore,
  createSession,
  createSignedInClient,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import {
  createLessonRow,
  createMark,
  createSectionRow,
  updateLearning,
} from '#support/lesson-rows.ts';
import { updateRow } from '#support/rows.ts';
import { tables } from '#support/tables.ts';
import { accountsPath, ago } from './support.ts';

/** The owner columns of the exported tables. */
const ownerColumns: Record<string, string> = {
  users: 'id',
  undeliverable_addresses: 'email_canonical',
  ...Object.fromEntries(
    tables.flatMap((table) =>
      Object.values(getTableColumns(table))
        .filter(({ name }) => name === 'owner_id' || name === 'user_id')
        .map(({ name }) => [getTableName(table), name]),
    ),
  ),
};

/** Every column by table and name, such as `users.email`. */
const columnsByName = new Map<string, Column>(
  tables.flatMap((table) =>
    Object.values(getTableColumns(table)).map(
      (column) => [`${getTableName(table)}.${column.name}`, column] as const,
    ),
  ),
);

/** Tables without user data. */
const notExportedTables: Record<string, string> = {
  counters: 'numbers under keyed hashes, which even we cannot turn back into a person',
  webhook_deliveries: 'ids that Resend gave to events',
  objects_gone: 'keys of bytes that are deleted because nothing has them anymore',
};

/** What the export calls by another name. */
const renamed: Record<string, string> = {
  'known_sign_ins.origin': 'known_sign_ins.kind',
  'links.new_email': 'links.email',
  'users.avatar_url': 'users.avatar',
};

/** Columns of exported tables that the export leaves out, and why. */
const notExported: [why: string, columns: RegExp][] = [
  ['the id of the account, which stands at its top', /\.(owner|user)_id$/],
  [
    'hashes of secrets that grant access',
    /^(sessions|links|address_restores)\.(token|stop_token|attempt|code)_hash$/,
  ],
  ['empty with every purpose that there is', /^links\.subject$/],
  [
    'of a code that is gone after ten minutes',
    /^(links\.code_tries|learner_codes\.(person_id|attempt_hash|code_hash|tries|expires_at))$/,
  ],
  ['the name in another spelling', /^(people|enrollments)\.name_key$/],
  ['a number that links are signed with', /^people\.link_version$/],
  ['the order of what has happened', /^(enrollment_events|cohort_erasures)\.id$/],
  ['a keyed hash, which even we cannot turn back into an address', /^blocked_addresses\.hash$/],
  ['an address that its instructor never sees', /^course_interests\.email(_canonical)?$/],
  ['made of ids and times that the export has', /^mails_due\.dedupe_key$/],
  [
    'what else the export has, as emails need it',
    /^(mails_due\.payload|mail_texts\.(id|facts|created_at))$/,
  ],
  ['an id that Resend gave to the email', /^mails_due\.provider_id$/],
  ['a random key of a batch, or of what it says as others do', /^mails_due\.(batch_key|text_id)$/],
  ['follows from when people agreed to take part', /^mails_due\.is_to_stranger$/],
  [
    'a count of what the export has',
    /^(lesson_counts\.(cohort_id|lesson_id|opened|done)|files\.uses)$/,
  ],
  ['what the clock has to look at', /^cohorts\.completions_due$/],
  ['follows from the type of its course', /^cohorts\.closed_by_type$/],
  ['sums of what the export has', /^(balance(s|_totals)|run_(counts|days|statuses))\./],
  ['too much for one file; the API has each', /^lesson_versions\.document$/],
  ['which of the sessions of one request it is', /^meetings\.idempotency_no$/],
  ['where its bytes are', /^files\.object_key$/],
  ['empty once it has arrived', /^files\.(upload_id|parts)$/],
  ['follows from the sections and from when they have enrolled', /^learning\.next_release_at$/],
  ['a course that the export has, and when it is looked at', /^interests_due\.(course_id|due_at)$/],
];

test('the export is a file that is not cached, with empty lists and nulls for what is missing', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { client, user } = await createSignedInClient();
  const path = `${accountsPath}${user.id}/export/`;
  const response = await client.get(path);

  const now = new Date().toISOString();
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-disposition': `attachment; filename="lectern-${now.slice(0, 10)}.json"`,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(await response.json()).toMatchObject({
    exported_at: now,
    account: { id: user.id, google_sub: null, avatar: null, selected_course_id: null },
    courses: [],
    cohorts: [],
    links: [],
    undeliverable_addresses: [],
    known_sign_ins: [],
  });
  expect(loggedEvents('account_exported')).toMatchObject([{ user_id: user.id }]);
  const old = browserWith(await createSession(user.id, { createdAt: ago(hour) }));
  expect((await old.get(path)).headers.has('Content-Disposition')).toBe(false);
});

test('every table is exported or excluded by name', async () => {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table'",
  ).all<{ name: string }>();
  const tables = results
    .map(({ name }) => name)
    // Tables of SQLite and Cloudflare.
    .filter((name) => !name.startsWith('sqlite_') && !name.startsWith('_cf_'));

  const known = [...Object.keys(ownerColumns), ...Object.keys(notExportedTables)];
  expect(tables.sort()).toEqual(known.sort());
});

test('every column is exported or excluded by name', () => {
  const exported = Object.entries(AccountExport.shape).flatMap(([list, schema]) =>
    namesIn(schema).map((name) => `${list === 'account' ? 'users' : list}.${name}`),
  );
  const known = [...columnsByName.keys()].filter(
    (column) =>
      column.replace(/\..*/, '') in ownerColumns &&
      !notExported.some(([, left]) => left.test(column)),
  );
  expect(exported.sort()).toEqual(known.map((column) => renamed[column] ?? column).sort());
});

test('the export contains every column of every row about the caller, and nothing else', async () => {
  const caller = await createFullAccount('mine');
  const stranger = await createFullAccount('theirs');
  const expected = await valuesOf(caller.user.id);
  const response = await caller.client.get(
    `${accountsPath}${caller.user.id}/export/?user_id=${stranger.user.id}&id=${stranger.user.id}`,
  );
  const text = await response.text();
  const everything: AccountExport = JSON.parse(text);

  // Each value is crossed off once, so a value in two columns must appear twice.
  const left = leavesOf(everything);
  const missing = expected.filter(({ value }) => {
    const index = left.indexOf(value);
    if (index !== -1) {
      left.splice(index, 1);
    }
    return index === -1;
  });
  expect(missing).toEqual([]);
  expect(left).toEqual([everything.exported_at]);
  expect(expected.filter(({ value }) => String(value).startsWith('mine '))).not.toHaveLength(0);
  expect(text).not.toContain('theirs');
  expect(text).not.toContain(stranger.user.id);
});

/** A user with a row in every table, whose columns contain unique values. */
async function createFullAccount(canary: string) {
  const { client, user } = await createSignedInClient({ language: 'fr' });
  const course = await createCourseRow(user.id, { courseType: 'cohort', hue: 'plum' });
  await createCourseRow(user.id, { idempotencyKey: `${canary} of the other course` });
  await updateRow(users, user, { selectedCourseId: course.id });
  const [sessions, links, address_restores] = newIds();
  await createSession(user.id, { id: sessions });
  const change = { purpose: 'address_change', newEmail: uniqueEmail() } as const;
  await createLink(user, { id: links, ...change, sessionId: sessions });
  await createRestore(user, { id: address_restores });
  const both = { enrollmentOverride: 'open', priceMinor: 1, currency: 'EUR' } as const;
  const cohort = await createCohortRow(course, both);
  const ofPeople = await createPeople(cohort, canary);
  const own = { users: user.id, courses: course.id, cohorts: cohort.id };
  await fill(canary, { ...own, sessions, links, address_restores, ...ofPeople });
  const [{ emailCanonical = '' } = {}] = await db.select().from(users).where(eq(users.id, user.id));
  await db
    .insert(suppressedAddresses)
    .values({ emailCanonical, reason: 'bounced', since: new Date(2002, 0) });
  await db.insert(knownSignIns).values(
    ['browser', 'network'].map((kind, index) => ({
      userId: user.id,
      origin: `${kind}:${createToken()}`,
      expiresAt: new Date(2003, index),
    })),
  );
  return { client, user };
}

function newIds() {
  return [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()] as const;
}

/** Someone in a cohort, with a row in every table about people; the ids of those to fill. */
async function createPeople(cohort: Awaited<ReturnType<typeof createCohortRow>>, canary: string) {
  const { id: cohortId, ownerId, courseId } = cohort;
  const [createdAt, expiresAt] = [new Date(2004, 0), new Date(2005, 0)];
  const enrollment = await createEnrollment(cohort, {}, { consentVersion: 1 });
  const { id: enrollmentId, personId } = enrollment;
  const [enrollment_requests, course_interests, mails_due] = newIds();
  const address = { email: `${canary}@example.com`, emailCanonical: `${canary}@example.com` };
  const agreed = { ownerId, language: 'en', consentVersion: 1, createdAt, expiresAt } as const;
  await db
    .insert(enrollmentRequests)
    .values({ ...agreed, ...address, id: enrollment_requests, cohortId, name: 'Grace', personId });
  await db
    .insert(courseInterests)
    .values({ ...agreed, ...address, id: course_interests, courseId });
  const mail = { kind: 'enrolled', payload: '{}', dueAt: createdAt, failure: 'refused' } as const;
  const to = { toAddress: address.email, toCanonical: address.emailCanonical };
  await db
    .insert(mailsDue)
    .values({ ...mail, ...to, id: mails_due, dedupeKey: canary, ownerId, enrollmentId, cohortId });
  // A learner, a code of theirs, and a lesson that they have done.
  const lesson = await createLessonRow(await createSectionRow({ id: courseId, ownerId }));
  await createMark(enrollment, lesson, { openedAt: createdAt, doneAt: createdAt });
  const seen = { lastSeenAt: createdAt, lastLessonId: lesson.id };
  const told = { announcedAt: createdAt, nudgeDueAt: createdAt, quietAt: createdAt };
  await updateLearning(enrollment, { ...seen, ...told });
  const hashes = { attemptHash: canary, codeHash: canary };
  await db.insert(learnerCodes).values({ personId, ownerId, ...hashes, expiresAt });
  const fileId = crypto.randomUUID();
  const image = { contentType: 'image/png', size: 1, width: 1, height: 1, createdAt };
  const names = { key: 'k3v9x2m7qa', objectKey: canary, name: canary };
  await db.insert(files).values({ ...image, ...names, id: fileId, ownerId, courseId });
  await db.insert(lessonFiles).values({ lessonId: lesson.id, fileId, ownerId });
  await db.insert(cohortErasures).values({ ownerId, cohortId, at: createdAt, actor: 'person' });
  await db
    .insert(blockedAddresses)
    .values({ ownerId, cohortId, hash: canary, reason: 'removed', createdAt });
  const people = personId;
  return { people, enrollments: enrollmentId, enrollment_requests, course_interests, mails_due };
}

/** What a person who is enrolled and has a place of their own cannot have. */
const alwaysNull = [
  'people.unlinked_at',
  'enrollments.queue_no',
  'enrollments.expires_at',
  'enrollments.held_for',
];

/** Sets every column of some rows to a unique value, where the constraints allow it. */
async function fill(canary: string, rows: Record<string, string>) {
  let serial = 0;
  for (const [table, id] of Object.entries(rows)) {
    for (const { name, type } of await columnsOf(table)) {
      serial += 1;
      const value = type === 'TEXT' ? `${canary} ${table}.${name}` : Date.UTC(2001, 0, serial);
      const update = env.DB.prepare(`UPDATE "${table}" SET "${name}" = ? WHERE id = ?`);
      // Referenced columns and closed lists keep their values. Ids are unique anyway.
      if (name !== 'id' && closedLists[`${table}.${name}`] === undefined) {
        await Promise.allSettled([update.bind(value, id).run()]);
      }
    }
    const row = await env.DB.prepare(`SELECT * FROM "${table}" WHERE id = ?`).bind(id).first();
    const empty = Object.entries(row ?? { missing: null }).filter(
      ([name, value]) => value === null && !alwaysNull.includes(`${table}.${name}`),
    );
    expect(empty).toEqual([]);
  }
}

type Value = { column: string; value: unknown };

/** The database's data about a user, in the form of the export: with formatted times. */
async function valuesOf(userId: string): Promise<Value[]> {
  const values: Value[] = [];
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  for (const [table, ownerColumn] of Object.entries(ownerColumns)) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${table}" WHERE "${ownerColumn}" = ?`)
      .bind(ownerColumn === 'email_canonical' ? user?.emailCanonical : userId)
      .all();
    for (const row of results) {
      for (const [name, stored] of Object.entries(row)) {
        const column = `${table}.${name}`;
        values.push({ column, value: exportedForm(column, stored) });
      }
    }
  }
  return values.filter(({ column }) => !notExported.some(([, left]) => left.test(column)));
}

/** Times are formatted, but not other numbers; of a known sign-in only the kind is shown. */
function exportedForm(column: string, stored: unknown): unknown {
  if (column === 'known_sign_ins.origin') {
    return String(stored).replace(/:.*/, '');
  }
  if (column === 'lessons.document') {
    // JSON, with one value in the lesson of this test.
    return JSON.parse(String(stored)).type;
  }
  const kind = columnsByName.get(column)?.dataType;
  if (kind === 'boolean') {
    return stored === 1;
  }
  return kind === 'date' && typeof stored === 'number' ? new Date(stored).toISOString() : stored;
}

async function columnsOf(table: string) {
  const { results } = await env.DB.prepare(`PRAGMA table_info("${table}")`).all<{
    name: string;
    type: string;
  }>();
  return results.map(({ name, type }) => ({ name, type: type.toUpperCase() }));
}

/** The properties of an object, or of the items of a list. */
function namesIn(schema: z.core.$ZodType): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'array') {
    return namesIn(def.element);
  }
  return def.type === 'object' ? Object.keys(def.shape) : [];
}

/** All values in a JSON tree. */
function leavesOf(tree: unknown): unknown[] {
  return tree !== null && typeof tree === 'object' ? Object.values(tree).flatMap(leavesOf) : [tree];
}
