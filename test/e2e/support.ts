import { appendFileSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import { crons } from '#settings.ts';
import { mailsIn } from '#support/inbox.ts';
import { familyOf, processorSeconds, secondsOf } from '../../scripts/local/processor-time.ts';
import { inboxOrigin, reporting, secretsFile } from './playwright.config.ts';

type Mail = { to: string[]; subject: string; html: string; text: string };

let serial = 0;

/** An address that no other test uses. */
export function uniqueEmail(): string {
  serial += 1;
  return `ada.${Date.now()}.${process.pid}.${serial}@example.com`;
}

type Fixtures = {
  /** The console messages a test expects. */
  expectedErrors: RegExp[];
  /** Another browser, with its own cookies. */
  openBrowser: (options?: BrowserContextOptions) => Promise<Page>;
};

/** Any console error or warning of any page fails the test, including CSP violations. */
export const test = base.extend<Fixtures & { complaints: string[]; cost: undefined }>({
  expectedErrors: [[], { option: true }],
  // Of this process and its browser, without the servers that all tests share.
  cost: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern.
    async ({}, use, { annotations }) => {
      const seconds = () => secondsOf(familyOf(process.pid).keys());
      const before = seconds();
      await use(undefined);
      const description = (seconds() - before).toFixed(2);
      annotations.push({ type: processorSeconds, description });
    },
    { auto: true },
  ],
  // The flood limit counts all requests from an address, and the browsers share this machine's.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern.
  extraHTTPHeaders: async ({}, use, { workerIndex }) => {
    serial += 1;
    await use({ 'CF-Connecting-IP': `10.${workerIndex & 255}.${serial >> 8}.${serial & 255}` });
  },
  complaints: async ({ expectedErrors }, use) => {
    const complaints: string[] = [];
    await use(complaints);
    const isExpected = (text: string) => expectedErrors.some((known) => known.test(text));
    expect(complaints.filter((text) => !isExpected(text))).toEqual([]);
  },
  context: async ({ context, complaints }, use) => {
    watch(context, complaints);
    await use(context);
  },
  openBrowser: async ({ browser, complaints }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      watch(context, complaints);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

function watch(context: BrowserContext, complaints: string[]): void {
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      complaints.push(message.text());
    }
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('request', (request) => {
    const query = new URL(request.url()).searchParams;
    const names = ['token', 'code', 'state', 'nonce', 'code_challenge'];
    sawSecrets(names.map((name) => query.get(name) ?? ''));
    sawSecrets(/\/p\/[^/]+\.(\w{64})/.exec(request.url())?.slice(1) ?? []);
  });
  context.on('response', async (response) => {
    // Files set no cookies, and most responses are files.
    if (new URL(response.url()).pathname.startsWith('/assets/')) {
      return;
    }
    // Already gone if its page is closed.
    const headers = await response.headersArray().catch(() => []);
    const cookies = headers.filter(({ name }) => name.toLowerCase() === 'set-cookie');
    sawSecrets(cookies.flatMap(({ value }) => value.replace(/^[^=]*=|;.*$/g, '').split(/[.~]/)));
  });
}

/** Waits until all animations have ended. */
export async function rest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** Waits until the page is drawn as it is now. Earlier keys may go to what was there before. */
export async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** Secrets that grant access. Short values would be found everywhere, and ids are no secrets. */
function sawSecrets(values: string[]): void {
  const secrets = values.filter((value) => value.length >= 16 && !/^[\da-f-]{36}$/.test(value));
  appendFileSync(secretsFile, secrets.map((secret) => `${secret}\n`).join(''));
}

/** Everything that the whole run has seen so far and that must stay secret. */
export function secretsSeen(): string[] {
  const seen = readFileSync(secretsFile, 'utf8').trim().split('\n');
  // A setting may hold several secrets.
  const ours = Object.values(parseEnv(readFileSync('.dev.vars', 'utf8'))).flatMap((text = '') =>
    text.split(' '),
  );
  return [...new Set([...seen, ...ours])];
}

export { expect };

/**
 * Keeps scripts from a page until they are released.
 *
 * @param scripts all, or those of this pattern
 * @returns releases them
 */
export async function holdScripts(page: Page, scripts = '**/assets/*.js'): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route(scripts, async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}

/** Opens a page, and waits until it is hydrated and could say that a request has failed. */
export async function openReady(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await untilReady(page);
  await untilLoaded(page, 'failure-dialog');
}

/**
 * Waits until a page is hydrated: only then are there tooltips and shortcuts. With the Navigation
 * API, links are followed within the document from then on.
 */
export async function untilReady(page: Page): Promise<void> {
  // Not with each frame, which takes a tenth of a journey's processor time.
  await page.waitForFunction(isHydrated, undefined, { polling: 50 });
  if (await page.evaluate(() => window.navigation !== undefined)) {
    await untilLoaded(page, 'visits');
  }
  // Its effects run afterwards. A page at rest may have no idle time: it draws no frames.
  await page.evaluate(
    () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 })),
  );
}

