import 'server-only';
import { AppError, type ErrorCode } from '#lib/app-error.ts';
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

/**
 * For a write that hangs on somebody's row, which another request may have deleted meanwhile.
 *
 * @throws AppError of the code when there is nobody any more for the row to point at
 */
export async function unlessGone<Result>(
  write: PromiseLike<Result>,
  code: ErrorCode,
): Promise<Result> {
  try {
    return await write;
  } catch (cause) {
    const isGone = causesOf(cause).some(({ message }) =>
      message.includes('FOREIGN KEY constraint failed'),
    );
    throw isGone ? new AppError(code, { cause }) : cause;
  }
}
