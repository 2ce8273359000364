import 'server-only';
import { msg } from '@lingui/core/macro';
import type { HonoRequest } from 'hono';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { describe } from '#api/describe.ts';
import { done } from '#api/done.ts';
import { jsonInput } from '#api/json-input.ts';
import { orNotFound } from '#features/identity/find-actor.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { findCourseFiles, toCourseFiles } from './find-files.ts';
import { CourseFile, ShownFile, Upload, UploadInput, UploadProgress } from './schema.ts';
import { completeUpload, deleteFile, findUpload, startUpload, uploadPart } from './uploads.ts';

const readUpload = (request: HonoRequest) => ({
  upload: findUpload(request.param('id') ?? '', request.param('file') ?? ''),
});

/** /api/courses/{id}/files: the files of one of the caller's courses. */
export const fileRoutes = new Hono<HonoEnv>()
  .get(
    '/:id/files/',
    describe({
      summary: msg`The files of a course, the newest first, with the lessons that have them`,
      answers: { 200: z.array(CourseFile) },
    }),
    requireViewer((request) => ({
      files: orNotFound(findCourseFiles(request.param('id') ?? '')),
    })),
    async (c) => c.json(await toCourseFiles(c.get('viewerCtx'), c.get('own').files)),
  )
  .post(
    '/:id/files/',
    describe({
      summary: msg`Starts the upload of a file; its parts are sent next`,
      answers: { 201: Upload },
      errors: [
        'files_off',
        'files_unavailable',
        'file_too_large',
        'storage_full',
        'too_many_files',
      ],
    }),
    requireViewer(),
    jsonInput(UploadInput),
    async (c) =>
      c.json(await startUpload(c.get('viewerCtx'), c.req.param('id'), c.req.valid('json')), 201),
  )
  .put(
    '/:id/files/:file/parts/:number/',
    describe({
      summary: msg`Sends a part of a file; sending it again replaces it`,
      answers: { 200: UploadProgress },
      errors: ['files_off', 'files_unavailable', 'length_required', 'part_size_wrong'],
      bytes: 'application/octet-stream',
    }),
    requireViewer(readUpload),
    async (c) => {
      const length = c.req.header('Content-Length');
      const part = {
        number: Number(c.req.param('number')),
        length: length === undefined ? null : Number(length),
        body: c.req.raw.body,
      };
      return c.json(await uploadPart(c.get('viewerCtx'), c.get('own').upload, part));
    },
  )
  .post(
    '/:id/files/:file/complete/',
    describe({
      summary: msg`Completes the upload of a file, so that lessons can show it`,
      answers: { 200: ShownFile },
      errors: ['files_off', 'files_unavailable', 'file_type_mismatch', 'upload_incomplete'],
    }),
    requireViewer(readUpload),
    async (c) => c.json(await completeUpload(c.get('viewerCtx'), c.get('own').upload)),
  )
  .delete(
    '/:id/files/:file/',
    describe({
      summary: msg`Deletes a file, or cancels its upload`,
      answers: { 204: null },
    }),
    requireViewer(readUpload),
    (c) => done(c, deleteFile(c.get('viewerCtx'), c.get('own').upload)),
  );
