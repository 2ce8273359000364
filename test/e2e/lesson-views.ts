import type { Page } from '@playwright/test';
import type { CourseContent } from '#features/lessons/schema.ts';
import { dayFromToday, makeCohort, runningDays, selectedCourse } from './cohorts.ts';
import { addPerson } from './enrollments.ts';
import { openRun } from './open-runs.ts';
import { makeOutline } from './outlines.ts';
import { courseNames, makeCourse, someone } from './people.ts';
import { askApi } from './support.ts';
import { opener, type View, viewsOf } from './view.ts';

const ownerWithout = viewsOf('the owner of a course without lessons', async (page) => {
  await makeCourse(page);
  return {};
});

const ownerOfOutline = viewsOf('the owner of a course with lessons', makeShownOutline);

const ownerOfRun = viewsOf(
  'the owner of an evergreen course with open enrollment',
  async (page) => {
    const course = { name: courseNames[0], course_type: 'evergreen' };
    await askApi(page, 'POST', '/api/courses/', course);
    const [first = '', second = ''] = courseNames;
    await makeOutline(page, { [first]: [first], [second]: [second] }, true);
    await setRule(page, second, 7);
    await openRun(page);
    return {};
  },
);

/** The pages of lessons in their states. */
export const lessonViews: View[] = [
  ownerWithout('lessons-empty', '/lessons'),
  ownerWithout('lessons-import', '/lessons/import'),
  ownerWithout('lessons-trash-empty', '/lessons/trash'),
  ownerOfOutline('lessons', '/lessons', { isExample: true }),
  ownerOfOutline('lessons-found', '/lessons/search?q=a'),
  ownerWithout('files-empty', '/lessons/files'),
  ownerOfOutline('lessons-trash', '/lessons/trash', { isExample: true }),
  ownerOfOutline('lesson-menu', '/lessons', {
    isOverlay: true,
    presses: ['[popovertarget="lesson-menu"]'],
  }),
  ownerOfOutline('lessons-menu', '/lessons', {
    isOverlay: true,
    presses: ['[popovertarget="lessons-menu"]'],
  }),
  ownerOfOutline('lessons-download', '/lessons', {
    isOverlay: true,
    presses: ['[popovertarget="lessons-menu"]', opener('download-content')],
  }),
  ownerOfOutline('section-menu', '/lessons', {
    isOverlay: true,
    presses: ['[popovertarget="section-menu"]'],
  }),
  ownerOfOutline('section-rule', '/lessons', {
    isOverlay: true,
    presses: ['[popovertarget="section-menu"]', opener('section-rule')],
  }),
  ownerOfOutline('section-opening', '/lessons', {
    isOverlay: true,
    presses: ['[popovertarget="section-menu"]', opener('section-opening')],
  }),
  ownerOfRun('lessons-evergreen', '/lessons'),
  ownerOfRun('section-rule-evergreen', '/lessons', {
    isOverlay: true,
    presses: ['[popovertarget="section-menu"]', opener('section-rule')],
  }),
  ownerOfOutline('new-lesson', '/lessons', {
    isOverlay: true,
    presses: [opener('new-lesson')],
  }),
  ownerOfOutline('new-section', '/lessons', {
    isOverlay: true,
    presses: [`.outline-end ${opener('new-section')}`],
  }),
  ownerOfOutline('move-lesson', '/lessons', {
    isOverlay: true,
    presses: ['[popovertarget="lesson-menu"]', opener('move-lesson')],
  }),
  ownerOfOutline('lesson-minutes', '/lessons', {
    isOverlay: true,
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
    const section = await setRule(page, title(2), 7);
    const path = `/api/cohorts/${cohort.id}/sections/${section}/`;
    await askApi(page, 'PUT', path, { mode: 'date', opens_local: `${dayFromToday(9)}T18:30` });
    const hidden = await setRule(page, title(3), 14);
    await askApi(page, 'PUT', `/api/cohorts/${cohort.id}/sections/${hidden}/`, { mode: 'hidden' });
  }
  return {};
}

/** Lets the section with this title open after so many days, and returns its id. */
async function setRule(page: Page, title: string, release_days: number): Promise<string> {
  const course = await selectedCourse(page);
  const content = await askApi(page, 'GET', `/api/courses/${course.id}/content/`);
  const { id = '' } =
    (content as CourseContent).sections.find((section) => section.title === title) ?? {};
  await askApi(page, 'PATCH', `/api/sections/${id}/`, { release_days });
  return id;
}
