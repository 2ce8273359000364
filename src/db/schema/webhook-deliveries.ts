import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { webhookProviders } from '#db/values.ts';

/** Webhook events, so that none is processed twice. Times are UTC milliseconds since 1970. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    /** The default is for the worker before this column. */
    provider: oneOf('provider', webhookProviders).notNull().default('resend'),
    /** The provider's event id, the same for all deliveries of an event; Resend's `svix-id`. */
    id: text('id').notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    // The id first, because `isUniqueViolation` looks for it in the error, in every version.
    primaryKey({ columns: [table.id, table.provider] }),
    // For the clean-up.
    index('webhook_deliveries_expires_at_index').on(table.expiresAt),
  ],
);
