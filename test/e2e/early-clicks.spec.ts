import { connectionUnsupportedPlayer } from './forms.ts';
import { expect, holdScripts, mailsTo, test, uniqueEmail } from './support.ts';

// The server refuses what a lost script could not check.
test.use({ expectedErrors: [/ERR_FAILED|status of 40[04]|Failed to fetch dynamically imported/] });

test('what is clicked and typed before the scripts are there is not lost, and a lost script does not reload the page; a form is sent once', async ({
  page,
}) => {
  const showLanguages = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Français' }).click();
  await page.getByLabel('Email address').fill('not an address');
  showLanguages();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page.getByLabel('Adresse e‑mail')).toHaveValue('not an address');
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');

  const email = uniqueEmail();
  const release = await holdScripts(page);
  await page.route('**/assets/schema-*.js', (route) => route.fulfill({ status: 404 }));
  await page.route('**/api/accounts/auth/signup/', (route) => route.abort(), { times: 1 });
  await page.goto('/signup', { waitUntil: 'commit' });
  const document = await page.evaluateHandle(() => window.document);
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Email address').fill(email);
  const submit = page.getByRole('button', { name: 'Create account' });
  await submit.click();
  release();
  await expect(page.getByRole('alert')).toHaveText(connectionUnsupportedPlayer);
  await expect(page.getByLabel('First name')).toHaveValue('Ada');
  await expect(submit).toBeFocused();
  await submit.click();
  await expect(page.getByText('Last name is required')).toBeVisible();
  await page.getByLabel('Last name').fill('Lovelace');
  await submit.click();

  await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible();
  expect(await mailsTo(email)).toHaveLength(1);
  expect(await document.evaluate((before) => before === window.document)).toBe(true);
});
