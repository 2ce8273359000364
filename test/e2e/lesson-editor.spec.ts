import type { Locator, Page } from '@playwright/test';
import { makeLesson, saveElsewhere, storedText } from './lessons.ts';
import { biology } from './settings.ts';
import { expect, openReady, signInWith, test } from './support.ts';

// Without a connection, or with one that refuses, requests fail in the console.
test.use({
  expectedErrors: [/ERR_INTERNET_DISCONNECTED|status of (401|403|409|50\d)|^Unauthorized access/],
});

test('what was typed is there again after the tab was killed, three seconds later', async ({
  page,
  context,
}) => {
  const { id } = await openLesson(page, 'It was a dark night.');
  await typeAtEnd(page, ' A dog barked.');
  await expect(line(page)).toHaveText('Saving…');
  await expect(line(page)).toContainText('Saved', { timeout: 5_000 });
  await page.close({ runBeforeUnload: false });

  const again = await context.newPage();
  await openReady(again, `/lessons/${id}`);
  await expect(text(again)).toHaveText('It was a dark night. A dog barked.');
  await expect(again.locator('.kept-text')).toBeHidden();
});

test('a text that was typed without a connection is offered when the lesson is opened again', async ({
  page,
  context,
}) => {
  const { id } = await openLesson(page, 'It was a dark night.');
  await context.setOffline(true);
  await typeAtEnd(page, ' A dog barked.');
  await expect(line(page)).toContainText('Not saved: offline. Your text is kept in this browser.');
  await page.close({ runBeforeUnload: false });
  await context.setOffline(false);

  const again = await context.newPage();
  await openReady(again, `/lessons/${id}`);
  await expect(text(again)).toHaveText('It was a dark night.');
  await expect(again.getByText(/^This browser has a newer text \(.+, 8 words\)\.$/)).toBeVisible();
  await again.getByRole('button', { name: 'Use it' }).click();
  await expect(text(again)).toHaveText('It was a dark night. A dog barked.');
  await expect(line(again)).toContainText('Saved');
  expect(await storedText(again, id)).toBe('It was a dark night. A dog barked.');
  await text(again).press('Control+z');
  await expect(text(again)).toHaveText('It was a dark night.');
  await expect(line(again)).toHaveText('Saving…');
  await expect(line(again)).toContainText('Saved');

  await again.reload();
  await expect(again.locator('.kept-text')).toBeHidden();
});

test('saving continues by itself when the connection is back, and never moves the cursor', async ({
  page,
  context,
}) => {
  const { id } = await openLesson(page, 'It was a dark night.');
  await text(page).press('Home');
  await context.setOffline(true);
  await page.keyboard.type('Once, ');
  await expect(line(page)).toContainText('Not saved: offline');
  await context.setOffline(false);
  await expect(line(page)).toContainText('Saved');
  await page.keyboard.type('long ago, ');
  await page.keyboard.press('Control+s');
  await expect(line(page)).toContainText('Saved');

  expect(await storedText(page, id)).toBe('Once, long ago, It was a dark night.');
});

test('a server that fails between two saves loses nothing', async ({ page }) => {
  const { id } = await openLesson(page, 'One.');
  const fail = (status: number) =>
    page.route('**/draft/', (route) => route.fulfill({ status, json: {} }), { times: 1 });
  await fail(500);
  await typeAtEnd(page, ' Two.');
  await expect(line(page)).toContainText('Not saved yet');
  await fail(503);
  await page.getByRole('button', { name: 'Try again' }).click();
  await typeAtEnd(page, ' Three.');
  await expect(line(page)).toContainText('Not saved yet');
  await page.keyboard.press('Control+s');
  await expect(line(page)).toContainText('Saved');

  expect(await storedText(page, id)).toBe('One. Two. Three.');
});

test('after the session has ended, saving continues once its user has logged in again', async ({
  page,
  context,
}) => {
  const { id } = await openLesson(page, 'One.');
  const [session] = (await context.cookies()).filter(({ name }) => name === 'session');
  await context.clearCookies({ name: 'session' });
  await typeAtEnd(page, ' Two.');
  const dialog = page.getByRole('dialog', { name: 'Authentication Required' });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(line(page)).toContainText('Your text is kept in this browser.');
  await typeAtEnd(page, ' Three.');

  await context.addCookies(session ? [session] : []);
  const other = await context.newPage();
  await openReady(other, '/');
  await expect(line(page)).toContainText('Saved');
  expect(await storedText(page, id)).toBe('One. Two. Three.');
});

