import { lookAsOwner } from './people.ts';
import { sidebarBox, sidebarCookieOf, sidebarOf, toggleOf } from './shell.ts';
import { expect, openReady, test, untilReady } from './support.ts';

const open = { x: 0, width: 256 };
const icons = { x: 0, width: 48 };

test('the sidebar is skipped by the first Tab, navigates without loading a document, and collapses for 7 days by its button or its keys', async ({
  page,
}) => {
  await lookAsOwner(page);
  await openReady(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  expect(await sidebarBox(page)).toEqual(open);
  await expect(toggleOf(page)).toHaveAttribute('aria-expanded', 'true');
  expect(await sidebarCookieOf(page)).toBeUndefined();
  const begun = Date.now() / 1000;
  await toggleOf(page).click();
  expect(await sidebarBox(page)).toEqual(icons);
  await expect(toggleOf(page)).toHaveAttribute('aria-expanded', 'false');
  const cookie = await sidebarCookieOf(page);
  expect(cookie).toMatchObject({ value: 'false', path: '/', sameSite: 'Lax' });
  expect((cookie?.expires ?? 0) - begun).toBeGreaterThan(604_800 - 5);
  expect((cookie?.expires ?? 0) - begun).toBeLessThan(604_800 + 60);

  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) {
      documents.push(request.url());
    }
  });
  const places = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link');
  // Its labels are hidden, but still name its links.
  await expect(places).toHaveText(['Home', 'Lessons', 'Cohorts', 'Payments', 'Settings']);
  for (const name of ['Lessons', 'Settings']) {
    await sidebarOf(page).getByRole('link', { name }).click();
    await expect(page).toHaveTitle(`${name} · Lectern`);
    await expect(page.locator('[aria-current="page"]')).toHaveText(name);
    expect(await sidebarBox(page)).toEqual(icons);
  }
  expect(documents).toEqual([]);

  await page.reload();
  await untilReady(page);
  expect(await sidebarBox(page)).toEqual(icons);
  for (const [keys, box] of [
    ['Control+b', open],
    ['Meta+b', icons],
    ['Control+b', open],
    ['b', open],
    ['Alt+b', open],
    ['Control+Alt+b', open],
  ] as const) {
    await page.keyboard.press(keys);
    await expect.poll(() => sidebarBox(page)).toEqual(box);
    // From then on, while typing.
    await page.getByLabel('Course name').first().focus();
  }
  expect(await sidebarCookieOf(page)).toMatchObject({ value: 'true' });
});
