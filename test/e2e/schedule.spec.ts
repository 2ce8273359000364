import type { Page } from '@playwright/test';
import { comingDays, makeCohort } from './cohorts.ts';
import { cohortWith } from './enrollments.ts';
import { addMeetings } from './meetings.ts';
import { linkTo } from './participants.ts';
import { biology } from './settings.ts';
import { askApi, expect, openReady, signInWith, test, uniqueEmail } from './support.ts';

/** Over the clock change of the spring, in a zone whose rules are settled. */
const spring = {
  name: 'Spring',
  starts_on: '2027-03-01',
  ends_on: '2027-04-23',
  time_zone: 'Europe/Paris',
};
const evening = { title: 'Reading aloud', starts_local: '2027-03-09T18:30' };

// A time that clocks skip is refused.
test.use({ timezoneId: 'America/Toronto', expectedErrors: [/status of 400/] });

test.describe('the schedule of a cohort', () => {
  test('is empty at first; a weekly series is shown before it is saved', async ({ page }) => {
    const { id } = await publishSpring(page);
    await openReady(page, `/cohorts/${id}/schedule`);
    await expect(page.getByRole('heading', { name: 'No live sessions yet.' })).toBeVisible();
    await page.getByRole('link', { name: 'Add weekly sessions' }).click();
    await page.getByLabel('Title').fill('Reading aloud');
    await page.getByLabel('First day').fill('2027-03-21');
    await page.getByLabel('Begins at').fill('02:30');
    await page.getByLabel('How many weeks').fill('6');
    await page.getByRole('button', { name: 'Preview sessions' }).click();
    const planned = page.locator('.planned-list li');
    await expect(planned).toHaveCount(6);
    await expect(planned.nth(1)).toHaveText(
      /Sunday, March 28, 2027, 3:30\sAM.*Later, because clocks skip this time\./,
    );
    await expect(planned.nth(5)).toContainText('Not within the cohort’s dates');
    await page.getByLabel('How many weeks').fill('5');
    await page.getByRole('button', { name: 'Preview sessions' }).click();
    await page.getByRole('button', { name: 'Save 5 sessions' }).click();

    await expect(page).toHaveURL(`/cohorts/${id}/schedule`);
    await expect(page.getByText('Sessions added.')).toBeVisible();
    await expect(page.getByRole('heading', { name: '5 live sessions' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Schedule 5' })).toHaveAttribute(
      'aria-current',
      'page',
    );
  });

  test('a session is added by keyboard after a question about unsaved text, changed, refused in words where clocks skip its time, and canceled', async ({
    page,
  }) => {
    const { id } = await publishSpring(page);
    await openReady(page, `/cohorts/${id}/schedule/new`);
    await page.getByLabel('Title').focus();
    await page.keyboard.type('Reading aloud');
    await page.getByRole('link', { name: 'Cancel' }).click();
    const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leave.getByRole('button', { name: 'Stay' }).click();
    await page.getByLabel('Title').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Session added.')).toBeVisible();

    const row = page.locator('.meeting-row');
    await page.getByRole('link', { name: 'Reading aloud' }).click();
    await page.getByLabel('Title').fill('Reading silently');
    await page.getByLabel('Day', { exact: true }).fill('2027-03-28');
    await page.getByLabel('Begins at').fill('02:15');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('At this moment the clocks go forward in Paris')).toBeVisible();
    await expect(page.getByLabel('Title')).toHaveValue('Reading silently');
    await page.getByLabel('Begins at').fill('18:00');
    await page.getByLabel('Place').fill('Room 4');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Session saved.')).toBeVisible();
    await expect(row).toContainText('Room 4');
    await page.getByRole('link', { name: 'Reading silently' }).click();
    await page.getByRole('button', { name: 'Cancel session' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this session?' });
    await dialog.getByRole('button', { name: 'Cancel session' }).click();
    await expect(page.getByText('Session canceled.')).toBeVisible();
    await expect(row).toContainText('Canceled session');
    await expect(row.locator('s')).toHaveText('Reading silently');
    await expect(page.getByRole('link', { name: 'Reading silently' })).toHaveCount(0);
  });

  test('is by week, on the clocks of the cohort and of its viewer, with clock changes marked; a move of the cohort shows every session before and after', async ({
    page,
  }) => {
    const cohort = await publishSpring(page);
    await addMeetings(page, cohort, { ...evening, count: 4 });
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
    await expect(page.locator('.meeting-time time')).toHaveText(Array(4).fill(/6:30\s–\s8:00\sPM/));
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

    await openReady(page, `/cohorts/${cohort.id}/move`);
    const byWeekday = page.getByText('All live sessions move from Tuesday to Wednesday.');
    await page.getByLabel('First day').fill('2027-03-02');
    await page.getByRole('button', { name: 'Preview dates' }).click();
    await expect(byWeekday).toBeVisible();
    await page.getByLabel('First day').fill('2027-03-08');
    await page.getByRole('button', { name: 'Preview dates' }).click();
    const sessions = page.getByRole('table', { name: 'Live sessions, before and after' });
    await expect(sessions.getByRole('row')).toHaveCount(5);
    await expect(byWeekday).toBeHidden();
    await expect(sessions).toContainText('Tuesday, March 16, 2027');

    // For who is in the zone of the cohort, each time is in the middle of its row.
    const here = { ...spring, time_zone: 'America/Toronto' };
    const near = await makeCohort(page, here, 'publish');
    await addMeetings(page, near, { ...evening, count: 1 });
    const middleOf = async (selector: string) => {
      const { y = 0, height = 0 } = (await page.locator(selector).first().boundingBox()) ?? {};
      return y + height / 2;
    };
    for (const path of [`/cohorts/${near.id}/schedule`, new URL(near.public_url).pathname]) {
      await openReady(page, path);
      const apart = (await middleOf('.meeting-time time')) - (await middleOf('.meeting-row'));
      expect(Math.abs(apart)).toBeLessThanOrEqual(1);
    }
  });
});

test('people see the sessions, and where they meet online only once they are enrolled; the next one is on the overview and on Home', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  const [inside, outside] = [uniqueEmail(), uniqueEmail()];
  const cohort = await cohortWith(page, [
    { name: 'Ana', email: inside },
    { name: 'Tomás', email: outside, as: 'invited' },
  ]);
  await addMeetings(page, cohort, {
    ...evening,
    starts_local: `${comingDays.starts_on}T18:00`,
    join_url: 'https://meet.example/room',
    note: 'Bring a pen',
    count: 4,
  });
  for (const path of [`/cohorts/${cohort.id}`, '/']) {
    await page.goto(path);
    await expect(page.locator('.next-session')).toContainText('First live session');
    await expect(page.locator('.next-session')).toContainText('Reading aloud');
  }
  await page.goto(cohort.public_url);
  await expect(page.getByRole('heading', { name: /^4 \w+days$/ })).toBeVisible();
  await expect(page.locator('.meeting-row')).toHaveCount(4);
  expect(await page.content()).not.toMatch(/meet\.example|Bring a pen/);
  await page.goto(await linkTo('/p/', outside));
  await expect(page.getByText('Reading aloud').first()).toBeVisible();
  expect(await page.content()).not.toContain('meet.example');

  await page.goto(await linkTo('/p/', inside));
  const join = page.getByRole('link', { name: 'Join session' });
  await expect(join.first()).toHaveAttribute('href', 'https://meet.example/room');
  await expect(page.getByText('Bring a pen').first()).toBeVisible();
  await page.getByText('Show all 4 sessions').click();
  // Only of the session that comes next.
  await expect(join).toHaveCount(1);
});

test('the attendance sheet has everyone and every session; only people who completed have a certificate', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  const days = { starts_on: '2026-01-05', ends_on: '2027-12-31' };
  const cohort = await cohortWith(page, [{ name: 'Ana', email: uniqueEmail() }], days);
  await addMeetings(page, cohort, { ...evening, starts_local: '2027-01-05T18:00', count: 12 });
  await page.goto(`/cohorts/${cohort.id}/attendance`);
  const sheets = page.locator('.sheet');
  await expect(sheets).toHaveCount(2);
  await expect(sheets.first()).toBeHidden();
  await expect(sheets.first().locator('thead th')).toHaveCount(11);
  await expect(sheets.last().locator('thead th')).toHaveCount(3);
  await expect(sheets.last().locator('tbody th')).toHaveText(['Ana']);
  // A sheet of paper each: nothing before them, and nothing after.
  expect((await page.pdf({ preferCSSPageSize: true })).toString('latin1')).toMatch(/\/Count 2\b/);

  const [ana] = cohort.people;
  const certificate = page.locator('.certificate');
  await page.goto(`/cohorts/${cohort.id}/attestation/${ana?.id}`);
  await expect(page.getByRole('heading', { name: 'Not completed yet.' })).toBeVisible();
  await askApi(page, 'POST', `/api/cohorts/${cohort.id}/enrollments/${ana?.id}/complete/`, {
    before_end: true,
  });
  await page.goto(`/cohorts/${cohort.id}/roster/${ana?.id}`);
  await page.getByRole('button', { name: 'More about Ana' }).click();
  await page.getByRole('link', { name: 'Certificate' }).click();
  await expect(certificate).toContainText(/Ana.*has completed.*Biology/);
  await expect(certificate).toContainText('Ada Lovelace');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden();
  await expect(page.locator('.sidebar')).toBeHidden();
  await expect(certificate).toBeVisible();
});

async function publishSpring(page: Page) {
  await signInWith(page, [biology]);
  return makeCohort(page, spring, 'publish');
}
