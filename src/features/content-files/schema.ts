import * as z from 'zod/mini';
import { LessonInput, LessonPatch, SectionInput } from '#features/lessons/schema.ts';

/** Sections with lessons that come into a course together. */
export const ContentImport = z.strictObject({
  sections: z
    .array(
      z.strictObject({
        title: z.nullable(SectionInput.shape.title).check(z.describe('Null: without a heading')),
        lessons: z.array(
          z.strictObject({
            title: LessonInput.shape.title,
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
