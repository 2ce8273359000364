import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import { Course, CourseChoice, CourseChoices, CourseInput, CoursePatch } from './schema.ts';
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

const isSelected = { description: msg`True for exactly one course, if there are any` };

/** The schemas by name; clients generated from the document use these names. */
export const named = {
  Course: describeFields(Course, {
    ...fields,
    is_selected: isSelected,
  }),
  CourseChoice: describeFields(CourseChoice, {
    ...fields,
    is_selected: isSelected,
    about: {
      description: msg`Its type and how its cohorts stand, in the language of the request`,
    },
  }),
  CourseChoices: describeFields(CourseChoices, {
    is_complete: { description: msg`Whether these are all; if not, look for one by its name` },
  }),
  CourseInput: describeFields(CourseInput, fields),
  CoursePatch: describeFields(CoursePatch, fields),
};

export const unnamed = [describeFields(exported.courses.item, fields)];
