/**
 * Whether every combination is tested. Where languages, themes, windows and pages multiply, `npm
 * test` takes one combination for each item and alternates, so that every value occurs; `npm run
 * nightly` takes them all. These are:
 *
 * - e2e/views.spec.ts: a view in French, with axe in one theme at one width; at night in both
 *   languages, themes and widths, at 200 % and with large letters
 * - e2e/emails.spec.ts: an email in one language, with axe in one theme; at night in all
 * - budgets/browser.test.ts: a page in one of four looks; at night, and by `npm run budgets`, in all
 * - built/deploy.test.ts: a rehearsal for one environment; at night for each
 * - built/typed-texts.test.ts: a kind of name in one language; at night in both
 * - built/memory.test.ts: 600 requests; at night 2,000
 * - middleware/csrf.test.ts: two forgeries for each route; at night all, with every content type
 * - features/outbox/busy-day.test.ts: at night a day as long as it can be
 */
export const hasEveryCase = process.env['EVERY_CASE'] === '1';

/** Sets it for a command. */
export const everyCase = { EVERY_CASE: '1' };

/** All of them at night, otherwise one, which alternates with the index. */
export function alternate<Item>(items: readonly Item[], index: number): readonly Item[] {
  const at = Math.floor(index) % items.length;
  return hasEveryCase ? items : items.slice(at, at + 1);
}
