import { globSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';

const migration = 'migrations/0026_lessons.sql';

/** Two cohorts, and people of every status, of whom some were enrolled before. */
const rows = `
  INSERT INTO users (id, first_name, last_name, email, email_canonical, language, created_at)
    VALUES ('owner', 'Anna', 'Martin', 'a@example.com', 'a@example.com', 'en', 1);
  INSERT INTO courses (id, owner_id, name, course_type, created_at, updated_at)
    VALUES ('course', 'owner', 'Writing', 'cohort', 1, 1);
  INSERT INTO cohorts (id, owner_id, course_id, name, starts_on, ends_on, time_zone, starts_at, ends_at,
      join_mode, waitlist, offer_hours, shows_minimum, shows_places_left, language, slug, created_at, updated_at)
    SELECT value, 'owner', 'course', value, '2027-01-04', '2027-02-26', 'UTC', 1, 2, 'open', 1, 48, 0, 1, 'en',
      value, 1, 1
    FROM json_each('["spring", "autumn"]');
  INSERT INTO people (id, owner_id, email, email_canonical, name, name_key, language, source, link_version,
      created_at, updated_at)
    SELECT value, 'owner', value, value, value, value, 'en', 'self', 1, 1, 1
    FROM json_each('["enrolled", "offered", "invited", "waitlisted", "applied", "declined", "refused", "expired",
      "left", "removed", "moved", "returned", "late"]');
  INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key, status, queue_no, expires_at, changed_by,
      status_changed_at, created_at)
    SELECT 'e-' || id, 'owner', 'spring', id, id,
      CASE WHEN id IN ('left', 'moved', 'returned', 'removed', 'late') THEN 'enrolled' ELSE id END,
      iif(id = 'waitlisted', 1, NULL), iif(id IN ('offered', 'invited'), 99, NULL), 'person', 2, 2
    FROM people;
  UPDATE enrollments SET status = 'left', status_changed_at = 3 WHERE id IN ('e-left', 'e-returned');
  UPDATE enrollments SET status = 'removed', status_changed_at = 3 WHERE id = 'e-removed';
  UPDATE enrollments SET status = 'enrolled', status_changed_at = 4 WHERE id = 'e-returned';
  UPDATE enrollments SET cohort_id = 'autumn', status_changed_at = 5 WHERE id = 'e-moved';`;

/** A database as it was before the migration, which `migrate` runs. */
function databaseBefore() {
  const database = new DatabaseSync(':memory:');
  const files = globSync('migrations/*.sql').toSorted();
  const run = (file: string) => database.exec(readFileSync(file, 'utf8'));
  files.slice(0, files.indexOf(migration)).forEach(run);
  database.exec(rows);
  const learners = () =>
    database
      .prepare(`SELECT enrollment_id || ' ' || cohort_id || ' ' || started_at AS learner
        FROM learning ORDER BY enrollment_id`)
      .all()
      .map(({ learner }) => learner);
  return { database, learners, migrate: () => run(migration) };
}

test('everyone who was ever enrolled becomes a learner from that day on, and no other row changes', () => {
  const { database, learners, migrate } = databaseBefore();
  const before = database.prepare('SELECT * FROM enrollments ORDER BY id').all();
  const events = database.prepare('SELECT count(*) AS count FROM enrollment_events').get();
  migrate();

  expect(learners()).toEqual([
    'e-enrolled spring 2',
    'e-late spring 2',
    'e-left spring 2',
    'e-moved autumn 2',
    'e-removed spring 2',
    'e-returned spring 2',
  ]);
  expect(database.prepare('SELECT * FROM enrollments ORDER BY id').all()).toEqual(before);
  expect(database.prepare('SELECT count(*) AS count FROM enrollment_events').get()).toEqual(events);
  expect(database.prepare('SELECT shows_outline FROM courses').get()).toEqual({ shows_outline: 0 });
});

test('people whom the worker from before lets in, moves and lets go are learners, too', () => {
  const { database, learners, migrate } = databaseBefore();
  migrate();
  database.exec(`
    UPDATE enrollments SET status = 'enrolled', expires_at = NULL, status_changed_at = 10 WHERE id = 'e-offered';
    UPDATE enrollments SET status = 'left', status_changed_at = 11 WHERE id = 'e-offered';
    UPDATE enrollments SET status = 'enrolled', status_changed_at = 12 WHERE id IN ('e-offered', 'e-left');
    UPDATE enrollments SET cohort_id = 'autumn', status_changed_at = 13 WHERE id = 'e-offered';
    DELETE FROM enrollments WHERE id = 'e-late';
    INSERT INTO people (id, owner_id, email, email_canonical, name, name_key, language, source, link_version,
        created_at, updated_at)
      VALUES ('new', 'owner', 'new', 'new', 'new', 'new', 'en', 'added', 1, 1, 1);
    INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key, status, changed_by, status_changed_at,
        created_at)
      VALUES ('e-new', 'owner', 'spring', 'new', 'new', 'enrolled', 'owner', 14, 14)`);

  expect(learners()).toEqual([
    'e-enrolled spring 2',
    'e-left spring 2',
    'e-moved autumn 2',
    'e-new spring 14',
    'e-offered autumn 10',
    'e-removed spring 2',
    'e-returned spring 2',
  ]);
});
