/**
 * Whether every combination is tested. Where languages, themes, windows and pages multiply, `npm
 * test` takes one combination for each item and alternates, so that every value occurs; `npm run
 * nightly` takes them all. A test that runs only then has the tag `night`. What differs:
 *
 * - e2e/views.spec.ts: a view in French, in one theme at one of two widths; at night in both
 *   languages and the pseudo-language, in both themes, at four widths and with large letters
 * - e2e/emails.spec.ts: an email in one language and theme on a phone; at night in both, at three
 *   widths
 * - budgets/browser.test.ts: a page in one of four looks; in all at night and in `npm run budgets`
 * - budgets/cold-start.test.ts: before the heaviest page; at night also before one for everyone
 * - built/deploy.test.ts: a rehearsal with a fake build; at night with a real one for each environment
 * - built/faults.test.ts: a worker is killed at one moment of a request; at night at three
 * - built/typed-texts.test.ts: one name of all kinds in French; at night each kind in both languages
 * - built/memory.test.ts: 400 requests a round; at night 1,800
 * - middleware/csrf.test.ts: two forgeries for each route; at night all, with every content type
 * - features/letters/busy-day.test.ts: 1,000 instructors; at night 10,000
 */
export const hasEveryCase = process.env['EVERY_CASE'] === '1';

/** Sets it for a command. */
export const everyCase = { EVERY_CASE: '1' };

/** All of them if every combination is tested; otherwise one, which alternates with the index. */
export function alternate<Item>(items: readonly Item[], index: number): readonly Item[] {
  const at = Math.floor(index) % items.length;
  return hasEveryCase ? items : items.slice(at, at + 1);
}
