import 'server-only';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { ask, db, query } from '#db/query.ts';
import { files } from '#db/schema/files.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { consume, limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { isProven } from '#features/outbox/standing.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { toShown } from './file-addresses.ts';
import { type FileGroup, groupOf } from './file-types.ts';
import { bytesPerMb, usedBy } from './find-room.ts';
import { firstByteCount, isOfType } from './first-bytes.ts';
import { deleteGone, goneObject } from './remove-files.ts';
import type { ShownFile, Upload, UploadInput, UploadProgress } from './schema.ts';
import { reach, storeOf } from './store.ts';
import { partSize } from './vocabulary.ts';

/** The parts that have arrived, by number. */
type ReceivedParts = Record<string, { etag: string }>;

/**
 * Begins the upload of a file to one of the viewer's courses. Its size counts from now on.
 *
 * @throws AppError `files_off`; `file_too_large`; `too_many_files`, `storage_full`; `rate_limited`;
 *   `not_found` without such a course; `files_unavailable` if R2 fails
 */
export async function startUpload(
  ctx: ViewerContext,
  courseId: string,
  { name, content_type: contentType, size, width = null, height = null }: UploadInput,
): Promise<Upload> {
  const store = storeOf(ctx);
  const { ownerId, viewer } = ctx;
  const { fileLimits } = ctx.config;
  const limit = largest(ctx, groupOf(contentType));
  if (size > limit * bytesPerMb) {
    throw new AppError('file_too_large', { values: { limit } });
  }
  const [id, key, objectKey] = [crypto.randomUUID(), randomKey(10), randomKey(26)];
  const rate = await limitOn(ctx, [{ limit: 'files_per_user', subject: viewer.id }], 'refuse');
  const count = sql`(SELECT count(*) FROM files f WHERE f.owner_id = c.owner_id AND f.course_id = c.id)`;
  const used = usedBy(ownerId);
  const room = sql`(CASE WHEN ${isProven(ownerId)} THEN ${fileLimits.owner_mb}
    ELSE ${fileLimits.unproven_owner_mb} END)`;
  const {
    facts: [facts],
    usage,
  } = await ask(ctx, {
    facts: db.all<{ count: number; used: number; room: number }>(sql`SELECT ${count} AS count,
        ${used} AS used, ${room} AS room
      FROM courses c WHERE c.owner_id = ${ownerId} AND c.id = ${courseId}`),
    // Before the upload at R2, so that no upload exists without a row.
    inserted: db.run(sql`INSERT INTO files (id, owner_id, course_id, key, object_key, name,
        content_type, size, width, height, upload_id, created_at)
      SELECT ${id}, c.owner_id, c.id, ${key}, ${objectKey}, ${name}, ${contentType}, ${size},
        ${width}, ${height}, '', ${ctx.now().getTime()}
      FROM courses c WHERE c.owner_id = ${ownerId} AND c.id = ${courseId} AND ${rate.hasRoom}
        AND ${count} < ${fileLimits.files_per_course}
        AND ${used} + ${size} <= ${room} * ${bytesPerMb}`),
    usage: rate.count(sql`EXISTS (SELECT 1 FROM files WHERE id = ${id})`),
  });
  const { count: before, used: bytes, room: most } = requireFound(facts);
  refuseFull(ctx, usage.full);
  if (before >= fileLimits.files_per_course) {
    throw new AppError('too_many_files', { values: { limit: fileLimits.files_per_course } });
  }
  if (bytes + size > most * bytesPerMb) {
    throw new AppError('storage_full', { values: { limit: most } });
  }
  const isThis = and(eq(files.ownerId, ownerId), eq(files.id, id));
  let upload: R2MultipartUpload;
  try {
    upload = await reach(store.createMultipartUpload(objectKey, { httpMetadata: { contentType } }));
  } catch (error) {
    await ask(ctx, { gone: db.delete(files).where(isThis) });
    throw error;
  }
  const { begun } = await ask(ctx, {
    begun: db
      .update(files)
      .set({ uploadId: upload.uploadId })
      .where(isThis)
      .returning({ id: files.id }),
  });
  if (begun.length === 0) {
    // Its course was deleted in the meantime.
    ctx.waitUntil(upload.abort());
    throw new AppError('not_found');
  }
  return { id, key, part_size: partSize, parts: Math.ceil(size / partSize) };
}

