import * as z from 'zod/mini';
import { ownRows } from '#db/personal-data.ts';
import { courses } from '#db/schema/courses.ts';
import { courseHues, courseTypes } from '#db/values.ts';
import { msg } from '#i18n/msg.ts';
import type { Errors, LimitRates, ValidationTexts } from '#lib/vocabulary.ts';

export const errors = {
  idempotency_key_reused: {
    status: 422,
    text: msg`This request was already sent with other details. Please reload the page and try again.`,
  },
} satisfies Errors;

export const validation = {
  course_name_required: msg`Course name is required`,
  course_name_too_short: msg`Course name must be at least 3 characters`,
  course_name_too_long: msg`Course name must be less than 255 characters`,
  course_name_characters: msg`Please use only printable characters in a course name`,
  course_type_required: msg`Please select a course type`,
  about_too_long: msg`About the course must be at most 2,000 characters`,
} satisfies ValidationTexts;

export const limits = { courses_per_user: ['10/m', '100/d'] } as const satisfies LimitRates;

export const exported = {
  courses: ownRows(courses, {
    fields: { course_type: z.enum(courseTypes), hue: z.nullable(z.enum(courseHues)) },
  }),
};
