import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { undeliverableReasons } from '#db/values.ts';

/**
 * An address that we no longer send to. Times are UTC milliseconds since 1970.
 *
 * The table keeps its first name, because during a deployment the previous worker still uses it.
 */
export const suppressedAddresses = sqliteTable('undeliverable_addresses', {
  emailCanonical: text('email_canonical').primaryKey(),
  reason: oneOf('reason', undeliverableReasons).notNull(),
  /** When the current reason was reported. */
  since: integer('since', { mode: 'timestamp_ms' }).notNull(),
});
