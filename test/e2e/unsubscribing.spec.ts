import { cohortWith } from './enrollments.ts';
import { linkTo } from './participants.ts';
import { biology, toAccount } from './settings.ts';
import { expect, mailsTo, signInWith, test, uniqueEmail } from './support.ts';

test('someone who was invited ends the invitations, allows them again, and ends them without scripts', async ({
  page,
  openBrowser,
}) => {
  await signInWith(page, [biology]);
  const email = uniqueEmail();
  const { id } = await cohortWith(page, [{ name: 'Grace Hopper', email, as: 'invited' }]);
  await linkTo('/p/', email);
  const [{ text } = { text: '' }] = await mailsTo(email);
  const link = /http\S+\/p\/unsubscribe\S+/.exec(text)?.[0] ?? '';
  const reader = await openBrowser();
  const stop = reader.getByRole('button', { name: 'Stop these emails' });
  await reader.goto(link);
  await expect(reader.getByText('Emails about a place that you have')).toBeVisible();
  await stop.click();
  await expect(reader.getByRole('heading', { name: 'You’ve unsubscribed' })).toBeVisible();
  await page.goto(`/cohorts/${id}/roster?status=declined`);
  await expect(page.getByRole('link', { name: 'Grace Hopper' })).toBeVisible();
  await reader.getByRole('button', { name: 'Allow invitations again' }).click();
  await expect(stop).toBeVisible();

  const quiet = await openBrowser({ javaScriptEnabled: false });
  await quiet.goto(link);
  await quiet.getByRole('button', { name: 'Stop these emails' }).click();
  await expect(quiet.getByRole('heading', { name: 'You’ve unsubscribed' })).toBeVisible();
});

test('an owner reads an email, has it sent, and switches reminders and news off', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  const { email } = await toAccount(page);
  const { id } = await cohortWith(page, []);
  await page.goto(`/cohorts/${id}`);
  await page.getByRole('link', { name: 'Emails', exact: true }).click();
  const reminders = page.getByRole('listitem').filter({ hasText: 'unanswered invitation' });
  await reminders.getByRole('switch', { checked: true }).click();
  await expect(page.getByText('Reminders switched off.')).toBeVisible();
  await expect(reminders.getByRole('switch', { checked: false })).toBeVisible();
  await page.getByText('All emails that Lectern sends').click();
  await page.getByRole('link', { name: 'You’re in', exact: true }).click();
  const shown = page.locator('iframe').contentFrame();
  await expect(shown.getByText('You have a place in “Biology 101” (Winter).')).toBeVisible();
  await page.getByRole('button', { name: 'Send to me' }).click();
  await expect(page.getByText('The email is on its way to you.')).toBeVisible();
  await expect
    .poll(async () => (await mailsTo(email)).at(-1)?.subject)
    .toMatch(/^Preview: You’re in/);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Switch daily news off' }).click();
  await expect(page.getByText('Daily news switched off.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Switch daily news on' })).toBeVisible();
});
