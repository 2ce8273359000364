import { index, integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { ofUser } from '#db/owned.ts';

/**
 * Owners who have news: someone has joined, left or begun to wait since the last email that says
 * so. A trigger of migration 0009 writes a row with the first of these changes, so that the clock
 * reads nothing of the others. Times are UTC milliseconds since 1970.
 */
export const newsDue = sqliteTable(
  'news_due',
  {
    ownerId: ofUser('owner_id').primaryKey(),
    /** When the first of the changes was. */
    since: integer('since', { mode: 'timestamp_ms' }).notNull(),
    /** Eight in the morning, where the owner's newest cohort is; 0 until the clock has seen it. */
    dueAt: integer('due_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('news_due_due_at_index').on(table.dueAt)],
);
