import type { Locator, Page, Request, Response } from '@playwright/test';
import type { ErrorBody } from '#api/error-body.ts';
import { askApi, expect, logInAs, signInWith, test, uniqueEmail } from './support.ts';

const biology = { name: 'Biology 101', course_type: 'cohort' } as const;
const watercolours = { name: 'Watercolours', course_type: 'evergreen' } as const;

const requestId = '3f1c0b1e-9a7d-4f57-8a51-0d3c7a1f2b4c';
const internal = 'Something went wrong. Please try again.';

/** Answers that the worker cannot be made to give, one for each row of the error dialog's table. */
const answers = [
  {
    status: 429,
    title: 'Too Many Requests',
    text: 'That was a lot in a short time. Please wait a moment.',
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
    text: 'Lectern is not available just now. Please try again in a moment.',
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
  // What the browser says of the answers.
  test.use({ expectedErrors: [/status of \d{3}/] });

  for (const { status, title, text, action } of answers) {
    test(`${status} is called “${title}”, and “${action}” sends the same once more`, async ({
      page,
    }) => {
      await openFirstCourse(page);
      const requests = requestsTo(page, '/api/courses/');
      await answerOnce(page, '**/api/courses/', status);
      await submitFirstCourse(page);

      const dialog = dialogCalled(page, title);
      await expect(dialog.getByText(text, { exact: true }).first()).toBeVisible();
      await expect(dialog.getByText(requestId)).toBeVisible();
      await expect(dialog.getByRole('button')).toHaveText([action, 'Close']);
      await expectFirstCourseTyped(page);
      expect(requests).toHaveLength(1);
      await dialog.getByRole('button', { name: action }).click();

      await expect(page).toHaveURL('/');
      await expect(courseTrigger(page)).toHaveAccessibleName(/Biology 101/);
      expect(requests).toHaveLength(2);
      expect(requests.map(contentOf)).toEqual(Array(2).fill(contentOf(requests[0])));
    });
  }

  test('422 is called “Validation Error”, with all that is wrong joined by commas', async ({
    page,
  }) => {
    await openFirstCourse(page);
    await answerOnce(page, '**/api/courses/', 422, ['The name is taken', 'The type is closed']);
    await submitFirstCourse(page);

    const dialog = dialogCalled(page, 'Validation Error');
    await expect(dialog.getByText('The name is taken, The type is closed')).toBeVisible();
    await expect(dialog.getByText(requestId)).toBeVisible();
    await expect(dialog.getByRole('button')).toHaveText(['Close']);
    await expectFirstCourseTyped(page);
  });

  test('an answer that is not of our API has a row by its status, and no number', async ({
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
    await expect(dialog).not.toContainText('this number');
  });

  test('a second failure opens the dialog again, as often as it takes', async ({ page }) => {
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

  test('is called “Bad Request”, with the words of the server and its number', async ({ page }) => {
    await openFirstCourse(page);
    await page.route('**/api/courses/', (route) => route.continue({ postData: '{"name":' }));
    const answer = page.waitForResponse('**/api/courses/');
    await submitFirstCourse(page);

    const dialog = dialogCalled(page, 'Bad Request');
    await expect(dialog.getByText('Please check your input and try again.')).toBeVisible();
    await expect(dialog.getByText('Invalid input. Please check your information.')).toBeVisible();
    await expect(dialog.getByText(await requestIdOf(await answer))).toBeVisible();
    await expect(dialog.getByRole('button')).toHaveText(['Close']);
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
    await expect(
      dialog.getByText('Your session has expired. Please log in to go on.'),
    ).toBeVisible();
    await expect(dialog.getByRole('button')).toHaveText(['Close']);
    await expectFirstCourseTyped(page);
    expect(logged).toContainEqual(expect.stringMatching(/^Unauthorized access/));
    await dialog.getByRole('link', { name: 'Go to Login', exact: true }).click();

    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByLabel('Email address').fill('ada@example.com');
  });
});

test.describe('a browser that lets no script read its cookies', () => {
  test.use({ expectedErrors: [/status of 403/] });

  test('is refused with “Access Denied”', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} });
    });
    await openFirstCourse(page);
    await submitFirstCourse(page);

    const dialog = dialogCalled(page, 'Access Denied');
    await expect(dialog.getByText('You do not have permission to do this.')).toBeVisible();
    await expect(
      dialog.getByText('We could not be sure that this request came from you.'),
    ).toBeVisible();
    await expect(dialog.getByRole('button')).toHaveText(['Close']);
    await expectFirstCourseTyped(page);
  });
});

