import { courseUrl } from './between.ts';
import { dayFromToday } from './cohorts.ts';
import { linkTo, publishOwnCohort } from './participants.ts';
import { askApi, expect, test, uniqueEmail } from './support.ts';

test('someone asks on the page of a course for an email, and is forgotten on a click; a click after the opening leads to the cohort', async ({
  page,
  openBrowser,
}) => {
  const opens = { enrollment_opens_local: `${dayFromToday(20)}T09:00` };
  const cohort = await publishOwnCohort(page, opens);
  const url = await courseUrl(page);
  const visitor = await openBrowser();
  const ask = async () => {
    const email = uniqueEmail();
    await visitor.goto(url);
    await visitor.getByRole('textbox', { name: 'Email address' }).fill(email);
    await visitor.getByRole('button', { name: 'Tell me' }).click();
    await expect(visitor.getByRole('checkbox')).toHaveAccessibleDescription(
      'Please agree that your address is kept until then',
    );
    await visitor.getByRole('checkbox').check();
    await visitor.getByRole('button', { name: 'Tell me' }).click();
    await expect(visitor.getByRole('heading', { name: 'Check your email' })).toBeFocused();
    await visitor.goto(await linkTo('/p/confirm?token=', email));
  };
  const confirm = visitor.getByRole('button', { name: 'Tell me when enrollment opens' });
  await ask();
  await confirm.click();
  await expect(visitor.getByRole('heading', { name: 'We’ll tell you' })).toBeFocused();
  await page.reload();
  await expect(page.getByText('1 person wants to know when enrollment opens.')).toBeVisible();
  await visitor.getByRole('button', { name: 'Delete my address' }).click();
  await expect(visitor.getByRole('heading', { name: 'Address deleted' })).toBeFocused();
  await page.reload();
  await expect(page.getByText('wants to know')).toBeHidden();

  await ask();
  await askApi(page, 'PATCH', `/api/cohorts/${cohort.id}/`, { enrollment_override: 'open' });
  await confirm.click();
  await expect(visitor.getByRole('heading', { name: 'Enrollment is open' })).toBeFocused();
  await visitor.getByRole('link', { name: 'See the cohort' }).click();
  await expect(visitor.getByText('Winter', { exact: true })).toBeVisible();
  expect(await visitor.context().cookies()).toEqual([]);
});
