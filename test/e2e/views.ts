import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { pageList } from '../page-list.ts';
import { approvalViews } from './approval-views.ts';
import { betweenViews } from './between-views.ts';
import { cohortViews } from './cohort-views.ts';
import { groupViews } from './group-views.ts';
import { homeViews } from './home-views.ts';
import {
  mailForm,
  openLoginDone,
  openLoginSending,
  openLoginUnknown,
  openLoginUnverified,
  openSignUpDone,
  openToastFailed,
  openWrongCodes,
} from './login-views.ts';
import { meetingViews } from './meeting-views.ts';
import { participantViews } from './participant-views.ts';
import { paymentViews } from './payments-views.ts';
import {
  clientOf,
  courseNames,
  languageCookie,
  type languages,
  linkIn,
  newEmail,
  signedIn,
} from './people.ts';
import { peopleViews } from './people-views.ts';
import { pseudoText } from './pseudo.ts';
import { settingsViews } from './settings-views.ts';
import { rest, untilReady } from './support.ts';
import { unreadableViews } from './unreadable-views.ts';

/** A page, or an overlay on one, in a state that people see. */
export type View = {
  /** Names the tests and the screenshots. */
  name: string;
  /**
   * Brings a new browser, with language and width set, to the view. Finds nothing by its words, so
   * it works in every language, and ends or deletes nothing of the people of `signedIn`.
   */
  open: (page: Page) => Promise<void>;
  /** Covers a page that has its own view. */
  isOverlay?: boolean;
  /** Open while the pointer rests on an element, which moves when the window changes. */
  followsPointer?: boolean;
  /** Does not exist in wider windows. */
  maxWidth?: number;
};

const login = publicView('login', '/login');

const signup = publicView('signup', '/signup');

const firstCourse = signedInView('first-course', '/onboarding/course', 0);

