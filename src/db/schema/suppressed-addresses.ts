import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { undeliverableReasons } from '#db/values.ts';

/**
 * An address that no more mail goes to, whether or not somebody has an account with it. Times are UTC milliseconds since 1970.
 *
 * The table keeps its first name: a worker from before a change of it would find none.
 */
export const suppressedAddresses = sqliteTable('undeliverable_addresses', {
  emailCanonical: text('email_canonical').primaryKey(),
  reason: oneOf('reason', undeliverableReasons).notNull(),
  /** When we were told of the present reason. */
  since: integer('since', { mode: 'timestamp_ms' }).notNull(),
});