test.describe('something that was deleted meanwhile', () => {
  test.use({ expectedErrors: [/status of 404/] });

  test('a course that is gone is “Not Found” when it is selected, and leaves the list', async ({
    page,
  }) => {
    await signInWith(page, [biology, watercolours]);
    await page.goto('/');
    await deleteCourse(page, biology.name);
    const answer = page.waitForResponse('**/select/');
    await selectCourse(page, biology.name);

    const dialog = dialogCalled(page, 'Not Found');
    await expect(
      dialog.getByText('What you asked for is not there. It may have been deleted.'),
    ).toBeVisible();
    await expect(dialog.getByText(await requestIdOf(await answer))).toBeVisible();
    await expect(dialog.getByRole('button')).toHaveText(['Close']);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(courseTrigger(page)).toHaveAccessibleName(/Watercolours/);
    await courseTrigger(page).click();
    await expect(page.getByRole('option')).toHaveText([/^Watercolours/]);
  });

  test('a course that is gone is “Not Found” when it is saved, and what was typed stays', async ({
    page,
  }) => {
    await signInWith(page, [biology, watercolours]);
    await page.goto('/settings');
    await deleteCourse(page, watercolours.name);
    const section = page.getByRole('region', { name: 'Name and type' });
    await section.getByLabel('Course name').fill('Oil on canvas');
    await section.getByRole('button', { name: 'Save' }).click();

    const dialog = dialogCalled(page, 'Not Found');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
    await expect(section.getByLabel('Course name')).toHaveValue('Oil on canvas');
  });

  test('a session that has ended itself is “Not Found” when it is to be ended', async ({
    page,
    openBrowser,
  }) => {
    await signInWith(page, [biology]);
    const other = await openBrowser();
    await logInAs(other, await emailOf(page), 2);
    await page.goto('/settings');
    await askApi(other, 'POST', '/api/accounts/auth/logout/');
    const end = page.getByRole('listitem').getByRole('button', { name: 'Log out' });
    await end.click();

    await expect(dialogCalled(page, 'Not Found')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialogCalled(page, 'Not Found')).toBeHidden();
    await expect(end).toBeFocused();
  });
});

test.describe('a limit that is used up', () => {
  test.use({ expectedErrors: [/status of 429/] });

  test('is called “Too Many Requests”, and “Try Again” asks again', async ({ page }) => {
    await signInWith(page, [biology]);
    const path = `/api/accounts/${await idOf(page)}/export/`;
    for (let times = 0; times < 3; times += 1) {
      await askApi(page, 'GET', path);
    }
    await page.goto('/settings');
    const requests = requestsTo(page, path);
    await page.getByRole('button', { name: 'Download your data' }).click();
    const dialog = dialogCalled(page, 'Too Many Requests');
    await expect(dialog.getByRole('button')).toHaveText(['Try Again', 'Close']);
    await dialog.getByRole('button', { name: 'Try Again' }).click();

    await expect.poll(() => requests.length).toBe(2);
    await expect(dialog).toBeVisible();
  });
});

