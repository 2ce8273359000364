import { makeCohort } from './cohorts.ts';
import { addMeetings } from './meetings.ts';
import { biology } from './settings.ts';
import { expect, openReady, signInWith, test } from './support.ts';

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

test('weekly sessions are shown before they are saved; one is added by keyboard, changed, refused in words where clocks skip its time, and canceled; the schedule is by week, on screen and on paper, on the clocks of the cohort and of its viewer, with clock changes marked', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  const { id } = await makeCohort(page, spring, 'publish');
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
  await expect(page.getByRole('heading', { name: 'These sessions will be added' })).toBeVisible();
  await expect(planned.nth(1)).toHaveText(
    /Sunday, March 28, 2027, 3:30\sAM.*Later, because clocks skip this time\./,
  );
  await expect(planned.nth(5)).toContainText('Not within the cohort’s dates');
  await page.getByLabel('How many weeks').fill('5');
  await page.getByRole('button', { name: 'Preview sessions' }).click();
  await page.getByRole('button', { name: 'Save 5 sessions' }).click();
  await expect(page.getByText('Sessions added.')).toBeVisible();
  await expect(page.getByRole('heading', { name: '5 live sessions' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Schedule 5' })).toHaveAttribute(
    'aria-current',
    'page',
  );

  await openReady(page, `/cohorts/${id}/schedule/new`);
  await page.getByLabel('Title').focus();
  await page.keyboard.type('A first draft');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Session added.')).toBeVisible();
  await page.getByRole('link', { name: 'A first draft' }).click();
  await page.getByLabel('Day', { exact: true }).fill('2027-03-28');
  await page.getByLabel('Begins at').fill('02:15');
  await page.getByLabel('Place').fill('Room 4');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('At this moment the clocks go forward in Paris')).toBeVisible();
  await expect(page.getByLabel('Place')).toHaveValue('Room 4');
  await page.getByLabel('Begins at').fill('18:00');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Session saved.')).toBeVisible();
  const row = page.locator('.meeting-row').filter({ hasText: 'A first draft' });
  await expect(row).toContainText('Room 4');
  await page.getByRole('link', { name: 'A first draft' }).click();
  await page.getByRole('button', { name: 'Cancel session' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this session?' });
  await dialog.getByRole('button', { name: 'Cancel session' }).click();
  await expect(page.getByText('Session canceled.')).toBeVisible();
  await expect(row).toContainText('Canceled session');
  await expect(row.locator('s')).toHaveText('A first draft');

  const cohort = await makeCohort(page, spring, 'publish');
  await addMeetings(page, cohort, { ...evening, count: 4 });
  await openReady(page, `/cohorts/${cohort.id}/schedule`);
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

  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.meeting-time time')).toHaveCount(4);
  await expect(page.locator('.meeting-time time').first()).toBeVisible();
  for (const part of ['.sidebar', '.meeting-menu', '.actions']) {
    await expect(page.locator(part).first()).toBeHidden();
  }
  await page.emulateMedia({ media: 'screen' });

  // For who is in the zone of the cohort, each time is in the middle of its row.
  const here = { ...spring, time_zone: 'America/Toronto' };
  const near = await makeCohort(page, here, 'publish');
  await addMeetings(page, near, { ...evening, count: 1 });
  await openReady(page, `/cohorts/${near.id}/schedule`);
  const middleOf = async (selector: string) => {
    const { y = 0, height = 0 } = (await page.locator(selector).first().boundingBox()) ?? {};
    return y + height / 2;
  };
  const apart = (await middleOf('.meeting-time time')) - (await middleOf('.meeting-row'));
  expect(Math.abs(apart)).toBeLessThanOrEqual(1);
});
