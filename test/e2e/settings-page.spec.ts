import { biology, section } from './settings.ts';
import { expect, openReady, signInWith, test } from './support.ts';

test('the settings page has links to its sections, of which the clicked one or the one in view is current', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  await openReady(page, '/settings#language');
  const links = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
  const current = page.locator('.section-links [aria-current]');
  await expect(current).toHaveText('Language');
  await expect(section(page, 'Language')).toBeInViewport();
  await expect(links).toHaveText([
    'Name and type',
    'Picture',
    'Duplicate',
    'Profile',
    'Email address',
    'Getting paid',
    'Daily news',
    'Language',
    'Appearance',
    'Active sessions',
    'Your data',
    'This course',
    'Your account',
  ]);
  for (const [link, title] of [
    // This one cannot be at the top of the window.
    ['Your account', 'Delete your account'],
    ['Profile', 'Profile'],
  ] as const) {
    await links.filter({ hasText: link }).click();
    await expect(section(page, title)).toBeInViewport();
    await expect(current).toHaveText(link);
  }
  await page.mouse.move(900, 400);
  await page.mouse.wheel(0, 5000);
  await expect(current).toHaveText('Your account');
  await page.mouse.wheel(0, -5000);
  await expect(current).toHaveText('Name and type');

  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/settings#course');
  await expect(links).toHaveCount(0);
  const heading = await page.getByRole('heading', { name: 'Name and type' }).boundingBox();
  const header = await page.getByRole('banner').boundingBox();
  expect(heading?.y).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0));
});
