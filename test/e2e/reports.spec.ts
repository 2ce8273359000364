import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Page } from '@playwright/test';
import { type Ingest, placesIn, startIngest } from '../built/ingest.ts';
import { addPerson, publishCohort } from './participants.ts';
import { reporting, secretsFile } from './playwright.config.ts';
import { biology } from './settings.ts';
import {
  expect,
  linkMailedTo,
  openReady,
  requestSignUp,
  signInWith,
  test,
  uniqueEmail,
} from './support.ts';

test.use({ baseURL: reporting.origin });
// One ingest for all tests.
test.describe.configure({ mode: 'serial', timeout: 90_000 });

const patience = { timeout: 30_000 };

let ingest: Ingest;

test.beforeAll(async () => {
  ingest = await startIngest(reporting.ingestPort);
});

test.afterAll(async () => {
  await ingest.close();
});

test.beforeEach(() => {
  ingest.envelopes.length = 0;
  ingest.requests.length = 0;
});

test.afterEach(() => {
  const sent = Buffer.concat(ingest.requests.map(({ bytes }) => bytes)).toString() + ingest.text();
  const seen = readFileSync(secretsFile, 'utf8').trim().split('\n');
  const ours = Object.values(parseEnv(readFileSync('.dev.vars', 'utf8')));
  const secrets = [...new Set([...seen, ...ours])].filter((secret) => secret !== undefined);
  expect(secrets.length).toBeGreaterThan(4);
  expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
  expect(sent).not.toMatch(/token=|code=|(?<!data-)state=|__Host-|CANARY typed/);
  expect(ingest.requests.flatMap(({ headers }) => Object.keys(headers))).not.toContain('cookie');
});

/** Makes this browser session one of the ten in a hundred that are recorded, or not. */
async function decide(page: Page, kept: 'recorded' | 'on error'): Promise<void> {
  await page.addInitScript((value) => {
    if (sessionStorage.getItem('error-reports') === null) {
      sessionStorage.setItem('error-reports', value);
    }
  }, kept);
}

/** The browser's requests for the SDK, and its reports. */
function watchSdk(page: Page): { scripts: string[]; reports: string[] } {
  const seen: { scripts: string[]; reports: string[] } = { scripts: [], reports: [] };
  page.on('request', (request) => {
    if (/start-sentry/.test(request.url())) {
      seen.scripts.push(request.url());
    }
    if (request.url().includes('/api/error-reports/')) {
      seen.reports.push(request.url());
    }
  });
  return seen;
}

/** Everything recorded of pages, as text. */
function recording(): string {
  return JSON.stringify(ingest.items('replay_recording').map(({ payload }) => payload));
}

test.describe('a session that is not recorded', () => {
  test.use({ expectedErrors: [/CANARY broke|status of (404|500)/] });

  test('loads nothing of the SDK before an error, nor for a refusal; then errors are reported readably, with a recording', async ({
    page,
  }) => {
    await decide(page, 'on error');
    const sdk = watchSdk(page);
    await page.addInitScript(() => {
      const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
      Object.defineProperty(Document.prototype, 'cookie', {
        get: cookie?.get as () => string,
        set: () => {
          throw new Error('CANARY broke at /login?error=auth_failed');
        },
      });
    });
    const requestId = crypto.randomUUID();
    const statuses = [404, 500];
    await page.route('**/select/', (route) => {
      const json = { code: 'x', message: 'x', request_id: requestId };
      return route.fulfill({ status: statuses.shift() ?? 500, json });
    });
    const failToSelect = async (title: string) => {
      await page.getByRole('button', { name: /^Course/ }).click();
      await page.getByRole('option', { name: /^Biology 101/ }).click();
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.getByRole('button', { name: 'Close' }).click();
    };
    await signInWith(page, [biology, { ...biology, name: 'Chemistry' }]);
    await page.goto('/', { waitUntil: 'networkidle' });
    await failToSelect('Not Found');
    await page.waitForLoadState('networkidle');
    expect(sdk).toEqual({ scripts: [], reports: [] });
    await page.keyboard.press('Control+b');
    await expect.poll(() => ingest.events().length, patience).toBe(1);
    const [event] = ingest.events();
    expect(sdk.scripts).toHaveLength(1);
    expect(event).toMatchObject({
      environment: 'local',
      release: 'unreleased',
      request: { url: `${reporting.origin}/` },
      user: { username: 'Ada Lovelace', email: expect.stringContaining('@example.com') },
    });
    expect(event?.exception.values[0]?.value).toBe('CANARY broke at /login');
    const places = event === undefined ? [] : placesIn(event, 'public');
    expect(places[0]).toMatch(/^src\/lib\/browser-storage\.ts:\d+$/);
    expect(places).toContainEqual(
      expect.stringMatching(/^src\/features\/shell\/sidebar-toggle\.tsx:\d+$/),
    );
    await expect.poll(recording, patience).toContain('Welcome, Ada');
    expect(recording()).toContain(biology.name);
    expect(ingest.items('replay_event')).not.toEqual([]);

    await failToSelect('Server Error');
    await expect.poll(() => ingest.events().length, patience).toBe(2);
    expect(ingest.events()[1]).toMatchObject({ tags: { request_id: requestId } });
    expect(ingest.events()[1]?.exception.values[0]?.value).toBe('A request was answered with 500');
    // From here on it is recorded, including later pages.
    const before = sdk.scripts.length;
    await page.goto('/settings');
    await expect.poll(() => sdk.scripts.length, patience).toBe(before + 1);
  });
});

