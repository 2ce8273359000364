import { askToBeTold, courseUrl } from './between.ts';
import { comingDays, dayFromToday, makeCohort } from './cohorts.ts';
import { addPerson } from './enrollments.ts';
import { linkTo, publishCohort } from './participants.ts';
import { askApi, expect, mailsTo, openReady, test, uniqueEmail } from './support.ts';

const summer = { name: 'Summer', starts_on: dayFromToday(150), ends_on: dayFromToday(190) };
const grace = 'Grace Hopper';

test('someone asks on the page of a course for an email, confirms it, and is forgotten on a click', async ({
  page,
  openBrowser,
}) => {
  const { id } = await publishCohort(page, { enrollment_opens_local: `${dayFromToday(20)}T09:00` });
  const url = await courseUrl(page);
  const visitor = await openBrowser();
  await visitor.goto(url);
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Biology 101');
  await expect(visitor.getByRole('link', { name: /Winter/ })).toContainText('Enrollment opens on');
  const email = uniqueEmail();
  await visitor.getByRole('textbox', { name: 'Email address' }).fill(email);
  await visitor.getByRole('button', { name: 'Tell me' }).click();
  await expect(visitor.getByRole('checkbox')).toHaveAccessibleDescription(
    'Please agree that your address is kept until then',
  );
  await visitor.getByRole('checkbox').check();
  await visitor.getByRole('button', { name: 'Tell me' }).click();
  await expect(visitor.getByRole('heading', { name: 'Check your email' })).toBeFocused();

  await visitor.goto(await linkTo('/p/confirm?token=', email));
  await expect(visitor).toHaveURL('/p/confirm');
  await visitor.getByRole('button', { name: 'Tell me when enrollment opens' }).click();
  await expect(visitor.getByRole('heading', { name: 'We’ll tell you' })).toBeFocused();
  await page.goto('/cohorts');
  await expect(page.getByText('1 person wants to know when enrollment opens.')).toBeVisible();
  await visitor.getByRole('button', { name: 'Delete my address' }).click();
  await expect(visitor.getByRole('heading', { name: 'Address deleted' })).toBeFocused();
  await page.reload();
  await expect(page.getByText('wants to know')).toBeHidden();
  expect(await visitor.context().cookies()).toEqual([]);

  await askApi(page, 'PATCH', `/api/cohorts/${id}/`, { enrollment_override: 'open' });
  await visitor.goto(`${url}?lang=fr&now`);
  await expect(visitor.getByRole('link', { name: /Winter/ })).toContainText(
    'Les inscriptions sont ouvertes.',
  );
  await expect(visitor.getByRole('textbox')).toBeHidden();
});

test('a click after enrollment has opened leads to the cohort, and keeps nothing', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page, { enrollment_opens_local: `${dayFromToday(20)}T09:00` });
  const course = await courseUrl(page);
  const asked = { course, cohort: cohort.public_url, language: 'en' };
  const { link } = await askToBeTold(page, asked);
  const visitor = await openBrowser();
  await openReady(visitor, link);
  await askApi(page, 'PATCH', `/api/cohorts/${cohort.id}/`, { enrollment_override: 'open' });
  await visitor.getByRole('button', { name: 'Tell me when enrollment opens' }).click();
  await expect(visitor.getByRole('heading', { name: 'Enrollment is open' })).toBeFocused();
  await visitor.getByRole('link', { name: 'See the cohort' }).click();

  await expect(visitor.getByText('Winter', { exact: true })).toBeVisible();
});

test('where no one can enroll, the page of a cohort leads to the other dates', async ({
  page,
  openBrowser,
}) => {
  const { public_url: url } = await publishCohort(page, { join_mode: 'invitation' });
  await makeCohort(page, { ...summer }, 'publish');
  const visitor = await openBrowser();
  await visitor.goto(url);
  await visitor.getByRole('link', { name: 'Other dates of Biology 101' }).click();
  await visitor.getByRole('link', { name: /Summer/ }).click();

  await expect(visitor.getByRole('button', { name: 'Enroll' })).toBeVisible();
});

test('someone is moved to another cohort, although it is full, and the owner goes along', async ({
  page,
}) => {
  const winter = await publishCohort(page);
  const full = await makeCohort(page, { ...summer, capacity: 1 }, 'publish');
  await makeCohort(page, { name: 'Spring', ...comingDays }, 'publish');
  await addPerson(page, full, { name: 'Ana Fernández', email: uniqueEmail() });
  const email = uniqueEmail();
  const { id } = await addPerson(page, winter, { name: grace, email });
  await openReady(page, `/cohorts/${winter.id}/roster/${id}`);
  const section = page.getByRole('region', { name: 'Another cohort' });
  await expect(section.getByRole('button')).toHaveAccessibleName('Move');
  await section.getByLabel('Cohort').selectOption({ value: full.id });
  await section.getByRole('button', { name: 'Move anyway (2 of 1)' }).click();

  await page.waitForURL(`/cohorts/${full.id}/roster/${id}`);
  await expect(page.getByText('Moved to this cohort.')).toBeVisible();
  await expect(page.getByText('You moved Grace Hopper here from Winter')).toBeVisible();
  await expect(page.getByText('Over capacity')).toBeVisible();
  await expect
    .poll(async () => (await mailsTo(email)).at(-1)?.subject)
    .toMatch(/^You are now in Summer, from /);
});

test.describe('a move that comes too late', () => {
  test.use({ expectedErrors: [/status of 422/] });

  test('says so and keeps what was chosen', async ({ page }) => {
    const winter = await publishCohort(page);
    const next = await makeCohort(page, { ...summer, capacity: 1 }, 'publish');
    const { id } = await addPerson(page, winter, { name: grace, email: uniqueEmail() });
    await openReady(page, `/cohorts/${winter.id}/roster/${id}`);
    const section = page.getByRole('region', { name: 'Another cohort' });
    await section.getByRole('checkbox').uncheck();
    await addPerson(page, next, { name: 'Ana Fernández', email: uniqueEmail() });
    await section.getByRole('button', { name: 'Move' }).click();

    await expect(section.getByRole('alert')).toContainText('The only place is taken.');
    await expect(section.getByRole('checkbox')).not.toBeChecked();
  });
});
