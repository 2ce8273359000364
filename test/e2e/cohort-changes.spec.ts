import { comeBackAfter, makeCohort } from './cohorts.ts';
import { addPerson } from './enrollments.ts';
import { addMeetings } from './meetings.ts';
import { biology, section } from './settings.ts';
import { askApi, expect, mailsTo, openReady, signInWith, test, uniqueEmail } from './support.ts';

const spring = {
  name: 'Spring',
  starts_on: '2027-03-01',
  ends_on: '2027-04-09',
  time_zone: 'Europe/Paris',
};

test.use({ expectedErrors: [/status of 4(00|01|03|22)|^Unauthorized access/] });

test('the settings of a cohort are saved together by a bar that names them, say what is wrong, and keep what changed elsewhere', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  const { id } = await makeCohort(page, spring);
  await openReady(page, `/cohorts/${id}/settings`);
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
  await page.getByRole('heading', { name: 'Money' }).click();
  await page.getByRole('button', { name: '2 fields need a look' }).click();
  await expect(closes).toBeFocused();
  await closes.fill('2027-02-27');
  await page.getByLabel('Opens at').fill('09:30');
  await page.getByLabel('Enrollment opens').fill('2027-01-10');
  await page.getByLabel('Minimum number of people').fill('5');
  await page.getByRole('checkbox', { name: /^Offer free places/ }).uncheck();
  await price.fill('€240.5');
  await page.getByLabel('Currency').selectOption('EUR');
  await save.click();
  await expect(save).toBeHidden();
  await expect(price).toHaveValue('240.50');
  const stored = () => askApi(page, 'GET', `/api/cohorts/${id}/`);
  expect(await stored()).toMatchObject({
    description: 'Two lines\nof text',
    enrollment_opens_local: '2027-01-10T09:30',
    enrollment_closes_local: '2027-02-28T00:00',
    capacity: 1_000,
    minimum_people: 5,
    waitlist: false,
    price_minor: 24_050,
    currency: 'EUR',
  });

  await askApi(page, 'PATCH', `/api/cohorts/${id}/`, { minimum_people: 4 });
  await places.fill('12');
  await save.click();
  await expect(page.getByLabel('Minimum number of people')).toHaveValue('4');
  expect(await stored()).toMatchObject({ minimum_people: 4, capacity: 12 });
  await places.fill('13');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(places).toHaveValue('12');

  const when = section(page, 'Name and dates');
  await when.getByLabel('First day').fill('2026-03-02');
  await save.click();
  await expect(when.getByText('The first day is in the past.')).toBeVisible();
  // Once people may know the dates, they are moved by a form of their own.
  await askApi(page, 'POST', `/api/cohorts/${id}/publish/`);
  await when.getByLabel('Last day').fill('2027-04-16');
  await save.click();
  await expect(page.locator('.unsaved-bar')).toContainText('Use “Move all dates”');
  await page.getByRole('link', { name: 'Overview' }).click();
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leave.getByRole('button', { name: 'Stay' }).click();
  await expect(when.getByLabel('Last day')).toHaveValue('2027-04-16');
});

test('a move shows every date and session before and after, refuses dates that changed meanwhile, and tells people with a note; a copy comes back after a new login, and is a draft that begins after the original', async ({
  page,
}) => {
  const opens = { enrollment_opens_local: '2027-01-10T09:30' };
  const link = { join_url: 'https://example.com/room' };
  await signInWith(page, [biology]);
  const { id } = await makeCohort(page, { ...spring, ...opens, ...link }, 'publish');
  const email = uniqueEmail();
  await addPerson(page, { id }, { name: 'Ana Fernández', email });
  const path = `/api/cohorts/${id}/`;
  const show = page.getByRole('button', { name: 'Preview dates' });
  const move = page.getByRole('button', { name: 'Move the cohort' });
  const tuesday = { title: 'Reading aloud', starts_local: '2027-03-09T18:30' };
  await addMeetings(page, { id }, { ...tuesday, count: 4 });
  const dates = page.getByRole('table').first();
  const sessions = page.getByRole('table', { name: 'Live sessions, before and after' });
  const byWeekday = page.getByText('All live sessions move from Tuesday to Wednesday.');
  await openReady(page, `/cohorts/${id}/move`);
  await page.getByLabel('First day').fill('2027-03-02');
  await show.click();
  await expect(byWeekday).toBeVisible();
  await page.getByLabel('First day').fill('2027-03-11');
  await expect(page.getByLabel('Last day')).toHaveValue('2027-04-19');
  await expect(byWeekday).toBeHidden();
  await show.click();
  await expect(dates.getByRole('row')).toHaveText([
    'BeforeAfter',
    'First dayMonday, March 1, 2027Thursday, March 11, 2027',
    'Last dayFriday, April 9, 2027Monday, April 19, 2027',
    'Time zoneParisParis',
    /^Enrollment opensSunday, January 10, 2027, 9:30.AMWednesday, January 20, 2027, 9:30.AM$/,
  ]);
  await expect(sessions.getByRole('row')).toHaveCount(5);
  expect(await askApi(page, 'GET', path)).toMatchObject({ starts_on: '2027-03-01' });
  // What is shown has to be what is meant.
  await page.getByLabel('Last day').fill('2027-04-20');
  await expect(move).toBeHidden();
  await page.getByLabel('Note in that email').fill('The room is being painted.');
  await show.click();
  await expect(page.getByRole('region', { name: 'All dates, before and after' })).toBeFocused();
  await askApi(page, 'PATCH', path, { enrollment_closes_local: '2027-02-27' });
  await page.keyboard.press('Tab');
  await expect(move).toBeFocused();
  await page.keyboard.press('Enter');
  // The sentence is above the form, and in sight.
  const refusal = page.getByRole('alert').filter({ hasText: 'The dates have changed since this' });
  await expect(refusal).toBeInViewport();
  await expect(refusal.locator('.alert')).toBeFocused();
  await expect(page.getByLabel('Last day')).toHaveValue('2027-04-20');
  // Refused again until the page has the dates of now.
  await expect(async () => {
    await show.click();
    await expect(dates).toContainText('Enrollment closes', { timeout: 2_000 });
  }).toPass();
  await move.click();

  await page.waitForURL(`/cohorts/${id}`);
  await expect(page.getByText('Cohort moved.')).toBeVisible();
  expect(await askApi(page, 'GET', path)).toMatchObject({ starts_on: '2027-03-11' });
  await expect
    .poll(async () => (await mailsTo(email)).map(({ text }) => text).join())
    .toContain('The room is being painted.');

  await openReady(page, `/cohorts/${id}/duplicate`);
  await expect(page.getByLabel('First day')).toHaveValue('2027-04-22');
  await page.getByLabel('Name of the copy').fill('Early summer');
  await page.getByLabel('First day').fill('2027-06-07');
  await page.getByRole('checkbox', { name: 'Copy the meeting link too' }).check();
  await show.click();
  await expect(dates).toContainText('Monday, June 7, 2027');
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
  await expect(page.getByText('June 7 – July 17, 2027 · Paris').first()).toBeVisible();
});
