import { enrollPeople } from './enrollments.ts';
import { linkTo, publishCohort } from './participants.ts';
import { expect, mailsTo, openReady, test, uniqueEmail } from './support.ts';

const question = 'What would you like to write?';

test('an instructor asks a question, lets one person in and turns another down, and a third withdraws', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page, { capacity: 2 });
  await openReady(page, `/cohorts/${cohort.id}/settings`);
  await page.getByRole('radio', { name: /^Anyone, with your approval/ }).check();
  await page.getByLabel('Your question').fill(question);
  const save = page.getByRole('button', { name: 'Save changes' });
  await save.click();
  await expect(page.getByText('Cohort saved.')).toBeVisible();
  await expect(save).toBeHidden();

  const asking = await openBrowser();
  const grace = uniqueEmail();
  await openReady(asking, cohort.public_url);
  await expect(asking.getByText('decides who takes part.')).toBeVisible();
  await asking.getByLabel(question).fill('A novel about lighthouses');
  await asking.getByRole('textbox', { name: 'Your name' }).fill('Grace Hopper');
  await asking.getByRole('textbox', { name: 'Email address' }).fill(grace);
  await asking.getByRole('checkbox').check();
  await asking.getByRole('button', { name: 'Ask for a place' }).click();
  await expect(asking.getByRole('heading', { name: 'Check your email' })).toBeFocused();
  await openReady(asking, await linkTo('/p/confirm', grace));
  await expect(asking.getByText('A novel about lighthouses')).toBeVisible();
  await asking.getByRole('button', { name: 'Ask for a place' }).click();
  await expect(asking.getByRole('heading', { name: 'Your request has arrived.' })).toBeFocused();

  const [bob, eve] = [uniqueEmail(), uniqueEmail()];
  await enrollPeople(page, cohort, [
    { name: 'Bob Ito', email: bob },
    { name: 'Eve Orr', email: eve },
  ]);
  await openReady(asking, await linkTo('/p/', eve, 2));
  await expect(asking.locator('.place-sentence')).toHaveText('You have asked for a place.');
  await asking.getByRole('button', { name: 'Withdraw my request' }).click();
  const confirming = asking.getByRole('dialog');
  await confirming.getByRole('button', { name: 'Withdraw my request' }).click();
  await expect(asking.locator('.place-sentence')).toHaveText('You’ve left this cohort.');

  await page.goto(`/cohorts/${cohort.id}`);
  await expect(page.getByText('2 people have asked to join.')).toBeVisible();
  await page.getByRole('link', { name: 'See the requests' }).click();
  await expect(page.getByText('A novel about lighthouses')).toBeVisible();
  const row = (email: string) => page.getByRole('listitem').filter({ hasText: email });
  await row(grace).getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Approved.')).toBeVisible();
  await expect(row(grace)).toHaveCount(0);
  await row(bob)
    .getByRole('button', { name: /^More about/ })
    .click();
  await page.locator('#person-menu').getByRole('button', { name: 'Turn down' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn down' }).click();
  await expect(page.getByText('Turned down.', { exact: true })).toBeVisible();

  await openReady(asking, await linkTo('/p/', grace, 3));
  await expect(asking.locator('.place-sentence')).toHaveText('You are enrolled.');
  await expect(asking.getByText(question)).toBeVisible();
  const texts = (await mailsTo(bob)).map(({ text }) => text).join('\n');
  await openReady(asking, /http\S+\/p\/[0-9a-f]{8}-\S+/.exec(texts)?.[0] ?? '');
  await expect(asking.locator('.place-sentence')).toHaveText('Your request was turned down.');
  await expect(asking.getByRole('button', { name: /again/ })).toHaveCount(0);
});
