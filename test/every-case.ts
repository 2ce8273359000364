/**
 * Whether every combination is tested. Where languages, themes, windows and pages multiply, `npm
 * test` takes one combination for each item and alternates, so that every value occurs; `npm run
 * nightly` takes them all. These are:
 *
 * - e2e/views.spec.ts: a view in French, in one theme at one of two widths; at night in both
 *   languages and the pseudo-language, in both themes, at four widths and with large letters
 * - e2e/emails.spec.ts: an email in one language and theme on a phone; at night in both, at three
 *   widths
 * - budgets/browser.test.ts: a page in one of four looks; in all at night and in `npm run budgets`
 * - built/deploy.test.ts: a rehearsal for one environment; at night for each
 * - built/typed-texts.test.ts: a kind of name in one language; at night in both
 * - built/memory.test.ts: 400 requests a round; at night 1,800
 * - middleware/csrf.test.ts: two forgeries for each route; at night all, with every content type
 * - features/letters/busy-day.test.ts: 1,000 instructors; at night 10,000
 * - orders: 3 random orders of a kind of cohort; at night 100
 * - round-trips: 1 to 25 random documents, courses, lists and databases; at night 50 to 1,000
 */
export const hasEveryCase = process.env['EVERY_CASE'] === '1';

/** Sets it for a command. */
export const everyCase = { EVERY_CASE: '1' };

/** All of them if every combination is tested; otherwise one, which alternates with the index. */
export function alternate<Item>(items: readonly Item[], index: number): readonly Item[] {
  const at = Math.floor(index) % items.length;
  return hasEveryCase ? items : items.slice(at, at + 1);
}
