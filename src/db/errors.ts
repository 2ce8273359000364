import 'server-only';
import { causesOf } from '#lib/causes.ts';

/** Whether an error says that a row was to point at one that is not there: by then, its owner was deleted. */
export function isForeignKeyViolation(error: unknown): boolean {
  return causesOf(error).some((cause) => cause.message.includes('FOREIGN KEY constraint failed'));
}

/**
 * Whether an error says that the column's UNIQUE constraint refused a row. D1 words it so, both alone (wrapped by Drizzle)
 * and in a batch (not wrapped).
 */
export function isUniqueViolation(error: unknown, column: `${string}.${string}`): boolean {
  return causesOf(error).some((cause) =>
    cause.message.includes(`UNIQUE constraint failed: ${column}`),
  );
}
