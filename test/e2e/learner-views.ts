import type { Page } from '@playwright/test';
import { enrollLearner, publishLessons, textBlock, videoBlock } from './learners.ts';
import { courseNames, makeCourse, peopleNames } from './people.ts';
import { askApi } from './support.ts';
import { type View, viewsOf } from './view.ts';

const learner = viewsOf('someone who reads lessons', makeLearner);

const nobody = viewsOf('a browser that is not remembered', null);

/** Reads as the person of the link. */
const open = async (page: Page, { link = '' }: Record<string, string>) => {
  await page.request.post('/api/participation/open/', {
    data: { link: link.replace('/p/', '') },
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
};

/** The pages of learners, and their preview. */
export const learnerViews: View[] = [
  learner('learner-courses', '/learn', { before: open }),
  learner('learner-course', '/learn/[course]', { before: open }),
  learner('learner-account', '/learn/[course]', {
    before: open,
    isOverlay: true,
    presses: ['[popovertarget="account"]'],
  }),
  learner('learner-lesson', '/learn/[course]/[second]', { before: open }),
  learner('learner-lesson-done', '/learn/[course]/[first]', { before: open, isNightly: true }),
  learner('learner-sheet', '/learn/[course]/[second]', {
    before: open,
    isOverlay: true,
    maxWidth: 1023,
    presses: ['.lesson-head [popovertarget="outline"]'],
  }),
  learner('learner-all', '/learn/[course]/all', { before: open }),
  learner('learner-closed', '/learn/[course]/[course]', { before: open, isFailure: true }),
  learner('public-outline', '/c/[slug]', { isLoggedOut: true }),
  learner('person-lessons', '/cohorts/[cohort]/roster/[enrollment]'),
  learner('preview-course', '/lessons/preview'),
  learner('preview-lesson', '/lessons/preview/[second]'),
  nobody('learner-unknown', '/learn'),
];

/** A course with three lessons of everything that texts can have, of which one is done. */
async function makeLearner(page: Page) {
  await makeCourse(page);
  const [one = '', two = '', three = ''] = courseNames;
  const content = [
    textBlock(`${one}. ${two}. ${three}.`),
    textBlock(two, { type: 'heading', attrs: { level: 2 } }),
    { type: 'bulletList', content: [{ type: 'listItem', content: [textBlock(three)] }] },
    videoBlock,
    { type: 'blockquote', content: [textBlock(one)] },
    {
      type: 'table',
      content: [
        { type: 'tableRow', content: [{ type: 'tableHeader', content: [textBlock(two)] }] },
        { type: 'tableRow', content: [{ type: 'tableCell', content: [textBlock(three)] }] },
      ],
    },
    textBlock(three, { type: 'codeBlock' }),
  ];
  const { course, ids } = await publishLessons(
    page,
    courseNames.map((title) => ({ title, content })),
  );
  const { link, ...places } = await enrollLearner(page, peopleNames[1] ?? '');
  await open(page, { link });
  await askApi(page, 'PUT', `/api/learning/${course}/lessons/${ids[0]}/`, { done: true });
  return { ...places, course, link, first: ids[0] ?? '', second: ids[1] ?? '' };
}