/** Every page in the shell but those of cohorts and people, by the last part of its path. */
const shellPages = pageList
  .filter(({ path, reader }) => reader === 'instructor' && !/^\/cohorts|\[/.test(path))
  .map(({ path }) => signedInView(path.split('/').at(-1) || 'home', path));

const home = signedInView('home', '/');

const settings = signedInView('settings', '/settings');

const newCourse = overlay(
  home,
  'new-course',
  '[popovertarget="courses"]',
  '[commandfor="new-course"]',
);

const deleteCourse = overlay(settings, 'delete-course', '[commandfor="delete-course"]');

/** All that people can see. Add new overlays and public pages here, and all suites check them. */
export const views: View[] = [
  login,
  withMistakes(login, mailForm),
  publicView('login-refused', '/login?error=auth_failed'),
  publicView('login-expired', '/login?next=/settings&reason=expired'),
  { name: 'login-sending', open: openLoginSending },
  { name: 'login-unknown', open: openLoginUnknown },
  { name: 'login-done', open: openLoginDone },
  { name: 'login-unverified', open: openLoginUnverified },
  { name: 'code-wrong', open: (page) => openWrongCodes(page, 1) },
  { name: 'code-used-up', open: (page) => openWrongCodes(page, 5) },
  signup,
  withMistakes(signup, mailForm),
  { name: 'signup-done', open: openSignUpDone },
  { name: 'confirm', open: openConfirm },
  { name: 'confirm-as-other', open: openConfirmAsOther },
  { name: 'confirm-new-address', open: openConfirmNewAddress },
  { name: 'confirm-spent', open: openConfirmSpent },
  publicView('confirm-without-link', '/confirm'),
  { name: 'undo-stop', open: openStop },
  { name: 'undo-stopped', open: (page) => openAndClick(page, openStop) },
  { name: 'undo-restore', open: openRestore },
  { name: 'undo-restored', open: (page) => openAndClick(page, openRestore) },
  publicView('undo-without-link', '/undo-address-change'),
  firstCourse,
  withMistakes(firstCourse, 'form:has([name="course_type"])'),
  overlay(firstCourse, 'account-menu', '[popovertarget="user-menu"]'),
  ...shellPages,
  signedInView('payments-cohort', '/payments', 1),
  ...homeViews,
  ...cohortViews,
  ...participantViews,
  ...approvalViews,
  ...betweenViews,
  ...meetingViews,
  ...paymentViews,
  ...peopleViews,
  ...groupViews,
  ...settingsViews,
  ...unreadableViews,
  { name: 'home-icons', open: openHomeWithIcons },
  { name: 'settings-unsaved', open: openUnsaved },
  publicView('terms', '/terms'),
  publicView('privacy', '/privacy'),
  { ...overlay(home, 'sidebar', '[popovertarget="sidebar"]'), maxWidth: 767 },
  overlay(home, 'courses', '[popovertarget="courses"]'),
  overlay(signedInView('home', '/', 9), 'courses-many', '[popovertarget="courses"]'),
  overlay(home, 'user-menu', '[popovertarget="user-menu"]'),
  newCourse,
  withMistakes(newCourse, '#new-course form'),
  deleteCourse,
  overlay(settings, 'delete-account', '[commandfor="delete-account"]'),
  { name: 'delete-course-typed', isOverlay: true, open: openDeleteTyped },
  { name: 'settings-leave', isOverlay: true, open: openLeave },
  { name: 'failure', isOverlay: true, open: (page) => openFailure(page, 500) },
  { name: 'failure-network', isOverlay: true, open: (page) => openFailure(page, null) },
  { name: 'failure-expired', isOverlay: true, open: (page) => openFailure(page, 401) },
  { name: 'failure-too-many', isOverlay: true, open: (page) => openFailure(page, 429) },
  { name: 'toast-failed', followsPointer: true, open: openToastFailed },
  { name: 'tooltip', isOverlay: true, followsPointer: true, open: openTooltip },
  publicView('not-found', '/nowhere'),
];

/**
 * Console messages in views that show a refusal. One expression: Playwright would take two for a
 * value and its options.
 */
export const expectedErrors = [/status of [45]\d\d|^Unauthorized access|ERR_INTERNET_DISCONNECTED/];

/** A public page. */
function publicView(name: string, path: string): View {
  return {
    name,
    open: async (page) => {
      await page.goto(path);
    },
  };
}

/** A page of a signed-in user with this many courses. */
function signedInView(name: string, path: string, courses = 2): View {
  return {
    name,
    open: async (page) => {
      await signedIn(page, { courses });
      await page.goto(path);
    },
  };
}

/** An overlay that opens after pressing these controls in order. */
function overlay(under: View, name: string, ...presses: string[]): View {
  return {
    ...under,
    name,
    isOverlay: true,
    open: async (page) => {
      await under.open(page);
      for (const selector of presses) {
        await press(page, selector);
      }
      // The pointer would otherwise rest on something and show its tooltip.
      await page.mouse.move(0, 0);
    },
  };
}

/** The same after submitting one of its forms empty. */
function withMistakes(view: View, form: string): View {
  return {
    ...view,
    name: `${view.name}-mistakes`,
    open: async (page) => {
      await view.open(page);
      await page.locator(form).locator('button[type="submit"]').first().click();
      await expect(page.locator('[aria-invalid="true"]').first()).toBeAttached();
    },
  };
}

/** Presses a control, in the phone's sheet if it is there, and waits for what it opens. */
async function press(page: Page, selector: string): Promise<void> {
  const control = page.locator(selector).filter({ visible: true }).first();
  const sheetButton = page.locator('[popovertarget="sidebar"]').filter({ visible: true }).first();
  await expect(control.or(sheetButton).first()).toBeVisible();
  if (!(await control.isVisible())) {
    await sheetButton.click();
  }
  const target =
    (await control.getAttribute('popovertarget')) ?? (await control.getAttribute('commandfor'));
  await control.click();
  if (target !== null) {
    await expect(page.locator(`[id="${target}"]`)).toBeVisible();
  }
}

type Size = { width: number; height: number };

type Windows<Each extends Size> = { language: (typeof languages)[number]; sizes: Each[] };

/** In both languages and in the pseudo-language. */
const loadingText = new RegExp(
  `^(${['Loading…', 'Chargement…', pseudoText('Loading…')].map(RegExp.escape).join('|')})$`,
);

/** The width at which the desktop sidebar becomes the phone's sheet. */
const narrowestDesk = 768;

/**
 * Shows a view in windows of several sizes, at rest, for a check of each. The window is resized as
 * people do, and an overlay is reopened if it is reached differently.
 */
export async function inWindows<Each extends Size>(
  openBrowser: () => Promise<Page>,
  view: View,
  { language, sizes }: Windows<Each>,
  look: (page: Page, size: Each) => Promise<void>,
): Promise<void> {
  let page: Page | null = null;
  let wasDesk = false;
  for (const size of sizes.filter(({ width }) => width <= (view.maxWidth ?? width))) {
    const isDesk = size.width >= narrowestDesk;
    if (page === null || view.followsPointer || (view.isOverlay && isDesk !== wasDesk)) {
      await page?.context().close();
      page = await openBrowser();
      await page.setViewportSize(size);
      await page.context().addCookies([languageCookie(language)]);
      await view.open(page);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      // The list of courses, whose rows come when it opens.
      await expect(page.getByText(loadingText)).toBeHidden();
      // The zones of the world, which scripts list.
      await expect(page.locator('[name="time_zone"]:not(:has(optgroup))')).toHaveCount(0);
    } else {
      await page.setViewportSize(size);
    }
    wasDesk = isDesk;
    await rest(page);
    await look(page, size);
  }
  await page?.context().close();
}

async function openConfirm(page: Page): Promise<void> {
  await page.goto(await (await clientOf(page)).requestSignUp(newEmail()));
}

async function openConfirmAsOther(page: Page): Promise<void> {
  await signedIn(page, { courses: 2 });
  await openConfirm(page);
}

async function openConfirmNewAddress(page: Page): Promise<void> {
  const { confirmLink } = await (await clientOf(page)).requestAddressChange();
  await page.goto(confirmLink);
}

async function openConfirmSpent(page: Page): Promise<void> {
  const client = await clientOf(page);
  const link = await client.requestSignUp(newEmail());
  await page.goto(link);
  await client.confirm(link);
  await page.locator('main button[type="submit"]').click();
  await expect(page.locator('main [role="alert"]').filter({ hasText: /\S/ })).toBeVisible();
}

async function openStop(page: Page): Promise<void> {
  const { stopLink } = await (await clientOf(page)).requestAddressChange();
  await page.goto(stopLink);
}

/** Opened by the former address's owner, in a signed-out browser. */
async function openRestore(page: Page): Promise<void> {
  const client = await clientOf(page);
  const { email, confirmLink, stopLink } = await client.requestAddressChange();
  await client.confirm(confirmLink);
  await expect(async () => {
    const { text } = await client.mailTo(email, '/undo-address-change');
    expect(text).not.toContain(stopLink);
  }).toPass({ intervals: [50], timeout: 15_000 });
  const link = linkIn(await client.mailTo(email, '/undo-address-change'));
  await page.context().clearCookies({ name: /^(session|csrftoken)$/ });
  await page.goto(link);
}

async function openAndClick(page: Page, open: View['open']): Promise<void> {
  await open(page);
  await page.locator('main button[type="submit"]').click();
  await expect(page.locator('main button')).toHaveCount(0);
}

async function openUnsaved(page: Page): Promise<void> {
  await settings.open(page);
  for (const name of ['name', 'first_name']) {
    const field = page.locator(`main section [name="${name}"]`);
    await field.fill(`${await field.inputValue()} B`);
  }
  await expect(page.locator('[data-changes]')).toHaveCount(2);
}

/** Asked on the way to another page. */
async function openLeave(page: Page): Promise<void> {
  await openUnsaved(page);
  // Before that, the browser itself asks, which Playwright confirms.
  await untilReady(page);
  await press(page, '.sidebar-nav a[href="/"]');
  await expect(page.locator('#leave')).toBeVisible();
}

/** With the name of the course, so that it could be deleted. */
async function openDeleteTyped(page: Page): Promise<void> {
  await deleteCourse.open(page);
  const dialog = page.locator('#delete-course');
  await dialog.locator('[name="typed"]').fill(courseNames[1] ?? '');
  await expect(dialog.locator('button[type="submit"]')).toBeEnabled();
}

async function openHomeWithIcons(page: Page): Promise<void> {
  const cookie = { ...languageCookie('false'), name: 'sidebar_state' };
  await page.context().addCookies([cookie]);
  await home.open(page);
}

async function openTooltip(page: Page): Promise<void> {
  await newCourse.open(page);
  await page.locator('#new-course .dialog-close').hover();
  await expect(page.locator('.tip')).toBeVisible();
}

/** A new course that could not be created: with the answer's status, or null without an answer. */
async function openFailure(page: Page, status: number | null): Promise<void> {
  await newCourse.open(page);
  const json = { code: 'internal', message: 'No.', request_id: randomUUID() };
  await page.route('**/api/courses/', (route) =>
    status === null
      ? route.abort('internetdisconnected')
      : route.fulfill({ status, json, headers: { 'Retry-After': '3600' } }),
  );
  const form = page.locator('#new-course form');
  await form.locator('[name="name"]').fill(courseNames[0] ?? '');
  await form.locator('[name="course_type"]').first().check();
  await form.locator('button[type="submit"]').last().click();
  await expect(page.locator('dialog[aria-labelledby="failure-title"]')).toBeVisible();
}
