import 'server-only';
import { msg, plural } from '@lingui/core/macro';
import { type LetterTexts, openCourse, openPage } from './letter-text.ts';

/** What people read about the lessons of a course. */
export const lessonLetters = {
  lessons_released: {
    name: msg`New lessons are open`,
    when: msg`When a section opens, to those for whom it does; sections that open together share one email`,
    facts: 'none',
    say: ({ group, short, released: { what, lessons, first }, instructor, whyEnrolled }) => ({
      subject: msg`New in ${short}: ${what}`,
      preheader: msg`${plural(lessons, {
        one: '# more lesson is open to you.',
        other: '# more lessons are open to you.',
      })}`,
      paragraphs: [
        msg`There’s more to read in ${group} with ${instructor}. It begins with the lesson “${first}”.`,
      ],
      action: openCourse,
      why: whyEnrolled,
    }),
  },
  nudge: {
    name: msg`Whenever you’re ready`,
    when: msg`When someone hasn’t been in the course for 7 days, and once more after 21, unless a section has just opened`,
    facts: 'none',
    say: ({ group, short, progress: { done, of, next }, instructor, whyEnrolled }) => ({
      subject: msg`Whenever you’re ready: ${short}`,
      preheader:
        done === 0
          ? msg`A first lesson doesn’t take long.`
          : msg`You can continue where you left off.`,
      paragraphs: [
        done === 0
          ? msg`You have a place in ${group} with ${instructor}. You can start on any day, and take as long as you like.`
          : msg`You’ve done ${plural(of, {
              one: `${done} of # lesson`,
              other: `${done} of # lessons`,
            })} of ${group} with ${instructor}. There’s no hurry: everything is where you left it.`,
        ...(next === ''
          ? []
          : [
              done === 0
                ? msg`It begins with the lesson “${next}”.`
                : msg`Your next lesson: “${next}”.`,
            ]),
      ],
      action: openCourse,
      notes: [
        msg`We remind you twice at most. If you’d rather not continue, you can leave the course on your page.`,
      ],
      why: whyEnrolled,
    }),
  },
  course_completed: {
    name: msg`You’ve finished the course`,
    when: msg`When someone has done the last lesson, unless certificates are turned off`,
    facts: 'none',
    say: ({ group, named, instructor }) => ({
      subject: msg`You’ve finished ${named} with ${instructor}`,
      preheader: msg`Your certificate is on your page.`,
      title: msg`Well done!`,
      paragraphs: [
        msg`You’ve done every lesson of ${group} with ${instructor}.`,
        msg`Your certificate of completion is on your page. You can print it or save it as a PDF.`,
      ],
      action: openPage,
    }),
  },
} satisfies LetterTexts;
