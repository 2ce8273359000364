import type { Page, Request } from '@playwright/test';
import { biology, triggerOf } from './courses.ts';
import {
  answerOnce,
  dialogCalled,
  emailOf,
  errorBody,
  expectFirstCourseTyped,
  internal,
  openFirstCourse,
  requestId,
  requestsTo,
  submitFirstCourse,
} from './failures.ts';
import { toAccount } from './settings.ts';
import { askApi, expect, logInAs, openReady, signInWith, test } from './support.ts';

const unavailable = 'Service Unavailable';

/** How a request ends, and the title, the text and the button of the dialog that it leads to. */
const rows = [
  [400, 'Bad Request', 'Please check your input and try again.', null],
  [403, 'Access Denied', 'You don’t have permission to do this.', null],
  [404, 'Not Found', 'We couldn’t find that.', null],
  [422, 'Validation Error', 'The name is taken, The type is closed', null],
  [429, 'Too Many Requests', 'You’ve made too many requests.', 'Try Again'],
  [500, 'Server Error', 'Something went wrong on our side.', 'Retry'],
  [503, unavailable, 'Lectern isn’t available right now.', 'Retry'],
  [409, 'Request Failed', internal, 'Retry'],
  ['a page', unavailable, 'Lectern isn’t available right now.', 'Retry'],
  ['nothing', 'Network Error', 'Please check your connection.', 'Retry'],
  ['an error', 'Error', internal, null],
  ['a text', 'Unknown Error', internal, null],
] as const;

type Ending = (typeof rows)[number][0];

/** Returns a function that sets how the next requests of the form for a first course end. */
async function chooseEndings(page: Page): Promise<(ending: Ending) => Promise<void>> {
  await page.addInitScript(() => {
    const { fetch } = window;
    window.fetch = async (input, init) => {
      const { thrown } = document.documentElement.dataset;
      if (init?.method === 'POST' && thrown !== undefined) {
        throw thrown === 'an error' ? new Error('Broken by an extension') : thrown;
      }
      return fetch(input, init);
    };
  });
  let next: Ending = 500;
  await page.route('**/api/courses/', async (route) => {
    if (next === 'nothing') {
      await route.abort();
    } else if (typeof next === 'number') {
      const errors = next === 422 ? ['The name is taken', 'The type is closed'] : undefined;
      await route.fulfill({ status: next, json: errorBody(errors) });
    } else {
      await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
    }
  });
  return async (ending) => {
    next = ending;
    if (ending === 'an error' || ending === 'a text') {
      await page.locator('html').evaluate((html, thrown) => {
        html.dataset['thrown'] = thrown;
      }, ending);
    }
  };
}

test.describe('a request that fails', () => {
  // The browser's own messages about these answers.
  test.use({ expectedErrors: [/status of \d{3}|ERR_FAILED/] });

  test('each failure has its title, has the button that helps, and leaves what was typed', async ({
    page,
  }) => {
    const endIn = await chooseEndings(page);
    await openFirstCourse(page);
    for (const [ending, title, text, action] of rows) {
      await endIn(ending);
      await submitFirstCourse(page);
      const dialog = dialogCalled(page, title);
      await expect(dialog, `${ending}`).toBeVisible();
      await expect(dialog).toContainText(text);
      await expect(dialog).toContainText('What you typed is still here.');
      await expect(dialog).not.toContainText(/gateway|extension/);
      await expect(dialog.locator('.dialog-foot > *')).toHaveText(
        action === null ? ['Close'] : ['Close', action],
      );
      const hasReference = typeof ending === 'number' && ending !== 429;
      await expect(dialog.getByText(requestId)).toHaveCount(hasReference ? 1 : 0);
      if ([400, 403, 404, 409].some((status) => status === ending)) {
        // The server's own words.
        await expect(dialog.locator('.dialog-body')).toContainText(internal);
      }
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect(dialog).toBeHidden();
      await expectFirstCourseTyped(page);
    }
  });
});

