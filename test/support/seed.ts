import type { D1Database } from '@cloudflare/workers-types';
import { day } from './days.ts';

/**
 * SQL for a version-4-like UUID, and for a hash as the app stores them: both are spread over their
 * index.
 */
const uuid = `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
  || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;
const hash = 'lower(hex(randomblob(32)))';

/** At this many users a statement takes about a second. */
const chunkUsers = 20_000;

/** What the tables contain per user, in addition to one session; see docs/scaling.md. */
const coursesPerUser = 3;
/** One that is over and one that is still to come, in the one course of cohorts. */
const cohortsPerUser = 2;
const lessonsPerCourse = 3;
const linksPerUser = 0.02;
/** One link in so many is an address change; only these have a session and a token to stop it. */
const linksPerChange = 5;
const restoresPerUser = 0.01;
const countersPerUser = 0.3;
/** A sliding window counts in several. */
const bucketsPerKey = 10;
const bouncesPerUser = 0.01;
const knownSignInsPerUser = 4;

/** The bytes that the rows and indexes of each table take up, as far as they were added. */
export type TableBytes = Record<string, number>;

/**
 * Adds users and their data with SQL only: one session each, courses, of which the one of cohorts
 * is selected, a Google identity for one in three, one in twenty unverified; two browsers and two
 * networks that have signed in; someone in each cohort, with lessons that they have done, an
 * account, a request and an interest; live links and counters, and a few changed or bounced
 * addresses.
 * None of it expires within a day.
 *
 * @param onChunk called after each chunk with the number of users
 * @returns the added size of the database
 */
export async function seedUsers(
  db: D1Database,
  count: number,
  onChunk: (users: number) => void = () => {},
): Promise<TableBytes> {
  const bytes: TableBytes = {};
  for (let before = 0; before < count; before += chunkUsers) {
    const size = Math.min(chunkUsers, count - before);
    const last = await db
      .prepare('SELECT coalesce(max(rowid), 0) AS id FROM users')
      .first<number>('id');
    await seedChunk(db, bytes, last ?? 0, size);
    onChunk(before + size);
  }
  return bytes;
}

/** One batch, so that a chunk is inserted completely or not at all. */
async function seedChunk(db: D1Database, bytes: TableBytes, last: number, size: number) {
  const now = Date.now();
  const numbers = (count: number) =>
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;
  const seeded = `users.rowid > ${last} AND users.rowid <= ${last + size}`;
  const isChange = `users.rowid % ${linksPerChange} = 0`;
  const statements = [
    `${numbers(size)}, people (n, email) AS MATERIALIZED (
      SELECT n, lower(hex(randomblob(5))) || (${last} + n) || '@example.com' FROM numbers)
    INSERT INTO users (id, first_name, last_name, email, email_canonical, email_verified_at, language, google_sub, avatar_url, created_at)
    SELECT ${uuid}, 'Ada', 'Lovelace', email, email,
      CASE n % 20 WHEN 0 THEN NULL ELSE ${now} END,
      CASE n % 2 WHEN 0 THEN 'en' ELSE 'fr' END,
      CASE n % 3 WHEN 1 THEN printf('1%013d%07d', abs(random() % 10000000000000), ${last} + n) END,
      CASE n % 3 WHEN 1 THEN 'https://lh3.googleusercontent.com/a/' || ${hash} || '=s96-c' END,
      ${now - 700 * day} + abs(random() % ${600 * day})
    FROM people`,
    `${numbers(coursesPerUser)}
    INSERT INTO courses (id, owner_id, name, course_type, idempotency_key, created_at, updated_at)
    SELECT ${uuid}, users.id, 'Introduction to Biology ' || n,
      CASE n % 2 WHEN 0 THEN 'cohort' ELSE 'evergreen' END, ${uuid}, ${now - 90 * day} + n, ${now - 90 * day} + n
    FROM users CROSS JOIN numbers WHERE ${seeded}`,
    `${numbers(cohortsPerUser)}
    INSERT INTO cohorts (id, owner_id, course_id, name, starts_on, ends_on, time_zone, starts_at, ends_at, start_reminder_at, start_reminded_on, join_mode, waitlist, offer_hours, shows_minimum, shows_places_left, language, slug, published_at, idempotency_key, created_at, updated_at)
    SELECT ${uuid}, courses.owner_id, courses.id, 'Introduction to Biology, group ' || n, date(start, 'unixepoch'), date(start + ${40 * day} / 1000, 'unixepoch'), 'UTC', start * 1000, start * 1000 + ${41 * day},
      start * 1000 - ${3 * day} + 9 * 3600000, CASE n WHEN 1 THEN date(start, 'unixepoch') END, 'open', 1, 48, 0, 1, 'en', 'introduction-to-biology-' || ${hash}, ${now - 80 * day}, ${uuid}, ${now - 80 * day} + n, ${now - 80 * day} + n
    FROM users JOIN courses ON courses.owner_id = users.id AND courses.course_type = 'cohort'
    CROSS JOIN (SELECT n, unixepoch('now', 'start of day', (n * 180 - 300) || ' days') AS start FROM numbers) AS starts
    WHERE ${seeded}`,
    // A session on the first day of each; people were reminded of those that are over.
    `INSERT INTO meetings (id, owner_id, cohort_id, title, starts_local, duration_minutes, starts_at, reminded_day_for, reminded_hour_for, created_at, updated_at)
    SELECT ${uuid}, c.owner_id, c.id, 'Reading aloud', c.starts_on || 'T18:00', 90, c.starts_at + 18 * 3600000,
      CASE WHEN c.starts_at < ${now} THEN c.starts_at + 18 * 3600000 END, CASE WHEN c.starts_at < ${now} THEN c.starts_at + 18 * 3600000 END, c.created_at, c.updated_at
    FROM users JOIN cohorts c ON c.owner_id = users.id
    WHERE ${seeded}`,
    // Someone in every cohort; triggers write the history.
    `INSERT INTO people (id, owner_id, email, email_canonical, name, name_key, language, source, link_version, created_at, updated_at)
    SELECT ${uuid}, users.id, 'participant.of.' || users.email, 'participant.of.' || users.email, 'Grace Hopper', 'grace hopper', 'en', 'self', 1, ${now - 80 * day}, ${now - 80 * day}
    FROM users WHERE ${seeded}`,
    `INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key, status, expires_at, changed_by, status_changed_at, created_at)
    SELECT ${uuid}, c.owner_id, c.id, p.id, p.name_key,
      CASE c.rowid % 2 WHEN 0 THEN 'enrolled' ELSE 'offered' END,
      CASE c.rowid % 2 WHEN 0 THEN NULL ELSE ${now + 300 * day} END, 'person', ${now - 80 * day}, ${now - 80 * day}
    FROM users JOIN people p ON p.owner_id = users.id JOIN cohorts c ON c.owner_id = users.id
    WHERE ${seeded}`,
    // Lessons of the course of cohorts, of which those who are enrolled have done each; triggers count.
    `INSERT INTO sections (id, owner_id, course_id, position, created_at, updated_at)
    SELECT ${uuid}, courses.owner_id, courses.id, 1, ${now - 80 * day}, ${now - 80 * day}
    FROM users JOIN courses ON courses.owner_id = users.id AND courses.course_type = 'cohort'
    WHERE ${seeded}`,
    `${numbers(lessonsPerCourse)}
    INSERT INTO lessons (id, owner_id, course_id, section_id, position, title, document, words, draft_version, draft_at, published_title, html, published_words, published_version, published_at, created_at, updated_at)
    SELECT ${uuid}, s.owner_id, s.course_id, s.id, n, 'Scenes ' || n, '{"type":"doc"}', 400, 1, ${now - 80 * day}, 'Scenes ' || n, '<p>', 400, 1, ${now - 80 * day}, ${now - 80 * day}, ${now - 80 * day}
    FROM users JOIN sections s ON s.owner_id = users.id CROSS JOIN numbers WHERE ${seeded}`,
    `INSERT INTO lesson_marks (enrollment_id, lesson_id, owner_id, cohort_id, opened_at, done_at)
    SELECT g.enrollment_id, l.id, g.owner_id, g.cohort_id, ${now - 70 * day}, ${now - 70 * day}
    FROM users JOIN learning g ON g.owner_id = users.id JOIN lessons l ON l.owner_id = g.owner_id
    WHERE ${seeded}`,
    // What they owe and have paid, with a note by the payment.
    `WITH entries (kind, amount, method, source) AS (VALUES
      ('charge', 12000, NULL, 'enrollment'), ('payment', -12000, 'transfer', 'owner'))
    INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id, kind, amount_minor, currency, method, received_on, source, created_by, created_at)
    SELECT ${uuid}, e.owner_id, c.course_id, 'Introduction to Biology', c.id, c.name, e.person_id, e.id,
      entries.kind, amount, 'EUR', method, CASE WHEN method IS NULL THEN NULL ELSE c.starts_on END, source, 'owner', ${now - 70 * day}
    FROM users JOIN cohorts c ON c.owner_id = users.id JOIN enrollments e ON e.cohort_id = c.id
    CROSS JOIN entries WHERE ${seeded} AND e.status = 'enrolled'`,
    `INSERT INTO ledger_notes (entry_id, owner_id, text)
    SELECT l.id, l.owner_id, 'Paid by their employer'
    FROM users JOIN ledger_entries l ON l.owner_id = users.id WHERE ${seeded} AND l.kind = 'payment'`,
    // Someone has asked for a place, and someone would like to know when a course takes people.
    `INSERT INTO enrollment_requests (id, owner_id, cohort_id, email, email_canonical, name, language, consent_version, created_at, expires_at)
    SELECT ${uuid}, c.owner_id, c.id, 'request.to.' || users.email, 'request.to.' || users.email, 'Joan Clarke', 'en', 1, ${now}, ${now + day} + abs(random() % ${day})
    FROM users JOIN cohorts c ON c.owner_id = users.id WHERE ${seeded} AND c.starts_at > ${now}`,
    `INSERT INTO course_interests (id, owner_id, course_id, email, email_canonical, language, consent_version, created_at, expires_at)
    SELECT ${uuid}, k.owner_id, k.id, 'interest.of.' || users.email, 'interest.of.' || users.email, 'en', 1, ${now}, ${now + day} + abs(random() % ${day})
    FROM users JOIN courses k ON k.owner_id = users.id AND k.course_type = 'cohort' WHERE ${seeded}`,
    // They have been told of all that except the newest.
    `UPDATE news_due SET due_at = ${now + day} + abs(random() % ${day})
    WHERE owner_id IN (SELECT id FROM users WHERE ${seeded})`,
    // Each has one email that was sent and emptied long ago, one of yesterday, and one that waits.
    `INSERT INTO mail_texts (id, owner_id, facts, created_at)
    SELECT 'text of ' || e.id, e.owner_id, '{}', ${now - day}
    FROM users JOIN enrollments e ON e.owner_id = users.id WHERE ${seeded}`,
    `WITH mails (kind, payload, has_text, due_at, is_sent) AS (VALUES
      ('enrolled', '', 0, ${now - 50 * day}, 1), ('meeting_reminder', '{}', 1, ${now - day}, 1),
      ('starts_soon', '{}', 1, ${now + 30 * day}, 0))
    INSERT INTO mails_due (id, dedupe_key, owner_id, enrollment_id, cohort_id, to_address, to_canonical, kind, payload, text_id, due_at, attempts, sent_at, provider_id)
    SELECT ${hash}, ${hash}, e.owner_id, e.id, e.cohort_id, p.email, p.email_canonical, kind, payload,
      CASE has_text WHEN 1 THEN 'text of ' || e.id END, due_at + abs(random() % ${day}), is_sent,
      CASE is_sent WHEN 1 THEN due_at + ${day} END, CASE is_sent WHEN 1 THEN ${hash} END
    FROM users JOIN enrollments e ON e.owner_id = users.id JOIN people p ON p.id = e.person_id
    CROSS JOIN mails WHERE ${seeded}`,
    `UPDATE users SET selected_course_id =
      (SELECT id FROM courses WHERE owner_id = users.id ORDER BY course_type = 'evergreen', created_at, id LIMIT 1)
    WHERE ${seeded}`,
    `INSERT INTO sessions (id, token_hash, user_id, user_agent, created_at, last_seen_at)
    SELECT ${uuid}, ${hash}, id,
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      ${now - 60 * day} + abs(random() % ${30 * day}), ${now - 28 * day} + abs(random() % ${28 * day})
    FROM users WHERE ${seeded}`,
    `INSERT INTO links (id, token_hash, user_id, purpose, email_canonical, new_email, session_id, stop_token_hash, attempt_hash, code_hash, created_at, expires_at)
    SELECT ${uuid}, ${hash}, users.id,
      iif(${isChange}, 'address_change', 'login'),
      email_canonical,
      iif(${isChange}, 'new.' || email, NULL),
      iif(${isChange}, sessions.id, NULL),
      iif(${isChange}, ${hash}, NULL),
      iif(${isChange}, NULL, ${hash}),
      iif(${isChange}, NULL, ${hash}),
      ${now}, ${now + day} + abs(random() % ${day})
    FROM users JOIN sessions ON sessions.user_id = users.id
    WHERE ${seeded} ORDER BY users.rowid LIMIT ${Math.ceil(size * linksPerUser)}`,
    `INSERT INTO address_restores (id, token_hash, user_id, email, email_canonical, created_at, expires_at)
    SELECT ${uuid}, ${hash}, id, 'old.' || email, 'old.' || email_canonical, ${now}, ${now + day} + abs(random() % ${6 * day})
    FROM users WHERE ${seeded} LIMIT ${Math.ceil(size * restoresPerUser)}`,
    `${numbers(Math.ceil((size * countersPerUser) / bucketsPerKey))}, keys (key) AS MATERIALIZED (SELECT ${hash} FROM numbers),
      buckets (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM buckets WHERE n < ${bucketsPerKey})
    INSERT INTO counters (key, window_start, count, expires_at)
    SELECT key, ${now - (now % day)} - n * ${day / 24}, 1, ${now + day} + abs(random() % ${day}) FROM keys CROSS JOIN buckets`,
    `${numbers(knownSignInsPerUser)}
    INSERT INTO known_sign_ins (user_id, origin, expires_at)
    SELECT id, CASE n % 2 WHEN 0 THEN 'browser:' ELSE 'network:' END || ${hash}, ${now + day} + abs(random() % ${180 * day})
    FROM users CROSS JOIN numbers WHERE ${seeded}`,
    `INSERT INTO undeliverable_addresses (email_canonical, reason, since)
    SELECT email_canonical, 'bounced', ${now} FROM users WHERE ${seeded} LIMIT ${Math.ceil(size * bouncesPerUser)}`,
    `${numbers(Math.ceil(size * bouncesPerUser))}
    INSERT INTO webhook_deliveries (id, expires_at)
    SELECT 'msg_' || ${hash}, ${now + day} + abs(random() % ${day}) FROM numbers`,
  ];
  // The first tells the size before.
  const results = await db.batch(['SELECT 1', ...statements].map((sql) => db.prepare(sql)));
  const sizes = results.map(({ meta }) => meta.size_after);
  statements.forEach((sql, index) => {
    const [, table = ''] = /(?:INSERT INTO|UPDATE) (\w+)/.exec(sql) ?? [];
    bytes[table] = (bytes[table] ?? 0) + (sizes[index + 1] ?? 0) - (sizes[index] ?? 0);
  });
}
