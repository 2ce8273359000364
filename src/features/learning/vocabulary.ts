import { ownRows } from '#db/personal-data.ts';
import { learning, lessonMarks } from '#db/schema/learning.ts';
import { PersonLearning } from '#features/rights/schema.ts';
import { msg } from '#i18n/msg.ts';
import type { Errors, LimitRates } from '#lib/vocabulary.ts';

export const errors = {
  learner_unknown: {
    status: 401,
    text: msg`This browser doesn’t know you yet. Open the course by the link in one of your emails.`,
  },
  lessons_not_open: { status: 422, text: msg`There are no lessons for you to read right now.` },
  learner_code_wrong: {
    status: 400,
    text: msg`This code isn’t right. {n, plural, one {You can try once more.} other {You can try # more times.}}`,
  },
  learner_code_over: {
    status: 400,
    text: msg`This code no longer works. Please ask for a new email.`,
  },
} satisfies Errors;

export const limits = {
  /** What one person reports of their reading. */
  learning_per_person: ['120/m'],
  /** Codes typed by the browser that has asked for one, as long as it works. */
  learner_codes_per_attempt: ['5/10m'],
} as const satisfies LimitRates;

export const events = {
  course_opened: true,
  learner_code_refused: true,
  course_completed: true,
  courses_completed: true,
  standings_settled: true,
};

export const exported = {
  learning: ownRows(learning, { except: ['next_release_at'], fields: PersonLearning.shape }),
  lesson_marks: ownRows(lessonMarks),
};
