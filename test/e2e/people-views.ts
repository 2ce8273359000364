import { expect, type Page } from '@playwright/test';
import { comingDays, runningDays } from './cohorts.ts';
import { cohortWith, enrollPeople, requestPlaces } from './enrollments.ts';
import { partAfter } from './participant-views.ts';
import { clientOf, courseNames, makeCourse, newEmail, peopleNames, someone } from './people.ts';
import { askApi, runClock } from './support.ts';
import { makeMistakes, opener, type View, viewsOf } from './view.ts';

const running = viewsOf('the owner of a running cohort', makePeople);

const full = viewsOf('the owner of a full cohort', makeFull);

const empty = viewsOf('the owner of a cohort without people', async (page) => {
  const { id } = await makeCohort(page, 0);
  return { id };
});

const joined = viewsOf('the owner of a cohort that eight people have just joined', async (page) => {
  const { id, ...cohort } = await makeCohort(page, 0);
  const people = Array.from({ length: 8 }, (_, index) => someone(index));
  await enrollPeople(page, cohort, people);
  return { id };
});

const roster = '/cohorts/[id]/roster';

/** What the instructor sees of the people of a cohort, and writes to them. */
export const peopleViews: View[] = [
  running('roster', roster),
  running('roster-archived', roster, {
    isForNights: true,
    isFresh: true,
    before: async (page, { id }) => {
      await askApi(page, 'POST', `/api/cohorts/${id}/archive/`);
    },
  }),
  running('roster-menu', roster, {
    isOverlay: true,
    presses: ['[data-person]'],
    until: '#person-menu a',
  }),
  running('roster-lists', roster, { isOverlay: true, presses: ['[popovertarget="list-menu"]'] }),
  running('remove-person', roster, {
    isOverlay: true,
    presses: ['[data-person]', opener('remove-person')],
  }),
  running('trash-cohort', '/cohorts/[id]', {
    isOverlay: true,
    presses: ['[popovertarget="cohort-menu"]', opener('trash-cohort')],
  }),
  running('import', '/cohorts/[id]/import'),
  // Someone new, and lines without a person.
  running('import-checked', '/cohorts/[id]/import', {
    act: (page) =>
      checkList(page, [
        `${peopleNames[0]},anna@example.com`,
        `${peopleNames[1]},anna@example.com`,
        `${peopleNames[1]},@`,
      ]),
  }),
  // A list that does not say what each column holds.
  running('import-asked', '/cohorts/[id]/import', {
    isForNights: true,
    act: (page) =>
      checkList(page, [
        `1,${peopleNames[0]},anna@example.com`,
        `2,${peopleNames[1]},zoe@example.com`,
      ]),
  }),
  running('person', '/cohorts/[id]/roster/[enrollment]'),
  running('erase-person', '/cohorts/[id]/roster/[enrollment]', {
    isOverlay: true,
    presses: [opener('erase-person')],
  }),
  running('emails', '/cohorts/[id]/emails', { isForNights: true, until: '.emails .events li' }),
  running('email-preview', '/cohorts/[id]/emails/[kind]'),
  running('cohort-move-told', '/cohorts/[id]/move', { isForNights: true }),
  running('message', '/cohorts/[id]/message', { isForNights: true }),
  running('message-invalid', '/cohorts/[id]/message', {
    isForNights: true,
    act: makeMistakes('.cohort-form', 2),
  }),
  running('message-shown', '/cohorts/[id]/message', { act: write, until: '.email-preview' }),
  running('unsubscribe-reminders', '/p/unsubscribe?[unsubscribe]', { isForNights: true }),
  running('unsubscribe-reminders-done', '/p/unsubscribe?[unsubscribe]', {
    isForNights: true,
    isFresh: true,
    act: async (page) => {
      await page.locator('main .button-primary').click();
      await expect(page.locator('main .button-primary')).toHaveCount(0);
    },
  }),
  full('add-person', roster, { isOverlay: true, presses: [opener('add-person')] }),
  full('waitlist', '/cohorts/[id]/waitlist'),
  full('withdraw-offer', '/cohorts/[id]/waitlist', {
    isOverlay: true,
    presses: ['.person-offer > [command="show-modal"]'],
    until: '.person-offer dialog',
  }),
  full('cohort-full', '/cohorts/[id]', { isForNights: true }),
  empty('roster-empty', roster, { isForNights: true }),
  empty('emails-empty', '/cohorts/[id]/emails', { isForNights: true }),
  empty('waitlist-empty', '/cohorts/[id]/waitlist', { isForNights: true }),
  empty('schedule-empty', '/cohorts/[id]/schedule', { isForNights: true }),
  empty('payments-no-price', '/payments?cohort=[id]', { isForNights: true }),
  empty('message-to-no-one', '/cohorts/[id]/message', {
    isForNights: true,
    act: write,
    until: '.alert',
  }),
  joined('roster-burst', roster, {
    isForNights: true,
    isOverlay: true,
    presses: ['.burst [command="show-modal"]'],
    until: '.burst dialog',
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
  const reader = { ...someone(1), email: newEmail() };
  await askApi(page, 'POST', path, { ...reader, as: 'enrolled', over_capacity: true });
  await askApi(page, 'POST', path, { ...someone(0), as: 'invited' });
  await askApi(page, 'POST', `${path}${people[1]?.id}/complete/`);
  await askApi(page, 'POST', `${path}${people[2]?.id}/remove/`, {});
  await askApi(page, 'PATCH', `/api/cohorts/${id}/`, { enrollment_override: 'open', capacity: 20 });
  await requestPlaces(page, cohort, [someone(0), someone(1)]);
  const client = await clientOf(page);
  // A message waits for the email that says that its reader was added.
  await client.mailTo(reader.email);
  const message = { subject: peopleNames[0], text: peopleNames[1] };
  await askApi(page, 'POST', `/api/cohorts/${id}/messages/`, message);
  await runClock(page);
  const { text } = await client.mailTo(reader.email, '/p/unsubscribe');
  return {
    id,
    enrollment: people[0]?.id ?? '',
    kind: 'offer',
    unsubscribe: partAfter('/p/unsubscribe?', text),
  };
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
