import type { Page } from '@playwright/test';
import { addPerson } from './enrollments.ts';
import { endCohort, enrollLearner, publishLessons, textBlock, videoBlock } from './learners.ts';
import { openRun } from './open-runs.ts';
import { clientOf, courseNames, languageOf, makeCourse, newEmail, peopleNames } from './people.ts';
import { askApi } from './support.ts';
import { opener, type View, viewsOf } from './view.ts';

const learner = viewsOf('someone who reads lessons', makeLearner);

const selfPaced = viewsOf('someone who reads at their own pace', makeSelfPaced);

const over = viewsOf('the owner of a cohort that is over, with lessons', makeOver);

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
  learner('learner-lesson-done', '/learn/[course]/[first]', { before: open }),
  learner('learner-sheet', '/learn/[course]/[second]', {
    isExample: true,
    before: open,
    isOverlay: true,
    maxWidth: 1023,
    presses: ['.lesson-head [popovertarget="outline"]'],
  }),
  learner('learner-all', '/learn/[course]/all', { before: open }),
  learner('learner-search', '/learn/[course]/search?q=st', { before: open }),
  learner('learner-closed', '/learn/[course]/[course]', { before: open, isFailure: true }),
  selfPaced('learner-later', '/learn/[course]', { before: open }),
  selfPaced('learner-later-lesson', '/learn/[course]/[first]', { before: open }),
  selfPaced('learner-later-closed', '/learn/[course]/[second]', { before: open, isFailure: true }),
  selfPaced('learner-certificate', '/learn/[course]/attestation', { before: open }),
  selfPaced('preview-day', '/lessons/preview?day=7'),
  selfPaced('preview-later', '/lessons/preview/[second]?day=0'),
  learner('public-outline', '/c/[slug]', { isLoggedOut: true }),
  learner('person-lessons', '/cohorts/[cohort]/roster/[enrollment]'),
  over('roster-learned', '/cohorts/[cohort]/roster'),
  over('complete-learned', '/cohorts/[cohort]/roster', {
    isOverlay: true,
    presses: [opener('complete-learned')],
  }),
  learner('preview-course', '/lessons/preview'),
  learner('preview-lesson', '/lessons/preview/[second]'),
  nobody('learner-unknown', '/learn'),
];

/** An evergreen course with a lesson at once and one after a week, which someone has completed. */
async function makeSelfPaced(page: Page) {
  const name = courseNames[2] ?? '';
  await askApi(page, 'POST', '/api/courses/', { name, course_type: 'evergreen' });
  const content = [textBlock(courseNames.join('. '))];
  const { course, ids } = await publishLessons(
    page,
    courseNames.slice(0, 2).map((title) => ({ title, content })),
  );
  const section = { title: name, release_days: 7 };
  const path = `/api/courses/${course}/sections/`;
  const { id } = (await askApi(page, 'POST', path, section)) as { id: string };
  const move = { section_id: id, before: null };
  await askApi(page, 'POST', `/api/lessons/${ids[1]}/move/`, move);
  const run = await openRun(page);
  const email = newEmail();
  const person = { name: peopleNames[1] ?? '', email, language: await languageOf(page) };
  const place = await addPerson(page, run, person);
  const own = `/api/cohorts/${run.id}/enrollments/${place.id}/`;
  await askApi(page, 'POST', `${own}complete/`, { before_end: true });
  const { text } = await (await clientOf(page)).mailTo(email, '/p/');
  const link = /\/p\/[\w.-]+/.exec(text)?.[0] ?? '';
  return { course, link, first: ids[0] ?? '', second: ids[1] ?? '' };
}

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

/** Someone has done the only lesson, and is not marked as completed yet. */
async function makeOver(page: Page) {
  await makeCourse(page);
  const content = [textBlock(courseNames.join('. '))];
  const { course, ids } = await publishLessons(page, [{ title: courseNames[2] ?? '', content }]);
  const { link, cohort } = await enrollLearner(page, peopleNames[1] ?? '');
  await open(page, { link });
  await askApi(page, 'PUT', `/api/learning/${course}/lessons/${ids[0]}/`, { done: true });
  await endCohort(page, cohort);
  return { cohort };
}
