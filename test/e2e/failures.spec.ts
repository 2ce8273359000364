import type { Page, Request } from '@playwright/test';
import {
  answerOnce,
  courseTrigger,
  dialogCalled,
  emailOf,
  errorBody,
  expectFirstCourseTyped,
  internal,
  openFirstCourse,
  requestId,
  requestIdOf,
  requestsTo,
  submitFirstCourse,
} from './failures.ts';
import { askApi, expect, logInAs, test } from './support.ts';

/** Answers that the worker cannot be made to give, one per row of the error dialog's table. */
const answers = [
  {
    status: 429,
    title: 'Too Many Requests',
    text: 'You’ve made too many requests. Please wait a moment and try again.',
    action: 'Try Again',
  },
  {
    status: 500,
    title: 'Server Error',
    text: 'Something went wrong on our side. Please try again in a moment.',
    action: 'Retry',
  },
  ...[502, 503, 504].map((status) => ({
    status,
    title: 'Service Unavailable',
    text: 'Lectern isn’t available right now. Please try again in a moment.',
    action: 'Retry',
  })),
  ...[409, 418].map((status) => ({
    status,
    title: 'Request Failed',
    text: internal,
    action: 'Retry',
  })),
];

test.describe('refused by a status', () => {
  // The browser's own messages about these answers.
  test.use({ expectedErrors: [/status of \d{3}/] });

  for (const { status, title, text, action } of answers) {
    test(`${status} is called “${title}”, and “${action}” sends the same request once more`, async ({
      page,
    }) => {
      await openFirstCourse(page);
      const requests = requestsTo(page, '/api/courses/');
      await answerOnce(page, '**/api/courses/', status);
      await submitFirstCourse(page);

      const dialog = dialogCalled(page, title);
      await expect(dialog).toContainText(`${text} What you typed is still here.`);
      const isTheirs = status === 429;
      await expect(dialog.getByText(requestId)).toHaveCount(isTheirs ? 0 : 1);
      const buttons = ['Close', action];
      await expect(dialog.getByRole('button')).toHaveText(
        isTheirs ? buttons : ['Copy', ...buttons],
      );
      await expectFirstCourseTyped(page);
      expect(requests).toHaveLength(1);
      await dialog.getByRole('button', { name: action }).click();

      await expect(page).toHaveURL('/');
      await expect(courseTrigger(page)).toHaveAccessibleName(/Biology 101/);
      expect(requests).toHaveLength(2);
      expect(requests.map(contentOf)).toEqual(Array(2).fill(contentOf(requests[0])));
    });
  }

  test('422 is called “Validation Error”, with all messages joined by commas', async ({ page }) => {
    await openFirstCourse(page);
    await answerOnce(page, '**/api/courses/', 422, ['The name is taken', 'The type is closed']);
    await submitFirstCourse(page);

    const dialog = dialogCalled(page, 'Validation Error');
    await expect(dialog.getByText('The name is taken, The type is closed')).toBeVisible();
    await expect(dialog.getByText(requestId)).toBeVisible();
    await expect(dialog.getByRole('button')).toHaveText(['Copy', 'Close']);
    await expectFirstCourseTyped(page);
  });

  test('an answer that is not from our API gets the row of its status, and no reference', async ({
    page,
  }) => {
    await openFirstCourse(page);
    await page.route('**/api/courses/', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    );
    await submitFirstCourse(page);

    const dialog = dialogCalled(page, 'Service Unavailable');
    await expect(dialog).toBeVisible();
    await expect(dialog).not.toContainText('Bad gateway');
    await expect(dialog).not.toContainText('Reference');
  });

  test('429 says when to try again, and “Try Again” waits until then', async ({ page }) => {
    await page.clock.install();
    await openFirstCourse(page);
    await page.route(
      '**/api/courses/',
      (route) =>
        route.fulfill({ status: 429, headers: { 'Retry-After': '120' }, json: errorBody() }),
      { times: 1 },
    );
    await submitFirstCourse(page);
    const dialog = dialogCalled(page, 'Too Many Requests');
    const tryAgain = dialog.getByRole('button', { name: 'Try Again' });
    await expect(dialog).toContainText('You can try again in 2\u00a0minutes.');
    await expect(tryAgain).toBeDisabled();
    await page.clock.runFor(90_000);
    await expect(dialog).toContainText(/You can try again in (29|30)\sseconds\./);
    await page.clock.runFor(31_000);
    await expect(dialog).toContainText('You can try again now.');
    await tryAgain.click();

    await expect(page).toHaveURL('/');
  });

  test('the reference can be copied', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openFirstCourse(page);
    await answerOnce(page, '**/api/courses/', 500);
    await submitFirstCourse(page);
    const dialog = dialogCalled(page, 'Server Error');
    await dialog.getByRole('button', { name: 'Copy' }).click();

    await expect(dialog.getByRole('status')).toHaveText('Copied');
    expect(await page.evaluate(() => window.navigator.clipboard.readText())).toBe(requestId);
  });

  test('a second failure opens the dialog again, any number of times', async ({ page }) => {
    await openFirstCourse(page);
    const requests = requestsTo(page, '/api/courses/');
    const statuses = [500, 503];
    await page.route(
      '**/api/courses/',
      (route) => route.fulfill({ status: statuses.shift() ?? 500, json: errorBody() }),
      { times: 2 },
    );
    await submitFirstCourse(page);
    await dialogCalled(page, 'Server Error').getByRole('button', { name: 'Retry' }).click();
    await dialogCalled(page, 'Service Unavailable').getByRole('button', { name: 'Retry' }).click();

    await expect(page).toHaveURL('/');
    expect(requests).toHaveLength(3);
  });
});

