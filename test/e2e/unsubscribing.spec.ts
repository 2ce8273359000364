import { cohortWith } from './enrollments.ts';
import { linkTo } from './participants.ts';
import { biology } from './settings.ts';
import { expect, mailsTo, signInWith, test, uniqueEmail } from './support.ts';

test('an owner reads an email, has it sent, and switches reminders and news off; someone who was invited ends theirs, with scripts and without', async ({
  page,
  openBrowser,
}) => {
  const email = await signInWith(page, [biology]);
  const invited = uniqueEmail();
  const { id, public_url: url } = await cohortWith(
    page,
    [{ name: 'Grace Hopper', email: invited, as: 'invited' }],
    { description: 'What it is about.' },
  );
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

  const link = await linkTo('/p/', invited);
  const unsubscribe = await linkTo('/p/unsubscribe', invited);
  const reader = await openBrowser();
  const stop = reader.getByRole('button', { name: 'Stop these emails' });
  await reader.goto(unsubscribe);
  await expect(reader.getByText('Emails about a place that you have')).toBeVisible();
  await stop.click();
  await expect(reader.getByRole('heading', { name: 'You’ve unsubscribed' })).toBeVisible();
  await reader.getByRole('button', { name: 'Allow invitations again' }).click();
  await expect(stop).toBeVisible();

  const quiet = await openBrowser({ javaScriptEnabled: false });
  await quiet.goto(url);
  await expect(quiet.getByText('What it is about.')).toBeVisible();
  await expect(quiet.locator('noscript p')).toHaveText(/^This form needs JavaScript\./);
  await quiet.goto(link);
  await expect(quiet.getByRole('heading', { name: /Grace Hopper/ })).toBeVisible();
  await quiet.goto(unsubscribe);
  await quiet.getByRole('button', { name: 'Stop these emails' }).click();
  await expect(quiet.getByRole('heading', { name: 'You’ve unsubscribed' })).toBeVisible();
  await page.goto(`/cohorts/${id}/roster?status=declined`);
  await expect(page.getByRole('link', { name: 'Grace Hopper' })).toBeVisible();
});