test.describe('two tabs', () => {
  test('the author keeps their text; the other one is in the versions', async ({ page }) => {
    const lesson = await openLesson(page, 'One.');
    await saveElsewhere(page, lesson, 'Other.');
    await typeAtEnd(page, ' Two.');
    const dialog = page.getByRole('dialog', { name: 'This lesson was changed in another tab' });
    await expect(dialog).toContainText('One. Two.');
    await expect(dialog.getByRole('button', { name: 'Keep mine' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(line(page)).toContainText('Not saved: changed in another tab');
    await typeAtEnd(page, ' Three.');
    await page.getByRole('button', { name: 'Compare' }).click();
    await dialog.getByRole('button', { name: 'Keep mine' }).click();

    await expect(line(page)).toContainText('Saved');
    expect(await storedText(page, lesson.id)).toBe('One. Two. Three.');
  });

  test('the author takes the other text, can undo that, and finds theirs in the versions', async ({
    page,
  }) => {
    const lesson = await openLesson(page, 'One.');
    await saveElsewhere(page, lesson, 'Other.');
    await typeAtEnd(page, ' Two.');
    const dialog = page.getByRole('dialog', { name: 'This lesson was changed in another tab' });
    await dialog.getByRole('button', { name: 'Use the other one' }).click();
    await expect(text(page)).toHaveText('Other.');
    await expect(line(page)).toContainText('Saved');
    await text(page).press('Control+z');
    await expect(text(page)).toHaveText('One. Two.');
    await text(page).press('Control+Shift+z');

    await page.goto(`/lessons/${lesson.id}/versions`);
    await page.getByRole('link', { name: /^Kept from another tab/ }).click();
    await expect(page.locator('.version .reading')).toHaveText('One. Two.');
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await page.waitForURL(`/lessons/${lesson.id}`);
    await expect(text(page)).toHaveText('One. Two.');
  });
});

test('a lesson is written, published, changed and published again', async ({ page }) => {
  await signInWith(page, [biology]);
  const { id } = await makeLesson(page, 'Untitled');
  await openReady(page, `/lessons/${id}`);
  const publish = page.getByRole('button', { name: /^Publish/ });
  await expect(publish).toBeDisabled();
  await expect(publish).toHaveAccessibleDescription('Write something first');
  await page.getByLabel('Title', { exact: true }).fill('The kitchen');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Two people.');
  // Saves first.
  await publish.click();
  await expect(page.getByText('Lesson published.')).toBeVisible();
  await expect(publish).toBeDisabled();
  await expect(page.locator('.lesson-chip')).toHaveCount(0);

  await typeAtEnd(page, ' One kitchen.');
  await expect(page.getByText('Unpublished changes').first()).toBeVisible();
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await expect(page.locator('.lesson-chip')).toHaveCount(0);
  await expect(publish).toBeDisabled();
  expect(await storedText(page, id)).toBe('Two people. One kitchen.');
});

test('logging out asks before it deletes a text that only this browser has', async ({
  page,
  context,
}) => {
  const { id } = await openLesson(page, 'One.');
  await context.setOffline(true);
  await typeAtEnd(page, ' Two.');
  await expect(line(page)).toContainText('Not saved: offline');
  await page.close({ runBeforeUnload: false });
  await context.setOffline(false);

  const again = await context.newPage();
  await openReady(again, '/settings');
  const logOut = async () => {
    await again.getByRole('button', { name: /^Your account/ }).click();
    await again.getByRole('button', { name: 'Log out' }).click();
  };
  const kept = () => again.evaluate(() => Object.keys(localStorage).join());
  await logOut();
  const dialog = again.getByRole('dialog', { name: 'Log out and delete your text?' });
  await dialog.getByRole('button', { name: 'Stay' }).click();
  expect(await kept()).toContain(id);
  await logOut();
  await dialog.getByRole('button', { name: 'Log out and delete it' }).click();
  await again.waitForURL('/login');
  expect(await kept()).not.toContain(id);
});

/** A lesson of a new author, in the editor. */
async function openLesson(page: Page, ...paragraphs: string[]) {
  await signInWith(page, [biology]);
  const lesson = await makeLesson(page, 'The kitchen', ...paragraphs);
  await openReady(page, `/lessons/${lesson.id}`);
  await expect(text(page)).toBeVisible();
  return lesson;
}

function text(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Text of the lesson' });
}

/** What says whether it is saved. */
function line(page: Page): Locator {
  return page.locator('.save-line');
}

async function typeAtEnd(page: Page, typed: string): Promise<void> {
  await text(page).press('Control+End');
  await page.keyboard.type(typed);
}
