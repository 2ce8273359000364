import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { findCohortLearning } from './find-cohort-learning.ts';
import { CohortLearning } from './schema.ts';

/** /api/cohorts/{id}/learning: what the people of one of the caller's cohorts have done. */
export const learningOfCohort = new Hono<HonoEnv>().get(
  '/:id/learning/',
  describe({
    summary: msg`How many people of a cohort have opened and done each published lesson, in the order of the lessons`,
    answers: { 200: CohortLearning },
  }),
  requireViewer((request) => ({ learning: findCohortLearning(request.param('id') ?? '') })),
  (c) => c.json(c.get('own').learning),
);
