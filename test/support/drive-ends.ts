import { env } from 'cloudflare:workers';
import { getTableColumns, getTableName } from 'drizzle-orm';
import { checkouts } from '#db/schema/checkouts.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { lessons, lessonVersions, sections } from '#db/schema/lessons.ts';
import { users } from '#db/schema/users.ts';
import { closedLists } from './closed-lists.ts';
import { day } from './days.ts';
import { tables } from './tables.ts';

/** What the CHECKs of a table demand of such a row: that it is to be sent, or waives. */
const heldValues: Record<string, string> = {
  // Two indexes contain only people who hold a place.
  'enrollments.status': "'offered'",
  'enrollments.queue_no': 'NULL',
  'enrollments.over_capacity': '0',
  'enrollments.completed_at': 'NULL',
  'meetings.duration_minutes': '60',
  'meetings.cancelled_at': 'NULL',
  'sections.release_days': '1',
  'lessons.minutes': '1',
  'lessons.deleted_at': 'NULL',
  'ledger_entries.amount_minor': '-1',
  'ledger_entries.currency': "'ZZZ'",
  'ledger_entries.method': 'NULL',
  'ledger_entries.received_on': 'NULL',
  'ledger_entries.reverses_id': 'NULL',
  'mails_due.sent_at': 'NULL',
  'mails_due.failed_at': 'NULL',
};

/**
 * A user who comes last in every index, and one who comes first where an index is walked backward.
 * A walk ends at the next entry and counts it, so there must always be one: otherwise rows read
 * would depend on where an id falls in an index.
 */
export async function putEnds(): Promise<void> {
  const inserts = [
    ...tables.map((table) => insertOf(table, '~')),
    ...[users, courses, cohorts, sections, lessons, lessonVersions, checkouts].map((table) =>
      insertOf(table, '!'),
    ),
  ];
  // One index has only emails that were sent.
  const sent = `INSERT OR IGNORE INTO mails_due (id, dedupe_key, owner_id, to_address, to_canonical,
      kind, payload, due_at, sent_at)
    SELECT id || '~', dedupe_key || '~', owner_id, to_address, to_canonical, kind, payload, due_at,
      ${Date.now() + 1000 * day} FROM mails_due WHERE id = '~'`;
  // Its entry came before its enrollment.
  const addedUp = "UPDATE balances SET is_stale = 1 WHERE enrollment_id = '~'";
  // A user points to a course and the course to its owner.
  const statements = ['PRAGMA defer_foreign_keys = on', ...inserts, sent, addedUp];
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)));
}

/** A row with this as each of its texts, far in the future. */
function insertOf(table: (typeof tables)[number], text: string): string {
  const [name, columns] = [getTableName(table), Object.values(getTableColumns(table))];
  const names = columns.map((column) => `"${column.name}"`);
  const values = columns.map((column) => {
    const held = heldValues[`${name}.${column.name}`];
    if (held !== undefined) {
      return held;
    }
    const last = closedLists[`${name}.${column.name}`]?.toSorted().at(-1) ?? text;
    if (column.primary && text === '!' && column.getSQLType() === 'integer') {
      return -1;
    }
    return column.getSQLType() === 'integer' ? Date.now() + 1000 * day : `'${last}'`;
  });
  return `INSERT OR IGNORE INTO "${name}" (${names.join()}) VALUES (${values.join()})`;
}
