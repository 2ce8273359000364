import 'server-only';
import { and, eq, isNotNull, isNull, lt, not, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { files, objectsGone } from '#db/schema/files.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { hasUsedVideo } from './find-files.ts';
import { unusedDays } from './vocabulary.ts';

/**
 * R2 deletes up to 1,000 objects in a request. An upload takes a request of its own; on every plan,
 * a run may make 1,000 to Cloudflare's services, D1 among them.
 */
const chunk = { files: 500, uploads: 500, objects: 1_000 };

/** What R2's error ends with if it has no such upload. */
const noSuchUpload = '(10024)';

/**
 * Deletes files whose upload was abandoned a day ago and files added over a week ago that no lesson
 * uses, but for the captions of a video that one uses, and then what nothing refers to in R2. What
 * R2 fails to end or to delete is tried again by the next run.
 */
export async function removeFiles(ctx: Context): Promise<void> {
  const now = ctx.now();
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  const { unfinished, unused } = await ask(ctx, {
    unfinished: removeWhere(and(isNotNull(files.uploadId), lt(files.createdAt, before(1)))),
    unused: removeWhere(
      and(
        eq(files.uses, 0),
        isNull(files.uploadId),
        lt(files.createdAt, before(unusedDays)),
        not(hasUsedVideo(sql`files`)),
      ),
    ),
  });
  const objects = await removeObjects(ctx);
  ctx.observe.log('files_cleaned_up', {
    unfinished: unfinished.length,
    unused: unused.length,
    objects,
  });
}

function removeWhere(where: ReturnType<typeof and>) {
  return db.all<{ id: string }>(sql`DELETE FROM ${files} WHERE rowid IN
    (SELECT rowid FROM ${files} WHERE ${where} LIMIT ${chunk.files}) RETURNING id`);
}

/** @returns how many were deleted */
async function removeObjects(ctx: Context): Promise<number> {
  const isDue = lt(objectsGone.deleteAt, ctx.now());
  const { uploads, objects } = await ask(ctx, {
    uploads: db
      .select()
      .from(objectsGone)
      .where(and(isDue, isNotNull(objectsGone.uploadId)))
      .orderBy(objectsGone.deleteAt)
      .limit(chunk.uploads),
    objects: db
      .select()
      .from(objectsGone)
      .where(and(isDue, isNull(objectsGone.uploadId)))
      .limit(chunk.objects),
  });
  return deleteGone(ctx, [...uploads, ...objects]);
}

/** An object, if nothing refers to it anymore, in the trip in which the last row of it goes. */
export function goneObject(objectKey: string) {
  return db.select().from(objectsGone).where(eq(objectsGone.objectKey, objectKey));
}

type Gone = typeof objectsGone.$inferSelect;

/**
 * Deletes from R2 what nothing refers to.
 *
 * @returns how many were deleted
 * @throws Error if R2 fails; what it has not ended or deleted stays listed for the clock
 */
export async function deleteGone(ctx: Context, gone: readonly Gone[]): Promise<number> {
  const { files: store } = ctx;
  if (store === null || gone.length === 0) {
    return 0;
  }
  const ends = await Promise.allSettled(gone.map((one) => endUpload(store, one)));
  const keysOf = (status: 'fulfilled' | 'rejected') =>
    gone.filter((_one, at) => ends[at]?.status === status).map(({ objectKey }) => objectKey);
  const [ended, left] = [keysOf('fulfilled'), keysOf('rejected')];
  for (let at = 0; at < ended.length; at += chunk.objects) {
    await store.delete(ended.slice(at, at + chunk.objects));
  }
  await ask(ctx, {
    done: db.delete(objectsGone).where(isOneOf(ended)),
    // Behind all others, so that those that always fail hold up none.
    left: db.update(objectsGone).set({ deleteAt: ctx.now() }).where(isOneOf(left)),
  });
  const cause = ends.find((end) => end.status === 'rejected')?.reason;
  if (left.length > 0) {
    throw new Error(`R2 has not ended ${left.length} uploads`, { cause });
  }
  return ended.length;
}

function isOneOf(keys: readonly string[]) {
  return sql`${objectsGone.objectKey} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
}

/** Aborts an upload. If it was completed in the meantime, there is an object to delete instead. */
async function endUpload(store: R2Bucket, { objectKey, uploadId }: Gone): Promise<void> {
  // Null for an object; empty if R2 had not begun the upload.
  if (uploadId === null || uploadId === '') {
    return;
  }
  try {
    await store.resumeMultipartUpload(objectKey, uploadId).abort();
  } catch (error) {
    if (!String(error).includes(noSuchUpload)) {
      throw error;
    }
  }
}
