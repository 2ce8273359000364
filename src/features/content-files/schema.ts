import * as z from 'zod/mini';
import { LessonInput, LessonPatch, SectionInput } from '#features/lessons/schema.ts';
import type { ValidationCode } from '#vocabulary.ts';

/** Sections with lessons that come into a course together. */
export const ContentImport = z.strictObject({
  sections: z
    .array(
      z.strictObject({
        title: z.nullable(SectionInput.shape.title).check(z.describe('Null: without a heading')),
        release_days: SectionInput.shape.release_days,
        lessons: z.array(
          z.strictObject({
            title: LessonInput.shape.title,
            link_key: z
              .optional(z.uuid('unknown_value' satisfies ValidationCode))
              .check(
                z.describe(
                  'What links of the other lessons call it, in lower case: lesson:{link_key}',
                ),
              ),
            minutes: LessonPatch.shape.minutes,
            document: LessonInput.shape.document,
          }),
        ),
      }),
    )
    .check(z.minLength(1)),
  dry_run: z.boolean().check(z.describe('Whether to only check all of it, and write nothing')),
});
export type ContentImport = z.output<typeof ContentImport>;

/** What came in, or would. */
export const ContentImported = z.object({
  sections: z.int(),
  lessons: z.int(),
  is_done: z.boolean(),
});
export type ContentImported = z.infer<typeof ContentImported>;
