/**
 * Whether every combination is tested. Where languages, themes, windows and pages multiply, `npm
 * test` takes one combination for each item and alternates, so that every value occurs; `npm run
 * nightly` takes them all. These are:
 *
 * - e2e/views.spec.ts: a view in the pseudo-language, with axe in one theme at one width, and at
 *   200 % or with large letters; an overlay in wide or in narrow windows; at night also in both
 *   languages, in both themes and widths, with both
 * - e2e/emails.spec.ts: an email in one language, with axe in one theme; at night in all
 * - budgets/browser.test.ts: a page in one of three looks, and with error reporting off or on; at
 *   night in all, as in `npm run budgets`
 * - built/memory.test.ts: 400 requests a round; at night 1,800
 */
export const hasEveryCase = process.env['EVERY_CASE'] === '1';

/** Sets it for a command. */
export const everyCase = { EVERY_CASE: '1' };

/** All of them at night, otherwise one, which alternates with the index. */
export function alternate<Item>(items: readonly Item[], index: number): readonly Item[] {
  const at = Math.floor(index) % items.length;
  return hasEveryCase ? items : items.slice(at, at + 1);
}
