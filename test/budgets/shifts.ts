import type { Page } from '@playwright/test';

/** A layout shift, with the elements that moved. */
export type Shift = { value: number; nodes: string[] };

/** The row of a page: no shift at all, by the elements that moved. */
export function shiftRow(what: string, shifts: Shift[]) {
  const parts: Record<string, number> = {};
  for (const { value, nodes } of shifts) {
    const name = nodes.join(', ');
    parts[name] = (parts[name] ?? 0) + value;
  }
  return {
    what,
    measured: shifts.reduce((sum, { value }) => sum + value, 0),
    budget: 0,
    unit: '' as const,
    parts,
  };
}

/** Runs in the browser. */
export function watchShifts(): void {
  type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
  const shifts: Shift[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LayoutShift[]) {
      const nodes = entry.sources.map(({ node }) =>
        node instanceof Element
          ? `${node.localName}.${node.className}`
          : (node?.nodeName ?? 'gone'),
      );
      shifts.push({ value: entry.value, nodes });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** After two frames, layout changes have been reported to observers. */
export async function twoFrames(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
