import * as z from 'zod/mini';

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
