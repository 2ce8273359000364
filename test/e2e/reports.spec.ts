import type { Page } from '@playwright/test';
import { type Ingest, placesIn, startIngest } from '../built/ingest.ts';
import { cohortWith } from './enrollments.ts';
import { dialogCalled, requestId } from './failures.ts';
import { addPerson } from './participants.ts';
import { reporting } from './playwright.config.ts';
import { biology } from './settings.ts';
import {
  expect,
  linkMailedTo,
  openReady,
  requestSignUp,
  secretsSeen,
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
  const secrets = secretsSeen();
  expect(secrets.length).toBeGreaterThan(4);
  expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
  expect(sent).not.toMatch(/token=|code=|(?<!data-)state=|__Host-|CANARY typed/);
  expect(ingest.requests.flatMap(({ headers }) => Object.keys(headers))).not.toContain('cookie');
});

/** Decides by chance, below 0.1 to record; another chance on a later page decides nothing. */
async function draw(page: Page, chance: number): Promise<void> {
  await page.addInitScript((drawn) => {
    const later = drawn < 0.1 ? 0.9 : 0;
    Math.random = () => (sessionStorage.getItem('error-reports') === null ? drawn : later);
  }, chance);
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

/** Until all that the page has asked for by now has been seen, also what it asks for when idle. */
async function untilAsked(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }));
    await fetch('/api/health/');
  });
}

/** Everything recorded of pages, as text. */
function recording(): string {
  return JSON.stringify(ingest.items('replay_recording').map(({ payload }) => payload));
}

test.describe('a session that is not recorded', () => {
  test.use({ expectedErrors: [/CANARY|status of (404|500)/] });

  test('loads nothing of the SDK before an error, nor for a refusal; then errors are reported readably, with a recording, also that a page breaks', async ({
    page,
  }) => {
    await draw(page, 0.1);
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
    const statuses = [404, 500];
    await page.route('**/select/', (route) => {
      const json = { code: 'x', message: 'x', request_id: requestId };
      return route.fulfill({ status: statuses.shift() ?? 500, json });
    });
    const failToSelect = async (title: string) => {
      await page.getByRole('button', { name: /^Course/ }).click();
      await page.getByRole('option', { name: /^Biology 101/ }).click();
      await dialogCalled(page, title).getByRole('button', { name: 'Close' }).click();
    };
    await signInWith(page, [biology, { ...biology, name: 'Chemistry' }]);
    await openReady(page);
    await failToSelect('Not Found');
    await untilAsked(page);
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

    // From here on it is recorded, including later pages. The course selector calls this.
    const before = sdk.scripts.length;
    await page.addInitScript(() => {
      String.prototype.normalize = () => {
        throw new Error('CANARY hydration');
      };
    });
    await page.goto('/settings');
    await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
    // React has caught it.
    await expect.poll(() => ingest.events().length, patience).toBe(3);
    expect(ingest.events()[2]?.exception.values[0]?.value).toBe('CANARY hydration');
    expect(sdk.scripts).toHaveLength(before + 1);
    const loaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Try again' }).click();
    await loaded;
    // It breaks again. What it reports is not to come during the next test.
    await expect.poll(() => ingest.events().length, patience).toBe(4);
  });
});

test('a recorded session loads the SDK when the page is idle, and the recording contains texts but no secret', async ({
  page,
}) => {
  await draw(page, 0.0999);
  const sdk = watchSdk(page);
  const email = uniqueEmail();
  await requestSignUp(page, email);
  await page.goto(await linkMailedTo(email, 1));
  await expect.poll(() => sdk.scripts.length, patience).toBe(2);
  // The recording of the page with the token, before the next page ends it.
  await expect.poll(recording, patience).toContain('Confirm your email address');
  await page.getByRole('button', { name: 'Confirm and log in' }).click();
  await page.waitForURL('/onboarding/course');
  await expect.poll(() => sdk.scripts.length, patience).toBe(3);
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
    await signInWith(page, [biology]);
    const cohort = await cohortWith(page, []);
    const { link } = await addPerson(page, cohort);
    const visitor = await openBrowser();
    await draw(visitor, 0.0999);
    const sdk = watchSdk(visitor);
    for (const address of [cohort.public_url, link, `${link}0`]) {
      await openReady(visitor, address);
      const thrown = visitor.waitForEvent('pageerror');
      await visitor.evaluate(() => {
        setTimeout(() => {
          throw new Error('CANARY broke');
        });
      });
      await thrown;
      await untilAsked(visitor);
    }

    expect(sdk).toEqual({ scripts: [], reports: [] });
    expect(ingest.envelopes).toEqual([]);
  });
});
