import type { Page } from '@playwright/test';
import { courseUrl } from './between.ts';
import { type Cohort, comingDays, dayFromToday, makeCohort } from './cohorts.ts';
import { addPerson } from './enrollments.ts';
import { courseNames, makeCourse, someone } from './people.ts';
import { type View, viewsOf } from './view.ts';

const later = { starts_on: dayFromToday(150), ends_on: dayFromToday(190) };

const open = viewsOf('a reader of a course with an open cohort', async (page) => {
  await makeCourse(page);
  await publish(page, { price_minor: 48_000, currency: 'CAD' });
  await publish(page, { ...later, enrollment_opens_local: `${dayFromToday(100)}T09:00` });
  return { slug: await courseSlug(page) };
});

const closed = viewsOf('a reader of a course without an open cohort', async (page) => {
  await makeCourse(page);
  const opens = { enrollment_opens_local: `${dayFromToday(20)}T09:00` };
  await publish(page, opens);
  await publish(page, { ...later, join_mode: 'invitation' });
  return { slug: await courseSlug(page) };
});

/** The first cohort in the list of choices is full. */
const moving = viewsOf('someone who moves to another cohort', async (page) => {
  await makeCourse(page);
  const cohort = await publish(page, later);
  await addPerson(page, await publish(page, { capacity: 1 }), someone(0));
  const { id } = await addPerson(page, cohort, someone(0));
  return { id: cohort.id, enrollment: id };
});

/** What leads from one cohort to another: the page of a course, and moving someone. */
export const betweenViews: View[] = [
  open('course-open', '/c/[slug]'),
  closed('course-closed', '/c/[slug]'),
  moving('person-transfer', '/cohorts/[id]/roster/[enrollment]', {
    until: '#person-transfer',
  }),
];

async function publish(page: Page, values: object = {}): Promise<Cohort> {
  return makeCohort(page, { name: courseNames[2] ?? '', ...comingDays, ...values }, 'publish');
}

async function courseSlug(page: Page): Promise<string> {
  return (await courseUrl(page)).split('/').at(-1) ?? '';
}
