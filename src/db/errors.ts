import 'server-only';
import { causesOf } from '#observability/causes.ts';

/** Whether D1 reported a violation of the column's UNIQUE constraint. */
export function isUniqueViolation(error: unknown, column: `${string}.${string}`): boolean {
  return causesOf(error).some((cause) =>
    cause.message.includes(`UNIQUE constraint failed: ${column}`),
  );
}

/** Whether D1 rejected a statement on this table; it has then rolled back the batch. */
export function isRefusalBy(table: string, error: unknown): boolean {
  return causesOf(error).some(({ message }) => new RegExp(`\\b${table}\\b.*SQLITE_`).test(message));
}

/** Whether the database accepts no writes now, so that D1 has rolled back the batch. */
export function isUnwritable(error: unknown): boolean {
  return causesOf(error).some(({ message }) => unwritablePattern.test(message));
}

const unwritablePattern =
  /SQLITE_(BUSY|LOCKED|READONLY|FULL)|Exceeded maximum (DB size|account storage)/;

/**
 * Whether D1 was unreachable, overloaded or read-only, and did not reject a statement.
 *
 * @see https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
 */
export function isOutOfReach(error: unknown): boolean {
  return causesOf(error).some(({ message }) => outOfReachPattern.test(message));
}

/** Messages of D1 and SQLite, and of our timeout in client.ts. */
const outOfReachPattern = new RegExp(
  [
    'Network connection lost',
    'D1 did not answer',
    'D1 DB',
    'storage caused object to be reset',
    'transient issue',
    // All that D1 says about internal errors, such as a locked file.
    'internal error; reference',
    'Exceeded maximum (DB size|account storage)',
    'database is locked',
    'SQLITE_(BUSY|LOCKED|READONLY|FULL|IOERR)',
  ].join('|'),
);
