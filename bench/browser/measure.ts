import { gzipSync } from 'node:zlib';
import type {
  Browser,
  BrowserContext,
  CDPSession,
  Locator,
  Page,
  Response,
} from '@playwright/test';
import type { Sites } from './sites.ts';

type Cookies = Parameters<BrowserContext['addCookies']>[0];

/** A mid-range phone, as in DevTools: "Slow 4G" and a quarter of the CPU speed. */
const slowNetwork = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1_000_000) / 8,
  uploadThroughput: (0.75 * 1_000_000) / 8,
};
const slowdown = 4;

/** Longer than any working step takes. */
const patienceMs = 60_000;

/**
 * `slow` is such a phone; `far` has its latency alone; `as it is` is for measurements that do not
 * depend on time, and for main-thread work.
 */
type OpenOptions = {
  cookies: Cookies;
  phone: 'slow' | 'far' | 'as it is' | 'slow processor';
  scripts?: boolean;
};

/** A new browser for one measurement, with nothing in its cache. */
async function withPage<Result>(
  browser: Browser,
  { cookies, phone, scripts = true }: OpenOptions,
  use: (page: Page, session: CDPSession) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({
    locale: 'en',
    viewport: { width: 1280, height: 800 },
    javaScriptEnabled: scripts,
  });
  try {
    await context.addCookies(cookies);
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    if (phone === 'slow' || phone === 'slow processor') {
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    }
    if (phone === 'slow' || phone === 'far') {
      const unlimited = { downloadThroughput: -1, uploadThroughput: -1 };
      const network = phone === 'far' ? { ...slowNetwork, ...unlimited } : slowNetwork;
      await session.send('Network.emulateNetworkConditions', network);
    }
    return await use(page, session);
  } finally {
    await context.close();
  }
}

let serial = 0;

type Post = (address: string, data: object) => Promise<Record<string, string>>;

/** A new user with three courses, signed in. */
export async function signIn(browser: Browser, sites: Sites): Promise<Cookies> {
  return (await signInAnd(browser, sites, async () => {})).cookies;
}

/** The same with a cohort in the last of them: its id and the path of its public page. */
export async function signInWithCohort(
  browser: Browser,
  sites: Sites,
): Promise<{ cookies: Cookies; id: string; publicPath: string }> {
  const { cookies, made } = await signInAnd(browser, sites, async (post, courseId) => {
    const cohort = await post(`/api/courses/${courseId}/cohorts/`, {
      name: 'Spring',
      starts_on: '2099-03-02',
      ends_on: '2099-04-10',
      time_zone: 'Europe/Paris',
    });
    await post(`/api/cohorts/${cohort['id']}/publish/`, {});
    await post(`/api/cohorts/${cohort['id']}/meetings/`, {
      title: 'Reading aloud',
      starts_local: '2099-03-04T18:00',
      duration_minutes: 90,
      count: 6,
    });
    return cohort;
  });
  const { id = '', public_url: publicUrl = '' } = made;
  return { cookies, id, publicPath: new URL(publicUrl).pathname };
}

/** A new user with three courses, and what is made in the last of them. */
async function signInAnd<Made>(
  browser: Browser,
  sites: Sites,
  make: (post: Post, courseId: string) => Promise<Made>,
): Promise<{ cookies: Cookies; made: Made }> {
  serial += 1;
  const email = `ada.${serial}@example.com`;
  const context = await browser.newContext({ baseURL: sites.ours });
  try {
    const post: Post = async (address, data) => {
      const { cookies } = await context.storageState();
      const token = cookies.find(({ name }) => name === 'csrftoken')?.value ?? '';
      const headers = { Origin: sites.ours, 'X-CSRFToken': token };
      const response = await context.request.post(address, { data, headers });
      if (!response.ok()) {
        throw new Error(`${address} answered ${response.status()}: ${await response.text()}`);
      }
      return response.json();
    };
    await context.request.get('/api/health/');
    const person = { first_name: 'Ada', last_name: 'Lovelace', email };
    await post('/api/accounts/auth/signup/', person);
    await post('/api/accounts/auth/confirm/', { token: sites.tokenMailedTo(email) });
    let courseId = '';
    for (const name of ['Botany', 'Chemistry', 'Dynamics']) {
      ({ id: courseId = '' } = await post('/api/courses/', { name, course_type: 'cohort' }));
    }
    const made = await make(post, courseId);
    // Cookies ignore ports, so the twin gets the same ones.
    return { cookies: (await context.storageState()).cookies, made };
  } finally {
    await context.close();
  }
}

/**
 * How long the page’s main thread has worked since the last call, in ms of CPU time: other programs
 * do not count.
 */
