import { dayFromToday } from './cohorts.ts';
import { cohortWith } from './enrollments.ts';
import { addMeetings } from './meetings.ts';
import { biology, section } from './settings.ts';
import { askApi, expect, openReady, signInWith, test, uniqueEmail } from './support.ts';

test.use({ expectedErrors: [/ERR_FAILED/] });

test('an instructor writes to the group: after a look at the email, it goes to whom it is for, once; changed sessions are announced from the schedule, and a reminder is turned off', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  const people = ['Grace Hopper', 'Ada Lovelace'].map((name) => ({ name, email: uniqueEmail() }));
  const price = { price_minor: 24_000, currency: 'EUR' };
  const { id, people: enrolled } = await cohortWith(page, people, price);
  const waiver = { kind: 'waiver', enrollments: [enrolled[0]?.id] };
  await askApi(page, 'POST', `/api/cohorts/${id}/ledger/`, waiver);
  await page.goto(`/cohorts/${id}/emails`);
  await page.getByRole('link', { name: 'Write to the group' }).click();
  const show = page.getByRole('button', { name: 'Preview email' });
  const send = page.getByRole('button', { name: 'Send to 2 people' });
  const message = page.getByLabel('Message', { exact: true });
  await show.click();
  await expect(page.getByText('Please enter a subject')).toBeVisible();
  await page.getByLabel('Subject').fill('Bring chairs');
  const typed = 'And a pen. <script>alert(1)</script>';
  await message.fill(typed);
  // The email itself, beside the form, in a frame that runs nothing.
  const frame = page.locator('iframe');
  await expect(frame).toHaveAttribute(
    'sandbox',
    'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  );
  await expect(frame.contentFrame().getByText(typed)).toBeVisible();
  await expect(frame.contentFrame().locator('h1')).toHaveCSS('font-weight', '600');
  await message.fill('And a pen.');
  const to = page.getByRole('group', { name: 'To' });
  await to.locator('.pick').filter({ hasText: 'Still owe' }).click();
  await show.click();
  await expect(page.getByText('It goes to 1 person.')).toBeVisible();
  await expect(page.getByText('Bring chairs (Biology 101)')).toBeVisible();
  // After a change, the email has to be shown again before it can be sent.
  await to.locator('.pick').filter({ hasText: 'Everyone enrolled' }).click();
  await expect(page.getByRole('button', { name: 'Send to 1 person' })).toBeHidden();
  await show.click();
  const path = `**/api/cohorts/${id}/messages/`;
  await expect(send).toBeVisible();
  await page.route(path, (route) => route.abort());
  await send.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(message).toHaveValue('And a pen.');
  await page.unroute(path);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('On its way to 2 people.')).toBeVisible();

  await expect(page).toHaveURL(`/cohorts/${id}/emails`);
  const written = section(page, 'What you wrote to the group');
  await expect(written.getByRole('listitem')).toHaveCount(1);
  await written.getByText('Bring chairs').click();
  await expect(written.getByText('And a pen.')).toBeVisible();

  const evening = `${dayFromToday(43)}T18:00`;
  await addMeetings(page, { id }, { title: 'First draft', starts_local: evening });
  await page.goto(`/cohorts/${id}/schedule`);
  await expect(page.getByText('1 change is not announced.')).toBeVisible();
  await page.getByRole('button', { name: 'Tell 2 people' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tell people about the changes?' });
  await dialog.getByLabel('Note in that email').fill('See you there.');
  await dialog.getByRole('button', { name: 'Tell 2 people' }).click();
  await expect(page.getByText('On its way to 2 people.')).toBeVisible();
  await expect(page.getByText('1 change is not announced.')).toBeHidden();

  await openReady(page, `/cohorts/${id}/emails`);
  const due = section(page, 'Scheduled');
  await expect(due.getByText(/ · Next:/)).toHaveCount(2);
  const reminder = due.getByRole('switch', { name: 'Starts soon' });
  await reminder.click();
  await expect(due.getByText(/ · Next:/)).toHaveCount(1);
  await expect(reminder).not.toBeChecked();
});
