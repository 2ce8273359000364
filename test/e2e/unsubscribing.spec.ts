import { expect, type Page, test } from '@playwright/test';
import { cohortWith } from './enrollments.ts';
import { clientOf, newEmail } from './people.ts';
import { askApi } from './support.ts';

/** A new instructor with a published cohort. */
async function start(page: Page, email: string) {
  await (await clientOf(page)).signUp(email);
  await askApi(page, 'POST', '/api/courses/', { name: 'Chemistry', course_type: 'cohort' });
  return cohortWith(page, []);
}

/** Someone whom a new instructor has invited: the link that ends this, and a browser of theirs. */
async function invite(page: Page, options = {}) {
  const { id } = await start(page, newEmail());
  const email = newEmail();
  const invited = { as: 'invited', name: 'Grace Hopper', email, language: 'en' };
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/`, invited);
  const { text } = await (await clientOf(page)).mailTo(email, '/p/unsubscribe');
  const context = await page.context().browser()?.newContext(options);
  const reader = await context?.newPage();
  if (reader === undefined) {
    throw new Error('There is no browser');
  }
  await reader.goto(/http\S+\/p\/unsubscribe\S+/.exec(text)?.[0] ?? '');
  return { id, reader };
}

test('someone who was invited ends the invitations, and allows them again', async ({ page }) => {
  const { id, reader } = await invite(page);
  await expect(reader.getByText('Emails about a place that you have')).toBeVisible();
  await reader.getByRole('button', { name: 'Stop these emails' }).click();
  await expect(reader.getByRole('heading', { name: 'You’ve unsubscribed' })).toBeVisible();
  await page.goto(`/cohorts/${id}/roster?status=declined`);
  await expect(page.getByRole('link', { name: 'Grace Hopper' })).toBeVisible();
  await reader.getByRole('button', { name: 'Allow invitations again' }).click();

  await expect(reader.getByRole('button', { name: 'Stop these emails' })).toBeVisible();
  await reader.context().close();
});

test('without scripts, too', async ({ page }) => {
  const { reader } = await invite(page, { javaScriptEnabled: false });
  await reader.getByRole('button', { name: 'Stop these emails' }).click();

  await expect(reader.getByRole('heading', { name: 'You’ve unsubscribed' })).toBeVisible();
  await reader.context().close();
});

test('an owner reads an email, has it sent, and switches reminders and news off', async ({
  page,
}) => {
  const client = await clientOf(page);
  const email = newEmail();
  const { id } = await start(page, email);
  await page.goto(`/cohorts/${id}`);
  await page.getByRole('link', { name: 'Emails', exact: true }).click();
  const reminders = page
    .getByRole('listitem')
    .filter({ hasText: /haven’t answered|reminded of their invitation/ });
  await reminders.getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByText('Reminders switched off.')).toBeVisible();
  await expect(reminders.getByRole('button', { name: 'Switch on' })).toBeVisible();
  await page.getByRole('link', { name: 'You are in', exact: true }).click();
  await expect(page.getByText('You have a place in “Winter”.')).toBeVisible();
  await page.getByRole('button', { name: 'Send to me' }).click();
  await expect(page.getByText('The email is on its way to you.')).toBeVisible();
  expect((await client.mailTo(email, 'You have a place')).subject).toMatch(/^Preview: You are in/);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Switch daily news off' }).click();
  await expect(page.getByText('Daily news switched off.')).toBeVisible();
  await page.reload();

  await expect(page.getByRole('button', { name: 'Switch daily news on' })).toBeVisible();
});