test.describe('a request that is mangled on its way', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('is called “Bad Request”, with the server’s message and reference', async ({ page }) => {
    await openFirstCourse(page);
    await page.route('**/api/courses/', (route) => route.continue({ postData: '{"name":' }));
    const answer = page.waitForResponse('**/api/courses/');
    await submitFirstCourse(page);

    const dialog = dialogCalled(page, 'Bad Request');
    await expect(dialog.getByText('Please check your input and try again.')).toBeVisible();
    await expect(dialog.getByText('Invalid input. Please check your information.')).toBeVisible();
    await expect(dialog.getByText(await requestIdOf(await answer))).toBeVisible();
    await expect(dialog.getByRole('button')).toHaveText(['Copy', 'Close']);
    await expectFirstCourseTyped(page);
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
    await endSessionsFromElsewhere(page, await openBrowser());
    await submitFirstCourse(page);

    const dialog = dialogCalled(page, 'Authentication Required');
    await expect(dialog).toContainText('Your session has expired. Please log in to continue.');
    await expect(dialog).not.toContainText('Reference');
    await expect(dialog.getByRole('button')).toHaveText(['Close']);
    await expectFirstCourseTyped(page);
    expect(logged).toContainEqual(expect.stringMatching(/^Unauthorized access/));
    await dialog.getByRole('link', { name: 'Go to Login', exact: true }).click();

    await expect(page).toHaveURL('/login?next=/onboarding/course&reason=expired');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByLabel('Email address').fill('ada@example.com');
  });
});

test.describe('a browser that does not let scripts read cookies', () => {
  test.use({ expectedErrors: [/status of 403/] });

  test('is refused with “Access Denied”', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} });
    });
    await openFirstCourse(page);
    await submitFirstCourse(page);

    const dialog = dialogCalled(page, 'Access Denied');
    await expect(dialog.getByText('You don’t have permission to do this.')).toBeVisible();
    await expect(
      dialog.getByText('We couldn’t verify that this request came from you.'),
    ).toBeVisible();
    await expect(dialog.getByRole('button')).toHaveText(['Copy', 'Close']);
    await expectFirstCourseTyped(page);
  });
});

