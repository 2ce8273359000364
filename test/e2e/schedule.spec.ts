import type { Page } from '@playwright/test';
import { comingDays, makeCohort } from './cohorts.ts';
import { cohortWith } from './enrollments.ts';
import { addMeetings } from './meetings.ts';
import { biology } from './settings.ts';
import { askApi, expect, mailsTo, openReady, signInWith, test, uniqueEmail } from './support.ts';

/** Over the clock change of the spring, in a zone whose rules are settled. */
const spring = { starts_on: '2027-03-01', ends_on: '2027-04-23', time_zone: 'Europe/Paris' };
const evening = { title: 'Reading aloud', starts_local: '2027-03-16T18:30' };

// A time that clocks skip is refused.
test.use({ timezoneId: 'America/Toronto', expectedErrors: [/status of 400/] });

async function openCourse(page: Page): Promise<void> {
  await signInWith(page, [{ ...biology, course_type: 'cohort' }]);
}

test.describe('the schedule of a cohort', () => {
  test('is empty at first; a weekly series is shown before it is saved', async ({ page }) => {
    await openCourse(page);
    const { id } = await makeCohort(page, { name: 'Spring', ...spring }, 'publish');
    await openReady(page, `/cohorts/${id}/schedule`);
    await expect(page.getByRole('heading', { name: 'No live sessions yet.' })).toBeVisible();
    await page.getByRole('link', { name: 'Add weekly sessions' }).click();
    await page.getByLabel('Title').fill('Reading aloud');
    await page.getByLabel('First day').fill('2027-03-21');
    await page.getByLabel('Begins at').fill('02:30');
    await page.getByLabel('How many weeks').fill('6');
    await page.getByRole('button', { name: 'Show all sessions' }).click();

    const planned = page.locator('.planned-list li');
    await expect(planned).toHaveCount(6);
    await expect(planned.nth(1)).toHaveText(
      /Sunday, March 28, 2027, 3:30\sAM.*Later, because clocks skip this time\./,
    );
    await expect(planned.nth(5)).toContainText('Not within the cohort’s dates');
    await page.getByLabel('How many weeks').fill('5');
    await expect(planned).toHaveCount(0);
    await page.getByRole('button', { name: 'Show all sessions' }).click();
    await page.getByRole('button', { name: 'Save 5 sessions' }).click();

    await expect(page).toHaveURL(`/cohorts/${id}/schedule`);
    await expect(page.getByText('Sessions added.')).toBeVisible();
    await expect(page.getByRole('heading', { name: '5 live sessions' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Schedule 5' })).toHaveAttribute(
      'aria-current',
      'page',
    );
  });

  test('is by week, on the clocks of the cohort and of its viewer, with clock changes marked', async ({
    page,
  }) => {
    await openCourse(page);
    const cohort = await makeCohort(page, { name: 'Spring', ...spring }, 'publish');
    await addMeetings(page, cohort, { ...evening, starts_local: '2027-03-09T18:30', count: 4 });
    await openReady(page, `/cohorts/${cohort.id}/schedule`);

    await expect(page.locator('.week h3')).toHaveText([
      /^Week 2 March 8 – 14$/,
      /^Week 3 March 15 – 21$/,
      /^Week 4 March 22 – 28$/,
      /^Week 5 March 29 – April 4$/,
    ]);
    await expect(page.locator('.clock-change')).toHaveText(
      'Clocks in Paris go forward by 1 hour (Sunday, March 28, 2027). Sessions keep their clock time.',
    );
    await expect(page.locator('.meeting-time time')).toHaveText([
      /6:30\s–\s8:00\sPM/,
      /6:30\s–\s8:00\sPM/,
      /6:30\s–\s8:00\sPM/,
      /6:30\s–\s8:00\sPM/,
    ]);
    // Toronto's clocks change earlier, so that it is an hour closer for two weeks.
    await expect(page.locator('.own-clock-change')).toHaveText(
      'Your clocks go forward (Sunday, March 14, 2027). The next sessions are 1 hour later for you.',
    );
    await expect(page.locator('.own-clock-change + .week h3')).toContainText('Week 3');
    await expect(page.locator('.meeting-time .your-time')).toHaveText([
      /12:30\sPM for you/,
      /1:30\sPM for you/,
      /1:30\sPM for you/,
      /12:30\sPM for you/,
    ]);

    await page.getByRole('link', { name: 'Calendar link' }).click();
    await expect(page).toHaveURL('/cohorts#calendar');
    await expect(page.getByRole('heading', { name: 'Your calendar' })).toBeInViewport();
  });

  test('a session is changed, refused in words where clocks skip its time, and canceled', async ({
    page,
  }) => {
    await openCourse(page);
    const cohort = await makeCohort(page, { name: 'Spring', ...spring }, 'publish');
    await addMeetings(page, cohort, evening);
    await openReady(page, `/cohorts/${cohort.id}/schedule`);
    await page.getByRole('link', { name: 'Reading aloud' }).click();
    await page.getByLabel('Day', { exact: true }).fill('2027-03-28');
    await page.getByLabel('Begins at').fill('02:15');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('At this moment the clocks go forward in Paris')).toBeVisible();
    await page.getByLabel('Begins at').fill('18:00');
    await page.getByLabel('Place').fill('Room 4');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Session saved.')).toBeVisible();
    await expect(page.locator('.meeting-row')).toContainText('Room 4');

    await page.getByRole('link', { name: 'Reading aloud' }).click();
    await page.getByRole('button', { name: 'Cancel session' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this session?' });
    await dialog.getByRole('button', { name: 'Cancel session' }).click();
    await expect(page.getByText('Session canceled.')).toBeVisible();
    await expect(page.locator('.meeting-row')).toContainText('Canceled session');
    await expect(page.locator('.meeting-row s')).toHaveText('Reading aloud');
    await expect(page.getByRole('link', { name: 'Reading aloud' })).toHaveCount(0);
  });

  test('leaving with unsaved text asks first, and a session is added by keyboard alone', async ({
    page,
  }) => {
    await openCourse(page);
    const { id } = await makeCohort(page, { name: 'Spring', ...spring });
    await openReady(page, `/cohorts/${id}/schedule/new`);
    await page.getByLabel('Title').focus();
    await page.keyboard.type('Reading aloud');
    await page.getByRole('link', { name: 'Back to the schedule' }).click();
    const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leave.getByRole('button', { name: 'Stay' }).click();
    await page.getByLabel('Title').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Session added.')).toBeVisible();
    await expect(page.locator('.meeting-row')).toContainText('Reading aloud');
  });

  test('a move of the cohort shows every session before and after', async ({ page }) => {
    await openCourse(page);
    const cohort = await makeCohort(page, { name: 'Spring', ...spring }, 'publish');
    await addMeetings(page, cohort, { ...evening, count: 2 });
    await openReady(page, `/cohorts/${cohort.id}/move`);
    const byWeekday = page.getByText('All live sessions move from Tuesday to Wednesday.');
    await page.getByLabel('First day').fill('2027-03-02');
    await page.getByRole('button', { name: 'Show all dates' }).click();
    await expect(byWeekday).toBeVisible();
    await page.getByLabel('First day').fill('2027-03-08');
    await page.getByRole('button', { name: 'Show all dates' }).click();
    const sessions = page.getByRole('table', { name: 'Live sessions, before and after' });
    await expect(sessions.getByRole('row')).toHaveCount(3);
    await expect(byWeekday).toBeHidden();
    await expect(sessions).toContainText('Tuesday, March 23, 2027');
    await page.getByRole('button', { name: 'Move the cohort' }).click();
    await expect(page.getByText('Cohort moved.')).toBeVisible();
    await page.goto(`/cohorts/${cohort.id}/schedule`);
    await expect(page.locator('.week h3').first()).toContainText('Week 3');
  });
});

test('people see the sessions, and where they meet online only once they are enrolled', async ({
  page,
}) => {
  await openCourse(page);
  const [inside, outside] = [uniqueEmail(), uniqueEmail()];
  const cohort = await cohortWith(page, [{ name: 'Ana', email: inside }], { ...comingDays });
  await addMeetings(page, cohort, {
    ...evening,
    starts_local: `${comingDays.starts_on}T18:00`,
    join_url: 'https://meet.example/room',
    note: 'Bring a pen',
    count: 4,
  });
  const path = `/api/cohorts/${cohort.id}/enrollments/`;
  await askApi(page, 'POST', path, { name: 'Tomás', email: outside, as: 'invited' });

  await page.goto(new URL(cohort.public_url).pathname);
  await expect(page.getByRole('heading', { name: '4 live sessions' })).toBeVisible();
  await expect(page.locator('.meeting-row')).toHaveCount(4);
  expect(await page.content()).not.toContain('meet.example');
  expect(await page.content()).not.toContain('Bring a pen');

  await page.goto(await linkOf(outside));
  await expect(page.getByText('Reading aloud').first()).toBeVisible();
  expect(await page.content()).not.toContain('meet.example');

  await page.goto(await linkOf(inside));
  await expect(page.getByRole('link', { name: 'Join online' }).first()).toHaveAttribute(
    'href',
    'https://meet.example/room',
  );
  await expect(page.getByText('Bring a pen').first()).toBeVisible();
  await page.getByText('Show 1 more').click();
  await expect(page.getByRole('link', { name: 'Join online' })).toHaveCount(4);
});

test('the next session is on the overview and on Home', async ({ page }) => {
  await openCourse(page);
  const cohort = await makeCohort(page, { name: 'Spring', ...comingDays }, 'publish');
  await addMeetings(page, cohort, { ...evening, starts_local: `${comingDays.starts_on}T18:00` });
  for (const path of [`/cohorts/${cohort.id}`, '/']) {
    await page.goto(path);
    await expect(page.locator('.next-session')).toContainText('Next live session');
    await expect(page.locator('.next-session')).toContainText('Reading aloud');
  }
});

test('the attendance sheet has everyone and every session; only people who completed have an attestation', async ({
  page,
}) => {
  await openCourse(page);
  const days = { starts_on: '2026-01-05', ends_on: '2027-12-31' };
  const cohort = await cohortWith(page, [{ name: 'Ana', email: uniqueEmail() }], days);
  await addMeetings(page, cohort, { ...evening, starts_local: '2027-01-05T18:00', count: 12 });
  await page.goto(`/cohorts/${cohort.id}/attendance`);
  const sheets = page.locator('.sheet');
  await expect(sheets).toHaveCount(2);
  await expect(sheets.first().getByRole('columnheader')).toHaveCount(11);
  await expect(sheets.last().getByRole('columnheader')).toHaveCount(3);
  await expect(sheets.last().getByRole('rowheader')).toHaveText(['Ana']);

  // A sheet of paper each: nothing before them, and nothing after.
  expect((await page.pdf({ preferCSSPageSize: true })).toString('latin1')).toMatch(/\/Count 2\b/);

  const [ana] = cohort.people;
  await page.goto(`/cohorts/${cohort.id}/attestation/${ana?.id}`);
  await expect(page.getByRole('heading', { name: 'Not completed yet.' })).toBeVisible();
  await askApi(page, 'POST', `/api/cohorts/${cohort.id}/enrollments/${ana?.id}/complete/`);
  await page.goto(`/cohorts/${cohort.id}/roster/${ana?.id}`);
  await page.getByRole('link', { name: 'Attestation' }).click();
  await expect(page.locator('.attestation')).toContainText('Ana has completed Biology');
  await expect(page.locator('.attestation')).toContainText('12 live sessions, 18 hours');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('link', { name: 'Back to the person' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.locator('.sidebar')).toBeHidden();
  await expect(page.locator('.attestation')).toBeVisible();
});

/** The page of someone, as their emails link to it. */
async function linkOf(email: string): Promise<string> {
  await expect.poll(async () => (await mailsTo(email)).length).toBeGreaterThan(0);
  const [{ text } = { text: '' }] = await mailsTo(email);
  return /\/p\/[\w.-]+/.exec(text)?.[0] ?? '';
}
