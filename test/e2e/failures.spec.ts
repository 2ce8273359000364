import type { Page, Request } from '@playwright/test';
import { triggerOf } from './courses.ts';
import { answerOnce, dialogCalled, internal, requestId, requestsTo } from './failures.ts';
import { placeOf, title } from './navigation.ts';
import { biology, toAccount } from './settings.ts';
import { expect, openReady, signInWith, test } from './support.ts';

const courses = '**/api/courses/';

test.describe('a request that fails', () => {
  // The browser's own messages about these answers.
  test.use({ expectedErrors: [/status of \d{3}/] });

  test('is said in a modal dialog with the button that helps: Retry sends the same once more, “Try Again” waits until it may', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.clock.install();
    await signInWith(page, []);
    await page.goto('/onboarding/course');
    await page.getByLabel('Course name').fill(biology.name);
    await page.getByRole('radio', { name: /^Cohort/ }).check();
    const create = page.getByRole('button', { name: 'Create Course' });
    for (const [status, called, text, buttons] of [
      // The server's own words.
      [403, 'Access Denied', internal, ['Close']],
      [422, 'Validation Error', 'The name is taken, The type is closed', ['Close']],
      [409, 'Request Failed', internal, ['Close', 'Retry']],
    ] as const) {
      const errors = ['The name is taken', 'The type is closed'];
      await answerOnce(page, courses, { status, ...(status === 422 && { errors }) });
      await create.click();
      const dialog = dialogCalled(page, called);
      await expect(dialog).toContainText(text);
      await expect(dialog).toContainText('What you typed is still here.');
      await expect(dialog.getByRole('button')).toHaveText(['Copy', ...buttons]);
      await expect(dialog.getByText(requestId)).toBeVisible();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByLabel('Course name')).toHaveValue(biology.name);
      await expect(page.getByRole('radio', { name: /^Cohort/ })).toBeChecked();
    }

    const requests = requestsTo(page, '/api/courses/');
    await answerOnce(page, courses, { status: 500 });
    await create.click();
    const dialog = dialogCalled(page, 'Server Error');
    const retry = dialog.getByRole('button', { name: 'Retry' });
    await expect(retry).toBeFocused();
    // One full cycle: the browser's own controls may come in between.
    for (let presses = 0; presses < 4; presses += 1) {
      await page.keyboard.press('Tab');
      await expect(page.locator('main :focus:not(dialog *)')).toHaveCount(0);
    }
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await expect(dialog.getByRole('status')).toHaveText('Copied');
    expect(await page.evaluate(() => window.navigator.clipboard.readText())).toBe(requestId);
    await answerOnce(page, courses, { status: 429, headers: { 'Retry-After': '120' } });
    await retry.click();
    const full = dialogCalled(page, 'Too Many Requests');
    const tryAgain = full.getByRole('button', { name: 'Try Again' });
    await expect(full).toContainText('You can try again in 2\u00a0minutes.');
    await expect(tryAgain).toBeDisabled();
    await expect(full.getByRole('button', { name: 'Close' })).toBeFocused();
    await page.clock.runFor(90_000);
    await expect(full).toContainText(/You can try again in (29|30)\sseconds\./);
    await page.clock.runFor(31_000);
    await expect(full).toContainText('You can try again now.');
    await tryAgain.click();

    await expect(page).toHaveURL('/');
    await expect(triggerOf(page)).toHaveAccessibleName(/Biology 101/);
    expect(requests.map(contentOf)).toEqual(Array(3).fill(contentOf(requests[0])));
  });
});

test.describe('without a connection', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED/] });

  test('links leave page, address and history as they are, forms what was typed, and Back shows the page as it was left; Retry goes on', async ({
    page,
    context,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/settings');
    const dialog = dialogCalled(page, 'Network Error');
    const retry = dialog.getByRole('button', { name: 'Retry' });
    await page.getByLabel('New email address').fill('augusta@example.com');
    const before = await historyOf(page);
    await context.setOffline(true);
    await placeOf(page, 'Cohorts').click();
    await expect(dialog).toContainText('What you typed is still here.');
    await expect(page).toHaveURL('/settings');
    expect(await historyOf(page)).toEqual(before);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(page.locator('[aria-current="page"]')).toHaveText('Settings');
    await expect(page.getByLabel('New email address')).toHaveValue('augusta@example.com');

    const name = page.getByLabel('First name');
    const changes = requestsTo(page, `/api/accounts/${(await toAccount(page)).id}/`);
    await name.fill('Augusta');
    await name.press('Enter');
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(name).toBeFocused();
    await expect(name).toHaveValue('Augusta');
    await name.press('Enter');
    await expect(dialog).toBeVisible();
    await context.setOffline(false);
    await page.route('**/RSC/**', (route) => route.abort(), { times: 1 });
    const sent = changes.length;
    await retry.click();
    await expect.poll(() => changes.length).toBe(sent + 1);
    // It is saved: only the page is read again.
    await retry.click();
    await expect(page.getByRole('button', { name: /^Your account.*Augusta/ })).toBeVisible();
    expect(changes).toHaveLength(sent + 1);

    await context.setOffline(true);
    await placeOf(page, 'Cohorts').click();
    await expect(dialog).toBeVisible();
    await context.setOffline(false);
    await retry.click();
    await expect(title(page)).toHaveText('Cohorts');
    await expect(page).toHaveURL('/cohorts');
    await context.setOffline(true);
    await page.goBack();
    await expect(title(page)).toHaveText('Settings');
    await expect(dialog).toBeVisible();
    await context.setOffline(false);
    const fetched = page.waitForResponse('**/RSC/R/settings.txt*');
    await retry.click();
    await fetched;
    await expect(dialog).toBeHidden();
  });
});

function historyOf(page: Page) {
  return page.evaluate(() => ({
    length: window.history.length,
    keys: window.navigation?.entries().map(({ key }) => key),
    current: window.navigation?.currentEntry?.key,
  }));
}

/** The request's body and its idempotency key. */
function contentOf(request: Request | undefined): unknown {
  const { 'idempotency-key': key } = request?.headers() ?? {};
  return { method: request?.method(), key, body: request?.postData() };
}
