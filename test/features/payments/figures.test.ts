import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { findActor } from '#features/auth/find-actor.ts';
import { newId } from '#features/payments/accounts.ts';
import { findAccount, findAccounts, shownBy } from '#features/payments/find-accounts.ts';
import { findCourseAccounts } from '#features/payments/find-course-accounts.ts';
import { apiPaths } from '#paths.ts';
import { settled } from '#support/background.ts';
import { contextOn } from '#support/context.ts';
import { browserWith, createSession, db } from '#support/factories.ts';
import { recordDatabase } from '#support/recorder.ts';
import { createPaid } from './support.ts';

const people = 1000;
/** How many of them have paid, and so have two entries. */
const paid = 500;
const entries = people + paid;
/** So many that a statement that scans them would show. */
const entriesOfOthers = 50_000;

/** A row for each entry, the enrollment of each account, and each place that is taken. */
const totals = entries + 2 * people;
/** With whether those who owe have agreed to take part: these have not, and all is looked at. */
const agreed = totals + 5 * (people - paid);
/** Rows for who reads, for which course, and for the cohort itself. */
const few = 60;

test('1,000 accounts are read in one trip, in proportion to what is shown, and no more when others have many', {
  timeout: 120_000,
}, async () => {
  const { cohort, course, user, enroll } = await createPaid();
  const other = await createPaid();
  const { id: member } = await enroll('Aaron');
  const token = await createSession(user.id);
  const client = browserWith(token);
  await client.get('/api/health/');
  await client.post(apiPaths.selectCourse(course.id));
  await settled();
  await addPeople(cohort);
  // Not none: the row after the last in an index is read too.
  await addCharges(other.cohort, 1);
  const recording = recordDatabase(env.DB);
  const bindings = { DB: recording.db };
  const base = `/api/cohorts/${cohort.id}/`;
  const page = (query: string) => async () => {
    const found = await findActor(contextOn(bindings), token, {
      cohorts: findCourseAccounts(shownBy(query)),
      accounts: findAccounts(shownBy(query)),
    });
    expect(found.kind).toBe('instructor');
  };
  const get = (path: string) => async () => {
    expect((await client.get(path, { bindings })).status).toBe(200);
  };
  const found = findAccount(cohort.id, member);
  const reads: [what: string, rows: number, read: () => Promise<unknown>][] = [
    ['page: the course', totals + few, page('')],
    ['page: everyone', agreed + 100 * 5 + few, page(`?cohort=${cohort.id}`)],
    // Those who have paid come first, and are passed over.
    ['page: who owes', agreed + 4 * paid + 100 * 6 + few, page(`?cohort=${cohort.id}&show=owing`)],
    ['page: who has left', agreed + people + few, page(`?cohort=${cohort.id}&show=left`)],
    ['page: who is gone', agreed + entries + people + few, page(`?cohort=${cohort.id}&show=gone`)],
    ['page: an account', few, () => findActor(contextOn(bindings), token, { found })],
    ['accounts', agreed + 100 * 5 + few, get(`${base}ledger/`)],
    ['an account', few, get(`${base}ledger/${member}/`)],
    // It counts the places that are taken.
    ['the price', people + few, get(base)],
    ['the file of a cohort', 2 * entries + few, get(`${base}ledger.csv`)],
    ['the course', totals + few, get(`/api/courses/${course.id}/payments/`)],
    ['the file of a course', 3 * entries + few, get(`/api/courses/${course.id}/ledger.csv`)],
  ];

  const measure = async () => {
    const measured: [what: string, trips: number, rows: number][] = [];
    for (const [what, , read] of reads) {
      recording.take();
      await read();
      const { statements, trips } = recording.take();
      measured.push([what, trips, statements.reduce((sum, one) => sum + (one.rowsRead ?? 0), 0)]);
    }
    return measured;
  };
  const before = await measure();
  expect(before.filter(([, trips]) => trips !== 1)).toEqual([]);
  expect(before.filter(([, , rows], index) => rows > (reads[index]?.[1] ?? 0))).toEqual([]);

  await addCharges(other.cohort, entriesOfOthers);
  expect(await measure()).toEqual(before);
});

type Cohort = { id: string; ownerId: string; courseId: string };

const numbers = (count: number) =>
  sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;

/** People whom the triggers charge, of whom some have paid. */
async function addPeople({ id, ownerId }: Cohort): Promise<void> {
  const now = Date.now() - 60_000;
  await db.run(sql`${numbers(people - 1)}
    INSERT INTO people (id, owner_id, email, email_canonical, name, name_key, language, source,
      link_version, created_at, updated_at)
    SELECT ${newId}, ${ownerId}, i || '@example.com', i || '@example.com', 'Person ' || i,
      'person ' || i, 'en', 'added', 1, ${now}, ${now} FROM n`);
  await db.run(sql`INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key, status,
      changed_by, status_changed_at, created_at)
    SELECT ${newId}, owner_id, ${id}, id, name_key, 'enrolled', 'owner', ${now}, ${now}
    FROM people WHERE owner_id = ${ownerId} AND name_key LIKE 'person %'`);
  await db.run(sql`INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id,
      cohort_name, person_id, enrollment_id, kind, amount_minor, currency, method, received_on,
      source, created_by, created_at)
    SELECT ${newId}, l.owner_id, l.course_id, l.course_name, l.cohort_id, l.cohort_name,
      l.person_id, l.enrollment_id, 'payment', -l.amount_minor, l.currency, 'transfer',
      '2026-11-20', 'owner', 'owner', l.created_at
    FROM ledger_entries l JOIN people p ON p.id = l.person_id
    WHERE l.cohort_id = ${id} AND p.name_key <> 'aaron' ORDER BY p.name_key LIMIT ${paid}`);
}

/** Charges of people about whom nothing else is known, and who come last in every index. */
async function addCharges({ id, ownerId, courseId }: Cohort, count: number): Promise<void> {
  await db.run(sql`${numbers(count)}
    INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name,
      person_id, enrollment_id, kind, amount_minor, currency, source, created_by, created_at)
    SELECT 'z' || ${newId}, ${ownerId}, ${courseId}, 'Writing', ${id}, 'Autumn', 'z' || ${newId},
      'z' || ${newId}, 'charge', 100, 'EUR', 'enrollment', 'owner', ${Date.now()} FROM n`);
}
