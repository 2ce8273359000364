import * as z from 'zod/mini';
import { courseHues } from '#db/values.ts';
import { ShownFile } from '#features/files/schema.ts';
import { email } from '#features/places/person-fields.ts';

/** A lesson in a learner's outline. */
export const LearnerLesson = z.object({
  id: z.uuid(),
  title: z.string(),
  minutes: z.int(),
  is_done: z.boolean(),
  done_at: z.nullable(z.iso.datetime()),
});
export type LearnerLesson = z.infer<typeof LearnerLesson>;

const section = z.object({
  id: z.uuid(),
  title: z.nullable(z.string()),
  opens_at: z.nullable(z.iso.datetime()).check(z.describe('Null if its lessons can be read')),
  opens_local: z
    .nullable(z.string())
    .check(
      z.describe(
        'The day, or day and time, on the clocks of the cohort; null in a self-paced course',
      ),
    ),
  lessons: z.array(LearnerLesson),
});

/** A course as someone who is enrolled reads it: its published lessons, and what they have done. */
export const LearnerCourse = z.object({
  course: z.object({ id: z.uuid(), name: z.string(), hue: z.enum(courseHues) }),
  cohort: z
    .nullable(z.object({ id: z.uuid(), name: z.string() }))
    .check(z.describe('Null in a self-paced course')),
  instructor: z.object({ name: z.string(), email: z.string() }),
  person: z.object({
    name: z.string(),
    enrollment_id: z.uuid().check(z.describe('What the marks of these lessons are sent with')),
  }),
  sections: z.array(section),
  done: z.int(),
  of: z.int(),
  continue_with: z
    .nullable(z.uuid())
    .check(
      z.describe('The lesson they were last at, or the first that is not done; null without one'),
    ),
  completed_at: z.nullable(z.iso.datetime()),
  access_ends_at: z
    .nullable(z.iso.datetime())
    .check(z.describe('From when on nothing can be read; null: never')),
});
export type LearnerCourse = z.infer<typeof LearnerCourse>;

/** One lesson with its text. */
export const LearnerLessonText = z.extend(LearnerLesson, {
  section: z.nullable(z.string()),
  number: z.int().check(z.describe('Its place among all lessons, from 1')),
  html: z.string(),
  files: z
    .array(ShownFile)
    .check(z.describe('The images and files in its text, and the captions of its videos')),
  previous: z.nullable(z.uuid()),
  next: z.nullable(z.uuid()),
});
export type LearnerLessonText = z.infer<typeof LearnerLessonText>;

/** Accepts any link, because all invalid ones get the same answer. */
const link = z.optional(
  z
    .unknown()
    .check(z.meta({ type: 'string', description: 'What comes after /p/ in the person’s emails' })),
);

const courseId = z.optional(z.string()).check(z.describe('The course to continue with'));

/** The link of a person, whom the browser is to remember. */
export const OpenInput = z.strictObject({ link, course_id: courseId });
export type OpenInput = z.output<typeof OpenInput>;

/** Where the lessons are: the page to continue to. */
export const Opened = z.object({ redirect_to: z.string() });
export type Opened = z.infer<typeof Opened>;

/** Who takes part in a course, and wants to read it in another browser. */
export const LearnerLinkInput = z.strictObject({ course_id: z.string(), email });
export type LearnerLinkInput = z.output<typeof LearnerLinkInput>;

/** The six digits of the email, in the browser that asked for it. */
export const LearnerCodeInput = z.strictObject({
  code: z.optional(z.unknown().check(z.meta({ type: 'string' }))),
  course_id: courseId,
});
export type LearnerCodeInput = z.output<typeof LearnerCodeInput>;

/** What a learner's page reports: that it was open for a while, or what they have pressed. */
export const MarkInput = z.strictObject({
  opened: z.optional(z.literal(true)),
  done: z.optional(z.boolean()),
  enrollment_id: z
    .optional(z.string())
    .check(z.describe('Whose mark it is; by default of whom this browser got to know last')),
});
export type MarkInput = z.output<typeof MarkInput>;

/** How far they are after it. */
export const Progress = z.object({
  done: z.int(),
  of: z.int(),
  completed_at: z.nullable(z.iso.datetime()),
  next: z.nullable(z.uuid()).check(z.describe('The lesson after this one')),
});
export type Progress = z.infer<typeof Progress>;

/** How far the people of a cohort are, for its owner. */
export const CohortLearning = z.object({
  lessons: z.array(
    z.object({
      id: z.uuid(),
      opened: z.int().check(z.describe('How many have opened it, with those who have left')),
      done: z.int(),
    }),
  ),
  people: z.object({
    started: z
      .int()
      .check(
        z.describe(
          'Of those who are enrolled, who have opened a lesson; in an open run, also those who enrolled in the last seven days',
        ),
      ),
    completed: z.int(),
    stuck: z
      .int()
      .check(
        z.describe(
          'Who have started and not completed it, and have not been there for 14 days; in a cohort, who have not done three or more of the lessons that are open',
        ),
      ),
  }),
});
export type CohortLearning = z.infer<typeof CohortLearning>;
