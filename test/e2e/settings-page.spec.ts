import { triggerOf } from './courses.ts';
import { lookAsOwner } from './people.ts';
import { biology, section } from './settings.ts';
import { expect, openReady, signInWith, test } from './support.ts';

const paper = { light: 'rgb(250, 247, 241)', dark: 'rgb(23, 22, 20)' };

test('the settings have links to their sections, of which the clicked one or the one in view is current, and colors that apply at once, on every next page, or follow the system', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await lookAsOwner(page);
  await openReady(page, '/settings#language');
  const links = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
  const current = page.locator('.section-links [aria-current]');
  await expect(current).toHaveText('Language');
  await expect(section(page, 'Language')).toBeInViewport();
  for (const [link, title] of [
    // This one cannot be at the top of the window.
    ['Your account', 'Delete your account'],
    ['Profile', 'Profile'],
  ] as const) {
    await links.filter({ hasText: link }).click();
    await expect(section(page, title)).toBeInViewport();
    await expect(current).toHaveText(link);
  }
  await page.goBack();
  await expect(current).toHaveText('Your account');
  await page.mouse.move(900, 400);
  await page.mouse.wheel(0, 5000);
  await expect(current).toHaveText('Your account');
  await page.mouse.wheel(0, -5000);
  await expect(current).toHaveText('Name and type');

  const html = page.locator('html');
  const body = page.locator('body');
  const choice = (label: string) =>
    section(page, 'Appearance').getByRole('button', { name: label });
  await expect(html).not.toHaveAttribute('data-theme');
  await expect(body).toHaveCSS('background-color', paper.light);
  await choice('Dark').click();
  await expect(choice('Dark')).toHaveAttribute('aria-pressed', 'true');
  await expect(html).toHaveCSS('color-scheme', 'dark');
  await expect(body).toHaveCSS('background-color', paper.dark);
  await page.getByRole('link', { name: 'Cohorts' }).click();
  await expect(page.getByRole('heading', { name: 'Cohorts', level: 1 })).toBeVisible();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.goto('/settings');
  await expect(body).toHaveCSS('background-color', paper.dark);
  await choice('System').click();
  await expect(choice('System')).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  await expect(html).not.toHaveAttribute('data-theme');
  for (const system of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: system });
    await expect(body).toHaveCSS('background-color', paper[system]);
  }
});

test('a course gets its new name and type everywhere at once; the button that saves waits for something to differ, and keeps its place', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  await openReady(page);
  await page.getByRole('link', { name: 'Change the course type' }).click();
  await expect(page).toHaveURL('/settings#course');
  const settings = section(page, 'Name and type');
  await expect(settings).toBeFocused();
  await expect(settings).toBeInViewport();
  const name = settings.getByLabel('Course name');
  const save = settings.getByRole('button', { name: 'Save changes' });
  // The room for the text is always there.
  const expectStatus = (text: string) =>
    expect(settings.getByRole('status')).toHaveText(text, { useInnerText: true });
  await expect(save).toBeDisabled();
  await expect(save).not.toHaveClass(/button-primary/);
  await expectStatus('');
  // Scrolls there.
  await name.focus();
  const before = await save.boundingBox();
  const below = await section(page, 'Profile').boundingBox();
  await name.fill('Biology 102');
  await expect(save).toBeEnabled();
  await expect(save).toHaveClass(/button-primary/);
  await expectStatus('Not saved yet');
  expect(await save.boundingBox()).toEqual(before);
  expect(await section(page, 'Profile').boundingBox()).toEqual(below);
  // Only where something differs.
  await expect(
    section(page, 'Profile').getByRole('button', { name: 'Save changes' }),
  ).toBeDisabled();
  await name.fill('  Biology 101 ');
  await expect(save).toBeDisabled();

  await name.fill('ab');
  await save.click();
  await expect(name).toHaveAccessibleDescription('Course name must be at least 3 characters');
  await expect(name).toHaveValue('ab');
  await expect(name).toBeFocused();
  await name.fill(' Biology 102 ');
  await settings.getByRole('radio', { name: /^Evergreen/ }).check();
  await name.press('Enter');
  await expect(page.getByText('Course saved.')).toBeVisible();
  await expect(save).toBeDisabled();
  await expectStatus('');
  await expect(name).toHaveValue('Biology 102');
  await expect(name).toBeFocused();
  await expect(section(page, 'Course settings').locator('.settings-head')).toHaveText(
    /Biology 102$/,
  );
  await expect(triggerOf(page, 'Biology 102')).toContainText('Evergreen');
  await page.getByRole('link', { name: 'Cohorts' }).click();
  await expect(page.getByText('Not open yet')).toBeVisible();
});
