/**
 * Whether every combination is tested. Where languages, themes, windows and pages multiply, `npm
 * test` takes one combination for each item and alternates, so that every value occurs; `npm run
 * nightly` takes them all. These are:
 *
 * - e2e/views.spec.ts: most views in French, with axe, in one theme and at one width; at night all
 *   of them in both languages and the pseudo-language, themes and widths, zoomed, in large letters
 * - e2e/emails.spec.ts: an email in one language and theme, at one width; at night in all
 * - middleware/csrf.test.ts: a forged request with one content type; at night with each
 * - budgets/browser.test.ts: a page in one of four looks; at night in all, as in `npm run budgets`
 * - built/deploy.test.ts: a dry run for production; at night also for preview
 * - built/memory.test.ts: 400 requests a round; at night and in `npm run mutations` 1,800, and ten
 *   lists of 5,000 lines
 */
export const hasEveryCase = process.env['EVERY_CASE'] === '1';

/** Sets it for a command. */
export const everyCase = { EVERY_CASE: '1' };

/** All of them at night, otherwise one, which alternates with the index. */
export function alternate<Item>(items: readonly Item[], index: number): readonly Item[] {
  const at = Math.floor(index) % items.length;
  return hasEveryCase ? items : items.slice(at, at + 1);
}