test.describe('without a connection', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

  test('is called “Network Error”, and Retry makes the course once there is one', async ({
    page,
    context,
  }) => {
    await openFirstCourse(page);
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await submitFirstCourse(page);

    const dialog = dialogCalled(page, 'Network Error');
    await expect(
      dialog.getByText('We could not reach Lectern. Please check your connection and try again.'),
    ).toBeVisible();
    await expect(dialog.getByRole('button')).toHaveText(['Retry', 'Close']);
    await expectFirstCourseTyped(page);
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(page).toHaveURL('/');
  });

  test('a course that could not be selected is not shown as selected, and Retry selects it', async ({
    page,
    context,
  }) => {
    await signInWith(page, [biology, watercolours]);
    await page.goto('/', { waitUntil: 'networkidle' });
    await context.setOffline(true);
    await selectCourse(page, biology.name);

    const dialog = dialogCalled(page, 'Network Error');
    await expect(dialog).toBeVisible();
    await expect(courseTrigger(page)).toHaveAccessibleName(/Watercolours/);
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(courseTrigger(page)).toHaveAccessibleName(/Biology 101/);
    await expect(page.getByRole('main')).toContainText('Biology 101');
  });

  test('settings that could not be saved are saved by Retry', async ({ page, context }) => {
    await signInWith(page, [biology]);
    await page.goto('/settings', { waitUntil: 'networkidle' });
    await context.setOffline(true);
    await page.getByLabel('First name').fill('Augusta');
    await page.getByLabel('First name').press('Enter');

    const dialog = dialogCalled(page, 'Network Error');
    await expect(dialog).toBeVisible();
    await expect(page.getByLabel('First name')).toHaveValue('Augusta');
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('Your name is saved.')).toBeVisible();
    await expect(
      page.getByRole('button', { name: /^Your account\b.*Augusta Lovelace/ }),
    ).toBeVisible();
  });
});

test.describe('a page that cannot be read after a change', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('says so, and Retry reads it without changing anything twice', async ({ page }) => {
    await signInWith(page, [biology]);
    await page.goto('/settings', { waitUntil: 'networkidle' });
    const changes = requestsTo(page, `/api/accounts/${await idOf(page)}/`);
    await page.route('**/RSC/**', (route) => route.abort(), { times: 1 });
    await page.getByLabel('First name').fill('Augusta');
    await page.getByLabel('First name').press('Enter');
    await dialogCalled(page, 'Network Error').getByRole('button', { name: 'Retry' }).click();

    await expect(
      page.getByRole('button', { name: /^Your account\b.*Augusta Lovelace/ }),
    ).toBeVisible();
    expect(changes).toHaveLength(1);
  });
});

for (const [thrown, title] of [
  ['an error', 'Error'],
  ['a text', 'Unknown Error'],
] as const) {
  test(`a request that ends in ${thrown} of a script is called “${title}”`, async ({ page }) => {
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
      [400, 'Requête incorrecte', null],
      [401, 'Authentification requise', 'Se connecter'],
      [403, 'Accès refusé', null],
      [404, 'Introuvable', null],
      [409, 'Échec de la requête', 'Réessayer'],
      [418, 'Échec de la requête', 'Réessayer'],
      [422, 'Erreur de validation', null],
      [429, 'Trop de requêtes', 'Réessayer'],
      [500, 'Erreur du serveur', 'Réessayer'],
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
      await expect(dialog.locator('.actions > *')).toHaveText(
        [action, 'Fermer'].filter((label) => label !== null),
      );
      await dialog.getByRole('button', { name: 'Fermer' }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByLabel('Nom du cours')).toHaveValue('Biologie');
    }
  });
});

