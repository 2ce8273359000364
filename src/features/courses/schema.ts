import * as z from 'zod/mini';
import { courseHues, courseTypes } from '#db/values.ts';
import { plainText, requiredLine } from '#lib/validation-rule.ts';
import type { ValidationCode } from '#vocabulary.ts';

const typeRequired: ValidationCode = 'course_type_required';

const required = {
  name: requiredLine(254, {
    required: 'course_name_required',
    tooShort: 'course_name_too_short',
    tooLong: 'course_name_too_long',
    characters: 'course_name_characters',
  }),
  course_type: z
    .enum(courseTypes, typeRequired)
    .check(z.describe('evergreen: self-paced. cohort: in groups with fixed dates')),
};

const about = plainText(2_000, 'about_too_long').check(
  z.describe('For everyone who looks at the public pages of the course; plain text'),
);

const showsOutline = z
  .boolean()
  .check(
    z.describe(
      'Whether public pages of its cohorts show the sections and titles of its published lessons',
    ),
  );

/** The fields of a course that its owner can set. */
export const CourseInput = z.strictObject({
  ...required,
  about: z._default(about, null),
  shows_outline: z._default(showsOutline, false),
});
export type CourseInput = z.output<typeof CourseInput>;

/** What a copy of a course does not take from it. */
export const CourseCopyInput = z.strictObject(required);
export type CourseCopyInput = z.output<typeof CourseCopyInput>;

/** Any of these fields. */
export const CoursePatch = z.partial(
  z.strictObject({ ...required, about, shows_outline: showsOutline }),
);
export type CoursePatch = z.output<typeof CoursePatch>;

/** A course as the API returns it to its owner. */
export const Course = z.object({
  id: z.uuid(),
  name: z.string(),
  course_type: z.enum(courseTypes),
  about: z.nullable(z.string()),
  shows_outline: z.boolean(),
  hue: z.enum(courseHues).check(z.describe('The color of its cover')),
  picture: z.nullable(z.string()).check(z.describe('The path of its picture; null without one')),
  is_selected: z.boolean().check(z.describe('True for exactly one course, if there are any')),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Course = z.infer<typeof Course>;

/** Courses to choose from. */
export const CourseChoices = z.object({
  items: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      course_type: z.enum(courseTypes),
      hue: Course.shape.hue,
      note: z.string(),
    }),
  ),
  is_complete: z
    .boolean()
    .check(z.describe('Whether these are all; if not, look for one by its name')),
});
export type CourseChoices = z.infer<typeof CourseChoices>;