/** A file of one of the viewer's courses, uploaded or not; null if there is none. */
export function findUpload(courseId: string, id: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query({ rows: uploadRow({ ownerId, courseId, id }) }, ({ rows: [row] }) => row ?? null);
}

const uploadRow = prepared(({ ownerId, courseId, id }: Given<'ownerId' | 'courseId' | 'id'>) =>
  db
    .select()
    .from(files)
    .where(and(eq(files.ownerId, ownerId), eq(files.courseId, courseId), eq(files.id, id))),
);

type UploadRow = typeof files.$inferSelect;

/** A part as it comes in: how many bytes it says that it has, and the bytes. */
type SentPart = { number: number; length: number | null; body: ReadableStream<Uint8Array> | null };

/**
 * Passes a part of a file on to R2, without ever holding all of it. A part that is sent again
 * replaces the first one.
 *
 * @throws AppError `not_found` for what is no part of the file; `length_required`;
 *   `part_size_wrong`; `malformed_body` if it breaks off; `files_unavailable` if R2 fails
 */
export async function uploadPart(
  ctx: ViewerContext,
  row: UploadRow | null,
  { number, length, body }: SentPart,
): Promise<UploadProgress> {
  const store = storeOf(ctx);
  const { id, objectKey, uploadId, size } = requireUnfinished(row);
  const count = Math.ceil(size / partSize);
  if (!Number.isInteger(number) || number < 1 || number > count) {
    throw new AppError('not_found');
  }
  if (length === null) {
    throw new AppError('length_required');
  }
  if (body === null || length !== (number < count ? partSize : size - (count - 1) * partSize)) {
    throw new AppError('part_size_wrong');
  }
  const { ownerId, viewer } = ctx;
  await consume(ctx, [{ limit: 'file_parts_per_user', subject: viewer.id }], 'refuse');
  const { readable, writable } = new FixedLengthStream(length);
  const arriving = { bytes: 0, isOver: false };
  const stop = new AbortController();
  const sending = body
    .pipeThrough(counted(arriving))
    .pipeTo(writable, { signal: stop.signal })
    // Then R2 fails, too, and says so later.
    .catch(() => {
      arriving.isOver = true;
    });
  let part: string;
  try {
    const upload = store.resumeMultipartUpload(objectKey, uploadId);
    const { etag } = await upload.uploadPart(number, readable);
    part = JSON.stringify({ etag });
  } catch (cause) {
    const isCutOff = arriving.isOver && arriving.bytes < length;
    stop.abort();
    await sending;
    throw new AppError(isCutOff ? 'malformed_body' : 'files_unavailable', { cause });
  }
  const { received } = await ask(ctx, {
    received: db
      .update(files)
      .set({
        parts: sql`json_set(coalesce(${files.parts}, '{}'), ${`$."${number}"`}, json(${part}))`,
      })
      .where(and(eq(files.ownerId, ownerId), eq(files.id, id), eq(files.uploadId, uploadId)))
      .returning({ parts: files.parts }),
  });
  // Nothing if it was canceled in the meantime.
  const { parts } = requireFound(received[0]);
  return { id, parts: Object.keys(JSON.parse(parts ?? '{}')).map(Number) };
}

/** Counts the bytes that arrive, and says whether there are no more. */
function counted(arriving: { bytes: number; isOver: boolean }) {
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      arriving.bytes += chunk.byteLength;
      controller.enqueue(chunk);
    },
    flush() {
      arriving.isOver = true;
    },
  });
}

/**
 * Ends an upload: from now on, lessons can show the file. Ending it again changes nothing.
 *
 * @throws AppError `not_found`; `upload_incomplete` while parts are missing; `file_type_mismatch`
 *   for what isn't of its type, and the file is gone; `files_unavailable` if R2 fails
 */
