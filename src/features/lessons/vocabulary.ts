import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { ownRows } from '#db/personal-data.ts';
import { cohortSections, lessons, lessonVersions, sections } from '#db/schema/lessons.ts';
import { sectionModes, versionReasons } from '#db/values.ts';
import { msg } from '#i18n/msg.ts';
import { type Errors, type LimitRates, type ValidationTexts, withStatus } from '#lib/vocabulary.ts';

export const errors = {
  lesson_changed: {
    status: 409,
    text: msg`This lesson was changed in another tab. Both texts are kept under Versions.`,
  },
  ...withStatus(422, {
    too_many_lessons: msg`A course can have up to 300 lessons.`,
    too_many_lessons_in_all: msg`All your courses together can have up to 10,000 lessons. Those in the trash count too.`,
    too_many_sections: msg`A course can have up to 50 sections.`,
    section_has_lessons: msg`There are still lessons in this section. Move them to another section first.`,
    lesson_empty: msg`Write something first, then publish the lesson.`,
  }),
} satisfies Errors;

export const validation = {
  lesson_title_required: msg`Please give the lesson a title`,
  lesson_title_too_long: msg`A title can have up to 120 characters`,
  lesson_title_characters: msg`Please use only printable characters in a title`,
  section_title_required: msg`Please give the section a title`,
  section_title_too_long: msg`A section’s title can have up to 120 characters`,
  section_title_characters: msg`Please use only printable characters in a section’s title`,
  section_release_days: msg`Please enter whole days from 0 to 730`,
  section_meeting_required: msg`Please choose a live session`,
  lesson_minutes: msg`Please enter whole minutes from 1 to 600`,
} satisfies ValidationTexts;

export const limits = {
  lesson_saves_per_user: ['60/m'],
  lessons_per_user: ['200/d'],
  course_copies_per_user: ['20/d'],
  /** Lessons that copies of courses and imports add, of which the last may add more. */
  lessons_at_once_per_user: ['1000/d'],
  /** Each keeps a version for a year. */
  lesson_publications_per_user: ['60/m', '500/d'],
} as const satisfies LimitRates;

export const events = { lesson_trash_emptied: true, sections_moved: true };

const text = z
  .record(z.string(), z.unknown())
  .check(z.describe('JSON as ProseMirror writes it, of the nodes and marks of a lesson'));

export const exported = {
  sections: ownRows(sections),
  lessons: ownRows(lessons, {
    fields: { document: text, position: z.number() },
    columns: {
      document: sql`${lessons.document}`.mapWith(JSON.parse).as('document'),
    },
  }),
  // Without their texts, of which there can be too many for one file. The API has each.
  lesson_versions: ownRows(lessonVersions, {
    except: ['document'],
    fields: { reason: z.enum(versionReasons) },
  }),
  cohort_sections: ownRows(cohortSections, {
    fields: {
      mode: z.enum(sectionModes),
      meeting_edge: z.nullable(z.enum(['start', 'end'])),
    },
  }),
};

/** The most sections and lessons of a course. */
export const maxSections = 50;
export const maxLessons = 300;

/** The most lessons that an owner can have once many were added at once, with those in the trash. */
export const maxLessonsInAll = 10_000;

/** For how many days lessons stay in the trash. */
export const daysInTrash = 30;
