import type { Page } from '@playwright/test';
import { type Cohort, comeBackAfter, makeCohort, openMoreActions } from './cohorts.ts';
import { biology, section } from './settings.ts';
import { askApi, expect, openReady, signInWith, test } from './support.ts';

const days = { starts_on: '2027-03-01', ends_on: '2027-04-09', time_zone: 'Europe/Paris' };

test.describe('the settings of a cohort', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('save each section by itself, and say what is wrong', async ({ page }) => {
    const { id } = await openPage(page, 'settings', { name: 'Spring', ...days });
    const about = section(page, 'Name and description');
    await about.getByLabel('Description').fill('Two lines\nof text');
    await about.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Cohort saved.')).toBeVisible();
    await expect(about.getByRole('button', { name: 'Save changes' })).toBeDisabled();
    const enrollment = section(page, 'Enrollment');
    await enrollment.getByLabel('Enrollment closes').fill('2027-04-20');
    await enrollment.getByLabel('Places', { exact: true }).fill('12');
    await enrollment.getByLabel('Minimum number of people').fill('20');
    await enrollment.getByRole('button', { name: 'Save changes' }).click();
    await expect(enrollment.getByLabel('Enrollment closes')).toHaveAccessibleDescription(
      /Enrollment cannot close after the last day/,
    );
    await expect(enrollment.getByLabel('Places', { exact: true })).toHaveValue('12');
    await enrollment.getByLabel('Enrollment closes').fill('2027-02-27');
    await enrollment.getByLabel('Enrollment opens').fill('2027-01-10');
    await enrollment.getByLabel('Opens at').fill('09:30');
    await enrollment.getByLabel('Minimum number of people').fill('5');
    await enrollment.getByRole('checkbox', { name: /^Offer free places/ }).uncheck();
    await enrollment.getByLabel('How long an offered place is kept').selectOption('72 hours');
    await enrollment.getByRole('button', { name: 'Save changes' }).click();
    await expect(enrollment.getByRole('button', { name: 'Save changes' })).toBeDisabled();
    const price = section(page, 'Price');
    await price.getByRole('textbox', { name: 'Price' }).fill('240,5');
    await price.getByRole('button', { name: 'Save changes' }).click();
    await expect(price.getByLabel('Currency')).toHaveAccessibleDescription(
      /Please choose a currency/,
    );
    await price.getByLabel('Currency').fill('eur');
    await price.getByRole('button', { name: 'Save changes' }).click();
    await expect(price.getByRole('textbox', { name: 'Price' })).toHaveValue('240.50');

    expect(await askApi(page, 'GET', `/api/cohorts/${id}/`)).toMatchObject({
      description: 'Two lines\nof text',
      enrollment_opens_local: '2027-01-10T09:30',
      enrollment_closes_local: '2027-02-28T00:00',
      capacity: 12,
      minimum_people: 5,
      waitlist: false,
      offer_hours: 72,
      price_minor: 24_050,
      currency: 'EUR',
    });
    await page.reload();
    await expect(enrollment.getByLabel('Enrollment closes')).toHaveValue('2027-02-27');
    await expect(enrollment.getByLabel('Closes at')).toHaveValue('');
  });

  test('change only what was typed, and keep what changed elsewhere', async ({ page }) => {
    const window = { enrollment_closes_local: '2027-02-27' };
    const { id } = await openPage(page, 'settings', { name: 'Spring', ...days, ...window });
    const moved = { enrollment_closes_local: '2027-02-20', minimum_people: 4 };
    await askApi(page, 'PATCH', `/api/cohorts/${id}/`, moved);
    const enrollment = section(page, 'Enrollment');
    await enrollment.getByLabel('Places', { exact: true }).fill('1,000');
    await enrollment.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Cohort saved.')).toBeVisible();

    expect(await askApi(page, 'GET', `/api/cohorts/${id}/`)).toMatchObject({
      enrollment_closes_local: '2027-02-21T00:00',
      minimum_people: 4,
      capacity: 1_000,
    });
    await enrollment.getByLabel('Places', { exact: true }).fill('1 000');
    await enrollment.getByRole('button', { name: 'Save changes' }).click();
    await expect(enrollment.getByRole('button', { name: 'Save changes' })).toBeDisabled();
    await expect(enrollment.getByLabel('Enrollment closes')).toHaveValue('2027-02-20');
    await enrollment.getByLabel('Enrollment closes').fill('');
    await enrollment.getByLabel('Closes at').fill('10:00');
    await enrollment.getByRole('button', { name: 'Save changes' }).click();
    await expect(enrollment.getByLabel('Enrollment closes')).toHaveAccessibleDescription(
      /Please choose a date/,
    );
  });

  test('warn of a first day in the past, and save it', async ({ page }) => {
    await openPage(page, 'settings', { name: 'Spring', ...days });
    const when = section(page, 'When');
    await expect(when.getByText('The first day is in the past.')).toBeHidden();
    await when.getByLabel('First day').fill('2026-03-02');
    await when.getByRole('button', { name: 'Save changes' }).click();

    await expect(when.getByText('The first day is in the past.')).toBeVisible();
  });

  test.describe('of a cohort that is published meanwhile', () => {
    test.use({ expectedErrors: [/status of 422/] });

    test('say above the form that its days are moved', async ({ page }) => {
      const { id } = await openPage(page, 'settings', { name: 'Spring', ...days });
      await askApi(page, 'POST', `/api/cohorts/${id}/publish/`);
      const when = section(page, 'When');
      await when.getByLabel('Last day').fill('2027-04-16');
      await when.getByRole('button', { name: 'Save changes' }).click();

      await expect(when.getByRole('alert')).toContainText('Use “Move all dates”');
      await expect(page.getByRole('dialog')).toBeHidden();
    });
  });

  test('lead to the move of a published cohort’s dates', async ({ page }) => {
    await openPage(page, 'settings', { name: 'Spring', ...days }, 'publish');
    const when = section(page, 'When');
    await expect(when).toContainText('Monday, March 1, 2027');
    await when.getByRole('link', { name: 'Move all dates' }).click();
    await expect(page.getByRole('heading', { name: 'Move all dates' })).toBeVisible();
  });

  test('ask before changes are lost', async ({ page }) => {
    const { id } = await openPage(page, 'settings', { name: 'Spring', ...days });
    await page.getByLabel('Cohort name').fill('Summer');
    await page.getByRole('link', { name: 'Overview' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await openMoreActions(page);
    await page.getByRole('button', { name: 'Archive cohort' }).click();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await expect(page.getByLabel('Cohort name')).toHaveValue('Summer');
    expect(await askApi(page, 'GET', `/api/cohorts/${id}/`)).toMatchObject({ archived_at: null });
  });
});

test.describe('a move', () => {
  test('shows every date before and after, then moves them across a clock change', async ({
    page,
  }) => {
    const window = {
      enrollment_opens_local: '2027-01-10T09:30',
      enrollment_closes_local: '2027-02-27',
    };
    const { id } = await openPage(page, 'move', { name: 'Spring', ...days, ...window }, 'publish');
    await page.getByLabel('First day').fill('2027-03-11');
    await expect(page.getByLabel('Last day')).toHaveValue('2027-04-19');
    await page.getByRole('button', { name: 'Show all dates' }).click();
    const dates = page.getByRole('table', { name: 'All dates, before and after' });
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
    await page.getByRole('link', { name: 'Spring' }).last().click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await page.getByLabel('Last day').fill('2027-04-20');
    await page.getByLabel('Last day').fill('2027-04-19');
    await page.getByRole('button', { name: 'Show all dates' }).click();
    await expect(page.getByRole('region', { name: 'All dates, before and after' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Move the cohort' })).toBeFocused();
    await page.keyboard.press('Enter');

    await page.waitForURL(`/cohorts/${id}`);
    await expect(page.getByText('Cohort moved.')).toBeVisible();
    expect(await startOf(page, id)).toBe('2027-03-11');
  });

  test('lists the city of a zone once, whichever of its names was sent', async ({ page }) => {
    await openPage(page, 'move', { name: 'Spring', ...days, time_zone: 'Asia/Calcutta' });
    const zone = page.getByLabel('Time zone');

    await expect(zone).toHaveValue('Asia/Calcutta');
    await expect(zone.locator('option').filter({ hasText: 'Kolkata' })).toHaveCount(1);
    await expect(zone.locator('option[value="Asia/Dubai"]')).toHaveCount(1);
  });

  test('of nothing is shown, and not offered', async ({ page }) => {
    await openPage(page, 'move', { name: 'Spring', ...days });
    await page.getByRole('button', { name: 'Show all dates' }).click();
    await expect(page.getByRole('table')).toBeVisible();

    await expect(page.getByRole('button', { name: 'Move the cohort' })).toBeHidden();
  });

  test.describe('while the session ends', () => {
    test.use({ expectedErrors: [/status of 40[13]|^Unauthorized access/] });

    test('comes back after a new login', async ({ page }) => {
      const { id } = await openPage(page, 'move', { name: 'Spring', ...days });
      await page.getByLabel('First day').fill('2027-03-11');
      await page.getByLabel('Last day').fill('2027-04-20');
      await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
      await page.getByRole('button', { name: 'Show all dates' }).click();
      await comeBackAfter(page, 'Move the cohort');

      await openReady(page, `/cohorts/${id}/move`);
      await expect(page.getByLabel('First day')).toHaveValue('2027-03-11');
      await expect(page.getByLabel('Last day')).toHaveValue('2027-04-20');
      await expect(page.getByLabel('Time zone')).toHaveValue('Asia/Tokyo');
    });
  });

  test.describe('with mistakes, or of dates that changed meanwhile', () => {
    test.use({ expectedErrors: [/status of 4(00|22)/] });

    test('changes nothing, and says why', async ({ page }) => {
      const { id } = await openPage(page, 'move', { name: 'Spring', ...days });
      await page.getByLabel('Last day').fill('2027-02-01');
      await page.getByRole('button', { name: 'Show all dates' }).click();
      await expect(page.getByLabel('Last day')).toHaveAccessibleDescription(
        'The last day cannot be before the first day',
      );
      await page.getByLabel('Last day').fill('2027-05-01');
      await page.getByRole('button', { name: 'Show all dates' }).click();
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
      await page.getByRole('button', { name: 'Show all dates' }).click();
      await expect(page.locator('.planned')).toBeFocused();
      await expect(page.locator('#dates').getByRole('alert').first()).toBeEmpty();
      await expect(page.getByRole('table')).toContainText('Tuesday, June 1, 2027');
    });

    test('is refused before the preview too', async ({ page }) => {
      const { id } = await openPage(page, 'move', { name: 'Spring', ...days });
      await page.getByLabel('First day').fill('2027-03-11');
      await askApi(page, 'DELETE', `/api/cohorts/${id}/`);
      await page.getByRole('button', { name: 'Show all dates' }).click();

      await expectRefusal(page, 'This cohort is in the trash. Restore it first.');
      await expect(page.getByLabel('First day')).toHaveValue('2027-03-11');
    });
  });
});

test.describe('a copy', () => {
  test('is a draft that begins after the original, and is made once', async ({ page }) => {
    const { id } = await openPage(page, 'duplicate', { name: 'Spring', ...days }, 'publish');
    await expect(page.getByLabel('First day')).toHaveValue('2027-04-12');
    await page.getByLabel('Name of the copy').fill('Early summer');
    await page.getByRole('button', { name: 'Show all dates' }).click();
    await expect(page.getByRole('table')).toContainText('Monday, April 12, 2027');
    await page.getByRole('button', { name: 'Create draft' }).click();

    await page.waitForURL((url) => /^\/cohorts\/[\w-]{36}$/.test(url.pathname));
    expect(page.url()).not.toContain(id);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Early summer\s*Draft/);
    await expect(page.getByText('April 12 – May 21, 2027 · Paris')).toBeVisible();
  });

  test('is asked about before it is lost', async ({ page }) => {
    await openPage(page, 'duplicate', { name: 'Spring', ...days });
    await page.getByLabel('Name of the copy').fill('Early summer');
    await page.getByRole('button', { name: 'Show all dates' }).click();
    await expect(page.getByRole('table')).toBeVisible();
    const back = page.getByRole('link', { name: 'Spring' }).last();
    await back.click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await expect(page.getByLabel('Name of the copy')).toHaveValue('Early summer');
    await page.getByLabel('Name of the copy').fill('Spring');
    await back.click();

    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Spring\s*Draft/);
  });

  test.describe('while the session ends', () => {
    test.use({ expectedErrors: [/status of 40[13]|^Unauthorized access/] });

    test('comes back after a new login', async ({ page }) => {
      const link = { join_url: 'https://example.com/room' };
      const { id } = await openPage(page, 'duplicate', { name: 'Spring', ...days, ...link });
      await page.getByLabel('Name of the copy').fill('Early summer');
      await page.getByLabel('First day').fill('2027-06-07');
      await page.getByRole('checkbox', { name: 'Copy the meeting link too' }).check();
      await page.getByRole('button', { name: 'Show all dates' }).click();
      await comeBackAfter(page, 'Create draft');

      await openReady(page, `/cohorts/${id}/duplicate`);
      await expect(page.getByLabel('Name of the copy')).toHaveValue('Early summer');
      await expect(page.getByLabel('First day')).toHaveValue('2027-06-07');
      await expect(page.getByRole('checkbox', { name: 'Copy the meeting link too' })).toBeChecked();
    });
  });

  test.describe('in a course that becomes evergreen meanwhile', () => {
    test.use({ expectedErrors: [/status of 422/] });

    test('is refused above the form, which keeps what was typed', async ({ page }) => {
      const { course_id: course } = await openPage(page, 'duplicate', { name: 'Spring', ...days });
      await page.getByLabel('Name of the copy').fill('Early summer');
      await page.getByRole('button', { name: 'Show all dates' }).click();
      const create = page.getByRole('button', { name: 'Create draft' });
      await expect(create).toBeVisible();
      await askApi(page, 'PATCH', `/api/courses/${course}/`, { course_type: 'evergreen' });
      await create.click();

      await expectRefusal(page, 'This is an evergreen course.');
      await expect(page.getByLabel('Name of the copy')).toHaveValue('Early summer');
    });
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
