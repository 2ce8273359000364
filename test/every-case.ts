/**
 * Whether every combination is tested. Where languages, themes, windows and pages multiply, `npm
 * test` takes one combination for each item and alternates, so that every value occurs; `npm run
 * nightly` takes them all. A test that runs only then has the tag `night`. What differs:
 *
 * - e2e/views.spec.ts: a page, and each kind of overlay, in French, in one theme at one of two
 *   widths; at night each state and all that its buttons open, in both languages and the
 *   pseudo-language, in both themes, at four widths and with large letters
 * - e2e/emails.spec.ts: an email of each layout in one language and theme on a phone; at night all
 *   in both, at three widths, and every one with a long link in all that people type
 * - e2e: at night alone the second file of the font, midnight at home, second journeys of
 *   content-files, files, lessons, new-cohort and roster, and when tooltips and toasts come and go,
 *   of which `npm test` only looks at one
 * - budgets/cold-start.test.ts: before the heaviest page; at night also before one for everyone
 * - built/deploy.test.ts: a rehearsal with a fake build; at night with a real one for each environment
 * - built/faults.test.ts: a worker is killed at one moment of a request; at night at three
 * - built/typed-texts.test.ts: one name of all kinds in French; at night each kind in both languages
 * - built/memory.test.ts: 400 requests a round; at night 1,800
 * - middleware/csrf.test.ts: two forgeries for each route, and GET; at night all, with every content
 *   type, and HEAD and OPTIONS
 * - features/limits/networks.test.ts: one limit, counted for the larger network; at night each
 * - features/lists/limits.test.ts: a list of 500 lines; at night 5,000
 * - features/content-files/plan.dom.test.ts: a zip that unpacks to 60 MB; at night 600
 * - features/identity/google-accounts.test.ts: 3 rounds of requests at once; at night 20
 * - features/calendar/write-calendar.test.ts: one zone in ten; at night all
 * - features: letters/many with 200 instructors, fairness with 100 people in a cohort, many-people
 *   with 1,200, self-paced/many with 1,500 and 500 in a run, checkouts/storm with 400 calls, 5
 *   rounds of selections; at night 10,000, 1,500, 20,000 each, 2,000 and 20
 * - api/fuzz: 100 random requests; at night 6,000. places/storm: 1 round; at night 20
 * - orders: 2 random sequences in each kind of cohort; at night 100
 * - round-trips: 1 to 60 random documents, lists and databases; at night 50 to 2,000
 * - round-trips/markdown: 1,000 hostile documents; at night 20,000
 * - features/lessons/editor: 60 random runs of the editor; at night 2,000
 */
export const hasEveryCase = process.env['EVERY_CASE'] === '1';

/** What is random is drawn with this, and with other seeds at night. */
export const fuzzSeed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

/** Sets it for a command. */
export const everyCase = { EVERY_CASE: '1' };

/** All of them if every combination is tested; otherwise one, which alternates with the index. */
export function alternate<Item>(items: readonly Item[], index: number): readonly Item[] {
  const at = Math.floor(index) % items.length;
  return hasEveryCase ? items : items.slice(at, at + 1);
}