test.describe('the dialog itself', () => {
  test.use({ expectedErrors: [/status of 500/] });

  test('is a modal that holds the focus, and Escape gives it back to the form', async ({
    page,
  }) => {
    await openFirstCourse(page);
    await answerOnce(page, '**/api/courses/', 500);
    await submitFirstCourse(page);
    const dialog = dialogCalled(page, 'Server Error');
    await expectModal(dialog);
    // Once round: the browser's own controls may come between.
    for (let presses = 0; presses < 4; presses += 1) {
      await page.keyboard.press('Tab');
      await expect(page.locator('main :focus:not(dialog *)')).toHaveCount(0);
    }
    await page.keyboard.press('Escape');

    await expect(dialog).toBeHidden();
    await expect(page.locator('form:focus-within').getByLabel('Course name')).toBeVisible();
    await expectFirstCourseTyped(page);
  });

  test('lies over the dialog for a new course, and goes without it', async ({ page }) => {
    await signInWith(page, [watercolours]);
    await page.goto('/');
    const requests = requestsTo(page, '/api/courses/');
    await answerOnce(page, '**/api/courses/', 500);
    const newCourse = await openNewCourse(page);
    await newCourse.getByLabel('Course name').fill('Biology 101');
    await newCourse.getByRole('radio', { name: /^Cohort/ }).check();
    await newCourse.getByRole('button', { name: 'create course and continue' }).click();
    await expectModal(dialogCalled(page, 'Server Error'));
    await page.keyboard.press('Escape');

    await expect(dialogCalled(page, 'Server Error')).toBeHidden();
    await expect(newCourse).toBeVisible();
    await expect(newCourse.locator(':focus')).toHaveCount(1);
    await expect(newCourse.getByLabel('Course name')).toHaveValue('Biology 101');
    await expect(newCourse.getByRole('radio', { name: /^Cohort/ })).toBeChecked();
    expect(requests).toHaveLength(1);
  });

  test('repeats a new course with the button that was pressed', async ({ page }) => {
    await signInWith(page, [watercolours]);
    await page.goto('/cohorts');
    const requests = requestsTo(page, '/api/courses/');
    await answerOnce(page, '**/api/courses/', 500);
    const newCourse = await openNewCourse(page);
    await newCourse.getByLabel('Course name').fill('Biology 101');
    await newCourse.getByRole('radio', { name: /^Cohort/ }).check();
    await newCourse.getByRole('button', { name: 'create course and continue' }).click();
    await dialogCalled(page, 'Server Error').getByRole('button', { name: 'Retry' }).click();

    // To continue is to go home, to the new course.
    await expect(page).toHaveURL('/');
    await expect(courseTrigger(page)).toHaveAccessibleName(/Biology 101/);
    expect(requests).toHaveLength(2);
  });

  test('gives the focus back to what selects courses', async ({ page }) => {
    await signInWith(page, [biology, watercolours]);
    await page.goto('/');
    await answerOnce(page, '**/select/', 500);
    await selectCourse(page, biology.name);
    await expectModal(dialogCalled(page, 'Server Error'));
    await page.keyboard.press('Escape');

    await expect(dialogCalled(page, 'Server Error')).toBeHidden();
    await expect(courseTrigger(page)).toBeFocused();
  });

  test('gives the focus back to the settings that were not saved', async ({ page }) => {
    await signInWith(page, [biology]);
    await page.goto('/settings');
    await answerOnce(page, `**/api/accounts/${await idOf(page)}/`, 500);
    await page.getByLabel('First name').fill('Augusta');
    const profile = page.getByRole('region', { name: 'Profile' });
    await profile.getByRole('button', { name: 'Save' }).click();
    await expectModal(dialogCalled(page, 'Server Error'));
    await page.keyboard.press('Escape');

    await expect(dialogCalled(page, 'Server Error')).toBeHidden();
    await expect(profile.locator(':focus')).toHaveCount(1);
    await expect(page.getByLabel('First name')).toHaveValue('Augusta');
  });

  test('serves the log-out of the home page: Escape goes back to it, Retry logs out', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await page.goto('/');
    await answerOnce(page, '**/auth/logout/', 500);
    const logOut = page.getByRole('main').getByRole('button', { name: 'Log out' });
    await logOut.click();
    await expectModal(dialogCalled(page, 'Server Error'));
    await page.keyboard.press('Escape');
    await expect(dialogCalled(page, 'Server Error')).toBeHidden();
    await expect(logOut).toBeFocused();

    await answerOnce(page, '**/auth/logout/', 500);
    await logOut.click();
    await dialogCalled(page, 'Server Error').getByRole('button', { name: 'Retry' }).click();
    await expect(page).toHaveURL('/login');
  });

  test('serves the log-out of the user menu: Escape goes back to the menu’s button', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await page.goto('/');
    await answerOnce(page, '**/auth/logout/', 500);
    const trigger = page.getByRole('button', { name: /^Your account\b.*Ada Lovelace/ });
    await trigger.click();
    await page.locator('#user-menu').getByRole('button', { name: 'Log out' }).click();
    await expectModal(dialogCalled(page, 'Server Error'));
    await page.keyboard.press('Escape');

    await expect(dialogCalled(page, 'Server Error')).toBeHidden();
    await expect(trigger).toBeFocused();
  });

  test('serves the end of a session, and Retry ends it', async ({ page, openBrowser }) => {
    await signInWith(page, [biology]);
    const other = await openBrowser();
    await logInAs(other, await emailOf(page), 2);
    await page.goto('/settings');
    await answerOnce(page, '**/auth/sessions/*/', 500);
    await page.getByRole('listitem').getByRole('button', { name: 'Log out' }).click();
    await dialogCalled(page, 'Server Error').getByRole('button', { name: 'Retry' }).click();

    await expect(page.getByText('You are logged in nowhere else.')).toBeVisible();
    await other.goto('/');
    await expect(other).toHaveURL('/login');
  });

  for (const path of ['/login', '/signup']) {
    test(`is not there on ${path}: the form says what has failed`, async ({ page }) => {
      await page.goto(path);
      await page.route('**/api/accounts/auth/*/', (route) =>
        route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Oh</h1>' }),
      );
      if (path === '/signup') {
        await page.getByLabel('First name').fill('Ada');
        await page.getByLabel('Last name').fill('Lovelace');
      }
      await page.getByLabel('Email address').fill(uniqueEmail());
      await page.getByLabel('Email address').press('Enter');

      await expect(page.locator('form').getByRole('alert').filter({ hasText: /\S/ })).toHaveText(
        internal,
      );
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
  }
});

