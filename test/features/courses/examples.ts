import type { Examples } from '#support/examples.ts';

const course = { name: 'Chemistry', course_type: 'cohort' };

export const examples: Examples = {
  'GET /api/courses/': {},
  'GET /api/courses/choices/': {},
  'GET /api/courses/{course}/': {},
  'POST /api/courses/': { input: course, limit: 'courses_per_user' },
  'POST /api/courses/{course}/select/': { status: 200 },
  'PATCH /api/courses/{course}/': { input: { name: 'Physics' } },
  'PUT /api/courses/{course}/': { input: course },
  'DELETE /api/courses/{otherCourse}/': {},
};
