import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { OpenRun } from '#features/cohorts/schema.ts';
import { requireOwnCourse } from '#features/courses/list-courses.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { openEnrollment } from './open-enrollment.ts';
import { EnrollmentInput } from './schema.ts';

/** /api/courses/{id}/enrollment: the open run of one of the caller's evergreen courses. */
export const enrollmentOfCourse = new Hono<HonoEnv>().post(
  '/:id/enrollment/',
  describe({
    summary: msg`Opens enrollment in an evergreen course, whose people start on any day; again, it answers what there is`,
    answers: { 200: OpenRun, 201: OpenRun },
    errors: ['course_is_cohort'],
  }),
  requireViewer((request) => ({ course: requireOwnCourse(request.param('id') ?? '') })),
  jsonInput(EnrollmentInput),
  async (c) => {
    const [{ course }, input] = [c.get('own'), c.req.valid('json')];
    const { run, isNew } = await openEnrollment(c.get('viewerCtx'), course, input);
    return isNew ? c.json(run, 201) : c.json(run, 200);
  },
);
