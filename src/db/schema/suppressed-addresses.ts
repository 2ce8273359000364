import { sql } from 'drizzle-orm';
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { undeliverableReasons } from '#db/values.ts';

/**
 * An address that no more mail goes to, whether or not somebody has an account with it. Times are UTC milliseconds since 1970.
 */
export const suppressedAddresses = sqliteTable(
  'undeliverable_addresses',
  {
    /** The form that decides whether two addresses are one: see lib/email-address.ts. */
    emailCanonical: text('email_canonical').primaryKey(),
    reason: text('reason', { enum: undeliverableReasons }).notNull(),
    /** When we were told of the present reason. */
    since: integer('since', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    check(
      'undeliverable_addresses_reason_check',
      sql`${table.reason} IN ('bounced', 'complained')`,
    ),
  ],
);
