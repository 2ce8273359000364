import 'server-only';
import { lte } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { deleteExpired } from '#db/delete-expired.ts';
import { lessons } from '#db/schema/lessons.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { daysInTrash } from './vocabulary.ts';

/** Limits one statement: versions and marks go with a lesson. */
const chunkRows = 20;

/** Deletes the lessons that have been in the trash for 30 days. */
export async function emptyLessonTrash(ctx: Context): Promise<void> {
  const expired = lte(lessons.deletedAt, new Date(ctx.now().getTime() - daysInTrash * dayMs));
  const { count, isDone } = await deleteExpired(ctx, lessons, expired, chunkRows);
  ctx.observe.log('lesson_trash_emptied', { lessons: count, is_done: isDone });
}
