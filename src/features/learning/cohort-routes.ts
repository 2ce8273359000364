import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { CompletedPeople, CompleteInput } from '#features/attendance/schema.ts';
import { findDatedRow } from '#features/cohorts/get-cohort.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { completeLearned } from './complete-learned.ts';
import { findCohortLearning } from './find-cohort-learning.ts';
import { CohortLearning } from './schema.ts';

/** /api/cohorts/{id}/learning: what the people of one of the caller's cohorts have done. */
export const learningOfCohort = new Hono<HonoEnv>()
  .get(
    '/:id/learning/',
    describe({
      summary: msg`How many people of a cohort have opened and done each published lesson, in the order of the lessons`,
      answers: { 200: CohortLearning },
    }),
    requireViewer((request) => ({ learning: findCohortLearning(request.param('id') ?? '') })),
    (c) => c.json(c.get('own').learning),
  )
  .post(
    '/:id/learning/completions/',
    describe({
      summary: msg`Marks everyone as completed who has done every lesson`,
      answers: { 200: CompletedPeople },
      errors: ['cohort_in_trash', 'cohort_not_begun', 'cohort_not_over', 'course_self_paced'],
    }),
    requireViewer((request) => ({ cohort: findDatedRow(request.param('id') ?? '') })),
    jsonInput(CompleteInput),
    async (c) => {
      const { cohort } = c.get('own');
      return c.json(await completeLearned(c.get('viewerCtx'), cohort, c.req.valid('json')), 200);
    },
  );
