import {
  type AnySQLiteColumn,
  foreignKey,
  integer,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { locales } from '#db/values.ts';
// biome-ignore lint/suspicious/noImportCycles: both tables have a foreign key to the other, resolved lazily.
import { courses } from './courses.ts';

/**
 * A person with an account. Times are UTC milliseconds since 1970.
 *
 * The composite foreign key of the selected course ensures that at most one course is selected, and
 * only the user's own. The verbs ensure that one is selected if there is any: they update the
 * selection in the batch that creates or deletes a course.
 */
export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** The address that emails are sent to, as its owner spells it. */
    email: text('email').notNull(),
    /** The canonical form, for comparison: see lib/email-address.ts. */
    emailCanonical: text('email_canonical').notNull().unique(),
    /** Null until a link has verified the address; until then, the account can't be used. */
    emailVerifiedAt: integer('email_verified_at', { mode: 'timestamp_ms' }),
    language: oneOf('language', locales).notNull(),
    /** Google's permanent id of the user; null before the first sign-in with Google. */
    googleSub: text('google_sub').unique(),
    /** A photo of theirs, as a path under /pictures/, or the URL of their Google picture, or null. */
    avatarUrl: text('avatar_url'),
    /** Who they are, on the public pages of their courses. Plain text in paragraphs. */
    bio: text('bio'),
    selectedCourseId: text('selected_course_id'),
    /** Whether they get the daily news of their cohorts by email. */
    rosterNews: integer('roster_news', { mode: 'boolean' }).notNull().default(true),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    foreignKey({
      name: 'users_selected_course_fk',
      columns: [table.id, table.selectedCourseId],
      foreignColumns: [courses.ownerId, courses.id] as [AnySQLiteColumn, AnySQLiteColumn],
    }),
  ],
);
