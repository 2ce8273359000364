import type { Page } from '@playwright/test';
import { type Cohort, comeBackAfter, makeCohort } from './cohorts.ts';
import { addPerson } from './enrollments.ts';
import { biology, section } from './settings.ts';
import { askApi, expect, mailsTo, openReady, signInWith, test, uniqueEmail } from './support.ts';

const spring = {
  name: 'Spring',
  starts_on: '2027-03-01',
  ends_on: '2027-04-09',
  time_zone: 'Europe/Paris',
};

test.use({ expectedErrors: [/status of 4(00|01|03|22)|^Unauthorized access/] });

test.describe('the settings of a cohort', () => {
  test('are saved together by a bar that names them, say what is wrong, and keep what changed elsewhere', async ({
    page,
  }) => {
    const { id } = await openPage(page, 'settings', spring);
    const save = page.getByRole('button', { name: 'Save changes' });
    const closes = page.getByLabel('Enrollment closes');
    const places = page.getByRole('textbox', { name: 'Places', exact: true });
    const price = page.getByRole('textbox', { name: 'Price', exact: true });
    await expect(save).toBeHidden();
    await page.getByRole('textbox', { name: 'Description' }).fill('Two lines\nof text');
    await closes.fill('2027-04-20');
    await places.fill('1,000');
    await page.getByLabel('Minimum number of people').fill('1,001');
    await expect(page.getByText('4 changes not saved:')).toBeVisible();
    await expect(page.getByText('description, enrollment closes, places and 1 more')).toBeVisible();
    await save.click();
    await expect(closes).toHaveAccessibleDescription(/Enrollment cannot close after the last day/);
    await expect(places).toHaveValue('1,000');
    await page.getByRole('heading', { name: 'Money' }).click();
    await page.getByRole('button', { name: '2 fields need a look' }).click();
    await expect(closes).toBeFocused();
    await closes.fill('2027-02-27');
    await page.getByLabel('Enrollment opens').fill('2027-01-10');
    await page.getByLabel('Opens at').fill('09:30');
    await page.getByLabel('Minimum number of people').fill('5');
    await page.getByRole('checkbox', { name: /^Offer free places/ }).uncheck();
    await page.getByLabel('How long an offered place is kept').selectOption('72 hours');
    await price.fill('$240.5');
    await page.getByLabel('Currency').selectOption('EUR');
    await save.click();
    await expect(price).toHaveAccessibleDescription(/This amount is in another currency/);
    await price.fill('€240.5');
    await save.click();
    await expect(save).toBeHidden();
    await expect(price).toHaveValue('240.50');
    expect(await askApi(page, 'GET', `/api/cohorts/${id}/`)).toMatchObject({
      description: 'Two lines\nof text',
      enrollment_opens_local: '2027-01-10T09:30',
      enrollment_closes_local: '2027-02-28T00:00',
      capacity: 1_000,
      minimum_people: 5,
      waitlist: false,
      offer_hours: 72,
      price_minor: 24_050,
      currency: 'EUR',
    });

    const elsewhere = { enrollment_closes_local: '2027-02-20', minimum_people: 4 };
    await askApi(page, 'PATCH', `/api/cohorts/${id}/`, elsewhere);
    await places.fill('12');
    await save.click();
    await expect(closes).toHaveValue('2027-02-20');
    expect(await askApi(page, 'GET', `/api/cohorts/${id}/`)).toMatchObject({
      enrollment_closes_local: '2027-02-21T00:00',
      minimum_people: 4,
      capacity: 12,
    });
    await places.fill('13');
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(places).toHaveValue('12');
    await expect(save).toBeHidden();
  });

  test('ask before changes are lost, warn of a first day in the past, and lead to the move of a published cohort’s dates', async ({
    page,
  }) => {
    const { id } = await openPage(page, 'settings', spring);
    await page.getByLabel('Cohort name').fill('Summer');
    await page.getByRole('link', { name: 'Overview' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await expect(page.getByLabel('Cohort name')).toHaveValue('Summer');
    await page.getByLabel('Cohort name').fill('Spring');

    const when = section(page, 'Name and dates');
    const save = page.getByRole('button', { name: 'Save changes' });
    const warning = when.getByText('The first day is in the past.');
    await expect(warning).toBeHidden();
    await when.getByLabel('First day').fill('2026-03-02');
    await save.click();
    await expect(warning).toBeVisible();
    await askApi(page, 'POST', `/api/cohorts/${id}/publish/`);
    await when.getByLabel('Last day').fill('2027-04-16');
    await save.click();
    await expect(page.locator('.unsaved-bar')).toContainText('Use “Move all dates”');

    await openReady(page, `/cohorts/${id}/settings`);
    await expect(when).toContainText('Monday, March 2, 2026');
    await when.getByRole('link', { name: 'Move all dates' }).click();
    await expect(page.getByRole('heading', { name: 'Move all dates' })).toBeVisible();
  });
});

test.describe('a move', () => {
  test('shows every date before and after, then moves them across a clock change, and tells people with a note', async ({
    page,
  }) => {
    const enrollment = {
      enrollment_opens_local: '2027-01-10T09:30',
      enrollment_closes_local: '2027-02-27',
    };
    const { id } = await openPage(page, 'move', { ...spring, ...enrollment }, 'publish');
    const email = uniqueEmail();
    await addPerson(page, { id }, { name: 'Ana Fernández', email });
    await openReady(page, `/cohorts/${id}/move`);
    const show = page.getByRole('button', { name: 'Preview dates' });
    const move = page.getByRole('button', { name: 'Move the cohort' });
    const dates = page.getByRole('table', { name: 'All dates, before and after' });
    await page.getByLabel('First day').fill('2027-03-11');
    await expect(page.getByLabel('Last day')).toHaveValue('2027-04-19');
    await show.click();
    await expect(dates.getByRole('row')).toHaveText([
      'BeforeAfter',
      'First dayMonday, March 1, 2027Thursday, March 11, 2027',
      'Last dayFriday, April 9, 2027Monday, April 19, 2027',
      'Time zoneParisParis',
      /^Enrollment opensSunday, January 10, 2027, 9:30.AMWednesday, January 20, 2027, 9:30.AM$/,
      'Enrollment closesSaturday, February 27, 2027, end of the day' +
        'Tuesday, March 9, 2027, end of the day',
    ]);
    expect(await startOf(page, id)).toBe('2027-03-01');
    await page.getByLabel('Last day').fill('2027-04-20');
    await expect(move).toBeHidden();
    await page.getByLabel('Last day').fill('2027-04-19');
    await page.getByLabel('Note in that email').fill('The room is being painted.');
    await show.click();
    await expect(page.getByRole('region', { name: 'All dates, before and after' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(move).toBeFocused();
    await page.keyboard.press('Enter');

    await page.waitForURL(`/cohorts/${id}`);
    await expect(page.getByText('Cohort moved.')).toBeVisible();
    expect(await startOf(page, id)).toBe('2027-03-11');
    await expect
      .poll(async () => (await mailsTo(email)).at(-1)?.text)
      .toContain('The room is being painted.');
  });

  test('of dates that changed meanwhile, or of a cohort in the trash, changes nothing, and says why above the form', async ({
    page,
  }) => {
    const { id } = await openPage(page, 'move', spring);
    const show = page.getByRole('button', { name: 'Preview dates' });
    await page.getByLabel('Last day').fill('2027-05-01');
    await show.click();
    const move = page.getByRole('button', { name: 'Move the cohort' });
    await expect(move).toBeVisible();
    await askApi(page, 'PATCH', `/api/cohorts/${id}/`, { ends_on: '2027-06-01' });
    await move.click();
    await expectRefusal(
      page,
      'The dates have changed since this preview. Please look at them again.',
    );
    await expect(page.getByLabel('Last day')).toHaveValue('2027-05-01');
    // The page has the current dates.
    await expect(page.getByText('March 1 – June 1, 2027')).toBeVisible();
    await show.click();
    await expect(page.locator('.planned')).toBeFocused();
    await expect(page.locator('#dates').getByRole('alert').first()).toBeEmpty();
    await expect(page.getByRole('table')).toContainText('Tuesday, June 1, 2027');

    await askApi(page, 'DELETE', `/api/cohorts/${id}/`);
    await page.getByLabel('First day').fill('2027-03-11');
    await show.click();
    await expectRefusal(page, 'This cohort is in the trash. Restore it first.');
    await expect(page.getByLabel('First day')).toHaveValue('2027-03-11');
  });
});

test.describe('a copy', () => {
  test('comes back after a new login, and is a draft that begins after the original', async ({
    page,
  }) => {
    const link = { join_url: 'https://example.com/room' };
    const { id } = await openPage(page, 'duplicate', { ...spring, ...link }, 'publish');
    const show = page.getByRole('button', { name: 'Preview dates' });
    await expect(page.getByLabel('First day')).toHaveValue('2027-04-12');
    await page.getByLabel('Name of the copy').fill('Early summer');
    await page.getByLabel('First day').fill('2027-06-07');
    await page.getByRole('checkbox', { name: 'Copy the meeting link too' }).check();
    await show.click();
    await expect(page.getByRole('table')).toContainText('Monday, June 7, 2027');
    await comeBackAfter(page, 'Create draft');

    await openReady(page, `/cohorts/${id}/duplicate`);
    await expect(page.getByLabel('Name of the copy')).toHaveValue('Early summer');
    await expect(page.getByLabel('First day')).toHaveValue('2027-06-07');
    await expect(page.getByRole('checkbox', { name: 'Copy the meeting link too' })).toBeChecked();
    await show.click();
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.waitForURL((url) => /^\/cohorts\/[\w-]{36}$/.test(url.pathname));
    expect(page.url()).not.toContain(id);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Early summer\s*Draft/);
    await expect(page.getByText('June 7 – July 16, 2027 · Paris').first()).toBeVisible();
  });
});

/** The sentence is above the form, and in sight. */
async function expectRefusal(page: Page, text: string): Promise<void> {
  const refusal = page.locator('#dates').getByRole('alert').filter({ hasText: text });
  await expect(refusal).toBeInViewport();
  await expect(refusal.locator('.alert')).toBeFocused();
  await expect(page.getByRole('dialog')).toBeHidden();
}

async function openPage(
  page: Page,
  name: string,
  ...values: Parameters<typeof makeCohort> extends [Page, ...infer Rest] ? Rest : never
): Promise<Cohort> {
  await signInWith(page, [biology]);
  const cohort = await makeCohort(page, ...values);
  await openReady(page, `/cohorts/${cohort.id}/${name}`);
  return cohort;
}

async function startOf(page: Page, id: string): Promise<string> {
  const cohort = (await askApi(page, 'GET', `/api/cohorts/${id}/`)) as { starts_on: string };
  return cohort.starts_on;
}