async function busyClock(session: CDPSession): Promise<() => Promise<number>> {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  let before = 0;
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const now = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
    const taken = now - before;
    before = now;
    return taken;
  };
}

/** One page load without any interaction. */
export type Load = {
  /** ms after navigation start. */
  firstPaint: number;
  largestPaint: number;
  /** The main thread’s work, in ms of CPU time. */
  busy: number;
  /** All loaded scripts, gzip -9. */
  scriptBytes: number;
  /** All responses, as transferred. */
  wireBytes: number;
};

/** Loads a page and waits until the network is idle. */
export function load(browser: Browser, address: string, options: OpenOptions): Promise<Load> {
  return withPage(browser, options, async (page, session) => {
    const scripts: Response[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') {
        scripts.push(response);
      }
    });
    const wire = countBytes(session);
    const busy = await busyClock(session);
    // The browser's own paint record, which needs no script in the page.
    let largest = 0;
    session.on('PerformanceTimeline.timelineEventAdded', ({ event }) => {
      largest = Math.max(largest, event.lcpDetails?.renderTime ?? 0);
    });
    await session.send('PerformanceTimeline.enable', { eventTypes: ['largest-contentful-paint'] });
    await page.goto(address, { waitUntil: 'load' });
    await page.locator('h1').waitFor();
    await page.waitForLoadState('networkidle');
    const busyMs = await busy();
    const { timeOrigin, firstPaint } = await page.evaluate(() => ({
      timeOrigin: performance.timeOrigin,
      firstPaint:
        performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    }));
    if (largest === 0) {
      throw new Error(`The browser did not tell of the largest paint of ${address}.`);
    }
    const sizes = await Promise.all(
      scripts.map(async (script) => gzipSync(await script.body(), { level: 9 }).length),
    );
    return {
      firstPaint,
      largestPaint: largest * 1000 - timeOrigin,
      busy: busyMs,
      scriptBytes: sizes.reduce((sum, size) => sum + size, 0),
      wireBytes: wire.taken(),
    };
  });
}

function countBytes(session: CDPSession) {
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return {
    taken: () => {
      const taken = bytes;
      bytes = 0;
      return taken;
    },
  };
}

/** How a user in a hurry experiences the page. Times in ms. */
type Visit = {
  /** From the start until a click has opened the user menu. */
  menuOpens: number;
  /** From the start until the arrow keys work in it. */
  keysWork: number;
  /** From the click on "Cohorts" until its heading is painted for the first time. */
  forth: number;
  forthBytes: number;
  /** The same for "Home", the previous page. */
  back: number;
  backBytes: number;
};

/** Clicks the user menu from the first moment on, then goes to another page and back. */
export function visit(browser: Browser, origin: string, cookies: Cookies): Promise<Visit> {
  return withPage(browser, { cookies, phone: 'slow' }, async (page, session) => {
    const wire = countBytes(session);
    await page.addInitScript(watchUserMenu);
    await page.goto(`${origin}/`, { waitUntil: 'commit' });
    await openUserMenu(page);
    await walkInUserMenu(page);
    const { menuOpens = Number.NaN, keysWork = Number.NaN } = await page.evaluate(
      () => window.moments,
    );
    await page.keyboard.press('Escape');
    await page.waitForLoadState('networkidle');
    wire.taken();
    const forth = await follow(page, 'Cohorts', 'Cohorts');
    await page.waitForTimeout(lateMs);
    const forthBytes = wire.taken();
    const back = await follow(page, 'Home', 'Welcome, Ada');
    await page.waitForTimeout(lateMs);
    return { menuOpens, keysWork, forth, forthBytes, back, backBytes: wire.taken() };
  });
}

/** Pages that the pointer has rested on. In ms, from the click until the heading is painted. */
type Walk = {
  toCohorts: number;
  toSettings: number;
  /** From Back until the heading of the page before is painted. */
  back: number;
};

/** How long the pointer rests on a link before the click. */
const hoverMs = 150;

/** Goes to other pages and back, on a good machine that is far from the server. */
export function walk(browser: Browser, origin: string, cookies: Cookies): Promise<Walk> {
  return withPage(browser, { cookies, phone: 'far' }, async (page) => {
    await page.goto(`${origin}/`, { waitUntil: 'networkidle' });
    await page.waitForTimeout(lateMs);
    const toCohorts = await follow(page, 'Cohorts', 'Cohorts', hoverMs);
    await page.waitForTimeout(lateMs);
    const back = await goBack(page, 'Welcome, Ada');
    await page.waitForTimeout(lateMs);
    const toSettings = await follow(page, 'Settings', 'Settings', hoverMs);
    return { toCohorts, toSettings, back };
  });
}

