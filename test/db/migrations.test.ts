import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { links } from '#db/schema/links.ts';
import { suppressedAddresses } from '#db/schema/suppressed-addresses.ts';
import { users } from '#db/schema/users.ts';
import { webhookDeliveries } from '#db/schema/webhook-deliveries.ts';
import { db } from '#support/factories.ts';

/** Ordered so that no table is dropped while another refers to it. */
const tables = [
  'links',
  'sessions',
  'address_restores',
  'known_sign_ins',
  'courses',
  'users',
  'undeliverable_addresses',
  'webhook_deliveries',
  'counters',
] as const;
const known = new Set<string>([...tables, 'd1_migrations']);

/** At least one row in every table, as the worker before 0004 wrote them. */
const rowsBefore = [
  ...['ada', 'bob', 'eve'].map(
    (id) =>
      `INSERT INTO users (id, first_name, last_name, email, email_canonical, email_verified_at, language, google_sub, avatar_url, created_at)
      VALUES ('${id}', 'First', 'Last', '${id}@Example.com', '${id}@example.com', 5, 'fr', 'google ${id}', 'https://x/${id}', 6)`,
  ),
  ...['ada', 'bob'].flatMap((owner) =>
    ['cohort', 'evergreen'].map(
      (type) =>
        `INSERT INTO courses (id, owner_id, name, course_type, idempotency_key, created_at, updated_at)
        VALUES ('${type} of ${owner}', '${owner}', 'A name', '${type}', 'key of ${type}', 7, 8)`,
    ),
  ),
  "UPDATE users SET selected_course_id = 'cohort of ' || id WHERE id <> 'eve'",
  `INSERT INTO sessions (id, token_hash, user_id, user_agent, created_at, last_seen_at)
  VALUES ('a session', 'its hash', 'ada', 'Firefox', 9, 10)`,
  `INSERT INTO links (id, token_hash, user_id, purpose, email_canonical, new_email, session_id, stop_token_hash, created_at, expires_at)
  VALUES ('a change', 'one hash', 'ada', 'address_change', 'new@example.com', 'New@example.com', 'a session', 'stop hash', 11, 12),
  ('a login', 'other hash', 'bob', 'login', 'bob@example.com', NULL, NULL, NULL, 13, 14)`,
  "INSERT INTO address_restores VALUES ('a restore', 'a hash', 'bob', 'Old@example.com', 'old@example.com', 15, 16)",
  "INSERT INTO known_sign_ins VALUES ('bob', 'network:1', 17)",
  "INSERT INTO undeliverable_addresses VALUES ('old@example.com', 'complained', 18)",
  "INSERT INTO webhook_deliveries VALUES ('msg_1', 19)",
  "INSERT INTO counters VALUES ('a key', 20, 21, 22)",
];

beforeEach(async () => {
  await env.DB.exec('UPDATE users SET selected_course_id = NULL');
  const { results: later } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid DESC`,
  ).all<{ name: string }>();
  // A trigger that names a table which is gone would fail.
  const { results: triggers } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'trigger'`,
  ).all<{ name: string }>();
  for (const { name } of triggers) {
    await env.DB.exec(`DROP TRIGGER ${name}`);
  }
  const newer = later.map(({ name }) => name).filter((name) => !known.has(name));
  for (const table of [...newer, ...tables, 'd1_migrations']) {
    await env.DB.exec(`DROP TABLE ${table}`);
  }
});

test('opening the closed lists loses no row, foreign key or index', async () => {
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS.slice(0, 4));
  await env.DB.batch(rowsBefore.map((sql) => env.DB.prepare(sql)));
  const before = await contents();
  const indexesBefore = await indexes();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS.slice(0, 5));

  expect(await contents()).toEqual({
    ...before,
    links: before['links']?.map((row) => Object.assign({}, row, { subject: '' })),
    webhook_deliveries: [{ provider: 'resend', id: 'msg_1', expires_at: 19 }],
  });
  expect(await indexes()).toEqual(
    [...indexesBefore, 'links_user_id_purpose_subject_unique'].toSorted(),
  );
  const { results: broken } = await env.DB.prepare('PRAGMA foreign_key_check').all();
  expect(broken).toEqual([]);
  const { results: definitions } = await env.DB.prepare(
    "SELECT sql FROM sqlite_master WHERE sql LIKE '%CHECK%' OR sql LIKE '%new_courses%' OR sql LIKE '%new_users%' OR sql LIKE '%new_sessions%'",
  ).all();
  expect(definitions).toEqual([]);

  // The foreign keys still work.
  await env.DB.exec("DELETE FROM sessions WHERE id = 'a session'");
  await env.DB.exec("UPDATE users SET selected_course_id = NULL WHERE id = 'bob'");
  await env.DB.exec("DELETE FROM users WHERE id = 'bob'");
  const after = await contents();
  expect(after['links']).toEqual([]);
  expect(after['address_restores']).toEqual([]);
  expect(after['known_sign_ins']).toEqual([]);
  expect(after['courses']).toHaveLength(2);
  await expect(
    env.DB.exec("UPDATE users SET selected_course_id = 'cohort of ada' WHERE id = 'eve'"),
  ).rejects.toThrow('FOREIGN KEY');
});

