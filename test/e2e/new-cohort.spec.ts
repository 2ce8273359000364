import type { Locator, Page } from '@playwright/test';
import { comeBackAfter, selectedCourse } from './cohorts.ts';
import { biology } from './settings.ts';
import { askApi, expect, loseNextAnswer, openReady, signInWith, test } from './support.ts';

// The browser calls its zone by an old name.
test.use({ timezoneId: 'Asia/Calcutta' });

test('a new cohort is a draft with a sheet of sessions, which a pasted list fills past weeks without class, and which later changes as a whole', async ({
  page,
}) => {
  await openForm(page);
  const zone = page.getByLabel('Time zone');
  await expect(zone).toHaveValue('Asia/Kolkata');
  await expect(zone.locator('option').filter({ hasText: 'Kolkata' })).toHaveCount(1);
  await expect(page.getByLabel('Currency')).toHaveValue('INR');
  await page.getByLabel('First day').fill('2027-01-11');
  await expect(page.getByLabel('Cohort name')).toHaveValue('January 2027');
  await page.getByLabel('Places', { exact: true }).fill('20');
  const warning = page.getByText('Your own time zone is Kolkata.');
  await expect(warning).toBeHidden();
  const below = page.getByLabel('Places', { exact: true });
  const place = await below.boundingBox();
  await zone.selectOption({ label: 'Vancouver' });
  await expect(warning).toBeVisible();
  const hour = new Date().toLocaleTimeString('en', {
    timeZone: 'America/Vancouver',
    hour: 'numeric',
  });
  const there = new RegExp(`It’s ${hour.replace(/\s/, ':\\d\\d\\s')} there now`);
  await expect(page.getByText(there)).toBeVisible();
  expect(await below.boundingBox()).toEqual(place);
  await page.getByRole('radio', { name: /^By invitation/ }).check();
  await expect(page.locator('.cohort-preview')).toContainText('Biology 101January 2027');
  await expect(page.locator('.cohort-preview')).toContainText('20, then a waitlist');

  await page.getByLabel('Weeks').fill('12');
  await page.getByRole('checkbox', { name: 'Monday' }).check();
  await expect(page.getByLabel('Last day')).toHaveValue('2027-03-29');
  await page.getByLabel('Starts').fill('18:30');
  await page.getByLabel('Ends').fill('21:00');
  await page.getByLabel('No class, Monday, January 18, 2027').check();
  await page.getByLabel('Reason, Monday, January 18, 2027').fill('Holiday');
  await page.getByLabel('No class, Monday, February 15, 2027').check();
  const first = page.getByLabel('Title, Monday, January 11, 2027');
  const topics = Array.from({ length: 10 }, (_, index) => `Topic ${index + 1}`);
  await pasteInto(first, topics);
  const dialog = page.getByRole('dialog', { name: 'Paste your syllabus' });
  const text = dialog.getByRole('textbox');
  await expect(text).toHaveValue(topics.join('\n'));
  await dialog.getByRole('button', { name: 'Use 10 sessions' }).click();
  const toast = page.locator('.toast').filter({ hasText: '10 sessions filled in.' });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect(first).toHaveValue('');
  // The text is still there.
  await page.getByRole('button', { name: 'Paste titles' }).click();
  await expect(text).toBeFocused();
  await dialog.getByRole('button', { name: 'Use 10 sessions' }).click();
  // Each key that is pressed makes other days.
  await page.getByLabel('Weeks').press('ControlOrMeta+a');
  await page.getByLabel('Weeks').pressSequentially('12');
  await expect(page.getByLabel('Title, Monday, March 29, 2027')).toHaveValue('Topic 10');
  await first.press('Enter');
  await expect(page.getByLabel('Reason, Monday, January 18, 2027')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByLabel('Title, Monday, January 25, 2027')).toBeFocused();
  await page.getByRole('button', { name: 'Create draft with 10 sessions' }).click();
  await page.waitForURL(/\/cohorts\/[\w-]{36}$/);
  expect(await cohortsOf(page)).toMatchObject([
    {
      name: 'January 2027',
      starts_on: '2027-01-11',
      ends_on: '2027-03-29',
      time_zone: 'America/Vancouver',
      join_mode: 'invitation',
      capacity: 20,
      status: 'draft',
    },
  ]);

  await openReady(page, `${page.url()}/schedule`);
  await expect(page.getByText('No class: Holiday')).toBeVisible();
  await page.getByRole('link', { name: 'Edit as a table' }).first().click();
  const last = page.getByLabel('Title, Monday, March 29, 2027');
  await expect(last).toHaveValue('Topic 10');
  await last.fill('A public reading');
  await page.getByLabel('No class, Monday, March 22, 2027').check();
  await page.getByRole('button', { name: 'Save all sessions' }).click();
  await expect(page.getByText('Sessions saved.')).toBeVisible();
  await expect(page.getByRole('heading', { name: '9 live sessions' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'A public reading' })).toBeVisible();
});