const pauseMs = 50;
/** Long enough for every request of a navigation to finish. */
const lateMs = 1_500;

type Moments = { menuOpens?: number; keysWork?: number };

/**
 * Runs in the page before its scripts: records when the menu appears and when the keyboard works in
 * it.
 */
function watchUserMenu(): void {
  const moments: Moments = {};
  window.moments = moments;
  let hasPressed = false;
  document.addEventListener('keydown', ({ key }) => {
    hasPressed ||= key === 'ArrowDown';
  });
  const timer = setInterval(() => {
    const menu = [...document.querySelectorAll('.menu')].find((element) =>
      element.textContent.includes('Log out'),
    );
    if (!menu?.checkVisibility()) {
      return;
    }
    moments.menuOpens ??= performance.now();
    if (hasPressed && document.activeElement?.matches('.menu .menu-item')) {
      moments.keysWork ??= performance.now();
      clearInterval(timer);
    }
  }, 10);
}

/** Clicks the button repeatedly until the menu is there. */
async function openUserMenu(page: Page): Promise<void> {
  const place = await untilThere(() =>
    page.evaluate(() => {
      const box = document.querySelector('.sidebar-user')?.getBoundingClientRect();
      // Before its styles have loaded, the page is not what people see.
      return box && box.width > 0 && box.width < 300
        ? { x: box.x + box.width / 2, y: box.y + box.height / 2 }
        : null;
    }),
  );
  await untilThere(async () => {
    await page.mouse.click(place.x, place.y);
    return page.evaluate(() => window.moments.menuOpens ?? null);
  });
}

/** Presses arrow down in the menu; if nothing happens, closes it, opens it and tries again. */
async function walkInUserMenu(page: Page): Promise<void> {
  await untilThere(async () => {
    await page.keyboard.press('ArrowDown');
    await page.waitForTimeout(pauseMs);
    const moment = await page.evaluate(() => window.moments.keysWork ?? null);
    if (moment === null) {
      await page.keyboard.press('Escape');
      await openUserMenu(page);
    }
    return moment;
  });
}

async function untilThere<Found>(find: () => Promise<Found | null>): Promise<Found> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const found = await find();
    if (found !== null) {
      return found;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new Error('The menu of the user did not come to work.');
}

/**
 * Clicks a link in the sidebar, on which the pointer has rested for this time.
 *
 * @returns ms from the click until the heading is painted
 */
async function follow(page: Page, link: string, heading: string, restMs = 0): Promise<number> {
  const painted = untilPainted(page, 'click', heading);
  const place = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link });
  if (restMs > 0) {
    await place.hover();
    await page.waitForTimeout(restMs);
  }
  await place.click();
  return painted;
}

/** @returns ms from the step back until the heading is painted */
async function goBack(page: Page, heading: string): Promise<number> {
  const painted = untilPainted(page, 'back', heading);
  await page.evaluate(() => {
    document.dispatchEvent(new Event('back'));
    window.history.back();
  });
  return painted;
}

/** @returns ms from the next event of this name until the heading is painted for the first time */
function untilPainted(page: Page, event: string, heading: string): Promise<number> {
  return page.evaluate(
    ([event, wanted]) =>
      new Promise<number>((resolve) => {
        let startedAt = 0;
        document.addEventListener(
          event,
          ({ timeStamp }) => {
            startedAt = timeStamp;
          },
          { capture: true, once: true },
        );
        const look = () => {
          if (startedAt > 0 && document.querySelector('h1')?.textContent === wanted) {
            // The next task runs after its frame was painted.
            setTimeout(() => resolve(performance.now() - startedAt));
          } else {
            requestAnimationFrame(look);
          }
        };
        look();
      }),
    [event, heading] as const,
  );
}

/** One step of the tour. */
export type Step = {
  name: string;
  /** Its slowest interaction, in ms until painted; 0 below 16 ms, which browsers do not report. */
  worst: number;
  /** How the time was spent. */
  slowest: string;
  /** The main thread’s work for the whole step, in ms of CPU time. */
  busy: number;
};

type Interaction = { id: number; duration: number; what: string };

/** After this time a step and everything it triggered is over. */
const settleMs = 300;

/**
 * Uses everything on a page that can be pressed. Keys and clicks are the browser's own, and the
 * page is asked nothing else meanwhile, because Playwright's work to find an element would count.
 */
