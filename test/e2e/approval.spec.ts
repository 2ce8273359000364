import { askForPlace, linkTo, publishCohort } from './participants.ts';
import { expect, mailsTo, openReady, test } from './support.ts';

const question = 'What would you like to write?';
const words = {
  name: 'Your name',
  email: 'Email address',
  button: 'Ask for a place',
  sent: 'Check your email',
};

test('an instructor asks a question, lets one person in and turns another down', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page, { capacity: 2 });
  await openReady(page, `/cohorts/${cohort.id}/settings`);
  await page.getByRole('radio', { name: /^Anyone, with your approval/ }).check();
  await page
    .getByRole('region', { name: 'Enrollment' })
    .getByRole('button', { name: 'Save changes' })
    .click();
  await expect(page.getByText('Cohort saved.')).toBeVisible();
  await page.getByLabel('Your question').fill(question);
  const isSaved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page
    .getByRole('region', { name: 'Question' })
    .getByRole('button', { name: 'Save changes' })
    .click();
  await isSaved;

  const asking = await openBrowser();
  await openReady(asking, cohort.public_url);
  await expect(asking.getByText('decides who takes part.')).toBeVisible();
  await asking.getByLabel(question).fill('A novel about lighthouses');
  await asking.getByRole('textbox', { name: words.name }).fill('Grace Hopper');
  const grace = `grace.${cohort.id}@example.com`;
  await asking.getByRole('textbox', { name: words.email }).fill(grace);
  await asking.getByRole('checkbox').check();
  await asking.getByRole('button', { name: words.button }).click();
  await expect(asking.getByRole('heading', { name: words.sent })).toBeFocused();
  await openReady(asking, await linkTo('/p/confirm', grace));
  await expect(asking.getByText('A novel about lighthouses')).toBeVisible();
  await asking.getByRole('button', { name: 'Ask for a place' }).click();
  await expect(asking.getByRole('heading', { name: 'Your request has arrived.' })).toBeFocused();

  const other = await openBrowser();
  const bob = await askForPlace(other, cohort.public_url, words);
  await openReady(other, await linkTo('/p/confirm', bob));
  await other.getByRole('button', { name: 'Ask for a place' }).click();
  await expect(other.getByRole('heading', { name: 'Your request has arrived.' })).toBeFocused();

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
  await page
    .getByRole('menuitem', { name: 'Turn down' })
    .or(page.getByRole('button', { name: 'Turn down' }))
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Turn down' }).click();
  await expect(page.getByText('Turned down.', { exact: true })).toBeVisible();

  await openReady(asking, await linkTo('/p/', grace, 3));
  await expect(asking.locator('.place-sentence')).toHaveText('You are enrolled.');
  await expect(asking.getByText(question)).toBeVisible();
  await openReady(other, await ownPage(bob));
  await expect(other.locator('.place-sentence')).toHaveText('Your request was turned down.');
  await expect(other.getByRole('button', { name: /again/ })).toHaveCount(0);
});

test('several requests are approved at once, and one is withdrawn before', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page, { capacity: 1, join_mode: 'approval' });
  const people = [];
  for (let index = 0; index < 3; index += 1) {
    const visitor = await openBrowser();
    const email = await askForPlace(visitor, cohort.public_url, words);
    await openReady(visitor, await linkTo('/p/confirm', email));
    await visitor.getByRole('button', { name: 'Ask for a place' }).click();
    await visitor.getByRole('link', { name: 'See my place' }).click();
    await expect(visitor.locator('.place-sentence')).toHaveText('You have asked for a place.');
    people.push({ email, visitor });
  }
  const [first, second, third] = people;
  await third?.visitor.getByRole('button', { name: 'Withdraw my request' }).click();
  await third?.visitor
    .getByRole('dialog')
    .getByRole('button', { name: 'Withdraw my request' })
    .click();
  await expect(third?.visitor.locator('.place-sentence') ?? page.locator('x')).toHaveText(
    'You no longer take part.',
  );

  await openReady(page, `/cohorts/${cohort.id}/roster?status=applied`);
  await page.getByRole('button', { name: 'Approve all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve 2 requests?' });
  await expect(dialog).toContainText('Free places: 1.');
  await dialog.getByRole('button', { name: 'Approve all' }).click();
  await expect(page.getByText('Approved.')).toBeVisible();

  await first?.visitor.reload();
  await second?.visitor.reload();
  await expect(first?.visitor.locator('.place-sentence') ?? page.locator('x')).toHaveText(
    'You are enrolled.',
  );
  await expect(second?.visitor.locator('.place-sentence') ?? page.locator('x')).toHaveText(
    'You are number 1 on the waitlist.',
  );
});

/** The page of someone, by the latest email that leads there. */
async function ownPage(email: string): Promise<string> {
  const texts = (await mailsTo(email)).map(({ text }) => text).join('\n');
  return [...texts.matchAll(/http\S+\/p\/[0-9a-f]\S+/g)].at(-1)?.[0] ?? '';
}
