import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { takeNoise } from '#support/console.ts';
import { day } from '#support/days.ts';
import { actions, runClock } from './actions.ts';
import { wrongAtStripe, wrongBalances, wrongLists } from './money-rules.ts';
import { brokenRules, takenIn } from './rules.ts';
import { cohortNames, names, type World } from './world.ts';

/** How a request is sent: most are sent once, and answered. */
const manners = {
  '': (act: () => Promise<unknown>) => act(),
  ', twice at once': (act: () => Promise<unknown>) => Promise.all([act(), act()]),
  ', and again, as if the answer was lost': async (act: () => Promise<unknown>) => {
    await act();
    await act();
  },
  ', while Stripe works but its answers are lost': async (
    act: () => Promise<unknown>,
    { stripe }: World,
  ) => {
    stripe.fail('/v1/', 500, { after: true, count: 20 });
    await act();
    stripe.recover();
    takeNoise();
  },
};

const asks = '… asks for a place on the public page, and confirms by email';
const pays = '… pays at Stripe, from the first click to the last';
/** Actions that lead to new states: in every sequence. */
const often = [
  ...[asks, pays, '… opens the page at Stripe', '… pays on the last page at Stripe'],
  ...['… accepts', '… leaves', '… comes back', 'the owner adds …'],
  ...['minutes pass', 'hours pass', 'the clock runs'],
];
const others = Object.keys(actions).filter((what) => !often.includes(what));

/** How sequences begin: most of what can go wrong needs someone who is in, or about to pay. */
const beginnings = [
  [],
  [asks],
  [asks, pays],
  ['the owner adds …', pays],
  [asks, '… opens the page at Stripe'],
  ['the owner invites …', '… accepts', pays],
  ['the owner adds …', '… opens the page at Stripe'],
].map((whats) =>
  whats.map((what): Step => ({ what, who: 0, where: 0, number: 0, manner: '' as const })),
);

/** With some of the others in each, which so happen in more orders than all of them could. */
export const sequence = fc
  .tuple(
    fc.constantFrom(...beginnings),
    fc.shuffledSubarray(others, { minLength: 8, maxLength: 16 }),
  )
  .chain(([beginning, some]) =>
    fc
      .noBias(
        fc.array(stepOf([...often, asks, pays, ...some]), {
          ...{ minLength: 1, maxLength: env.EVERY_CASE ? 40 : 20, size: 'max' },
        }),
      )
      .map((steps) => [...beginning, ...steps]),
  );

function stepOf(whats: string[]) {
  return fc.record({
    what: fc.constantFrom(...whats),
    // Mostly the same person, because most actions need an earlier one.
    who: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, fc.nat(names.length - 1)),
    where: fc.oneof({ arbitrary: fc.constant(0), weight: 6 }, fc.nat(cohortNames.length - 1)),
    number: fc.nat(9),
    manner: fc.oneof(
      { arbitrary: fc.constant('' as const), weight: 9 },
      fc.constantFrom(...(Object.keys(manners) as (keyof typeof manners)[])),
    ),
  });
}
export type Step = ReturnType<typeof stepOf> extends fc.Arbitrary<infer Value> ? Value : never;

/** Such as `Ben accepts, twice at once`. */
export function inWords({ what, who, where, number, manner }: Step): string {
  const cohort = where === 0 ? '' : ` (${cohortNames[where]})`;
  return `${what.replace('…', names[who] ?? '')}${manner}${cohort}, ${number}`;
}

async function run(world: World, { what, who, where, number, manner }: Step) {
  const [person, cohort] = [world.people[who], world.cohorts[where]];
  const act = actions[what];
  if (person && cohort && act) {
    const about = { person, cohort, number, key: crypto.randomUUID() };
    // The emails of a step are recognized by its time.
    world.pass(1_000);
    await manners[manner](async () => act(world, about), world);
    if (!/ pass$|^the clock/.test(what)) {
      world.acted.at = world.now();
    }
  }
}

/** Takes one step after the other, and says after each which rules it has broken; and at the end. */
export async function* brokenBy(world: World, steps: readonly Step[]): AsyncGenerator<string[]> {
  for (const each of steps) {
    const before = await takenIn(world);
    try {
      await run(world, each);
    } catch (error) {
      yield [String(error)];
    }
    yield brokenRules(world, before, each.what.startsWith('the clock runs'));
  }
  const before = await takenIn(world);
  const lists = await Promise.all(world.cohorts.map((cohort) => wrongLists(world, cohort)));
  // Stripe has sent no events by itself: the clock asks for what has happened.
  for (let days = 0; days < 2; days += 1) {
    world.pass(day);
    await runClock();
  }
  yield [
    ...lists.flat(),
    ...(await brokenRules(world, before, true)),
    ...(await wrongAtStripe(world)),
    ...(await wrongBalances(world)),
  ];
}
