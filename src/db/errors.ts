import 'server-only';
import { causesOf } from '#lib/causes.ts';

/**
 * Whether an error says that the column's UNIQUE constraint refused a row. D1 words it so, both alone (wrapped by Drizzle)
 * and in a batch (not wrapped).
 */
export function isUniqueViolation(error: unknown, column: `${string}.${string}`): boolean {
  return causesOf(error).some((cause) =>
    cause.message.includes(`UNIQUE constraint failed: ${column}`),
  );
}

/**
 * Whether an error says that D1 could not be reached or had too much to do, and not that something is wrong with a statement.
 *
 * @see https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
 */
export function isOutOfReach(error: unknown): boolean {
  return causesOf(error).some(({ message }) => outOfReachPattern.test(message));
}

/** D1's words, and ours of time-limit.ts. */
const outOfReachPattern =
  /Network connection lost|D1 did not answer|D1 DB|storage caused object to be reset|transient issue/;
