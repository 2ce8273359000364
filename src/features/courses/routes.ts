import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { describe } from '#api/describe.ts';
import { done } from '#api/done.ts';
import { jsonInput } from '#api/json-input.ts';
import { idempotencyKey, idempotencyKeyHeader } from '#api/request.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { changeCourse, deleteCourse, selectCourse } from './change-course.ts';
import { createCourse } from './create-course.ts';
import { getCourse, listCourses } from './list-courses.ts';
import { Course, CourseInput, CoursePatch } from './schema.ts';

/** /api/courses: the caller's own courses. */
export const courseRoutes = new Hono<HonoEnv>()
  .get(
    '/',
    describe({
      summary: msg`The caller’s courses, oldest first`,
      answers: { 200: z.array(Course) },
    }),
    requireViewer(() => ({ courses: listCourses })),
    (c) => c.json(c.get('own').courses),
  )
  .post(
    '/',
    describe({
      summary: msg`Creates a course and selects it`,
      answers: { 201: Course },
      errors: ['idempotency_key_reused'],
      headers: [idempotencyKeyHeader],
    }),
    requireViewer(),
    jsonInput(CourseInput),
    async (c) => {
      const key = idempotencyKey(c);
      return c.json(await createCourse(c.get('viewerCtx'), c.req.valid('json'), key), 201);
    },
  )
  .get(
    '/:id/',
    describe({ summary: msg`One of the caller’s courses`, answers: { 200: Course } }),
    requireViewer((request) => ({ course: getCourse(request.param('id') ?? '') })),
    (c) => c.json(c.get('own').course),
  )
  .put(
    '/:id/',
    describe({
      summary: msg`Replaces name, type and description of a course`,
      answers: { 200: Course },
    }),
    requireViewer(),
    jsonInput(CourseInput),
    async (c) =>
      c.json(await changeCourse(c.get('viewerCtx'), c.req.param('id'), c.req.valid('json'))),
  )
  .patch(
    '/:id/',
    describe({
      summary: msg`Changes name, type or description of a course`,
      answers: { 200: Course },
    }),
    requireViewer(),
    jsonInput(CoursePatch),
    async (c) =>
      c.json(await changeCourse(c.get('viewerCtx'), c.req.param('id'), c.req.valid('json'))),
  )
  .delete(
    '/:id/',
    describe({
      summary: msg`Deletes a course; if it was selected, the oldest remaining one becomes selected`,
      answers: { 204: null },
      errors: ['course_has_people', 'course_has_learners', 'money_undecided'],
    }),
    requireViewer(),
    (c) => done(c, deleteCourse(c.get('viewerCtx'), c.req.param('id'))),
  )
  .post(
    '/:id/select/',
    describe({ summary: msg`Selects a course`, answers: { 200: Course } }),
    requireViewer(),
    async (c) => c.json(await selectCourse(c.get('viewerCtx'), c.req.param('id'))),
  );