test('people who were moved before waivers were cut keep their entries, and are moved on', async () => {
  const at = env.TEST_MIGRATIONS.findIndex(({ name }) => name.includes('move-waivers'));
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS.slice(0, at));
  await env.DB.batch(
    [
      ...rowsBefore.slice(0, 1),
      `INSERT INTO courses (id, owner_id, name, course_type, created_at, updated_at)
        VALUES ('course', 'ada', 'A name', 'cohort', 1, 1)`,
      ...[24_000, 15_000, 9000].map(
        (price) => `INSERT INTO cohorts (id, owner_id, course_id, name, starts_on, ends_on,
          time_zone, starts_at, ends_at, join_mode, waitlist, offer_hours, shows_minimum,
          shows_places_left, language, slug, price_minor, currency, created_at, updated_at)
        VALUES ('for ${price}', 'ada', 'course', 'A name', '2027-01-04', '2027-02-12', 'UTC', 1, 2,
          'open', 1, 48, 0, 1, 'en', 'for ${price}', ${price}, 'EUR', 1, 1)`,
      ),
      `INSERT INTO people (id, owner_id, email, email_canonical, name, name_key, language, source,
          link_version, created_at, updated_at)
        VALUES ('bob', 'ada', 'bob@example.com', 'bob@example.com', 'Bob', 'bob', 'en', 'self', 1,
          1, 1)`,
      `INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key, status, changed_by,
          status_changed_at, created_at)
        VALUES ('place', 'ada', 'for 24000', 'bob', 'bob', 'enrolled', 'person', 1, 1)`,
      `INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name,
          person_id, enrollment_id, kind, amount_minor, currency, source, created_by, created_at)
        VALUES ('waived', 'ada', 'course', 'A name', 'for 24000', 'A name', 'bob', 'place',
          'waiver', -24000, 'EUR', 'owner', 'owner', 1)`,
      "UPDATE enrollments SET cohort_id = 'for 15000' WHERE id = 'place'",
    ].map((sql) => env.DB.prepare(sql)),
  );
  const entries = async () =>
    (await env.DB.prepare('SELECT * FROM ledger_entries ORDER BY rowid').all()).results;
  const before = await entries();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
  expect(await entries()).toEqual(before);
  await env.DB.exec("UPDATE enrollments SET cohort_id = 'for 9000' WHERE id = 'place'");

  const { results: sums } = await env.DB.prepare(
    `SELECT cohort_id, kind, sum(amount_minor) AS sum FROM ledger_entries
      GROUP BY cohort_id, kind HAVING sum <> 0 ORDER BY kind`,
  ).all();
  expect(sums).toEqual([
    { cohort_id: 'for 9000', kind: 'charge', sum: 9000 },
    { cohort_id: 'for 9000', kind: 'waiver', sum: -9000 },
  ]);
});

test('a value that is not in its list is not written, whatever its TypeScript type is', async () => {
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
  const wrong = 'something else' as never;
  for (const write of [
    db.update(users).set({ language: wrong }),
    db.update(courses).set({ courseType: wrong }),
    db.update(links).set({ purpose: wrong }),
    db.update(suppressedAddresses).set({ reason: wrong }),
    db.update(webhookDeliveries).set({ provider: wrong }),
  ]) {
    expect(() => write.toSQL()).toThrow('is not in its list');
  }
});

async function contents(): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  for (const table of tables) {
    all[table] = (await env.DB.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()).results;
  }
  return all;
}

async function indexes(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name",
  ).all<{ name: string }>();
  return results.map(({ name }) => name);
}