for (const [thrown, title] of [
  ['an error', 'Error'],
  ['a text', 'Unknown Error'],
] as const) {
  test(`a request that ends in ${thrown} is called “${title}”`, async ({ page }) => {
    await page.addInitScript((kind) => {
      const { fetch } = window;
      window.fetch = async (input, init) => {
        if (init?.method === 'POST') {
          throw kind === 'an error'
            ? new Error('Broken by an extension')
            : 'Broken by an extension';
        }
        return fetch(input, init);
      };
    }, thrown);
    await openFirstCourse(page);
    await submitFirstCourse(page);

    const dialog = dialogCalled(page, title);
    await expect(dialog.getByText(internal)).toBeVisible();
    await expect(dialog).not.toContainText('extension');
    await expect(dialog.getByRole('button')).toHaveText(['Close']);
    await expectFirstCourseTyped(page);
  });
}

test.describe('in French', () => {
  test.use({
    locale: 'fr-FR',
    expectedErrors: [/status of \d{3}|ERR_FAILED|^Unauthorized access/],
  });

  test('each row of the table has its French title', async ({ page }) => {
    const rows = [
      [400, 'Demande non valide', null],
      [401, 'Authentification requise', 'Se connecter'],
      [403, 'Accès refusé', null],
      [404, 'Introuvable', null],
      [409, 'La demande a échoué', 'Réessayer'],
      [418, 'La demande a échoué', 'Réessayer'],
      [422, 'Erreur de validation', null],
      [429, 'Trop de demandes', 'Réessayer'],
      [500, 'Erreur serveur', 'Réessayer'],
      [502, 'Service indisponible', 'Réessayer'],
      [503, 'Service indisponible', 'Réessayer'],
      [504, 'Service indisponible', 'Réessayer'],
      ['nothing', 'Erreur réseau', 'Réessayer'],
      ['an error', 'Erreur', null],
      ['a text', 'Erreur inconnue', null],
    ] as const;
    await page.addInitScript(() => {
      const { fetch } = window;
      window.fetch = async (input, init) => {
        const { thrown } = document.documentElement.dataset;
        if (init?.method === 'POST' && thrown !== undefined) {
          throw thrown === 'an error' ? new Error() : thrown;
        }
        return fetch(input, init);
      };
    });
    let answer: (typeof rows)[number][0] = 400;
    await page.route('**/api/courses/', (route) =>
      typeof answer === 'number'
        ? route.fulfill({ status: answer, json: errorBody() })
        : route.abort(),
    );
    await openFirstCourse(page);
    await page.getByLabel('Nom du cours').fill('Biologie');
    await page.getByRole('radio', { name: /^Cohorte/ }).check();

    for (const [nextAnswer, title, action] of rows) {
      answer = nextAnswer;
      if (answer === 'an error' || answer === 'a text') {
        await page.locator('html').evaluate((html, thrown) => {
          html.dataset['thrown'] = thrown;
        }, answer);
      }
      await page.getByRole('button', { name: 'Créer le cours' }).click();
      const dialog = dialogCalled(page, title);
      await expect(dialog.locator('.dialog-foot > *')).toHaveText(
        ['Fermer', action].filter((label) => label !== null),
      );
      await dialog.getByRole('button', { name: 'Fermer' }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByLabel('Nom du cours')).toHaveValue('Biologie');
    }
  });
});

/** The request's body and its idempotency key. */
function contentOf(request: Request | undefined): unknown {
  const { 'idempotency-key': key } = request?.headers() ?? {};
  return { method: request?.method(), key, body: request?.postData() };
}

async function endSessionsFromElsewhere(page: Page, other: Page): Promise<void> {
  await logInAs(other, await emailOf(page), 2);
  await askApi(other, 'DELETE', '/api/accounts/auth/sessions/others/');
}
