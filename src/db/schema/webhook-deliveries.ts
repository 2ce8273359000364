import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { webhookProviders } from '#db/values.ts';

/** What other services have told us already, so that nothing is taken in twice. Times are UTC milliseconds since 1970. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    /** By default the one of the worker before this column. */
    provider: oneOf('provider', webhookProviders).notNull().default('resend'),
    /** The provider's id, the same whenever one event is sent again; Resend's is the `svix-id`. */
    id: text('id').notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    // The id first: so says the error that `isUniqueViolation` looks for, in every version.
    primaryKey({ columns: [table.id, table.provider] }),
    // Removing what has expired.
    index('webhook_deliveries_expires_at_index').on(table.expiresAt),
  ],
);
