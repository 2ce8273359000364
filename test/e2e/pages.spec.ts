import { expect, test } from './support.ts';

test.use({ expectedErrors: [/status of 404/] });

test('an unknown address has a page of its own', async ({ page }) => {
  const response = await page.goto('/nowhere');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading')).toHaveText('Page not found');
  await page.getByRole('link', { name: 'Go to home' }).click();
  await expect(page).toHaveURL('/login');
});