test.describe('a page that breaks during hydration', () => {
  test.use({ expectedErrors: [/CANARY hydration/] });

  test('is reported, although React has caught the error', async ({ page }) => {
    await decide(page, 'on error');
    // The course selector calls it while it renders.
    await page.addInitScript(() => {
      String.prototype.normalize = () => {
        throw new Error('CANARY hydration');
      };
    });
    await signInWith(page, [biology]);
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
    await expect.poll(() => ingest.events().length, patience).toBe(1);
    const [event] = ingest.events();

    expect(event?.exception.values[0]?.value).toBe('CANARY hydration');
    expect(event === undefined ? [] : placesIn(event, 'public')).not.toEqual([]);
  });
});

test('one session in ten is recorded from its start', async ({ openBrowser }) => {
  for (const [chance, kept] of [
    [0.0999, 'recorded'],
    [0.1, 'on error'],
  ] as const) {
    const visitor = await openBrowser();
    const decided = () => visitor.evaluate(() => sessionStorage.getItem('error-reports'));
    await visitor.addInitScript((value) => {
      Math.random = () => value;
    }, chance);
    await visitor.goto('/login', { waitUntil: 'networkidle' });
    await expect.poll(decided).toBe(kept);
    // Decided once per session.
    await visitor.addInitScript(() => {
      Math.random = () => 0.05;
    });
    await visitor.goto('/signup', { waitUntil: 'networkidle' });
    expect(await decided()).toBe(kept);
  }
});

test('a recorded session loads the SDK when the page is idle, and the recording contains texts but no secret', async ({
  page,
}) => {
  await decide(page, 'recorded');
  const sdk = watchSdk(page);
  const email = uniqueEmail();
  await requestSignUp(page, email);
  await page.goto(await linkMailedTo(email, 1), { waitUntil: 'networkidle' });
  await expect.poll(() => sdk.scripts.length, patience).toBe(2);
  // The recording of the page with the token, before the next page ends it.
  await expect.poll(recording, patience).toContain('Confirm your email address');
  await page.getByRole('button', { name: 'Confirm and log in' }).click();
  await page.waitForURL('/onboarding/course');
  await page.waitForLoadState('networkidle');
  await page.getByLabel('Course name').fill('CANARY typed');
  await expect
    .poll(() => recording().toLowerCase(), patience)
    .toContain('create your first course');

  expect(ingest.events()).toEqual([]);
  expect(recording()).toContain(`${reporting.origin}/confirm`);
});

test.describe('a page of participants', () => {
  test.use({ expectedErrors: [/CANARY broke/] });

  test('is never recorded and reports nothing, not even an error', async ({
    page,
    openBrowser,
  }) => {
    const cohort = await publishCohort(page);
    const { link } = await addPerson(page, cohort);
    const visitor = await openBrowser();
    await decide(visitor, 'recorded');
    const sdk = watchSdk(visitor);
    for (const address of [cohort.public_url, link, `${link}0`]) {
      await openReady(visitor, address);
      await visitor.evaluate(() => {
        setTimeout(() => {
          throw new Error('CANARY broke');
        });
      });
      await visitor.waitForLoadState('networkidle');
    }

    expect(sdk).toEqual({ scripts: [], reports: [] });
    expect(ingest.envelopes).toEqual([]);
  });
});
