import type { BrowserContext, Page } from '@playwright/test';
import {
  makeLesson,
  openEditor,
  savedLesson,
  saveElsewhere,
  saveLine,
  storedText,
  textOf,
} from './lessons.ts';
import { biology } from './settings.ts';
import { expect, openReady, signInWith, test, untilDrawn } from './support.ts';

// Without a connection, or with one that refuses, requests fail in the console.
test.use({
  expectedErrors: [
    /ERR_INTERNET_DISCONNECTED|status of (400|401|403|409|50\d)|^Unauthorized access/,
  ],
});

test('a lesson is written and published; what is typed then is there after the tab was killed, and is published, previewed and duplicated', async ({
  page,
  context,
}) => {
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
  await expect(saveLine(page)).toHaveText('Saving…');
  await expect(saveLine(page)).toContainText('Saved');
  await page.close({ runBeforeUnload: false });
  const again = await context.newPage();
  await openReady(again, `/lessons/${id}`);
  await expect(textOf(again)).toHaveText('Two people. One kitchen.');
  await expect(again.locator('.kept-text')).toBeHidden();
  await expect(again.getByText('Unpublished changes').first()).toBeVisible();
  await again.getByRole('button', { name: 'Publish changes' }).click();
  await expect(again.locator('.lesson-chip')).toHaveCount(0);
  // A preview shows what is typed, not only what is saved.
  await typeAtEnd(again, ' The end.');
  await again.getByRole('link', { name: 'Preview' }).click();
  await again.waitForURL(`/lessons/preview/${id}?drafts=1`);
  await expect(again.locator('.reading')).toHaveText('Two people. One kitchen. The end.');

  // So has a copy.
  await openReady(again, `/lessons/${id}`);
  await typeAtEnd(again, ' Again.');
  await again.locator('.writing-bar [popovertarget="lesson-menu"]').click();
  await again.getByRole('button', { name: 'Duplicate' }).click();
  await expect(again.getByText('This is the copy, a draft.')).toBeVisible();
  await expect(textOf(again)).toHaveText('Two people. One kitchen. The end. Again.');
  expect(again.url()).not.toContain(id);
});

test('a text that was typed without a connection is offered when the lesson is opened again, and logging out asks before it deletes one', async ({
  page,
  context,
}) => {
  const { id } = await openEditor(page, 'It was a dark night.');
  const again = await typeOffline(page, context, ' A dog barked.');
  await openReady(again, `/lessons/${id}`);
  await expect(textOf(again)).toHaveText('It was a dark night.');
  await expect(again.getByText(/^This browser has a newer text \(.+, 8 words\)\.$/)).toBeVisible();
  await again.getByRole('button', { name: 'Use it' }).click();
  await expect(textOf(again)).toHaveText('It was a dark night. A dog barked.');
  await expect(saveLine(again)).toContainText('Saved');
  expect(await storedText(again, id)).toBe('It was a dark night. A dog barked.');
  await textOf(again).press('Control+z');
  await expect(textOf(again)).toHaveText('It was a dark night.');
  await again.keyboard.press('Control+s');
  await expect(saveLine(again)).toContainText('Saved');

  // The second text that is kept is not wanted.
  const discarding = await typeOffline(again, context, ' A bird.');
  await openReady(discarding, `/lessons/${id}`);
  await discarding.getByRole('button', { name: 'Discard' }).click();
  await expect(discarding.locator('.kept-text')).toBeHidden();
  await discarding.reload();
  await expect(textOf(discarding)).toHaveText('It was a dark night.');
  await expect(discarding.locator('.kept-text')).toBeHidden();

  const third = await typeOffline(discarding, context, ' A cat.');
  await openReady(third, '/settings');
  const logOut = async () => {
    await third.getByRole('button', { name: /^Your account/ }).click();
    await third.getByRole('button', { name: 'Log out' }).click();
  };
  const kept = () => third.evaluate(() => Object.keys(localStorage).join());
  await logOut();
  const dialog = third.getByRole('dialog', { name: 'Log out and delete your text?' });
  await dialog.getByRole('button', { name: 'Stay' }).click();
  expect(await kept()).toContain(id);
  await logOut();
  await dialog.getByRole('button', { name: 'Log out and delete it' }).click();
  await third.waitForURL('/login');
  expect(await kept()).not.toContain(id);
});

