import type { Page } from '@playwright/test';

/** How far something moved, and what. */
type Shift = { value: number; nodes: string[] };

/**
 * The score if words are some pixels wider in their own font, and move what stands beside them.
 * Browsers call up to 0.1 good; a column that moves by a line has 0.004 and more.
 */
const rounding = 0.002;

/**
 * Holds the fonts and scripts of a page back until it is painted without them.
 *
 * @returns reads what has moved since the document began, and before it was first used
 */
export async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(noteShifts);
  let painted: Promise<void> | null = null;
  page.on('request', (request) => {
    painted = request.isNavigationRequest() ? null : painted;
  });
  // Not by `route`, which asks about every request and keeps nothing in the browser's cache.
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', async ({ requestId }) => {
    // The document before may have been asked, and be gone by now: then the new one is asked.
    painted ??= page
      .evaluate(untilPainted)
      .catch(() => page.evaluate(untilPainted))
      .catch(() => {});
    await painted;
    await session.send('Fetch.continueRequest', { requestId }).catch(() => {});
  });
  await session.send('Fetch.enable', {
    patterns: [{ urlPattern: '*.js' }, { urlPattern: '*.woff2' }],
  });
  return async () => {
    const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
    return shifts
      .filter(({ value }) => value > rounding)
      .map(({ value, nodes }) => `moves by ${value}: ${nodes.join(', ')}`);
  };
}

/** Runs in the browser. */
function noteShifts(): void {
  type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
  if (window !== top) {
    // The frame of an email, which runs no scripts, would complain.
    return;
  }
  const shifts: Shift[] = [];
  Object.assign(window, { shifts });
  const observer = new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as LayoutShift[]) {
      const nodes = sources.map(({ node }) =>
        node instanceof Element
          ? `${node.localName}.${node.className}`
          : (node?.nodeName ?? 'gone'),
      );
      shifts.push({ value, nodes });
    }
  });
  observer.observe({ type: 'layout-shift', buffered: true });
  for (const use of ['pointerdown', 'keydown', 'input']) {
    addEventListener(use, () => observer.disconnect(), { capture: true });
  }
}

/** Runs in the browser. Two frames later, layout changes have been reported to observers. */
async function untilPainted(): Promise<void> {
  while (document.readyState === 'loading' || performance.getEntriesByType('paint').length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}
