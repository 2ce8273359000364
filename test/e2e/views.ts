import { createHmac, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { readSecrets } from '../../scripts/local/settings.ts';
import { pageList } from '../page-list.ts';
import {
  clientOf,
  courseNames,
  languageCookie,
  type languages,
  linkIn,
  newEmail,
  person,
  signedIn,
} from './people.ts';
import { askApi } from './support.ts';

/** A page, or something that lies over one, in a state that people meet. */
export type View = {
  /** Names the tests, and the files of the pictures. */
  name: string;
  /**
   * Brings a new browser, whose language and width are set, to the view. Nothing is found by its words, so that it does in every
   * language, and nothing is ended or deleted that belongs to the people of `signedIn`.
   */
  open: (page: Page) => Promise<void>;
  /** Lies over a page that has a view of its own. */
  isOverlay?: boolean;
  /** Is there as long as the pointer rests on something, which moves away when the window changes. */
  followsPointer?: boolean;
  /** In wider windows there is no such thing. */
  maxWidth?: number;
};

const mailForm = 'form:has([name="email"])';

const login = publicView('login', '/login');

const signup = publicView('signup', '/signup');

const firstCourse = signedInView('first-course', '/onboarding/course', 0);

/** Every page in the shell, by the last part of its path. */
const shellPages = pageList
  .filter(({ reader }) => reader === 'instructor')
  .map(({ path }) => signedInView(path.split('/').at(-1) || 'home', path));

const home = signedInView('home', '/');

const settings = signedInView('settings', '/settings');

const newCourse = overlay(
  home,
  'new-course',
  '[popovertarget="courses"]',
  '[commandfor="new-course"]',
);

/** All that people can see. A new overlay or public page needs its line here, and all suites look at it. */
export const views: View[] = [
  login,
  withMistakes(login, mailForm),
  publicView('login-refused', '/login?error=auth_failed'),
  { name: 'login-unknown', open: openLoginUnknown },
  { name: 'login-done', open: openLoginDone },
  signup,
  withMistakes(signup, mailForm),
  { name: 'signup-done', open: openSignUpDone },
  { name: 'confirm', open: openConfirm },
  { name: 'confirm-as-other', open: openConfirmAsOther },
  { name: 'confirm-spent', open: openConfirmSpent },
  publicView('confirm-without-link', '/confirm'),
  { name: 'undo-stop', open: openStop },
  { name: 'undo-stopped', open: (page) => openAndClick(page, openStop) },
  { name: 'undo-restore', open: openRestore },
  { name: 'undo-restored', open: (page) => openAndClick(page, openRestore) },
  publicView('undo-without-link', '/undo-address-change'),
  firstCourse,
  withMistakes(firstCourse, 'form:has([name="course_type"])'),
  ...shellPages,
  { name: 'home-icons', open: openHomeWithIcons },
  { name: 'settings-undeliverable', open: openUndeliverable },
  { name: 'settings-pending-address', open: openPendingAddress },
  publicView('terms', '/terms'),
  publicView('privacy', '/privacy'),
  { ...overlay(home, 'sidebar', '[popovertarget="sidebar"]'), maxWidth: 767 },
  overlay(home, 'courses', '[popovertarget="courses"]'),
  overlay(signedInView('home', '/', 9), 'courses-many', '[popovertarget="courses"]'),
  overlay(home, 'user-menu', '[popovertarget="user-menu"]'),
  newCourse,
  withMistakes(newCourse, '#new-course form'),
  overlay(settings, 'delete-course', '[commandfor="delete-course"]'),
  overlay(settings, 'delete-account', '[commandfor="delete-account"]'),
  { name: 'proof', isOverlay: true, open: openProof },
  { name: 'failure', isOverlay: true, open: openFailure },
  { name: 'toast', followsPointer: true, open: openToast },
  { name: 'tooltip', isOverlay: true, followsPointer: true, open: openTooltip },
  publicView('not-found', '/nowhere'),
];

/** What browsers complain of in views that show a refusal. One expression: two would look to Playwright like a value and its options. */
export const expectedErrors = [/status of [45]\d\d|^Unauthorized access/];

/** A page for anybody. */
function publicView(name: string, path: string): View {
  return {
    name,
    open: async (page) => {
      await page.goto(path);
    },
  };
}

/** A page of somebody who is signed in and has so many courses. */
function signedInView(name: string, path: string, courses = 2): View {
  return {
    name,
    open: async (page) => {
      await signedIn(page, { courses });
      await page.goto(path);
    },
  };
}

/** What a view opens over itself when one control after the other is pressed. */
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
      // What the pointer would come to rest on could show its tip.
      await page.mouse.move(0, 0);
    },
  };
}