/** Runs in the browser. React marks hydrated elements; the text of a lesson is not its own. */
function isHydrated(): boolean {
  const elements = document.querySelectorAll(
    'body :is(a, button, form, input, dialog, [popover]):not(.reading *)',
  );
  return [...elements].every((element) =>
    Object.keys(element).some((key) => key.startsWith('__reactProps$')),
  );
}

/** Waits for a script that a page loads after its first ones, by the beginning of its name. */
export async function untilLoaded(page: Page, script: string): Promise<void> {
  await page.waitForFunction((beginning) => {
    const loaded = performance.getEntriesByType('resource');
    // While Playwright's clock is paused, there are no entries at all.
    return loaded.length === 0 || loaded.some(({ name }) => name.includes(`/${beginning}-`));
  }, script);
}

/** All emails to an address, oldest first, as the stand-ins for Resend keep them. */
export async function mailsTo(address: string): Promise<Mail[]> {
  const mails = await mailsIn<Mail>(inboxOrigin, address);
  // The product with error reporting does not run beside everything.
  return mails.length > 0 ? mails : mailsIn<Mail>(reporting.inboxOrigin, address).catch(() => []);
}

/** The link in the latest of this many emails to an address. */
export async function linkMailedTo(address: string, mailCount: number): Promise<string> {
  const [link] = /http\S+\?token=\w+/.exec(await textMailedTo(address, mailCount)) ?? [];
  if (link === undefined) {
    throw new Error('There is no link in this email.');
  }
  return link;
}

/** The code in the latest of this many emails to an address, as it is written there: `123 456`. */
export async function codeMailedTo(address: string, mailCount: number): Promise<string> {
  const [, code] = /: (\d{3} \d{3})$/m.exec(await textMailedTo(address, mailCount)) ?? [];
  if (code === undefined) {
    throw new Error('There is no code in this email.');
  }
  return code;
}

async function textMailedTo(address: string, mailCount: number): Promise<string> {
  let mails: Mail[] = [];
  await expect
    .poll(
      async () => {
        mails = await mailsTo(address);
        return mails.length;
      },
      { intervals: [20, 50, 100, 250] },
    )
    .toBe(mailCount);
  return mails.at(-1)?.text ?? '';
}

/** On the step after an email was sent. */
export function codeField(page: Page): Locator {
  return page.getByLabel('Six-digit code');
}

/** Fills in the sign-up form: an account that waits for verification. */
export async function requestSignUp(page: Page, email: string): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible();
}

type CourseInput = { name: string; course_type: 'evergreen' | 'cohort' };

/** Sends a page's API request without the page: with the browser's cookies and its token. */
export async function askApi(
  page: Page,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  data?: unknown,
): Promise<unknown> {
  const cookies = await page.context().cookies();
  const token = cookies.find(({ name }) => name === 'csrftoken')?.value ?? '';
  const response = await page.request.fetch(path, {
    method,
    headers: { 'X-CSRFToken': token, 'Sec-Fetch-Site': 'same-origin' },
    // The server closes a connection that rests for five seconds, also while this is on its way.
    maxRetries: 1,
    ...(data !== undefined && { data }),
  });
  sawSecrets((await page.context().cookies()).flatMap(({ value }) => value.split(/[.~]/)));
  expect(response.ok(), `${method} ${path}: ${response.status()}`).toBe(true);
  const text = await response.text();
  return text === '' ? null : JSON.parse(text);
}

/** Runs what the server's clock runs every five minutes: emails to many go out with it. */
export async function runClock(page: Page): Promise<void> {
  const cron = encodeURIComponent(crons.often);
  const response = await page.request.get(`/cdn-cgi/local/scheduled?cron=${cron}`, {
    maxRetries: 1,
  });
  expect(response.ok()).toBe(true);
}

/**
 * A signed-in user with these courses, the last one selected, created without a page. Returns their
 * address.
 */
export async function signInWith(page: Page, courses: CourseInput[]): Promise<string> {
  const email = uniqueEmail();
  await askApi(page, 'GET', '/api/health/');
  const person = { first_name: 'Ada', last_name: 'Lovelace', email };
  await askApi(page, 'POST', '/api/accounts/auth/signup/', person);
  await confirmLink(page, email, 1);
  for (const course of courses) {
    await askApi(page, 'POST', '/api/courses/', course);
  }
  return email;
}

/**
 * Another signed-in browser of a user, without a page. The link is in the latest of this many
 * emails.
 */
export async function logInAs(page: Page, email: string, mailCount: number): Promise<void> {
  await askApi(page, 'GET', '/api/health/');
  await askApi(page, 'POST', '/api/accounts/auth/login/', { email });
  await confirmLink(page, email, mailCount);
}

async function confirmLink(page: Page, email: string, mailCount: number): Promise<void> {
  const token = new URL(await linkMailedTo(email, mailCount)).searchParams.get('token') ?? '';
  sawSecrets([token]);
  await askApi(page, 'POST', '/api/accounts/auth/confirm/', { token });
}

/** Lets the next request to a URL reach the server, and loses the answer. */
export async function loseNextAnswer(page: Page, url: string): Promise<void> {
  await page.route(
    url,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
}
