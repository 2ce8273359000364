import { sql } from 'drizzle-orm';
import {
  type AnySQLiteColumn,
  index,
  integer,
  sqliteTable,
  text,
  unique,
} from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { courseHues, courseTypes } from '#db/values.ts';
// biome-ignore lint/suspicious/noImportCycles: both tables have a foreign key to the other, resolved lazily.
import { users } from './users.ts';

/** An instructor's course; users.ts has the selected one. Times are UTC milliseconds since 1970. */
export const courses = sqliteTable(
  'courses',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references((): AnySQLiteColumn => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    courseType: oneOf('course_type', courseTypes).notNull(),
    /** For everyone who looks at its public pages. Plain text in paragraphs. */
    about: text('about'),
    /** The key of its picture in R2, which begins with `pictures/`; null without one. */
    picture: text('picture'),
    /** Whether public pages list the titles of its lessons. */
    showsOutline: integer('shows_outline', { mode: 'boolean' }).notNull().default(false),
    /** The color of its cover; null in older rows, which get one by their id: see ui/brand.ts. */
    hue: oneOf('hue', courseHues),
    /** Its public address, from its first published cohort on; never changed afterwards. */
    slug: text('slug').unique(),
    /** Chosen by the client, so that a retry creates only one course; null without one. */
    idempotencyKey: text('idempotency_key'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    // Referenced by users.selected_course_id.
    unique('courses_owner_id_id_unique').on(table.ownerId, table.id),
    unique('courses_owner_id_idempotency_key_unique').on(table.ownerId, table.idempotencyKey),
    // Lists the courses of one owner, oldest first.
    index('courses_owner_id_created_at_id_index').on(table.ownerId, table.createdAt, table.id),
    // Whether another course has a picture.
    index('courses_picture_index').on(table.picture).where(sql`${table.picture} IS NOT NULL`),
  ],
);
