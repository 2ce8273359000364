import {
  type AnySQLiteColumn,
  foreignKey,
  integer,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { locales } from '#db/values.ts';
import { courses } from './courses.ts';

/**
 * A person with an account. Times are UTC milliseconds since 1970.
 *
 * The selected course is a pointer on the user, with a foreign key over owner and course together: at most one course is
 * selected, and never somebody else's, by construction. That one is, as soon as there is a course, is up to the verbs: they move
 * the pointer in the batch that creates or deletes.
 */
export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** What mails are sent to, in the spelling of its owner. */
    email: text('email').notNull(),
    /** The form that decides whether two addresses are one: see lib/email-address.ts. */
    emailCanonical: text('email_canonical').notNull().unique(),
    /** Null until the mailbox is proven; an account is unusable before that. */
    emailVerifiedAt: integer('email_verified_at', { mode: 'timestamp_ms' }),
    language: oneOf('language', locales).notNull(),
    /** Who this is at Google: the one lasting name Google gives a person. Null without a Google sign-in. */
    googleSub: text('google_sub').unique(),
    /** Where Google keeps the person's picture; null while there is none. */
    avatarUrl: text('avatar_url'),
    selectedCourseId: text('selected_course_id'),
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
