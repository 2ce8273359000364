import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { takeNoise } from '#support/console.ts';
import { day } from '#support/days.ts';
import { hurry } from '#support/hurry.ts';
import { repeatedBy } from '#support/repeated-by.ts';
import { actions, runClock } from './actions.ts';
import { brokenRules, lostMoney, takenIn } from './rules.ts';
import { createWorld, names, type World, type WorldValues } from './world.ts';

/** Fixed; nightly runs have more sequences with other seeds. */
const seed = Number(env.FUZZ_SEED);
const sequences = env.EVERY_CASE ? 100 : 2;
/** In milliseconds; on any machine the sequences take far less. */
const bounded = { interruptAfterTimeLimit: 1_800_000, markInterruptAsFailure: true };

const price = { priceMinor: 24_000, currency: 'EUR' } as const;

/** The kinds of cohorts in which the sequences take place. */
const kinds: Record<string, WorldValues> = {
  'a free cohort': {},
  'a cohort with payment before enrollment': { ...price, paymentMode: 'online_first' },
  'a cohort with payment at any time': { ...price, paymentMode: 'online' },
  'a cohort with approval': { ...price, paymentMode: 'online_first', joinMode: 'approval' },
};

/** The last names in the paths of requests that were accepted, in all kinds of cohorts. */
const accepted = new Set<string>();
const tested = new Set<string>();

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

/** Actions that lead to new states, and are therefore chosen more often. */
const often = [
  ...['… asks for a place on the public page, and confirms by email', '… accepts'],
  ...['… opens the page at Stripe', '… pays on the last page at Stripe'],
  ...['Stripe sends one of its last ten events', 'time passes', 'the clock runs', 'the clock runs'],
].flatMap((what) => [what, what, what]);

const step = fc.record({
  what: fc.constantFrom(...Object.keys(actions), ...often),
  // Mostly the same person, because most actions need an earlier one.
  who: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, fc.nat(names.length - 1)),
  isSecond: fc.oneof({ arbitrary: fc.constant(false), weight: 4 }, fc.constant(true)),
  number: fc.nat(9),
  manner: fc.oneof(
    { arbitrary: fc.constant('' as const), weight: 9 },
    fc.constantFrom(...(Object.keys(manners) as (keyof typeof manners)[])),
  ),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Such as `Ben accepts, twice at once`. */
function inWords({ what, who, isSecond, number, manner }: Step): string {
  const cohort = isSecond ? ' (second cohort)' : '';
  return `${what.replace('…', names[who] ?? '')}${manner}${cohort}, ${number}`;
}

async function run(world: World, { what, who, isSecond, number, manner }: Step) {
  const [person, cohort] = [world.people[who], world.cohorts[isSecond ? 1 : 0]];
  const act = actions[what];
  if (person && act) {
    const about = { person, cohort, number, key: crypto.randomUUID() };
    // The emails of a step are recognized by its time.
    world.pass(1_000);
    await manners[manner](async () => act(world, about), world);
  }
}

/** @throws Error naming the rules that a step breaks, and the steps up to this one */
async function runSteps(world: World, steps: readonly Step[]): Promise<void> {
  const done: string[] = [];
  for (const each of steps) {
    done.push(inWords(each));
    const before = await takenIn(world);
    await run(world, each).catch((error: unknown) => fail(done, [String(error)]));
    fail(done, await brokenRules(world, before, each.what === 'the clock runs'));
  }
  const before = await takenIn(world);
  // Stripe has sent no events by itself: the clock asks for what has happened.
  for (let days = 0; days < 2; days += 1) {
    world.pass(day);
    await runClock();
  }
  done.push('two days pass, and the clock runs');
  fail(done, [...(await brokenRules(world, before, true)), ...(await lostMoney(world))]);
  await world.end();
}

function fail(done: string[], broken: string[]): void {
  if (broken.length > 0) {
    throw new Error(`${broken.join('\n')}\nafter\n- ${done.join('\n- ')}`);
  }
}

test.each(Object.entries(kinds))(
  `every rule holds after each action in %s, in ${sequences} random sequences`,
  { timeout: 1_900_000 },
  async (name, kind) => {
    hurry();
    const sequence = fc.array(step, { minLength: 1, maxLength: 50, size: 'max' });
    const property = fc.asyncProperty(fc.noBias(sequence), async (steps) =>
      runSteps(await createWorld(kind, accepted), steps),
    );
    tested.add(name);
    const result = await fc.check(property, {
      ...{ seed: seed + Object.keys(kinds).indexOf(name), numRuns: sequences, ...bounded },
    });
    if (result.failed) {
      takeNoise();
      throw new Error(`${repeatedBy('orders')}: ${result.errorInstance ?? 'out of time'}`);
    }
  },
);

afterAll(() => {
  // Together, the sequences have reached the states that the rules are about.
  if (tested.size === Object.keys(kinds).length) {
    const wanted = ['requests', 'confirm', 'enrollments', 'leave', 'checkout', 'ledger'];
    expect([...accepted]).toEqual(expect.arrayContaining(wanted));
  }
});
