import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What Resend has told us already, so that nothing is taken in twice. Times are UTC milliseconds since 1970. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    /** The `svix-id`, the same whenever one event is sent again. */
    id: text('id').primaryKey(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  // Removing what has expired.
  (table) => [index('webhook_deliveries_expires_at_index').on(table.expiresAt)],
);
