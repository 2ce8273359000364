import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BuiltWorker,
  createCohort,
  createParticipant,
  signUpPerson,
  startBuiltWorker,
  type Visitor,
} from '../built/worker.ts';
import { holdBudgets } from './budget.ts';
import { weigh } from './built-files.ts';
import { bytesRow, type Row } from './row.ts';

/** In bytes, compressed. */
const budgets = {
  home: 14_000,
  /** Of a course with as many cohorts as it can have, all of them over. */
  cohorts: 14_600,
  /** A page of it; see decision 69. */
  roster: 24_000,
  payments: 22_000,
  /** How much larger a page may be for 1,000 rows than for 200: the digits of the number. */
  growth: 100,
};

let built: BuiltWorker;
let ada: Visitor;
let cohortId: string;

beforeAll(async () => {
  built = await startBuiltWorker();
  ada = await signUpPerson(built, {
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    courseName: 'Analytical Engines',
  });
  const cohort = await createCohort(ada);
  cohortId = cohort.id;
  await createParticipant(built, ada, cohort);
});

afterAll(() => built.close());

test('long lists cost a page nothing until they are opened', async ({ task }) => {
  const rows: Row[] = [];
  const sizes: Record<string, number[]> = {};

  async function measure(count: number, page: string, budget: number): Promise<void> {
    const response = await ada.request(page);
    expect(response.status).toBe(200);
    const bytes = weigh(await response.text());
    const name = page.replace(cohortId, '[id]');
    rows.push(bytesRow(`document of ${name} with ${count} of all`, budget, { [name]: bytes }));
    sizes[name] = [...(sizes[name] ?? []), bytes];
  }

  let had = 1;
  for (const count of [1, 30, 200, 1_000]) {
    await addAll(had, count);
    had = count;
    await measure(count, '/', budgets.home);
    await measure(count, '/cohorts', budgets.cohorts);
    await measure(count, `/cohorts/${cohortId}/roster`, budgets.roster);
    await measure(count, '/payments', budgets.payments);
  }

  for (const [page, [one = 0, , many = 0, most = 0]] of Object.entries(sizes)) {
    expect(many).toBeGreaterThan(one);
    const what = `document of ${page}, what 1,000 add to 200`;
    rows.push(bytesRow(what, budgets.growth, { [page]: Math.max(0, most - many) }));
  }
  holdBudgets(task, rows);
});

/** Copies the first row of each table up to this number; everyone enrolled owes something. */
async function addAll(from: number, to: number): Promise<void> {
  if (from === to) {
    return;
  }
  const person = `'p' || n || '@example.com'`;
  await copy('courses', from, to, { id: id(1), name: `'Course ' || n`, slug: 'NULL' });
  // A course can have no more; the first one is yet to start.
  await copy('cohorts', Math.min(from, 200), Math.min(to, 200), {
    id: id(2),
    name: `'Cohort ' || n`,
    slug: `'cohort-' || n`,
    starts_on: `'2020-01-04'`,
    ends_on: `'2020-02-12'`,
    starts_at: '1578096000000',
    ends_at: '1581552000000',
  });
  await copy('people', from, to, {
    id: id(3),
    name: `'Person ' || n`,
    name_key: `'person ' || n`,
    email: person,
    email_canonical: person,
  });
  await copy('enrollments', from, to, {
    id: id(4),
    person_id: id(3),
    name_key: `'person ' || n`,
  });
  await built.sql(`INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id,
      cohort_name, person_id, enrollment_id, kind, amount_minor, currency, source, created_by,
      created_at)
    SELECT e.id, e.owner_id, c.course_id, 'Course', c.id, c.name, e.person_id, e.id, 'charge',
      1000 + e.rowid, 'EUR', 'owner', 'owner', e.rowid
    FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id
    WHERE NOT EXISTS (SELECT 1 FROM ledger_entries l WHERE l.id = e.id)`);
}

/** Copies the first row of a table, with these expressions of `n` in place of its values. */
async function copy(
  table: string,
  from: number,
  to: number,
  changes: Record<string, string>,
): Promise<void> {
  if (from === to) {
    return;
  }
  const found = await built.sql(`SELECT name FROM pragma_table_info('${table}')`);
  const columns = found.map(({ name }) => String(name));
  expect(columns).toEqual(expect.arrayContaining(Object.keys(changes)));
  const values = columns.map((name) =>
    name === 'idempotency_key' ? 'NULL' : (changes[name] ?? `"${name}"`),
  );
  await built.sql(`INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join()})
    WITH RECURSIVE numbers(n) AS
      (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${to})
    SELECT ${values.join()}
    FROM (SELECT * FROM ${table} ORDER BY rowid LIMIT 1) CROSS JOIN numbers`);
}

/** The id of the row `n`, as hard to compress as ours. */
function id(kind: number): string {
  return `printf('%08x-%04x-4${kind}00-8000-%012x', n * 2654435761 % 4294967296,
    n * 40503 % 65536, n * 362437 % 1000000007)`;
}
