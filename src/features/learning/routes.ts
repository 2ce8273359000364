import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { findLearnerCourse, findLearnerLesson, type Learner } from './find-learner.ts';
import { confirmLearnerCode, requestLearnerLink } from './learner-codes.ts';
import { endLearnerAttempt, keepLearnerAttempt, learnerAttemptOf } from './learner-cookie.ts';
import { markLesson } from './mark-lesson.ts';
import { openCourse } from './open-course.ts';
import {
  LearnerCodeInput,
  LearnerCourse,
  LearnerLessonText,
  LearnerLinkInput,
  MarkInput,
  Opened,
  OpenInput,
  Progress,
} from './schema.ts';

/** /api/participation: from the page of a person to their lessons. */
export const opening = new Hono<HonoEnv>().post(
  '/open/',
  describe({
    summary: msg`Makes this browser remember the person of a link as a learner, for 180 days after their last visit`,
    answers: { 200: Opened },
    errors: ['lessons_not_open', 'person_link_invalid'],
  }),
  jsonInput(OpenInput),
  async (c) => c.json(await openCourse(c.get('ctx'), c.get('learnerDevice'), c.req.valid('json'))),
);

/** /api/learning: lessons, by the cookie of a learner's browser, without a session. */
export const learningRoutes = new Hono<HonoEnv>()
  .post(
    '/links/',
    describe({
      summary: msg`Emails a link and a code to someone who takes part in a course, if the address is theirs. The answer is always the same`,
      answers: { 202: null },
    }),
    jsonInput(LearnerLinkInput),
    async (c) => {
      keepLearnerAttempt(c, await requestLearnerLink(c.get('ctx'), c.req.valid('json')));
      return c.body(null, 202);
    },
  )
  .post(
    '/codes/',
    describe({
      summary: msg`Uses the code of that email in the browser that asked for it, which then remembers its learner`,
      answers: { 200: Opened },
      errors: ['learner_code_over', 'learner_code_wrong', 'lessons_not_open'],
    }),
    jsonInput(LearnerCodeInput),
    async (c) => {
      const [device, attempt] = [c.get('learnerDevice'), learnerAttemptOf(c)];
      const opened = await confirmLearnerCode(c.get('ctx'), device, attempt, c.req.valid('json'));
      endLearnerAttempt(c);
      return c.json(opened);
    },
  )
  .delete(
    '/device/',
    describe({ summary: msg`Makes this browser forget its learners`, answers: { 204: null } }),
    (c) => {
      c.get('learnerDevice').cookie = null;
      return c.body(null, 204);
    },
  )
  .get(
    '/:course/',
    describe({
      summary: msg`A course as its learner reads it: the published lessons, and what they have done`,
      answers: { 200: LearnerCourse },
      errors: ['learner_unknown', 'not_found'],
    }),
    async (c) => {
      const device = c.get('learnerDevice');
      const found = await findLearnerCourse(c.get('ctx'), device, c.req.param('course'));
      requireLearner(found);
      return c.json(requireFound(found.course));
    },
  )
  .get(
    '/:course/lessons/:id/',
    describe({
      summary: msg`One of its lessons, with the text`,
      answers: { 200: LearnerLessonText },
      errors: ['learner_unknown', 'not_found'],
    }),
    async (c) => {
      const { course, id } = c.req.param();
      const found = await findLearnerLesson(c.get('ctx'), c.get('learnerDevice'), course, id);
      requireLearner(found);
      return c.json(requireFound(found.lesson));
    },
  )
  .put(
    '/:course/lessons/:id/',
    describe({
      summary: msg`Records that the learner has opened a lesson, or has marked it as done or not done`,
      answers: { 200: Progress },
      errors: ['learner_unknown', 'not_found'],
    }),
    jsonInput(MarkInput),
    async (c) => {
      const { course, id } = c.req.param();
      const device = c.get('learnerDevice');
      return c.json(await markLesson(c.get('ctx'), device, course, id, c.req.valid('json')));
    },
  );

/** @throws AppError `learner_unknown` for a browser that is not remembered */
function requireLearner({ learner }: { learner: Learner | null }): void {
  if (learner === null) {
    throw new AppError('learner_unknown');
  }
}