export function tour(browser: Browser, origin: string, options: OpenOptions): Promise<Step[]> {
  return withPage(browser, options, async (page, session) => {
    await page.addInitScript(watchInteractions);
    await page.goto(`${origin}/`, { waitUntil: 'networkidle' });
    const busy = await busyClock(session);
    const steps: Step[] = [];

    /** @param after an element that is there when the step is done */
    async function step(name: string, act: () => Promise<unknown>, after?: Locator): Promise<void> {
      await takeInteractions(page);
      await busy();
      await act();
      await page.waitForTimeout(settleMs);
      const busyMs = await busy();
      await after?.waitFor();
      const all = await takeInteractions(page);
      const [slowest] = all.toSorted((a, b) => b.duration - a.duration);
      const { duration: worst = 0, what = '' } = slowest ?? {};
      steps.push({ name, worst, slowest: what, busy: busyMs });
    }

    async function click(name: string, target: Locator, after?: Locator): Promise<void> {
      await target.scrollIntoViewIfNeeded();
      const box = await target.boundingBox();
      if (box === null) {
        throw new Error(`There is nothing to click on: ${name}`);
      }
      const place = [box.x + box.width / 2, box.y + box.height / 2] as const;
      await page.mouse.move(...place);
      await page.waitForTimeout(settleMs);
      await step(name, () => page.mouse.click(...place, { delay: 60 }), after);
    }

    async function press(name: string, keys: string[]): Promise<void> {
      await step(name, async () => {
        for (const key of keys) {
          await page.keyboard.press(key, { delay: 40 });
          await page.waitForTimeout(100);
        }
      });
    }

    const places = page.getByRole('navigation', { name: 'Main' });
    const selector = page.locator('.course-trigger');
    const courses = page.getByRole('option');
    const dialog = page.getByRole('dialog', { name: 'Create a new course' });
    const accountItem = page.locator('.menu').getByText('Account', { exact: true });
    await click('click on nothing', page.locator('h1'));
    await click('open the user menu', page.locator('.sidebar-user'), accountItem);
    await press('arrow through the user menu', ['ArrowDown', 'ArrowDown']);
    await press('close it with Escape', ['Escape']);
    await click('open the course selector', selector, courses.first());
    await press('arrow through the courses', ['ArrowUp', 'ArrowUp', 'ArrowDown']);
    await click(
      'open the dialog for a new course',
      page.getByRole('button', { name: /^create new course$/i }),
      dialog,
    );
    await dialog.getByLabel('Course name').focus();
    await press('type a name', [...'Energy']);
    await click('choose a type', dialog.getByText('Evergreen', { exact: true }));
    await click(
      'create the course',
      dialog.getByRole('button', { name: 'Create Course', exact: true }),
      page.locator('.cover').getByText('Energy'),
    );
    await dialog.waitFor({ state: 'hidden' });
    await click('open the course selector again', selector, courses.first());
    await click(
      'select another course',
      courses.filter({ hasText: 'Botany' }),
      page.locator('.cover').getByText('Botany'),
    );
    await click(
      'go to the settings',
      places.getByRole('link', { name: 'Settings' }),
      page.getByRole('heading', { level: 1, name: 'Settings' }),
    );
    await page.getByLabel('First name').focus();
    await press('type a first name', [...'Lady']);
    await click(
      'save it',
      page.locator('#profile').getByRole('button', { name: 'Save' }),
      page.getByText('Name saved.'),
    );
    await click('switch to dark colors', page.getByRole('button', { name: 'Dark' }));
    await click(
      'switch the language',
      page.getByRole('button', { name: 'Français' }),
      page.locator('html[lang="fr"]'),
    );
    return steps;
  });
}

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface merges with the one of the DOM.
  interface Window {
    moments: Moments;
    takeInteractions: () => Interaction[];
  }
}

/** Runs in the page before its scripts. */
function watchInteractions(): void {
  let seen: PerformanceEventTiming[] = [];
  const observer = new PerformanceObserver((list) => {
    seen.push(...(list.getEntries() as PerformanceEventTiming[]));
  });
  observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  window.takeInteractions = () => {
    seen.push(...(observer.takeRecords() as PerformanceEventTiming[]));
    const interactions = seen
      .map((entry) => ({ entry, id: (entry as { interactionId?: number }).interactionId ?? 0 }))
      .filter(({ id }) => id > 0)
      .map(({ entry, id }) => {
        const waited = Math.round(entry.processingStart - entry.startTime);
        const worked = Math.round(entry.processingEnd - entry.processingStart);
        const shown = Math.round(entry.duration - waited - worked);
        return {
          id,
          duration: entry.duration,
          what: `${entry.name}: waited ${waited}, worked ${worked}, painted after ${shown}`,
        };
      });
    seen = [];
    return interactions;
  };
}

/** What has happened since the last call, once everything is painted. */
async function takeInteractions(page: Page): Promise<Interaction[]> {
  return page.evaluate(() => window.takeInteractions());
}
