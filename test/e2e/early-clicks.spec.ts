import { connectionLost } from './forms.ts';
import { expect, holdScripts, mailsTo, test, uniqueEmail } from './support.ts';

test.describe('a form that is sent before the scripts of its page are there', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('keeps what was typed, says that it failed, and is sent once', async ({ page }) => {
    const email = uniqueEmail();
    await page.route('**/api/accounts/auth/signup/', (route) => route.abort(), { times: 1 });
    const release = await holdScripts(page);
    await page.goto('/signup', { waitUntil: 'commit' });
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('Email address').fill(email);
    const submit = page.getByRole('button', { name: 'Create account' });
    await submit.click();
    release();
    await expect(page.getByRole('alert')).toHaveText(connectionLost);
    await expect(page.getByLabel('First name')).toHaveValue('Ada');
    await expect(submit).toBeFocused();
    await submit.click();

    await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible();
    await expect(page.getByText(email)).toBeVisible();
    expect(await mailsTo(email)).toHaveLength(1);
  });
});