test.describe('the error dialog', () => {
  test.use({ expectedErrors: [/status of \d{3}/] });

  test('is modal, copies the reference, and Retry sends the same request again, any number of times', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openFirstCourse(page);
    const requests = requestsTo(page, '/api/courses/');
    const statuses = [500, 503];
    await page.route(
      '**/api/courses/',
      (route) => route.fulfill({ status: statuses.shift() ?? 500, json: errorBody() }),
      { times: 2 },
    );
    await submitFirstCourse(page);
    const dialog = dialogCalled(page, 'Server Error');
    await expect(dialog.getByRole('button', { name: 'Retry' })).toBeFocused();
    // One full cycle: the browser's own controls may come in between.
    for (let presses = 0; presses < 4; presses += 1) {
      await page.keyboard.press('Tab');
      await expect(page.locator('main :focus:not(dialog *)')).toHaveCount(0);
    }
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await expect(dialog.getByRole('status')).toHaveText('Copied');
    expect(await page.evaluate(() => window.navigator.clipboard.readText())).toBe(requestId);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await dialogCalled(page, 'Service Unavailable').getByRole('button', { name: 'Retry' }).click();

    await expect(page).toHaveURL('/');
    await expect(triggerOf(page)).toHaveAccessibleName(/Biology 101/);
    expect(requests.map(contentOf)).toEqual(Array(3).fill(contentOf(requests[0])));
  });

  test('says for 429 when to try again, and “Try Again” waits until then', async ({ page }) => {
    await page.clock.install();
    await openFirstCourse(page);
    const headers = { 'Retry-After': '120' };
    await page.route(
      '**/api/courses/',
      (route) => route.fulfill({ status: 429, headers, json: errorBody() }),
      { times: 1 },
    );
    await submitFirstCourse(page);
    const dialog = dialogCalled(page, 'Too Many Requests');
    const tryAgain = dialog.getByRole('button', { name: 'Try Again' });
    await expect(dialog).toContainText('You can try again in 2\u00a0minutes.');
    await expect(tryAgain).toBeDisabled();
    await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
    await page.clock.runFor(90_000);
    await expect(dialog).toContainText(/You can try again in (29|30)\sseconds\./);
    await page.clock.runFor(31_000);
    await expect(dialog).toContainText('You can try again now.');
    await tryAgain.click();

    await expect(page).toHaveURL('/');
  });

  test('opens for logging out too: Escape gives the focus back, and Retry logs out', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const dialog = dialogCalled(page, 'Server Error');
    const trigger = page.getByRole('button', { name: /^Your account\b.*Ada Lovelace/ });
    await answerOnce(page, '**/auth/logout/', 500);
    await trigger.click();
    await page.locator('#user-menu').getByRole('button', { name: 'Log out' }).click();
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(trigger).toBeFocused();

    await answerOnce(page, '**/auth/logout/', 500);
    await page.getByRole('main').getByRole('button', { name: 'Log out' }).click();
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(page).toHaveURL('/login');
  });
});

test.describe('settings', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED/] });

  test('that could not be saved keep the focus and are saved by Retry; then only the page is read again', async ({
    page,
    context,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/settings');
    const path = `/api/accounts/${(await toAccount(page)).id}/`;
    const changes = requestsTo(page, path);
    const dialog = dialogCalled(page, 'Network Error');
    await context.setOffline(true);
    await page.getByLabel('First name').fill('Augusta');
    await page.getByLabel('First name').press('Enter');
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByLabel('First name')).toBeFocused();
    await expect(page.getByLabel('First name')).toHaveValue('Augusta');
    await page.getByLabel('First name').press('Enter');
    await expect(dialog).toBeVisible();
    await context.setOffline(false);
    await page.route('**/RSC/**', (route) => route.abort(), { times: 1 });
    const before = changes.length;
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => changes.length).toBe(before + 1);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(
      page.getByRole('button', { name: /^Your account\b.*Augusta Lovelace/ }),
    ).toBeVisible();
    expect(changes).toHaveLength(before + 1);
  });
});

test.describe('a session that was ended elsewhere', () => {
  test.use({ expectedErrors: [/status of 401|^Unauthorized access/] });

  test('is called “Authentication Required”, logged, and leads to /login', async ({
    page,
    openBrowser,
  }) => {
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    await openFirstCourse(page);
    const other = await openBrowser();
    await logInAs(other, await emailOf(page), 2);
    await askApi(other, 'DELETE', '/api/accounts/auth/sessions/others/');
    await submitFirstCourse(page);

    const dialog = dialogCalled(page, 'Authentication Required');
    await expect(dialog).toContainText('Your session has expired. Please log in to continue.');
    await expect(dialog).not.toContainText('Reference');
    await expect(dialog.getByRole('button')).toHaveText(['Close']);
    await expectFirstCourseTyped(page);
    expect(logged).toContainEqual(expect.stringMatching(/^Unauthorized access/));
    await dialog.getByRole('link', { name: 'Go to Login', exact: true }).click();
    await expect(page).toHaveURL('/login?next=/onboarding/course&reason=expired');
  });
});

/** The request's body and its idempotency key. */
function contentOf(request: Request | undefined): unknown {
  const { 'idempotency-key': key } = request?.headers() ?? {};
  return { method: request?.method(), key, body: request?.postData() };
}
