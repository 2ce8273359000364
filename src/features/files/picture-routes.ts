import 'server-only';
import { msg } from '@lingui/core/macro';
import { createMiddleware } from 'hono/factory';
import { Hono } from 'hono/tiny';
import { describe, describing } from '#api/describe.ts';
import { done } from '#api/done.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import { AppError } from '#lib/app-error.ts';
import { readAtMost } from '#middleware/json-bodies.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { pictureTypes } from './picture-path.ts';
import {
  removeCoursePicture,
  removePhoto,
  type SentPicture,
  setCoursePicture,
  setPhoto,
} from './pictures.ts';
import { Picture } from './schema.ts';
import { largestPictureMb } from './vocabulary.ts';

const errors = ['files_off', 'files_unavailable', 'file_too_large', 'file_type_mismatch'] as const;

/**
 * Takes a picture as the body of a request.
 *
 * @throws AppError `unsupported_media_type` for other types; `file_too_large`; `malformed_body`
 */
function pictureInput() {
  return describing(
    { bytes: 'image/*' },
    createMiddleware<
      HonoEnv & { Variables: { picture: SentPicture } },
      string,
      { in: { bytes: Blob } }
    >(async function pictureInput(c, next) {
      const [mediaType = ''] = (c.req.header('Content-Type') ?? '').split(';', 1);
      const contentType = mediaType.trim().toLowerCase();
      if (!pictureTypes.includes(contentType)) {
        throw new AppError('unsupported_media_type');
      }
      const limit = largestPictureMb;
      const bytes = await readAtMost(
        c.req.raw.body,
        limit * 1_000_000,
        () => new AppError('file_too_large', { values: { limit } }),
      );
      c.set('picture', { contentType, bytes });
      await next();
    }),
  );
}

/** /api/courses/{id}/picture: the picture of one of the caller's courses. */
export const pictureRoutes = new Hono<HonoEnv>()
  .put(
    '/:id/picture/',
    describe({
      summary: msg`Gives a course a picture, which everyone can see: PNG, JPEG or WebP of up to 2 MB, shown as 1,600 × 840 pixels`,
      answers: { 200: Picture },
      errors: [...errors],
    }),
    requireViewer(),
    pictureInput(),
    async (c) =>
      c.json({
        url: await setCoursePicture(c.get('viewerCtx'), c.req.param('id'), c.get('picture')),
      }),
  )
  .delete(
    '/:id/picture/',
    describe({ summary: msg`Removes the picture of a course`, answers: { 204: null } }),
    requireViewer(),
    (c) => done(c, removeCoursePicture(c.get('viewerCtx'), c.req.param('id'))),
  );

/** /api/accounts/photo: the caller's photo. */
export const photoRoutes = new Hono<HonoEnv>()
  .put(
    '/',
    describe({
      summary: msg`Gives the caller a photo in place of their Google picture, which everyone can see: PNG, JPEG or WebP of up to 2 MB, shown as a circle`,
      answers: { 200: Picture },
      errors: [...errors],
    }),
    requireViewer(),
    pictureInput(),
    async (c) => c.json({ url: await setPhoto(c.get('viewerCtx'), c.get('picture')) }),
  )
  .delete(
    '/',
    describe({
      summary: msg`Removes the caller’s photo or Google picture; the latter returns when they log in with Google`,
      answers: { 204: null },
    }),
    requireViewer(),
    (c) => done(c, removePhoto(c.get('viewerCtx'))),
  );
