import { enrollPeople } from './enrollments.ts';
import { linkTo, publishCohort } from './participants.ts';
import { askApi, expect, openReady, rest, test, uniqueEmail } from './support.ts';

const question = 'What would you like to write?';
const [grace, bob, eve] = ['Grace Hopper', 'Bob Ito', 'Eve Orr'] as const;
const [ana, zoe, max, kim] = [
  'Ana Ek',
  'Zoe Ash',
  'Max Urs',
  'Wolfeschlegelsteinhausenbergerdorff',
];

test('an instructor asks a question, and lets people who ask in or turns them down, one by one, ticked or all together, while ticks outlast other changes; someone withdraws', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page, { capacity: 3 });
  await openReady(page, `/cohorts/${cohort.id}/settings`);
  await page.getByRole('radio', { name: /^Anyone, with your approval/ }).check();
  await page.getByLabel('Your question').fill(question);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Cohort saved.')).toBeVisible();

  const asking = await openBrowser();
  const sentence = asking.locator('.place-sentence');
  const email = uniqueEmail();
  await openReady(asking, cohort.public_url);
  await asking.getByLabel(question).fill('A novel about lighthouses');
  await asking.getByRole('textbox', { name: 'Your name' }).fill(grace);
  await asking.getByRole('textbox', { name: 'Email address' }).fill(email);
  await asking.getByRole('checkbox').check();
  await asking.getByRole('button', { name: 'Ask for a place' }).click();
  await expect(asking.getByRole('heading', { name: 'Check your email' })).toBeFocused();
  await openReady(asking, await linkTo('/p/confirm', email));
  await asking.getByRole('button', { name: 'Ask for a place' }).click();
  await expect(asking.getByRole('heading', { name: 'Your request has arrived.' })).toBeFocused();
  await page.goto(`/cohorts/${cohort.id}`);
  await page.getByRole('link', { name: 'See the requests' }).click();
  await expect(page.getByText('A novel about lighthouses')).toBeVisible();
  // A single request has buttons of its own.
  await expect(page.getByRole('checkbox')).toHaveCount(0);

  const others = [bob, eve, ana, zoe, max, kim].map((name) => ({ name, email: uniqueEmail() }));
  await enrollPeople(page, cohort, others);
  const emailOf = (name: string) => others.find((one) => one.name === name)?.email ?? '';
  await openReady(asking, await linkTo('/p/', emailOf(eve), 2));
  await expect(sentence).toHaveText('You have asked for a place.');
  await asking.getByRole('button', { name: 'Withdraw my request' }).click();
  await asking.getByRole('dialog').getByRole('button', { name: 'Withdraw my request' }).click();
  await expect(sentence).toHaveText('You’ve left this cohort.');

  await openReady(page, `/cohorts/${cohort.id}/roster?status=applied`);
  const box = (name = '') => page.getByRole('checkbox', { name: `Select ${name}` });
  await box(ana).focus();
  await page.keyboard.press('Space');
  await box(zoe).check();
  await expect(page.getByRole('status').filter({ hasText: '2 selected' })).toHaveCount(1);
  const one = page.getByRole('listitem').filter({ hasText: grace });
  await expect(one.getByRole('button', { name: 'Approve' })).toHaveAccessibleDescription(grace);
  await one.getByRole('button', { name: 'Approve' }).press('Enter');
  await expect(page.getByText('Approved.')).toBeVisible();
  await expect(box(grace)).toHaveCount(0);
  // The row is gone with its button, but the list is still there.
  await expect(page.locator('.people')).toBeFocused();
  await page.getByRole('button', { name: `More about ${bob}` }).click();
  await page.locator('#person-menu').getByRole('button', { name: 'Turn down' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn down' }).click();
  await expect(page.getByText('Turned down.', { exact: true })).toBeVisible();
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2);

  await page.getByRole('button', { name: 'Approve 2 people' }).press('Enter');
  const approval = page.getByRole('dialog', { name: 'Approve 2 requests?' });
  await expect(approval.getByRole('listitem')).toHaveText([
    new RegExp(`^${ana}`),
    new RegExp(`^${zoe}`),
  ]);
  await expect(approval).toContainText('They all get a place');
  await approval.getByRole('button', { name: 'Approve 2 people' }).click();
  await expect(approval).toBeHidden();
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);

  // For fingers, also beside a long name.
  await page.setViewportSize({ width: 320, height: 640 });
  await rest(page);
  const ticks = await page.locator('.tick').evaluateAll((labels) =>
    labels.map((label) => {
      const { left, width, height } = label.getBoundingClientRect();
      return left >= 0 && Math.min(width, height) >= 44;
    }),
  );
  expect(ticks).toEqual([true, true]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.getByRole('button', { name: 'Turn all down' }).click();
  const refusal = page.getByRole('dialog', { name: 'Turn 2 people down?' });
  await expect(refusal.getByLabel('Tell them by email')).toBeChecked();
  await refusal.getByRole('button', { name: 'Turn all down' }).click();
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  const namesOf = async (status: string) => {
    const path = `/api/cohorts/${cohort.id}/enrollments/?status=${status}`;
    const { items } = (await askApi(page, 'GET', path)) as { items: { name: string }[] };
    return items.map(({ name }) => name);
  };
  expect(await namesOf('enrolled')).toEqual([ana, grace, zoe]);
  expect(await namesOf('refused')).toEqual([bob, max, kim]);

  await asking.goto(await linkTo('/p/', emailOf(bob)));
  await expect(sentence).toHaveText('Your request was turned down.');
});
