import type { CountedFor } from '#db/personal-data.ts';
import { msg } from '#i18n/msg.ts';
import type { Errors, LimitRates, ValidationTexts } from '#lib/vocabulary.ts';

export const errors = {
  lesson_changed: {
    status: 409,
    text: msg`This lesson was changed in another tab. Both texts are kept under Versions.`,
  },
  too_many_lessons: { status: 422, text: msg`A course can have up to 300 lessons.` },
  too_many_sections: { status: 422, text: msg`A course can have up to 50 sections.` },
  section_has_lessons: {
    status: 422,
    text: msg`There are still lessons in this section. Move them to another section first.`,
  },
  lesson_empty: { status: 422, text: msg`Write something first, then publish the lesson.` },
} satisfies Errors;

export const validation = {
  lesson_title_required: msg`Please give the lesson a title`,
  lesson_title_too_long: msg`A title can have up to 120 characters`,
  lesson_title_characters: msg`Please use only printable characters in a title`,
  section_title_required: msg`Please give the section a title`,
  section_title_too_long: msg`A section’s title can have up to 120 characters`,
  section_title_characters: msg`Please use only printable characters in a section’s title`,
  lesson_minutes: msg`Please give whole minutes from 1 to 600`,
} satisfies ValidationTexts;

export const limits = {
  lesson_saves_per_user: ['60/m'],
  lessons_per_user: ['200/d'],
} as const satisfies LimitRates;

export const countedFor = {
  lesson_saves_per_user: ({ id }) => [id],
  lessons_per_user: ({ id }) => [id],
} satisfies Record<string, CountedFor>;

/** The most sections and lessons of a course. */
export const maxSections = 50;
export const maxLessons = 300;
