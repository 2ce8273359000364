import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { CourseChoices } from '#features/courses/schema.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { listChoices } from './list-choices.ts';

/** /api/courses/choices, which says of each course how its cohorts stand. */
export const courseChoiceRoutes = new Hono<HonoEnv>().get(
  '/choices/',
  describe({
    summary: msg`The caller’s courses to choose from, oldest first, up to 500, or those with a text in their name`,
    answers: { 200: CourseChoices },
    query: { q: 'text' },
  }),
  requireViewer((request) => ({ choices: listChoices(request.query('q') ?? '') })),
  (c) => c.json(c.get('own').choices),
);
