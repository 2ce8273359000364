import { makeRun } from './open-run-views.ts';
import { askForPlace, linkTo } from './participants.ts';
import { biology } from './settings.ts';
import { expect, signInWith, test } from './support.ts';

test('a stranger enrolls by email on any day, and reads the first lesson at once', async ({
  page,
  openBrowser,
}) => {
  await signInWith(page, [biology]);
  const run = await makeRun(page, { price_minor: 6_000, currency: 'EUR' });
  const visitor = await openBrowser();
  const pages: string[] = [];
  const look = async () => pages.push(await visitor.locator('body').innerText());

  const email = await askForPlace(visitor, run.public_url);
  await look();
  await expect(visitor.getByText('2 lessons · €60 · access without end')).toBeVisible();
  await expect(visitor.getByRole('heading', { name: 'Two lessons' })).toBeVisible();
  await expect(visitor.getByText('All of them are open from the start.')).toBeVisible();

  await visitor.goto(await linkTo('/p/confirm?token=', email));
  await look();
  await visitor.getByRole('button', { name: 'Confirm my place' }).click();
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('You can start now.');
  await look();
  await visitor.getByRole('button', { name: 'Open the course' }).click();

  await expect(visitor).toHaveURL(/\/learn\//);
  await expect(visitor.getByRole('heading', { level: 1 })).toContainText(run.name);
  const own = await openBrowser();
  await own.goto(await linkTo('/p/', email, 2));
  await expect(own.getByText('You are enrolled.')).toBeVisible();
  pages.push(await own.locator('body').innerText());
  for (const text of pages) {
    expect(text).not.toMatch(/cohort|210[01]/i);
  }
});
