import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import { Course, CourseInput, CoursePatch } from './schema.ts';
import { exported } from './vocabulary.ts';

const fields = {
  name: {
    description: msg`The name of the course, 3 to 254 characters`,
    rules: { minLength: 3, maxLength: 254 },
  },
  course_type: {
    description: msg`evergreen: self-paced, students start at any time. cohort: a group with fixed start and end dates`,
  },
};

/** The schemas by name; clients generated from the document use these names. */
export const named = {
  Course: describeFields(Course, {
    ...fields,
    is_selected: { description: msg`True for exactly one course, if there are any` },
  }),
  CourseInput: describeFields(CourseInput, fields),
  CoursePatch: describeFields(CoursePatch, fields),
};

export const unnamed = [describeFields(exported.courses.item, fields)];
