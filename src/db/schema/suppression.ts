import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { undeliverableReasons, webhookProviders } from '#db/values.ts';

// Times are UTC milliseconds since 1970.

/**
 * An address that we no longer send to. The table keeps its first name, because during a deployment
 * the previous worker still uses it.
 */
export const suppressedAddresses = sqliteTable('undeliverable_addresses', {
  emailCanonical: text('email_canonical').primaryKey(),
  reason: oneOf('reason', undeliverableReasons).notNull(),
  /** When the current reason was reported. */
  since: integer('since', { mode: 'timestamp_ms' }).notNull(),
});

/** Webhook events, so that none is processed twice. */
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
