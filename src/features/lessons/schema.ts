import * as z from 'zod/mini';
import { versionReasons } from '#db/values.ts';
import type { LessonDocument } from '#features/documents/document.ts';
import { requiredLine } from '#lib/validation-rule.ts';
import type { ValidationCode } from '#vocabulary.ts';

const invalid: ValidationCode = 'document_invalid';
const unknown: ValidationCode = 'unknown_value';

const lessonTitle = requiredLine(120, {
  required: 'lesson_title_required',
  tooLong: 'lesson_title_too_long',
  characters: 'lesson_title_characters',
});

const sectionTitle = requiredLine(120, {
  required: 'section_title_required',
  tooLong: 'section_title_too_long',
  characters: 'section_title_characters',
});

const minutes = z.nullable(
  z
    .int('lesson_minutes' satisfies ValidationCode)
    .check(
      z.minimum(1, 'lesson_minutes' satisfies ValidationCode),
      z.maximum(600, 'lesson_minutes' satisfies ValidationCode),
      z.describe('The reading time; null: estimated by the words'),
    ),
);

const document = z
  .custom<LessonDocument>(
    (value) =>
      typeof value === 'object' && value !== null && 'type' in value && value.type === 'doc',
    invalid,
  )
  .check(z.describe('JSON as ProseMirror writes it, of the nodes and marks of a lesson'));

/** The fields of a section that its owner can set. */
export const SectionInput = z.strictObject({ title: sectionTitle });
export type SectionInput = z.output<typeof SectionInput>;

/** A new lesson: a draft, without a text unless one is given. */
export const LessonInput = z.strictObject({ title: lessonTitle, document: z.optional(document) });
export type LessonInput = z.output<typeof LessonInput>;

/** What can change without being published. A new title is a change of the draft. */
export const LessonPatch = z.partial(z.strictObject({ title: lessonTitle, minutes }));
export type LessonPatch = z.output<typeof LessonPatch>;

/** What is being written, and the version that the editor has seen. */
export const DraftInput = z.strictObject({
  title: lessonTitle,
  document,
  based_on: z.int(unknown).check(z.minimum(0, unknown)),
});
export type DraftInput = z.output<typeof DraftInput>;

/** Which draft is published: the one that the author has looked at. */
export const PublishInput = z.strictObject({ draft_version: z.int(unknown) });
export type PublishInput = z.output<typeof PublishInput>;

/** Where a section goes: before another one of the course, or to the end. */
export const SectionMove = z.strictObject({ before: z.nullable(z.string(unknown)) });
export type SectionMove = z.output<typeof SectionMove>;

/** Where a lesson goes: before another one of the section, or to its end. */
export const LessonMove = z.strictObject({
  section_id: z.string(unknown),
  before: z.nullable(z.string(unknown)),
});
export type LessonMove = z.output<typeof LessonMove>;

/** A lesson in an outline. */
export const OutlineLesson = z.object({
  id: z.uuid(),
  section_id: z.uuid(),
  title: z.string(),
  state: z
    .enum(['draft', 'published', 'changed'])
    .check(z.describe('changed: published, with changes that are not')),
  minutes: z.nullable(z.int()).check(z.describe('As it was typed')),
  reading_minutes: z.int().check(z.describe('As it was typed, or estimated by the words')),
  words: z.int(),
  draft_version: z.int(),
  saved_at: z.iso.datetime(),
  published_at: z.nullable(z.iso.datetime()),
});
export type OutlineLesson = z.infer<typeof OutlineLesson>;

/** A part of an outline. */
export const OutlineSection = z.object({
  id: z.uuid(),
  title: z.nullable(z.string()),
  lessons: z.array(OutlineLesson),
});
export type OutlineSection = z.infer<typeof OutlineSection>;

/** The content of a course in its order, without what is in the trash. */
export const CourseContent = z.object({ sections: z.array(OutlineSection) });
export type CourseContent = z.infer<typeof CourseContent>;

/** A lesson as its owner edits it. */
export const Lesson = z.extend(OutlineLesson, {
  course_id: z.uuid(),
  document,
  versions: z.int().check(z.describe('How many are kept')),
});
export type Lesson = z.infer<typeof Lesson>;

/** The answer to a save. */
export const SavedDraft = z.object({
  draft_version: z.int(),
  saved_at: z.iso.datetime(),
  words: z.int(),
});
export type SavedDraft = z.infer<typeof SavedDraft>;

/** Beside a refusal because a lesson was changed meanwhile: what is stored now. */
export const LessonChanged = z.object({
  lesson: z.object({
    draft_version: z.int(),
    title: z.string(),
    document,
    saved_at: z.iso.datetime(),
  }),
  conflict_version_id: z
    .nullable(z.int())
    .check(z.describe('The version in which what was sent is kept; null if nothing was sent')),
});
export type LessonChanged = z.infer<typeof LessonChanged>;

/** What a lesson was at a time. */
export const LessonVersion = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  reason: z
    .enum(versionReasons)
    .check(
      z.describe(
        'saved: before it was overwritten. published: it went out. conflict: another tab was faster. restored: an older one replaced it',
      ),
    ),
  title: z.string(),
  words: z.int(),
});
export type LessonVersion = z.infer<typeof LessonVersion>;

/** One of them with its text. */
export const LessonVersionText = z.extend(LessonVersion, { document });
export type LessonVersionText = z.infer<typeof LessonVersionText>;
