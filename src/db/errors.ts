import 'server-only';
import { causesOf } from '#observability/causes.ts';

/** Whether an error says that the column's UNIQUE constraint refused a row, in D1's words. */
export function isUniqueViolation(error: unknown, column: `${string}.${string}`): boolean {
  return causesOf(error).some((cause) =>
    cause.message.includes(`UNIQUE constraint failed: ${column}`),
  );
}

/** Whether an error says that something is wrong with a statement on this table. D1 then did nothing of its batch. */
export function isRefusalBy(table: string, error: unknown): boolean {
  return causesOf(error).some(({ message }) => new RegExp(`\\b${table}\\b.*SQLITE_`).test(message));
}

/**
 * Whether an error says that D1 could not be reached, had too much to do, or takes no writes for
 * now, and not that something is wrong with a statement.
 *
 * @see https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
 */
export function isOutOfReach(error: unknown): boolean {
  return causesOf(error).some(({ message }) => outOfReachPattern.test(message));
}

/** The words of D1 and SQLite, and ours of client.ts. */
const outOfReachPattern = new RegExp(
  [
    'Network connection lost',
    'D1 did not answer',
    'D1 DB',
    'storage caused object to be reset',
    'transient issue',
    // All that is said of what broke on the far side, such as a file that another process locked.
    'internal error; reference',
    'Exceeded maximum (DB size|account storage)',
    'database is locked',
    'SQLITE_(BUSY|LOCKED|READONLY|FULL|IOERR)',
  ].join('|'),
);
