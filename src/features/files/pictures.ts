import 'server-only';
import { and, eq, exists, type SQL, sql } from 'drizzle-orm';
import { ask, db, insertWhere } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { objectsGone } from '#db/schema/files.ts';
import { users } from '#db/schema/users.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { firstByteCount, isOfType } from './first-bytes.ts';
import { picturePath } from './picture-path.ts';
import { reach, storeOf } from './store.ts';
import { randomKey } from './uploads.ts';

/** A picture as it was sent, with the type that it says it has. */
export type SentPicture = { contentType: string; bytes: Uint8Array };

/**
 * Gives one of the viewer's courses another picture, which everyone can see.
 *
 * @returns where it is read
 * @throws AppError `files_off`; `file_type_mismatch`; `rate_limited`; `not_found` without such a
 *   course; `files_unavailable` if R2 fails, and nothing has changed
 */
export function setCoursePicture(
  ctx: ViewerContext,
  courseId: string,
  picture: SentPicture,
): Promise<string> {
  const isThis = isOwnCourse(ctx, courseId);
  return storePicture(ctx, picture, {
    isThere: exists(db.select({ id: courses.id }).from(courses).where(isThis)),
    refer: (key) => setPicture(ctx, isThis, key),
  });
}

/**
 * Takes the picture off a course. A copy of the course that shares it keeps it.
 *
 * @throws AppError `not_found` without such a course
 */
export async function removeCoursePicture(ctx: ViewerContext, courseId: string): Promise<void> {
  const { removed } = await ask(ctx, {
    removed: setPicture(ctx, isOwnCourse(ctx, courseId), null),
  });
  requireFound(removed[0]);
}

/**
 * Gives the viewer a photo of their own, in the place of Google's picture of them.
 *
 * @returns where it is read
 * @throws AppError `files_off`; `file_type_mismatch`; `rate_limited`; `files_unavailable` if R2
 *   fails, and nothing has changed
 */
export async function setPhoto(ctx: ViewerContext, picture: SentPicture): Promise<string> {
  const isTheirs = eq(users.id, ctx.viewer.id);
  const path = await storePicture(ctx, picture, {
    isThere: exists(db.select({ id: users.id }).from(users).where(isTheirs)),
    refer: (key) => setAvatar(ctx, picturePath(key)),
  });
  ctx.observe.log('account_changed', { userId: ctx.viewer.id });
  return path;
}

/** Removes the viewer's photo, or Google's picture, which comes back with a sign-in with Google. */
export async function removePhoto(ctx: ViewerContext): Promise<void> {
  await ask(ctx, { removed: setAvatar(ctx, null) });
  ctx.observe.log('account_changed', { userId: ctx.viewer.id });
}

function isOwnCourse(ctx: ViewerContext, courseId: string) {
  return and(eq(courses.id, courseId), eq(courses.ownerId, ctx.ownerId));
}

function setPicture(ctx: ViewerContext, isThis: SQL | undefined, picture: string | null) {
  return db
    .update(courses)
    .set({ picture, updatedAt: ctx.now() })
    .where(isThis)
    .returning({ id: courses.id });
}

function setAvatar(ctx: ViewerContext, avatarUrl: string | null) {
  return db
    .update(users)
    .set({ avatarUrl })
    .where(eq(users.id, ctx.viewer.id))
    .returning({ id: users.id });
}

/** What a picture is of: whether that is there, and what refers to the object by its key. */
type Subject = {
  isThere: SQL;
  refer: (key: string) => ReturnType<typeof setPicture> | ReturnType<typeof setAvatar>;
};

/**
 * Stores a picture and refers to it. Its object is listed for deletion before it is stored, for a
 * day, so that the clock deletes what nothing refers to in the end.
 */
async function storePicture(
  ctx: ViewerContext,
  { contentType, bytes }: SentPicture,
  { isThere, refer }: Subject,
): Promise<string> {
  const store = storeOf(ctx);
  if (!isOfType(contentType, bytes.subarray(0, firstByteCount))) {
    throw new AppError('file_type_mismatch');
  }
  const objectKey = `pictures/${randomKey(26)}`;
  const isThisObject = eq(objectsGone.objectKey, objectKey);
  const row = { objectKey, uploadId: null, deleteAt: new Date(ctx.now().getTime() + dayMs) };
  const use = { limit: 'pictures_per_user', subject: ctx.viewer.id } as const;
  const limit = await limitOn(ctx, [use], 'refuse');
  const isListed = exists(
    db.select({ key: objectsGone.objectKey }).from(objectsGone).where(isThisObject),
  );
  const { listed, usage } = await ask(ctx, {
    listed: db
      .insert(objectsGone)
      .select(insertWhere(objectsGone, row, limit.hasRoom, isThere))
      .returning({ key: objectsGone.objectKey }),
    usage: limit.count(isListed),
  });
  if (listed.length === 0) {
    refuseFull(ctx, usage.full);
    throw new AppError('not_found');
  }
  await reach(store.put(objectKey, bytes, { httpMetadata: { contentType } }));
  const path = picturePath(objectKey);
  const isReferredTo = sql`(EXISTS (SELECT 1 FROM courses c
      WHERE c.picture = ${objectKey} AND c.owner_id = ${ctx.ownerId})
    OR EXISTS (SELECT 1 FROM users u WHERE u.id = ${ctx.viewer.id} AND u.avatar_url = ${path}))`;
  const { referring } = await ask(ctx, {
    referring: refer(objectKey),
    kept: db.delete(objectsGone).where(and(isThisObject, isReferredTo)),
  });
  // Deleted in the meantime.
  requireFound(referring[0]);
  return path;
}