test('saving continues after lost connections, failures and another login, and never moves the cursor; of two tabs, an author keeps their text or takes the other one, and finds theirs in the versions', async ({
  page,
  context,
}) => {
  const lesson = await openEditor(page, 'It was a dark night.');
  await textOf(page).press('Home');
  await context.setOffline(true);
  await page.keyboard.type('Once, ');
  await expect(saveLine(page)).toContainText('Not saved: offline');
  await context.setOffline(false);
  await expect(saveLine(page)).toContainText('Saved');
  const fail = (status: number) =>
    page.route('**/draft/', (route) => route.fulfill({ status, json: {} }), { times: 1 });
  await fail(500);
  await page.keyboard.type('long ago, ');
  await expect(saveLine(page)).toContainText('Not saved yet');
  await fail(503);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(saveLine(page)).toContainText('Not saved yet');
  await textOf(page).press('Control+s');
  await expect(saveLine(page)).toContainText('Saved');
  expect(await storedText(page, lesson.id)).toBe('Once, long ago, It was a dark night.');

  const [session] = (await context.cookies()).filter(({ name }) => name === 'session');
  await context.clearCookies({ name: 'session' });
  await typeAtEnd(page, ' Rain.');
  const expired = page.getByRole('dialog', { name: 'Authentication Required' });
  await expired.getByRole('button', { name: 'Close' }).click();
  await expect(saveLine(page)).toContainText('Your text is kept in this browser.');
  await typeAtEnd(page, ' Wind.');
  await context.addCookies(session ? [session] : []);
  await openReady(await context.newPage(), '/');
  await expect(saveLine(page)).toContainText('Saved');
  const own = 'Once, long ago, It was a dark night. Rain. Wind.';
  expect(await storedText(page, lesson.id)).toBe(own);

  const dialog = page.getByRole('dialog', { name: 'This lesson was changed in another tab' });
  await saveElsewhere(page, lesson, 'Other.');
  await typeAtEnd(page, ' Two.');
  await expect(dialog).toContainText(`${own} Two.`);
  await expect(dialog.getByRole('button', { name: 'Keep mine' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(saveLine(page)).toContainText('Not saved: changed in another tab');
  await typeAtEnd(page, ' Three.');
  await page.getByRole('button', { name: 'Compare' }).click();
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await expect(saveLine(page)).toContainText('Saved');
  expect(await storedText(page, lesson.id)).toBe(`${own} Two. Three.`);

  await saveElsewhere(page, lesson, 'Another.');
  await typeAtEnd(page, ' Four.');
  await dialog.getByRole('button', { name: 'Use the other one' }).click();
  await expect(textOf(page)).toHaveText('Another.');
  await expect(saveLine(page)).toContainText('Saved');
  await textOf(page).press('Control+z');
  await expect(textOf(page)).toHaveText(`${own} Two. Three. Four.`);
  await textOf(page).press('Control+Shift+z');

  await page.goto(`/lessons/${lesson.id}/versions`);
  await page
    .getByRole('link', { name: /^Kept from another tab/ })
    .first()
    .click();
  await expect(page.locator('section .reading')).toHaveText(`${own} Two. Three. Four.`);
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await page.waitForURL(`/lessons/${lesson.id}`);
  await expect(textOf(page)).toHaveText(`${own} Two. Three. Four.`);
});

async function typeAtEnd(page: Page, typed: string): Promise<void> {
  // Right after a dialog has closed, Chromium ignores what is typed until the next frame.
  await untilDrawn(page);
  await textOf(page).press('Control+End');
  await page.keyboard.type(typed);
}

/** Types what cannot be saved, and closes the tab; resolves to another one, with a connection. */
async function typeOffline(page: Page, context: BrowserContext, typed: string): Promise<Page> {
  await context.setOffline(true);
  await typeAtEnd(page, typed);
  await expect(saveLine(page)).toContainText(
    'Not saved: offline. Your text is kept in this browser.',
  );
  // A closing tab sends its text once more, and Playwright no longer keeps it offline.
  await page.evaluate(() => {
    window.fetch = () => Promise.reject(new TypeError());
  });
  await page.close({ runBeforeUnload: false });
  await context.setOffline(false);
  return context.newPage();
}

test('long texts in every script are saved; one that is too long says so and where it is kept, also on publishing', async ({
  page,
}) => {
  const { id } = await openEditor(page);
  for (const [letters, count] of [
    ['Ночь ', 9_900],
    ['夜のこと', 12_400],
    ['ليل ', 12_400],
    ['🌙', 24_000],
  ] as const) {
    await textOf(page).press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(letters.repeat(count).trim());
    const { document } = await savedLesson(page, id);
    expect(JSON.stringify(document)).toContain(letters.repeat(count).trim());
  }
  await page.keyboard.insertText('x'.repeat(26_100));
  const why =
    'Not saved: A lesson can have up to 50,000 characters. Your text is kept in this browser.';
  await expect(saveLine(page)).toHaveText(why, { timeout: 15_000 });
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.locator('.toast')).toContainText(why);
});