/** The same after one of its forms was sent without what it needs. */
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

/** Presses a control, in the sidebar's sheet where it lives there, and waits for what it opens. */
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

/** Where the sidebar of a desk becomes the sheet of a phone. */
const narrowestDesk = 768;

/**
 * Shows a view in windows of several sizes, at rest, for each to be looked at. The window is made
 * wider or narrower, as people do. An overlay is opened again where the way to it is another.
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
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize(size);
      await page.context().addCookies([languageCookie(language)]);
      await view.open(page);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
    } else {
      await page.setViewportSize(size);
    }
    wasDesk = isDesk;
    await rest(page);
    await look(page, size);
  }
  await page?.context().close();
}

/** Waits until nothing moves any more. */
export async function rest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

async function submitLogin(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.locator('[name="email"]').fill(email);
  await page.locator(`${mailForm} button[type="submit"]`).click();
}

async function openLoginUnknown(page: Page): Promise<void> {
  await submitLogin(page, newEmail());
  await expect(page.locator('form [role="alert"]').filter({ hasText: /\S/ })).toBeVisible();
}

async function openLoginDone(page: Page): Promise<void> {
  const email = newEmail();
  await (await clientOf(page)).signUp(email);
  await page.context().clearCookies({ name: /^(session|csrftoken)$/ });
  await submitLogin(page, email);
  await expect(page.locator('[name="email"]')).toHaveCount(0);
}

async function openSignUpDone(page: Page): Promise<void> {
  await page.goto('/signup');
  for (const [name, value] of Object.entries({ ...person, email: newEmail() })) {
    await page.locator(`[name="${name}"]`).fill(value);
  }
  await page.locator(`${mailForm} button[type="submit"]`).click();
  await expect(page.locator('[name="email"]')).toHaveCount(0);
}

async function openConfirm(page: Page): Promise<void> {
  await page.goto(await (await clientOf(page)).requestSignUp(newEmail()));
}

async function openConfirmAsOther(page: Page): Promise<void> {
  await signedIn(page, { courses: 2 });
  await openConfirm(page);
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

/** By somebody who had the address, in a browser that is not signed in. */
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

async function openPendingAddress(page: Page): Promise<void> {
  const client = await clientOf(page);
  await client.requestAddressChange();
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
  await page.goto('/settings');
}

async function openHomeWithIcons(page: Page): Promise<void> {
  const cookie = { ...languageCookie('false'), name: 'sidebar_state' };
  await page.context().addCookies([cookie]);
  await home.open(page);
}

/** Shown when a sign-in is older than it may be, which takes too long to wait for. */
async function openProof(page: Page): Promise<void> {
  await settings.open(page);
  await page.locator('#proof').evaluate((dialog: HTMLDialogElement) => dialog.showModal());
}

/** Somebody whose mail came back, as Resend tells it. */
async function openUndeliverable(page: Page): Promise<void> {
  const email = newEmail();
  await (await clientOf(page)).signUp(email);
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
  const from = 'Lectern <hello@lectern.test>';
  const event = {
    type: 'email.bounced',
    data: { from, to: [email], bounce: { type: 'Permanent' } },
  };
  const body = JSON.stringify(event);
  const [id, at] = [`msg_${randomUUID()}`, Math.floor(Date.now() / 1000)];
  const [, key = ''] = readSecrets()['RESEND_WEBHOOK_SECRET']?.split('_') ?? [];
  const hmac = createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${at}.${body}`);
  const told = await page.request.post('/api/webhooks/resend/', {
    headers: {
      'Content-Type': 'application/json',
      'svix-id': id,
      'svix-timestamp': String(at),
      'svix-signature': `v1,${hmac.digest('base64')}`,
    },
    data: body,
  });
  expect(told.status()).toBe(200);
  await page.goto('/settings');
}

/** Saves what is there already. The pointer rests on the toast, so that it stays. */
async function openToast(page: Page): Promise<void> {
  await settings.open(page);
  await page.locator('#profile button[type="submit"]').click();
  await page.locator('.toast').hover();
}

async function openTooltip(page: Page): Promise<void> {
  await newCourse.open(page);
  await page.locator('#new-course .dialog-close').hover();
  await expect(page.locator('.tip')).toBeVisible();
}

async function openFailure(page: Page): Promise<void> {
  await newCourse.open(page);
  await page.route('**/api/courses/', (route) => route.fulfill({ status: 500 }));
  const form = page.locator('#new-course form');
  await form.locator('[name="name"]').fill(courseNames[0] ?? '');
  await form.locator('[name="course_type"]').first().check();
  await form.locator('button[type="submit"]').first().click();
  await expect(page.locator('dialog[aria-labelledby="failure-title"]')).toBeVisible();
}
