import { globSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';

const migration = '0022_authors.sql';

/** An instructor with two cohorts that cost money, and what happened in them before the migration. */
const rows = `
  INSERT INTO users (id, first_name, last_name, email, email_canonical, language, created_at)
    VALUES ('owner', 'Anna', 'Martin', 'a@example.com', 'a@example.com', 'en', 1);
  INSERT INTO courses (id, owner_id, name, course_type, created_at, updated_at)
    VALUES ('course', 'owner', 'Writing', 'cohort', 1, 1);
  INSERT INTO cohorts (id, owner_id, course_id, name, starts_on, ends_on, time_zone, starts_at, ends_at,
      join_mode, waitlist, offer_hours, shows_minimum, shows_places_left, language, slug, price_minor, currency,
      created_at, updated_at)
    SELECT name, 'owner', 'course', name, '2027-01-04', '2027-02-26', 'UTC', 1, 2, 'open', 1, 48, 0, 1, 'en', name,
      price, 'EUR', 1, 1
    FROM (SELECT 'spring' AS name, 24000 AS price UNION ALL SELECT 'autumn', 15000);
  INSERT INTO people (id, owner_id, email, email_canonical, name, name_key, language, source, link_version,
      created_at, updated_at)
    SELECT value, 'owner', value, value, value, value, 'en', 'self', 1, 1, 1
    FROM json_each('["ada", "bea", "cleo", "dora"]');
  INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key, status, queue_no, changed_by,
      status_changed_at, created_at)
    VALUES ('e-ada', 'owner', 'spring', 'ada', 'ada', 'enrolled', NULL, 'person', 2, 2),
      ('e-bea', 'owner', 'spring', 'bea', 'bea', 'enrolled', NULL, 'owner', 3, 3),
      ('e-cleo', 'owner', 'spring', 'cleo', 'cleo', 'waitlisted', 1, 'person', 4, 4);
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id,
      enrollment_id, kind, amount_minor, currency, method, received_on, source, created_by, created_at)
    VALUES ('paid', 'owner', 'course', 'Writing', 'spring', 'spring', 'ada', 'e-ada', 'payment', -100, 'EUR', 'cash',
      '2026-11-20', 'owner', 'owner', 5);
  INSERT INTO ledger_notes (entry_id, owner_id, text) VALUES ('paid', 'owner', 'In cash');
  INSERT INTO group_messages (id, owner_id, cohort_id, subject, text, recipients, left_out, created_at)
    VALUES ('message', 'owner', 'spring', 'Chairs', 'And a pen.', 2, 0, 6);
  UPDATE enrollments SET cohort_id = 'autumn', changed_by = 'owner', status_changed_at = 7 WHERE id = 'e-ada';`;

/** A database as it was before the migration, which `migrate` runs. */
function databaseBefore() {
  const database = new DatabaseSync(':memory:');
  const files = globSync('migrations/*.sql').toSorted();
  const run = (file: string) => database.exec(readFileSync(file, 'utf8'));
  files.slice(0, files.indexOf(`migrations/${migration}`)).forEach(run);
  database.exec(rows);
  return { database, migrate: () => run(`migrations/${migration}`) };
}

function contentOf(database: DatabaseSync) {
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
  return tables.map(({ name }) => ({
    name,
    rows: database.prepare(`SELECT * FROM "${name}"`).all(),
  }));
}

test('the migration that adds authors keeps every row, and names no one for what was before', () => {
  const { database, migrate } = databaseBefore();
  const before = contentOf(database);
  migrate();

  const added: Record<string, object> = {
    enrollments: { changed_by_user_id: null },
    enrollment_events: { actor_user_id: null },
    ledger_entries: { created_by_user_id: null },
    group_messages: { created_by_user_id: null },
  };
  const expected = before.map(({ name, rows }) => ({
    name,
    rows: rows.map((row) => ({ ...row, ...added[String(name)] })),
  }));
  expect(contentOf(database)).toEqual(expected);
  expect(before.find(({ name }) => name === 'ledger_entries')?.rows).toHaveLength(7);
  expect(before.find(({ name }) => name === 'enrollment_events')?.rows).toHaveLength(4);
});

test('the worker from before still writes history and charges, and the ledger refuses changes', () => {
  const { database, migrate } = databaseBefore();
  migrate();
  database.exec(`
    UPDATE enrollments SET status = 'offered', queue_no = NULL, expires_at = 99, changed_by = 'owner',
      changed_by_user_id = 'owner', status_changed_at = 10 WHERE id = 'e-cleo';
    UPDATE enrollments SET status = 'enrolled', expires_at = NULL, changed_by = 'person', status_changed_at = 11
      WHERE id = 'e-cleo';
    UPDATE enrollments SET cohort_id = 'autumn', changed_by = 'owner', changed_by_user_id = 'owner',
      status_changed_at = 12 WHERE id = 'e-bea';
    INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key, status, changed_by, status_changed_at,
        created_at)
      VALUES ('e-dora', 'owner', 'spring', 'dora', 'dora', 'enrolled', 'owner', 13, 13)`);

  const history = database.prepare(
    `SELECT enrollment_id || ' ' || to_status || ' ' || coalesce(actor_user_id, '-') AS event
      FROM enrollment_events WHERE at >= 10 ORDER BY at`,
  );
  expect(history.all().map(({ event }) => event)).toEqual([
    'e-cleo offered owner',
    'e-cleo enrolled -',
    'e-bea enrolled owner',
    'e-dora enrolled -',
  ]);
  const ledger = database.prepare(
    `SELECT enrollment_id || ' ' || amount_minor || ' ' || coalesce(created_by_user_id, '-') AS entry
      FROM ledger_entries WHERE created_at >= 10 ORDER BY created_at, amount_minor`,
  );
  expect(ledger.all().map(({ entry }) => entry)).toEqual([
    'e-cleo 24000 -',
    'e-bea -24000 owner',
    'e-bea 15000 owner',
    'e-dora 24000 -',
  ]);
  expect(() => database.exec(`UPDATE ledger_entries SET created_by_user_id = 'x'`)).toThrow(
    'ledger_append_only',
  );
  expect(() => database.exec('DELETE FROM ledger_entries')).toThrow('ledger_append_only');
});
