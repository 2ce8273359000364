import { askToBeTold, courseUrl } from './between.ts';
import { comingDays, dayFromToday, makeCohort } from './cohorts.ts';
import { addPerson } from './enrollments.ts';
import { linkTo, publishCohort } from './participants.ts';
import { section } from './settings.ts';
import { askApi, expect, mailsTo, openReady, test, uniqueEmail } from './support.ts';

test('someone asks on the page of a course for an email, confirms it, and is forgotten on a click', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page, { enrollment_opens_local: `${dayFromToday(20)}T09:00` });
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

  // A click after enrollment has opened leads to the cohort.
  const asked = { course: url, cohort: cohort.public_url, language: 'en' };
  const { link } = await askToBeTold(page, asked);
  await openReady(visitor, link);
  await askApi(page, 'PATCH', `/api/cohorts/${cohort.id}/`, { enrollment_override: 'open' });
  await visitor.getByRole('button', { name: 'Tell me when enrollment opens' }).click();
  await expect(visitor.getByRole('heading', { name: 'Enrollment is open' })).toBeFocused();
  await visitor.getByRole('link', { name: 'See the cohort' }).click();
  await expect(visitor.getByText('Winter', { exact: true })).toBeVisible();
});

test.describe('a move', () => {
  test.use({ expectedErrors: [/status of 422/] });

  test('that comes too late says so and keeps what was chosen; over the capacity, the page of the other cohort opens', async ({
    page,
  }) => {
    const winter = await publishCohort(page);
    const summer = { name: 'Summer', starts_on: dayFromToday(150), ends_on: dayFromToday(190) };
    const next = await makeCohort(page, { ...summer, capacity: 1 }, 'publish');
    await makeCohort(page, { name: 'Spring', ...comingDays }, 'publish');
    const [grace, email] = ['Grace Hopper', uniqueEmail()];
    const { id } = await addPerson(page, winter, { name: grace, email });
    await openReady(page, `/cohorts/${winter.id}/roster/${id}`);
    const form = section(page, 'Another cohort');
    await form.getByLabel('Cohort').selectOption({ value: next.id });
    await form.getByRole('checkbox').uncheck();
    await addPerson(page, next, { name: 'Ana Fernández', email: uniqueEmail() });
    await form.getByRole('button', { name: 'Move' }).click();
    await expect(form.getByRole('alert')).toContainText('The only place is taken.');
    await expect(form.getByRole('checkbox')).not.toBeChecked();

    await openReady(page, `/cohorts/${winter.id}/roster/${id}`);
    await form.getByLabel('Cohort').selectOption({ value: next.id });
    await form.getByRole('button', { name: 'Move anyway (2 of 1)' }).click();
    await page.waitForURL(`/cohorts/${next.id}/roster/${id}`);
    await expect(page.getByText('Moved to this cohort.')).toBeVisible();
    await expect(page.getByText('You moved Grace Hopper here from Winter')).toBeVisible();
    await expect(page.getByText('Over capacity')).toBeVisible();
    await expect
      .poll(async () => (await mailsTo(email)).at(-1)?.subject)
      .toMatch(/^You’re now in Biology 101 \(Summer\), starting /);
  });
});
