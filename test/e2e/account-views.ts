import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { googlePeople } from '../../scripts/local/google-people.ts';
import { pageList } from '../page-list.ts';
import {
  centralEuropean,
  centralEuropeanCourse,
  clientOf,
  courseNames,
  longCourseName,
  makeCourse,
  makeCourses,
  newEmail,
  person,
} from './people.ts';
import { drawPng } from './pictures.ts';
import { askApi, untilReady } from './support.ts';
import { type Made, mistake, press, send, show, type View, viewsOf } from './view.ts';

const mailForm = 'form:has([name="email"])';

const nobody = viewsOf('someone without an account', null);

const linked = viewsOf('someone with links to their account', async (page) => {
  const client = await clientOf(page);
  const confirm = await client.requestSignUp(newEmail());
  const { email, stopLink } = await client.requestAddressChange();
  const [query = '', stop = ''] = [confirm, stopLink].map((link) => link.split('?')[1]);
  return { email, query, stop };
});

const newcomer = viewsOf('someone without a course', async () => {});

const owner = viewsOf('the owner of twelve courses', (page) => makeCourses(page, 12));

/** Alone, because their name changes. */
const saver = viewsOf('someone who saves settings', makeCourse);

const unfinished = viewsOf('someone who has begun to connect Stripe', async (page) => {
  await askApi(page, 'POST', '/api/payment-account/', { country: 'FR' });
  await makeCourse(page);
});

const ownerOfLong = viewsOf('the owner of a course with a long name', async (page) => {
  await askApi(page, 'POST', '/api/courses/', { name: longCourseName, course_type: 'evergreen' });
});

const centralEuropeanHome = viewsOf('the owner of a Polish course', async (page) => {
  await (await clientOf(page)).signUp(newEmail(), centralEuropean);
  const course = { name: centralEuropeanCourse, course_type: 'cohort' };
  await askApi(page, 'POST', '/api/courses/', course);
})('home-central-european', '/');

/** For the test of the font. */
export const openCentralEuropean = centralEuropeanHome.open;

