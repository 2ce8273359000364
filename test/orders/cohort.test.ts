import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { takeNoise } from '#support/console.ts';
import { hurry } from '#support/hurry.ts';
import { repeatedBy } from '#support/repeated-by.ts';
import { brokenBy, inWords, type Step, sequence } from './sequences.ts';
import { createWorld, kinds, type World } from './world.ts';

/** Fixed; nightly runs have more sequences with other seeds. */
const seed = Number(env.FUZZ_SEED);
const sequences = env.EVERY_CASE ? 100 : 2;
/** In milliseconds; on any machine the sequences take far less. */
const bounded = { interruptAfterTimeLimit: 1_800_000, markInterruptAsFailure: true };

/** The last names in the paths of requests that were accepted, in all kinds of cohorts. */
const accepted = new Set<string>();
const tested = new Set<string>();

/** @throws Error naming the rules that a step breaks, and the steps up to this one */
async function runSteps(world: World, steps: readonly Step[]): Promise<void> {
  let taken = 0;
  for await (const broken of brokenBy(world, steps)) {
    taken += 1;
    const done = steps.slice(0, taken);
    if (broken.length > 0) {
      const words = [...done.map(inWords), ...(taken > steps.length ? ['two days pass'] : [])];
      throw new Error(`${broken.join('\n')}\nafter\n- ${words.join('\n- ')}`);
    }
  }
}

test.each(Object.entries(kinds))(
  `every rule holds after each action in %s, in ${sequences} random sequences`,
  { timeout: 1_900_000 },
  async (name, kind) => {
    hurry();
    const property = fc.asyncProperty(sequence, async (steps) => {
      const world = await createWorld(kind, accepted);
      await runSteps(world, steps).finally(world.end);
    });
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
