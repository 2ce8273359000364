import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { idempotencyKey, idempotencyKeyHeader } from '#api/request.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { importContent } from './import-content.ts';
import { ContentImport, ContentImported } from './schema.ts';

/** /api/courses/{id}/imports: sections and lessons that were written elsewhere. */
export const contentImportRoutes = new Hono<HonoEnv>().post(
  '/:id/imports/',
  describe({
    summary: msg`Adds sections with lessons to the end of a course, as drafts and all or nothing, or says what it would add`,
    answers: { 200: ContentImported },
    errors: [
      'import_lesson_invalid',
      'import_lesson_too_large',
      'import_lesson_too_long',
      'too_many_sections',
      'too_many_lessons',
      'too_many_lessons_in_all',
      'idempotency_key_reused',
    ],
    headers: [
      {
        ...idempotencyKeyHeader,
        description: msg`Any text that is new for each import; the same one sent again with the same key adds nothing more`,
      },
    ],
  }),
  requireViewer(),
  jsonInput(ContentImport),
  async (c) => {
    const [ctx, key] = [c.get('viewerCtx'), idempotencyKey(c)];
    return c.json(await importContent(ctx, c.req.param('id'), c.req.valid('json'), key));
  },
);
