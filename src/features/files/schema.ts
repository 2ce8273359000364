import * as z from 'zod/mini';
import { requiredLine, rule } from '#lib/validation-rule.ts';
import type { ValidationCode } from '#vocabulary.ts';
import { refusalOfName, typeOfName } from './file-types.ts';

/** A file of a course, as texts show it. */
export const ShownFile = z.object({
  key: z.string().check(z.describe('What documents call it')),
  url: z
    .string()
    .check(z.describe('Where it can be read, without cookies, until the end of tomorrow in UTC')),
  name: z.string(),
  content_type: z.string(),
  size: z.int().check(z.describe('In bytes')),
  width: z.nullable(z.int()).check(z.describe('In pixels; null for what is no image')),
  height: z.nullable(z.int()),
});
export type ShownFile = z.infer<typeof ShownFile>;

// Those that are not seen could hide which ending a name has.
const fileName = requiredLine(120, {
  required: 'file_name_required',
  tooLong: 'file_name_too_long',
  characters: 'file_name_characters',
}).check(rule('file_name_characters', (typed) => !/\p{Cf}/u.test(typed)));

const pixels = z
  .optional(z.nullable(z.int().check(z.minimum(1), z.maximum(20_000))))
  .check(z.describe('Of an image, so that pages keep its place free'));

/** A file that is about to be uploaded. */
export const UploadInput = z
  .strictObject({
    name: fileName,
    content_type: z.string().check(z.describe('The one that the ending of its name says')),
    size: z
      .int()
      .check(
        z.minimum(1, 'file_empty' satisfies ValidationCode),
        z.describe('In bytes; the upload has to have as many'),
      ),
    width: pixels,
    height: pixels,
  })
  .check(
    // Downloads have this name, and programs go by its ending.
    z.refine(({ name, content_type: type }) => typeOfName(name) === type, {
      error: ({ input }): ValidationCode => refusalOfName((input as { name: string }).name),
      path: ['content_type'],
    }),
  );
export type UploadInput = z.output<typeof UploadInput>;

/** An upload to send the parts of. */
export const Upload = z.object({
  id: z.uuid(),
  key: z.string(),
  part_size: z.int().check(z.describe('The bytes of each part but the last')),
  parts: z.int().check(z.describe('How many there are; their numbers begin with 1')),
});
export type Upload = z.infer<typeof Upload>;

/** What has arrived of a file. */
export const UploadProgress = z.object({
  id: z.uuid(),
  parts: z.array(z.int()).check(z.describe('The numbers of the parts that have arrived')),
});
export type UploadProgress = z.infer<typeof UploadProgress>;

/** A file in the list of a course. */
export const CourseFile = z.extend(ShownFile, {
  id: z.uuid(),
  created_at: z.iso.datetime(),
  lessons: z
    .array(z.object({ id: z.uuid(), title: z.string() }))
    .check(z.describe('Those that have it, or had it in an earlier version, also in the trash')),
});
export type CourseFile = z.infer<typeof CourseFile>;

/** The picture of a course, or the photo of an account. */
export const Picture = z.object({
  url: z.string().check(z.describe('Where everyone can see it; another picture has another one')),
});
export type Picture = z.infer<typeof Picture>;
