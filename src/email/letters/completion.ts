import 'server-only';
import { msg } from '@lingui/core/macro';
import type { LetterTexts } from './letter-text.ts';

/** What people read when they have completed a cohort. */
export const completionLetters = {
  completed: {
    name: msg`You’ve completed the course`,
    when: msg`When you mark someone as completed, unless certificates are turned off in the settings`,
    facts: 'none',
    say: ({ cohort, course, isOpen, named, instructor }) => ({
      subject: msg`You’ve completed ${named} with ${instructor}`,
      preheader: msg`Your certificate is on your page.`,
      title: msg`Well done!`,
      paragraphs: [
        isOpen
          ? msg`You’ve completed ${course} with ${instructor}.`
          : msg`You’ve completed ${course}, in the cohort “${cohort}” with ${instructor}.`,
        msg`Your certificate of completion is on your page. You can print it or save it as a PDF.`,
      ],
      action: msg`Open my page`,
    }),
  },
} satisfies LetterTexts;
