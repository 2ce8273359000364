import 'server-only';
import { lte, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { lessons } from '#db/schema/lessons.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { daysInTrash } from './vocabulary.ts';

/** Limits one statement: versions and marks go with a lesson. */
const chunkRows = 20;
/** The next run does the rest. Cloudflare ends a run after 15 minutes. */
const timeLimitMs = 10 * 60 * 1000;

/** Deletes the lessons that have been in the trash for 30 days. */
export async function emptyLessonTrash(ctx: Context): Promise<void> {
  const start = ctx.now().getTime();
  const expired = lte(lessons.deletedAt, new Date(start - daysInTrash * dayMs));
  let [deleted, isDone] = [0, false];
  while (!isDone && ctx.now().getTime() - start < timeLimitMs) {
    const { chunk } = await ask(ctx, {
      // Its `changes` would count what triggers write, too.
      chunk: db.all<{ id: string }>(sql`DELETE FROM ${lessons} WHERE rowid IN
        (SELECT rowid FROM ${lessons} WHERE ${expired} LIMIT ${chunkRows}) RETURNING id`),
    });
    deleted += chunk.length;
    isDone = chunk.length < chunkRows;
  }
  ctx.observe.log('lesson_trash_emptied', { lessons: deleted, is_done: isDone });
}
