import * as z from 'zod/mini';
import { sectionModes, versionReasons } from '#db/values.ts';
import type { LessonDocument } from '#features/documents/document.ts';
import { isDay, isWallTime } from '#lib/time/calendar.ts';
import { requiredLine, rule } from '#lib/validation-rule.ts';
import type { ValidationCode } from '#vocabulary.ts';
import { maxReleaseDays } from './release-days.ts';

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

const releaseDays = z.nullable(
  z
    .int('section_release_days' satisfies ValidationCode)
    .check(
      z.minimum(0, 'section_release_days' satisfies ValidationCode),
      z.maximum(maxReleaseDays, 'section_release_days' satisfies ValidationCode),
      z.describe(
        'After how many days it opens: those of 24 hours since someone has enrolled in an evergreen course, and those since the first day of a cohort; null: with the enrollment',
      ),
    ),
);

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

/** A new section: without a rule, it opens with the enrollment. */
export const SectionInput = z.strictObject({
  title: sectionTitle,
  release_days: z.optional(releaseDays),
});
export type SectionInput = z.output<typeof SectionInput>;

/** The fields of a section that its owner can change. */
export const SectionPatch = z.partial(
  z.strictObject({ title: sectionTitle, release_days: releaseDays }),
);
export type SectionPatch = z.output<typeof SectionPatch>;

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

const edges = ['start', 'end'] as const;

/** When a section opens in one cohort, where that is not as the course has it. */
export const OpeningInput = z
  .strictObject({
    mode: z
      .enum(sectionModes, unknown)
      .check(z.describe('meeting: with a live session. hidden: never, and it is not listed')),
    opens_local: z.optional(
      z.string('date_invalid' satisfies ValidationCode).check(
        z.describe('A day, or a wall time, by the clocks of the cohort; only with a date'),
        rule('date_required', (typed) => typed !== '' && !typed.startsWith('T')),
        rule('date_invalid', (typed) => isDay(typed) || isWallTime(typed)),
      ),
    ),
    meeting_id: z.optional(z.string(unknown)),
    edge: z.optional(z.enum(edges, unknown)),
  })
  .check(
    z.check(({ value, issues }) => {
      const { mode, opens_local: local, meeting_id: meeting, edge } = value;
      const [isDate, isMeeting] = [mode === 'date', mode === 'meeting'];
      const wrong = {
        opens_local: isDate === (local === undefined) && (isDate ? 'date_required' : unknown),
        meeting_id: isMeeting === (meeting === undefined) && 'section_meeting_required',
        edge: isMeeting === (edge === undefined) && unknown,
      };
      for (const [field, message] of Object.entries(wrong)) {
        if (message) {
          issues.push({ code: 'custom', path: [field], message, input: value });
        }
      }
    }),
  );
export type OpeningInput = z.output<typeof OpeningInput>;

/** A section, and when it opens in one cohort. */
export const CohortSection = z.object({
  id: z.uuid(),
  title: z.nullable(z.string()),
  release_days: z.nullable(z.int()),
  override: z
    .nullable(
      z.object({
        mode: z.enum(sectionModes),
        opens_local: z.nullable(z.string()),
        meeting_id: z.nullable(z.uuid()),
        edge: z.nullable(z.enum(edges)),
      }),
    )
    .check(z.describe('What this cohort does otherwise; null: it opens as the course says')),
  opens_at: z
    .nullable(z.iso.datetime())
    .check(
      z.describe(
        'As the course says, too, if the live session was canceled; null: with the enrollment, or never if it is hidden',
      ),
    ),
});
export type CohortSection = z.infer<typeof CohortSection>;

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
  release_days: z.nullable(z.int()),
  lessons: z.array(OutlineLesson),
});
export type OutlineSection = z.infer<typeof OutlineSection>;

/** The content of a course in its order, without what is in the trash. */
export const CourseContent = z.object({
  sections: z.array(OutlineSection),
  link_keys: z
    .record(z.string(), z.string())
    .check(z.describe('By lesson, what links call it, as lesson:{key}, where that is not its id')),
});
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