export async function completeUpload(
  ctx: ViewerContext,
  found: UploadRow | null,
): Promise<ShownFile> {
  const store = storeOf(ctx);
  const row = requireFound(found);
  const { id, objectKey, uploadId, size, contentType } = row;
  const { ownerId } = ctx;
  const isThis = and(eq(files.ownerId, ownerId), eq(files.id, id));
  if (uploadId !== null) {
    await assemble(store, { ...row, uploadId });
    const head = await reach(
      store.get(objectKey, { range: { offset: 0, length: firstByteCount } }),
    );
    const bytes = head && new Uint8Array(await reach(head.arrayBuffer()));
    if (head?.size !== size || bytes === null || !isOfType(contentType, bytes)) {
      const { gone } = await ask(ctx, {
        // What is deleted is its object: there is no upload anymore.
        ended: db.update(files).set({ uploadId: null }).where(isThis),
        deleted: db.delete(files).where(isThis),
        gone: goneObject(objectKey),
      });
      ctx.waitUntil(deleteGone(ctx, gone));
      throw new AppError('file_type_mismatch');
    }
    const { completed } = await ask(ctx, {
      completed: db
        .update(files)
        .set({ uploadId: null, parts: null })
        .where(isThis)
        .returning({ id: files.id }),
    });
    requireFound(completed[0]);
  }
  const [shown] = await toShown(ctx, [row]);
  return requireFound(shown);
}

/** Makes the parts one object, unless an earlier try has done so and could not say it. */
async function assemble(
  store: R2Bucket,
  { objectKey, uploadId, size, parts }: UploadRow & { uploadId: string },
): Promise<void> {
  // As `uploadPart` writes it.
  const received = JSON.parse(parts ?? '{}') as ReceivedParts;
  const all = Array.from({ length: Math.ceil(size / partSize) }, (_, at) => at + 1);
  const uploaded = all.flatMap((partNumber) => {
    const etag = received[partNumber]?.etag;
    return etag === undefined ? [] : { partNumber, etag };
  });
  if (uploaded.length < all.length) {
    throw new AppError('upload_incomplete');
  }
  try {
    await store.resumeMultipartUpload(objectKey, uploadId).complete(uploaded);
  } catch (cause) {
    const object = await reach(store.head(objectKey));
    if (object === null) {
      throw new AppError('files_unavailable', { cause });
    }
  }
}

/**
 * Deletes a file of one of the viewer's courses, or cancels its upload. Lessons that have it show
 * nothing in its place. What R2 has of it is deleted after the answer, by the clock if R2 fails.
 *
 * @throws AppError `not_found` without such a file
 */
export async function deleteFile(ctx: ViewerContext, row: UploadRow | null): Promise<void> {
  const { id, objectKey } = requireFound(row);
  const { deleted, gone } = await ask(ctx, {
    deleted: db
      .delete(files)
      .where(and(eq(files.ownerId, ctx.ownerId), eq(files.id, id)))
      .returning({ id: files.id }),
    gone: goneObject(objectKey),
  });
  requireFound(deleted[0]);
  ctx.waitUntil(deleteGone(ctx, gone));
}

function requireUnfinished(row: UploadRow | null): UploadRow & { uploadId: string } {
  const { uploadId } = requireFound(row);
  return { ...requireFound(row), uploadId: requireFound(uploadId) };
}

/** The limit of a file in MB. */
function largest({ config: { fileLimits } }: Context, group: FileGroup | null): number {
  if (group === 'image') {
    return fileLimits.image_mb;
  }
  return group === 'audio' || group === 'video' ? fileLimits.media_mb : fileLimits.document_mb;
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits, all equally likely. */
export function randomKey(length: number): string {
  const fairEnd = 256 - (256 % letters.length);
  let key = '';
  while (key.length < length) {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    key += [...bytes.filter((byte) => byte < fairEnd)]
      .map((byte) => letters[byte % letters.length])
      .join('');
  }
  return key.slice(0, length);
}
