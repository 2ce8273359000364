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
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Cohort saved.')).toBeVisible();

  const asking = await openBrowser();
  const sentence = asking.locator('.place-sentence');
  const [grace, bob, eve] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
  await openReady(asking, cohort.public_url);
  await asking.getByLabel(question).fill('A novel about lighthouses');
  await asking.getByRole('textbox', { name: 'Your name' }).fill('Grace Hopper');
  await asking.getByRole('textbox', { name: 'Email address' }).fill(grace);
  await asking.getByRole('checkbox').check();
  await asking.getByRole('button', { name: 'Ask for a place' }).click();
  await expect(asking.getByRole('heading', { name: 'Check your email' })).toBeFocused();
  await openReady(asking, await linkTo('/p/confirm', grace));
  await asking.getByRole('button', { name: 'Ask for a place' }).click();
  await expect(asking.getByRole('heading', { name: 'Your request has arrived.' })).toBeFocused();

  await enrollPeople(page, cohort, [
    { name: 'Bob Ito', email: bob },
    { name: 'Eve Orr', email: eve },
  ]);
  await openReady(asking, await linkTo('/p/', eve, 2));
  await expect(sentence).toHaveText('You have asked for a place.');
  await asking.getByRole('button', { name: 'Withdraw my request' }).click();
  await asking.getByRole('dialog').getByRole('button', { name: 'Withdraw my request' }).click();
  await expect(sentence).toHaveText('You’ve left this cohort.');

  await openReady(page, `/cohorts/${cohort.id}`);
  await page.getByRole('link', { name: 'See the requests' }).click();
  await expect(page.getByText('A novel about lighthouses')).toBeVisible();
  const row = (email: string) => page.getByRole('listitem').filter({ hasText: email });
  await row(grace).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Approve 1 person' }).first().click();
  const approval = page.getByRole('dialog', { name: 'Approve 1 request?' });
  await expect(approval).toContainText(grace);
  await approval.getByRole('button', { name: 'Approve 1 person' }).click();
  await expect(page.getByText('Approved.')).toBeVisible();
  await expect(row(grace)).toHaveCount(0);
  await row(bob)
    .getByRole('button', { name: /^More about/ })
    .click();
  await page.locator('#person-menu').getByRole('button', { name: 'Turn down' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn down' }).click();
  await expect(page.getByText('Turned down.', { exact: true })).toBeVisible();

  await openReady(asking, await linkTo('/p/', grace, 3));
  await expect(sentence).toHaveText('You are enrolled.');
  const texts = (await mailsTo(bob)).map(({ text }) => text).join('\n');
  await asking.goto(/http\S+\/p\/[0-9a-f]{8}-\S+/.exec(texts)?.[0] ?? '');
  await expect(sentence).toHaveText('Your request was turned down.');
});
