import type { Page } from '@playwright/test';
import { makeCohort, runningDays } from './cohorts.ts';
import { addPerson } from './enrollments.ts';
import { makeOutline } from './outlines.ts';
import { courseNames, makeCourse, someone } from './people.ts';
import { askApi } from './support.ts';
import { opener, type View, viewsOf } from './view.ts';

const ownerWithout = viewsOf('the owner of a course without lessons', async (page) => {
  await makeCourse(page);
  return {};
});

const ownerOfOutline = viewsOf('the owner of a course with lessons', makeShownOutline);

/** The pages of lessons in their states. */
export const lessonViews: View[] = [
  ownerWithout('lessons-empty', '/lessons'),
  ownerWithout('lessons-trash-empty', '/lessons/trash', { isNightly: true }),
  ownerOfOutline('lessons', '/lessons'),
  ownerOfOutline('lessons-trash', '/lessons/trash'),
  ownerOfOutline('lesson-menu', '/lessons', {
    isOverlay: true,
    presses: ['[popovertarget="lesson-menu"]'],
  }),
  ownerOfOutline('lessons-menu', '/lessons', {
    isOverlay: true,
    isNightly: true,
    presses: ['[popovertarget="lessons-menu"]'],
  }),
  ownerOfOutline('section-menu', '/lessons', {
    isOverlay: true,
    isNightly: true,
    presses: ['[popovertarget="section-menu"]'],
  }),
  ownerOfOutline('new-lesson', '/lessons', {
    isOverlay: true,
    presses: [opener('new-lesson')],
  }),
  ownerOfOutline('new-section', '/lessons', {
    isOverlay: true,
    isNightly: true,
    presses: [`.outline-end ${opener('new-section')}`],
  }),
  ownerOfOutline('move-lesson', '/lessons', {
    isOverlay: true,
    presses: ['[popovertarget="lesson-menu"]', opener('move-lesson')],
  }),
  ownerOfOutline('lesson-minutes', '/lessons', {
    isOverlay: true,
    isNightly: true,
    presses: ['[popovertarget="lesson-menu"]', opener('lesson-minutes')],
  }),
];

/** Lessons in every state, which people in two cohorts can read. */
async function makeShownOutline(page: Page) {
  await makeCourse(page);
  const title = (index: number) => courseNames[index % courseNames.length] ?? '';
  const lessons = [0, 1, 2, 3].map(title);
  const ids = await makeOutline(page, { [title(1)]: lessons, [title(2)]: [] }, true);
  const [changed = '', trashed = ''] = lessons.map((lesson) => ids[lesson]);
  await askApi(page, 'PATCH', `/api/lessons/${changed}/`, { title: `${title(0)}!` });
  await askApi(page, 'DELETE', `/api/lessons/${trashed}/`);
  await makeOutline(page, { [title(3)]: lessons });
  for (const index of [0, 1]) {
    const cohort = await makeCohort(page, { name: title(index), ...runningDays }, 'publish');
    await addPerson(page, cohort, someone(index));
  }
  return {};
}
