import 'server-only';
import { msg } from '@lingui/core/macro';
import type { LetterTexts } from './letter-text.ts';

/** What people read about the lessons of a course that they take at their own pace. */
export const lessonLetters = {
  lessons_released: {
    name: msg`New lessons are open`,
    when: msg`When a section opens for someone after they have enrolled`,
    facts: 'none',
    say: ({ course, released, instructor }) => ({
      subject: msg`New in ${course}: ${released.first}`,
      preheader: msg`More lessons are open to you.`,
      paragraphs: [msg`More of ${course} with ${instructor} is open to you now.`],
      action: msg`Open the course`,
    }),
  },
  nudge: {
    name: msg`Your course is waiting for you`,
    when: msg`7 days after someone was last in the course, and again after 21`,
    facts: 'none',
    say: ({ course, progress, instructor }) => ({
      subject: msg`Go on with ${course}`,
      preheader: msg`You’ve done ${progress.done} of ${progress.of} lessons.`,
      paragraphs: [
        msg`You’ve done ${progress.done} of ${progress.of} lessons of ${course} with ${instructor}.`,
      ],
      action: msg`Open the course`,
    }),
  },
  course_completed: {
    name: msg`You’ve finished the course`,
    when: msg`When someone has done the last lesson, unless certificates are turned off`,
    facts: 'none',
    say: ({ course, instructor }) => ({
      subject: msg`You’ve finished ${course} with ${instructor}`,
      preheader: msg`Your certificate is on your page.`,
      title: msg`Well done!`,
      paragraphs: [
        msg`You’ve done all lessons of ${course} with ${instructor}.`,
        msg`Your certificate of completion is on your page. You can print it or save it as a PDF.`,
      ],
      action: msg`Open my page`,
    }),
  },
} satisfies LetterTexts;
