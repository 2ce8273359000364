import type { Page } from '@playwright/test';
import { comingDays, runningDays } from './cohorts.ts';
import { cohortWith, enrollPeople, requestPlaces } from './enrollments.ts';
import { courseNames, makeCourse, peopleNames, someone } from './people.ts';
import { askApi } from './support.ts';
import { opener, type View, viewsOf } from './view.ts';

const running = viewsOf('the owner of a running cohort', makePeople);

const full = viewsOf('the owner of a full cohort', makeFull);

const roster = '/cohorts/[id]/roster';

/** What the instructor sees of the people of a cohort, and writes to them. */
export const peopleViews: View[] = [
  running('roster', roster, { isExample: true }),
  running('roster-menu', roster, {
    isExample: true,
    isOverlay: true,
    presses: ['[data-person]'],
    until: '#person-menu a',
  }),
  running('roster-lists', roster, { isOverlay: true, presses: ['[popovertarget="list-menu"]'] }),
  running('remove-person', roster, {
    isOverlay: true,
    presses: ['[data-person]', opener('remove-person')],
  }),
  running('mark-left', roster, {
    isOverlay: true,
    presses: ['[data-person][data-status="enrolled"]', opener('mark-left')],
  }),
  running('trash-cohort', '/cohorts/[id]', {
    isOverlay: true,
    presses: ['[popovertarget="cohort-menu"]', opener('trash-cohort')],
  }),
  running('import', '/cohorts/[id]/import'),
  // Someone new, and lines without a person.
  running('import-checked', '/cohorts/[id]/import', {
    isExample: true,
    act: (page) =>
      checkList(page, [
        `${peopleNames[0]},anna@example.com`,
        `${peopleNames[1]},anna@example.com`,
        `${peopleNames[1]},@`,
      ]),
  }),
  // A list that does not say what each column holds.
  running('import-asked', '/cohorts/[id]/import', {
    act: (page) =>
      checkList(page, [
        `1,${peopleNames[0]},anna@example.com`,
        `2,${peopleNames[1]},zoe@example.com`,
      ]),
  }),
  running('person', '/cohorts/[id]/roster/[enrollment]', { isExample: true }),
  running('person-actions', '/cohorts/[id]/roster/[enrollment]', {
    isOverlay: true,
    presses: ['[popovertarget="person-actions"]'],
  }),
  running('complete-person', '/cohorts/[id]/roster/[enrollment]', {
    isOverlay: true,
    presses: ['[popovertarget="person-actions"]', opener('complete-person')],
  }),
  running('erase-person', '/cohorts/[id]/roster/[enrollment]', {
    isOverlay: true,
    presses: [opener('erase-person')],
  }),
  running('email-preview', '/cohorts/[id]/emails/[kind]'),
  running('message-shown', '/cohorts/[id]/message', { act: write, until: '.planned' }),
  full('add-person', roster, { isOverlay: true, presses: [opener('add-person')] }),
  full('waitlist', '/cohorts/[id]/waitlist'),
  full('withdraw-offer', '/cohorts/[id]/waitlist', {
    isOverlay: true,
    presses: ['.person-offer > [command="show-modal"]'],
    until: '.person-offer dialog',
  }),
];

/** A published cohort with this many people. */
async function makeCohort(page: Page, count: number, values: object = {}) {
  await makeCourse(page);
  const people = Array.from({ length: count }, (_, index) => someone(index));
  return cohortWith(page, people, { name: courseNames[2] ?? '', ...values });
}

/** One person has completed it, one has left, one is invited, and two have asked for a place. */
async function makePeople(page: Page) {
  const { id, people, ...cohort } = await makeCohort(page, 6, { ...runningDays, capacity: 6 });
  const path = `/api/cohorts/${id}/enrollments/`;
  await askApi(page, 'POST', path, { ...someone(1), as: 'enrolled', over_capacity: true });
  await askApi(page, 'POST', path, { ...someone(0), as: 'invited' });
  await askApi(page, 'POST', `${path}${people[1]?.id}/complete/`, { before_end: true });
  await askApi(page, 'POST', `${path}${people[2]?.id}/remove/`, {});
  await askApi(page, 'PATCH', `/api/cohorts/${id}/`, { enrollment_override: 'open', capacity: 20 });
  await requestPlaces(page, cohort, [someone(0), someone(1)]);
  return { id, enrollment: people[0]?.id ?? '', kind: 'offer' };
}

/** One person is offered a place, and two wait. */
async function makeFull(page: Page) {
  const { id, people, ...cohort } = await makeCohort(page, 3, { ...comingDays, capacity: 3 });
  await enrollPeople(page, cohort, [someone(0), someone(1), someone(0)]);
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/${people[0]?.id}/remove/`, {});
  return { id };
}

async function checkList(page: Page, lines: string[]): Promise<void> {
  await page.locator('textarea').fill(lines.join('\n'));
  await page.locator('#informed').check();
  await page.locator('.import [type=submit]').click();
  await page.locator('.import :is(.import-lines, [name=column-0])').waitFor();
}

async function write(page: Page): Promise<void> {
  await page.locator('#subject').fill(peopleNames[0] ?? '');
  await page.locator('#text').fill(`${peopleNames[0]}\n\n${peopleNames[1]}`);
  await page.locator('.cohort-form [type=submit]').click();
}
