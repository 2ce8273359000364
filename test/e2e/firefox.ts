import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { launch, type Page } from 'puppeteer-core';
import { mailsIn } from '#support/inbox.ts';
import { freePorts } from '../built/free-port.ts';
import { type Mail, tokenIn } from '../built/worker.ts';

/** Debian's browser, or the one given. Playwright only drives its own build of Firefox. */
const firefoxPath = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr';

export const hasFirefox = existsSync(firefoxPath);

export const howToGetFirefox =
  'The journey in Firefox needs it: install it with `apt-get install firefox-esr`, or set FIREFOX_PATH to one.';

const [appPort, inboxPort, ...others] = await freePorts(4);
const ports = {
  APP_PORT: `${appPort}`,
  RESEND_PORT: `${inboxPort}`,
  GOOGLE_PORT: `${others[0]}`,
  STRIPE_PORT: `${others[1]}`,
};
const origin = `http://localhost:${appPort}`;
const inbox = `http://localhost:${inboxPort}`;

const root = path.join(import.meta.dirname, '../..');
const email = 'ada@example.com';

if (import.meta.main) {
  await main();
}

/** The main journey of the product on the existing build, in Firefox, with WebDriver BiDi. */
async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-firefox-'));
  const app = spawn(process.execPath, ['scripts/start.ts', '--skip-build'], {
    cwd: root,
    env: { ...process.env, ...ports, STATE_FOLDER: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await untilAppAnswers(app);
    const browser = await launch({
      browser: 'firefox',
      executablePath: firefoxPath,
      // The texts below are English, regardless of the machine's language.
      extraPrefsFirefox: { 'intl.accept_languages': 'en-US' },
    });
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warn') {
          complaints.push(message.text());
        }
      });
      await takeJourney(page);
      assert.deepEqual(complaints, []);
      console.log(`The journey in ${await browser.version()} went well.`);
    } finally {
      await browser.close();
    }
  } finally {
    if (app.exitCode === null) {
      app.kill();
      await once(app, 'exit');
    }
    rmSync(folder, { recursive: true });
  }
}

async function takeJourney(page: Page): Promise<void> {
  await page.goto(`${origin}/`);
  await untilAt(page, '/login');
  await click(page, 'link', 'Create an account');
  await untilAt(page, '/signup');
  await fill(page, 'First name', 'Ada');
  await fill(page, 'Last name', 'Lovelace');
  await fill(page, 'Email address', email);
  await click(page, 'button', 'Create account');
  await see(page, 'heading', 'Account created');

  await openLink(page, 1);
  await click(page, 'button', 'Confirm and log in');
  await untilAt(page, '/onboarding/course');
  await fill(page, 'Course name', 'Analytical Engines');
  await chooseType(page, 'cohort');
  await click(page, 'button', 'Create Course');
  await untilAt(page, '/');
  await untilSelected(page, 'Analytical Engines');

  await click(page, 'button', 'Course Analytical Engines Cohort');
  await click(page, 'button', 'Create new course');
  await fill(page, 'Course name', 'Difference Engines');
  await chooseType(page, 'evergreen');
  await click(page, 'button', 'Create Course');
  await untilSelected(page, 'Difference Engines');
  await click(page, 'button', 'Course Difference Engines Evergreen');
  await click(page, 'option', 'Analytical Engines Cohort');
  await untilSelected(page, 'Analytical Engines');

  // In a window of this height, the toast lies over the button for some seconds.
  await page.waitForFunction(() => document.querySelector('.toast') === null);
  await click(page, 'button', 'Log out');
  await untilAt(page, '/login');
  await page.goto(`${origin}/`);
  await untilAt(page, '/login');
  await fill(page, 'Email address', email);
  await click(page, 'button', 'Send me a login link');
  await see(page, 'heading', 'Check your email');
  await openLink(page, 2);
  await click(page, 'button', 'Log in');
  await untilAt(page, '/');
  await untilSelected(page, 'Analytical Engines');
}

function named(role: string, name: string): string {
  return `::-p-aria([name="${name}"][role="${role}"])`;
}

async function click(page: Page, role: string, name: string): Promise<void> {
  await page.locator(named(role, name)).click();
}

async function see(page: Page, role: string, name: string): Promise<void> {
  await page.locator(named(role, name)).wait();
}

async function fill(page: Page, label: string, text: string): Promise<void> {
  await page.locator(named('textbox', label)).fill(text);
}

async function chooseType(page: Page, type: string): Promise<void> {
  await page.locator(`input[value="${type}"]`).click();
}

async function untilAt(page: Page, pathname: string): Promise<void> {
  await page.waitForFunction((wanted) => location.pathname === wanted, {}, pathname);
}

/** The cover names the selected course; the list below it has all of them. */
async function untilSelected(page: Page, name: string): Promise<void> {
  const isOnCover = (wanted: string) =>
    document.querySelector('.cover')?.textContent.includes(wanted);
  await page.waitForFunction(isOnCover, {}, name);
}

async function openLink(page: Page, mailCount: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  let mails = await mailsIn<Mail>(inbox, email);
  while (mails.length < mailCount) {
    assert(Date.now() < deadline, `Mail ${mailCount} did not arrive.`);
    await wait(100);
    mails = await mailsIn<Mail>(inbox, email);
  }
  await page.goto(`${origin}/confirm?token=${tokenIn(mails[mailCount - 1])}`);
}

async function untilAppAnswers(app: { exitCode: number | null }): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await fetch(`${origin}/api/health/`).catch(() => null))?.ok) {
    assert(app.exitCode === null && Date.now() < deadline, 'The app did not start.');
    await wait(200);
  }
}
