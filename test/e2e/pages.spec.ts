import { expect, test } from './support.ts';

test.describe('an unknown address', () => {
  test.use({ expectedErrors: [/status of 404/] });

  test('has a page of its own', async ({ page }) => {
    const response = await page.goto('/nowhere');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading')).toHaveText('Page not found');
    await page.getByRole('link', { name: 'Go to home' }).click();
    await expect(page).toHaveURL('/login');
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('pages show their content and their links work', async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    await page.getByRole('link', { name: 'Create an account' }).click();
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
  });
});
