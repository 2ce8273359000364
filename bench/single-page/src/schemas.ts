import * as z from 'zod/mini';

// Loaded with the first submit. The messages are catalog keys.
const text = (least: number, most: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'error.required'),
      z.minLength(least, 'error.short'),
      z.maxLength(most, 'error.long'),
    );

export const courseSchema = z.object({
  name: text(3, 254),
  course_type: z.enum(['evergreen', 'cohort'], 'error.required'),
});
export const namesSchema = z.object({ first_name: text(2, 49), last_name: text(2, 49) });
export const emailSchema = z.object({ email: z.string().check(z.trim(), z.email('error.email')) });