function dialogCalled(page: Page, title: string): Locator {
  return page.getByRole('dialog', { name: title, exact: true });
}

/** Open, over everything, with the focus in it. */
async function expectModal(dialog: Locator): Promise<void> {
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => element.matches(':modal'))).toBe(true);
  await expect(dialog.locator(':focus')).toHaveCount(1);
}

/** Every request to a path from now on. */
function requestsTo(page: Page, path: string): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) {
      requests.push(request);
    }
  });
  return requests;
}

/** What a request says, and under which key. */
function contentOf(request: Request | undefined): unknown {
  const { 'idempotency-key': key } = request?.headers() ?? {};
  return { method: request?.method(), key, body: request?.postData() };
}

function errorBody(errors?: string[]): ErrorBody {
  return { code: 'internal', message: internal, ...(errors && { errors }), request_id: requestId };
}

/** Lets the network give the next answer, and the worker all further ones. */
async function answerOnce(page: Page, path: string, status: number, errors?: string[]) {
  await page.route(path, (route) => route.fulfill({ status, json: errorBody(errors) }), {
    times: 1,
  });
}

async function requestIdOf(response: Response): Promise<string> {
  const { request_id: id }: ErrorBody = await response.json();
  expect(id).toMatch(/\S/);
  return id;
}

/** Somebody new, who has no course yet. */
async function openFirstCourse(page: Page): Promise<void> {
  await signInWith(page, []);
  await page.goto('/onboarding/course');
}

async function submitFirstCourse(page: Page): Promise<void> {
  await page.getByLabel('Course name').fill('Biology 101');
  await page.getByRole('radio', { name: /^Cohort/ }).check();
  await page.getByRole('button', { name: 'Create Course' }).click();
}

async function expectFirstCourseTyped(page: Page): Promise<void> {
  await expect(page.getByLabel('Course name')).toHaveValue('Biology 101');
  await expect(page.getByRole('radio', { name: /^Cohort/ })).toBeChecked();
}

function courseTrigger(page: Page): Locator {
  return page.getByRole('button', { name: /^Course\b/ });
}

async function selectCourse(page: Page, name: string): Promise<void> {
  await courseTrigger(page).click();
  await page.getByRole('option', { name }).click();
}

async function openNewCourse(page: Page): Promise<Locator> {
  await courseTrigger(page).click();
  await page.getByRole('button', { name: 'create new course' }).click();
  return page.getByRole('dialog', { name: 'Create a new course' });
}

/** As from another tab: the page of the test does not know. */
async function deleteCourse(page: Page, name: string): Promise<void> {
  const courses = (await askApi(page, 'GET', '/api/courses/')) as { id: string; name: string }[];
  const id = courses.find((course) => course.name === name)?.id;
  await askApi(page, 'DELETE', `/api/courses/${id}/`);
}

async function endSessionsFromElsewhere(page: Page, other: Page): Promise<void> {
  await logInAs(other, await emailOf(page), 2);
  await askApi(other, 'DELETE', '/api/accounts/auth/sessions/others/');
}

async function viewerOf(page: Page): Promise<{ id: string; email: string }> {
  return (await askApi(page, 'GET', '/api/accounts/auth/user/')) as { id: string; email: string };
}

async function idOf(page: Page): Promise<string> {
  return (await viewerOf(page)).id;
}

async function emailOf(page: Page): Promise<string> {
  return (await viewerOf(page)).email;
}
