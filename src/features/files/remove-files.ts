import 'server-only';
import { and, eq, isNotNull, isNull, lt, not, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { files, objectsGone } from '#db/schema/files.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { hasUsedVideo } from './find-files.ts';
import { unusedDays } from './vocabulary.ts';

/** R2 deletes up to a thousand objects at once. */
const chunk = { files: 500, objects: 1_000 };

/**
 * Deletes files whose upload was given up a day ago and those that no lesson has had for a week,
 * but for the captions of a video that one has, and then what nothing refers to in R2. What R2 fails
 * to delete is tried again by the next run.
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
  const objects = ctx.files === null ? 0 : await removeObjects(ctx, ctx.files);
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
async function removeObjects(ctx: Context, store: R2Bucket): Promise<number> {
  const isDue = lt(objectsGone.deleteAt, ctx.now());
  const { uploads, objects } = await ask(ctx, {
    uploads: db
      .select()
      .from(objectsGone)
      .where(and(isDue, isNotNull(objectsGone.uploadId)))
      // Each takes a request, of which the deletions need a few more.
      .limit(Math.floor(ctx.config.requestsPerRun / 2)),
    objects: db
      .select()
      .from(objectsGone)
      .where(and(isDue, isNull(objectsGone.uploadId)))
      .limit(chunk.objects),
  });
  for (const { objectKey, uploadId } of uploads) {
    ctx.requests.made += 1;
    // It may have ended in the moment in which it was given up: then there is an object instead.
    await store
      .resumeMultipartUpload(objectKey, uploadId ?? '')
      .abort()
      .catch((error: unknown) => ctx.observe.log('upload_not_aborted', { cause: String(error) }));
  }
  const keys = [...uploads, ...objects].map(({ objectKey }) => objectKey);
  if (keys.length === 0) {
    return 0;
  }
  ctx.requests.made += 1;
  await store.delete(keys);
  await ask(ctx, {
    done: db.run(sql`DELETE FROM ${objectsGone} WHERE ${objectsGone.objectKey} IN
      (SELECT value FROM json_each(${JSON.stringify(keys)}))`),
  });
  return keys.length;
}