test('a pasted syllabus is a table while it is typed, with what it leaves out and what needs a look; a holiday is one row, after which what falls away goes on', async ({
  page,
}) => {
  await openForm(page);
  await page.getByLabel('First day').fill('2027-01-12');
  for (const name of ['Tuesday', 'Thursday']) {
    await page.getByRole('checkbox', { name }).check();
  }
  await page.getByLabel('Weeks').fill('4');
  await page.getByRole('button', { name: 'Paste titles' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste your syllabus' });
  const text = dialog.getByRole('textbox');
  await expect(text).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Use 0 sessions' })).toBeDisabled();
  const lines = [
    'Week 1',
    'Tue 12 Jan – Desire. Reading: Chekhov',
    'Thu 14 Jan – Trouble',
    '',
    'Week 2: winter holidays',
    'Sat 30 Jan – Museum visit',
  ];
  await text.pressSequentially(lines.join('\n'));
  await expect(dialog.getByRole('row').nth(1)).toHaveText(/Tue, Jan 12DesireReading: Chekhov/);
  await expect(dialog.getByRole('row', { name: 'Jan 19 – 21' })).toContainText('winter holidays');
  await expect(dialog.getByRole('status')).toHaveText(
    '3 sessions, 1 span without class1 week heading and 1 empty line left out1 on another weekday',
  );
  await dialog.getByLabel('What’s in column 3').selectOption('none');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Paste titles' }).click();
  await expect(text).toHaveValue(lines.join('\n'));
  const lastColumn = dialog.getByLabel('What’s in column 3');
  await expect(lastColumn).toHaveValue('none');
  // For another text, the columns are found again.
  await text.press('ControlOrMeta+a');
  await text.press('ControlOrMeta+x');
  await text.press('ControlOrMeta+v');
  await expect(lastColumn).toHaveValue('line');
  await dialog.getByRole('button', { name: 'Use 3 sessions' }).click();
  await expect(page.getByLabel('Title, Saturday, January 30, 2027')).toHaveValue('Museum visit');
  await expect(page.getByLabel('Public line, Tuesday, January 12, 2027')).toHaveValue(
    'Reading: Chekhov',
  );
  await expect(page.getByLabel('Reason, Tuesday, January 19, 2027')).toHaveValue('winter holidays');
  await expect(page.getByLabel('No class, Thursday, January 21, 2027')).toHaveCount(0);

  await page.getByLabel('Title, Tuesday, February 2, 2027').fill('Form');
  await page.getByLabel('No class, Tuesday, February 2, 2027').check();
  await page
    .getByLabel('Last day without class, from Tuesday, February 2, 2027')
    .selectOption('2027-02-04');
  await page.getByRole('button', { name: 'Keep all sessions and end on Feb 11' }).click();
  await expect(page.getByLabel('Last day', { exact: true })).toHaveValue('2027-02-11');
  await expect(page.getByLabel('Weeks')).toHaveValue('5');
  const moved = page.getByLabel('Title, Tuesday, February 9, 2027');
  await expect(moved).toHaveValue('Form');
  await moved.fill('x'.repeat(121));
  await page.getByRole('button', { name: /^Create draft/ }).click();
  const error = page.getByRole('button', { name: /^Session 6: Title must be at most 120/ });
  await error.click();
  await expect(moved).toBeFocused();
});

test.describe('a new cohort whose session and first answer are lost', () => {
  test.use({ expectedErrors: [/status of 40[13]|^Unauthorized access|ERR_FAILED|Network/] });

  test('says what is missing, is asked about, comes back after a new login, and is created once', {
    tag: '@night',
  }, async ({ page }) => {
    await openForm(page);
    const name = page.getByLabel('Cohort name');
    const title = page.getByLabel('Title, Monday, January 12, 2026');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await expect(name).toHaveAccessibleDescription(/Cohort name is required$/);
    await expect(page.getByLabel('First day')).toBeFocused();
    await name.fill('Writing');
    await page.getByLabel('First day').fill('2026-01-05');
    await page.getByLabel('Last day').fill('2026-02-12');
    await page.getByLabel('Time zone').selectOption('Europe/Paris');
    await page.getByRole('checkbox', { name: 'Monday' }).check();
    await title.fill('Point of view');
    await page.getByRole('link', { name: 'Cancel' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await comeBackAfter(page, 'Create draft');
    await openReady(page, '/cohorts/new');
    await expect(name).toHaveValue('Writing');
    await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Paris');
    await expect(title).toHaveValue('Point of view');

    await loseNextAnswer(page, '**/cohorts/');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await page.waitForURL(/\/cohorts\/[\w-]{36}$/);
    await expect(page.getByText('The first day is in the past.')).toBeVisible();
    expect(await cohortsOf(page)).toHaveLength(1);
  });
});

/** Pastes lines as a spreadsheet gives them. */
async function pasteInto(field: Locator, lines: string[]): Promise<void> {
  await field.evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    element.focus();
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, lines.join('\n'));
}

async function openForm(page: Page): Promise<void> {
  await signInWith(page, [biology]);
  await openReady(page, '/cohorts/new');
}

async function cohortsOf(page: Page): Promise<unknown[]> {
  const { id } = await selectedCourse(page);
  return (await askApi(page, 'GET', `/api/courses/${id}/cohorts/`)) as unknown[];
}
