import 'server-only';
import { Hono } from 'hono';
import { createCourse } from '#features/courses/create-course.ts';
import { listCourses } from '#features/courses/list-courses.ts';
import { CreateCourseInput } from '#features/courses/schema.ts';
import { selectCourse } from '#features/courses/select-course.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { requireViewer } from '#middleware/viewer.ts';
import { jsonInput } from './json-input.ts';

/** /api/courses: the caller's own courses. 401 without a session. */
export const courses = new Hono<HonoEnv>()
  /** → 200 Course[], oldest first. */
  .get('/', requireViewer(), async (c) => c.json(await listCourses(c.get('viewerCtx'))))
  /** name, course_type → 201 Course, selected. 400: CreateCourseInput. */
  .post('/', requireViewer(), jsonInput(CreateCourseInput), async (c) =>
    c.json(await createCourse(c.get('viewerCtx'), c.req.valid('json')), 201),
  )
  /** → 200 Course, selected. 404: see `selectCourse`. */
  .post('/:id/select/', requireViewer(), async (c) =>
    c.json(await selectCourse(c.get('viewerCtx'), c.req.param('id'))),
  );