/** Every page in the shell but those of lessons, cohorts and people, by its path. */
const shellPages = pageList
  .filter(({ path, reader }) => reader === 'instructor' && !/^\/(cohorts|lessons)|\[/.test(path))
  .map(({ path }) => owner(path.slice(1).replace('/', '-') || 'home', path));

const courses = '[popovertarget="courses"]';
const newCourse = [courses, '[commandfor="new-course"]'];

/** What people see who are not logged in, and the pages of courses and of the account. */
export const accountViews: View[] = [
  nobody('login', '/login'),
  nobody('login-expired', '/login?next=/settings&reason=expired'),
  nobody('signup', '/signup'),
  nobody('signup-mistakes', '/signup', { isExample: true, act: send(mailForm), until: mistake }),
  nobody('signup-done', '/signup', {
    act: send(mailForm, { ...person, email: newEmail() }),
    until: '[name="code"]',
  }),
  nobody('toast-failed', '/login', { isExample: true, followsPointer: true, act: failWithGoogle }),
  nobody('terms', '/terms'),
  nobody('privacy', '/privacy'),
  nobody('not-found', '/nowhere', { isFailure: true }),
  nobody('person-dead', '/p/dead'),
  nobody('learner-unknown', '/learn'),
  nobody('home-picture', '/login', { act: logInWithPicture }),
  linked('login-done', '/login', { isLoggedOut: true, act: askForLink, until: '[name="code"]' }),
  linked('code-wrong', '/login', { isLoggedOut: true, act: mistypeCode, until: mistake }),
  linked('confirm', '/confirm?[query]', { isLoggedOut: true }),
  linked('undo-stop', '/undo-address-change?[stop]'),
  newcomer('first-course', '/onboarding/course'),
  ...shellPages,
  owner('sidebar', '/', {
    isExample: true,
    isOverlay: true,
    maxWidth: 767,
    presses: ['[popovertarget="sidebar"]'],
  }),
  ...Object.entries({
    'user-menu': ['[popovertarget="user-menu"]'],
    'courses-many': [courses],
    'new-course': newCourse,
  }).map(([name, presses]) => owner(name, '/', { isExample: true, isOverlay: true, presses })),
  owner('delete-course', '/settings', {
    isExample: true,
    isOverlay: true,
    presses: ['[commandfor="delete-course"]'],
  }),
  owner('failure', '/', {
    isExample: true,
    isOverlay: true,
    presses: newCourse,
    act: fail,
    until: 'dialog[aria-labelledby="failure-title"]',
  }),
  owner('tooltip', '/', {
    isExample: true,
    isOverlay: true,
    followsPointer: true,
    presses: newCourse,
    // The first field of the dialog may get the focus late, which hides a tooltip.
    act: (page) =>
      expect(async () => {
        await page.mouse.move(0, 0);
        await page.locator('#new-course .dialog-close').hover();
        await expect(page.locator('.tip')).toBeVisible({ timeout: 2_000 });
      }).toPass(),
  }),
  owner('settings-leave', '/settings', { isOverlay: true, act: leave, until: '#leave' }),
  owner('settings-mistakes', '/settings', {
    act: send('form:has([name="first_name"])', { first_name: '', last_name: '' }),
    until: mistake,
  }),
  owner('settings-picture', '/settings', { act: choosePicture }),
  owner('proof', '/settings', { isOverlay: true, act: show('#proof') }),
  owner('proof-sent', '/settings', {
    isOverlay: true,
    act: sendProof,
    until: '#proof [name="code"]',
  }),
  saver('toasts', '/settings', { followsPointer: true, act: saveTwice }),
  unfinished('getting-paid-unfinished', '/settings/payments'),
  ownerOfLong('home-long-name', '/'),
  centralEuropeanHome,
];

async function askForLink(page: Page, { email = '' }: Made): Promise<void> {
  await send(mailForm, { email })(page);
}

async function mistypeCode(page: Page, made: Made): Promise<void> {
  await askForLink(page, made);
  // By chance, this is the right code in one run of a million.
  await page.locator('[name="code"]').fill('000000');
}

/** A message about a failure. The pointer rests on it, so that it stays. */
async function failWithGoogle(page: Page): Promise<void> {
  await page.route('**/google/login/', (route) => route.fulfill({ status: 500 }));
  await page.locator('main button[type="submit"]').last().click();
  await page.locator('.toast').hover();
}

/** Asked on the way to another page, with changes in the settings of the course and the account. */
async function leave(page: Page): Promise<void> {
  for (const name of ['name', 'first_name']) {
    const field = page.locator(`main section [name="${name}"]`).first();
    await field.fill(`${await field.inputValue()} B`);
  }
  await expect(page.locator('[data-changes]')).toHaveCount(2);
  // Before that, the browser itself asks, which Playwright confirms.
  await untilReady(page);
  await press(page, '.sidebar-nav a[href="/"]');
}

/** A new course that could not be created. */
async function fail(page: Page): Promise<void> {
  const json = { code: 'internal', message: 'No.', request_id: randomUUID() };
  await page.route('**/api/courses/', (route) => route.fulfill({ status: 500, json }));
  await page.locator('#new-course [name="course_type"]').first().check();
  await send('#new-course form', { name: courseNames[0] ?? '' })(page);
}

/** A user with a picture at Google, which is drawn here. */
async function logInWithPicture(page: Page): Promise<void> {
  const { email, picture } = googlePeople.pictured;
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path fill="#c96" d="M0 0h2v2H0"/><circle cx="1" cy="1" r=".6" fill="#456"/></svg>';
  await page.route(picture, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: drawing }),
  );
  const { origin } = await clientOf(page);
  await page.locator('main button[type="submit"]').last().click();
  await page.getByRole('button', { name: email }).click();
  await page.waitForURL(`${origin}/**`);
  if (((await askApi(page, 'GET', '/api/courses/')) as unknown[]).length === 0) {
    await makeCourse(page);
  }
  await page.goto('/');
  const image = page.locator('main .avatar img');
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThan(0);
}

/** Chooses a picture that is higher than what is shown of it. */
async function choosePicture(page: Page): Promise<void> {
  await page.locator('#picture input').setInputFiles(await drawPng(page, 600, 800));
  await expect(page.locator('#picture canvas')).toBeFocused();
}

async function sendProof(page: Page): Promise<void> {
  await show('#proof')(page);
  await send('#proof')(page);
}

/** Saves a changed form, and changes it back. The pointer on the toasts makes them stay. */
async function saveTwice(page: Page): Promise<void> {
  const field = page.locator('#profile [name="last_name"]');
  for (const name of [`${person.last_name}a`, person.last_name]) {
    await field.fill(name);
    await field.press('Enter');
    await expect(page.locator('#profile [data-changes]')).toHaveCount(0);
    await page.locator('.toast').last().hover();
  }
  await expect(page.locator('.toast')).toHaveCount(2);
}
