import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actionsOn, brokenRules, createPeople, createPublished, mailsOf, start } from './storm.ts';

/** Fixed; nightly runs have more rounds with other seeds: `STORM_ROUNDS` and `FUZZ_SEED`. */
const seed = Number(env.FUZZ_SEED);
const rounds = Number(env.STORM_ROUNDS);

const [people, callsOfEach] = [30, 4];

const call = fc.constantFrom(
  'enroll',
  'enroll',
  'leave',
  'leave',
  'accept',
  'add',
  'add over',
  'offer',
  'offer over',
  'invite',
  'accept invitation',
  'remove',
  'resize',
  'sweep',
);

const round = fc.record({
  capacity: fc.integer({ min: 1, max: 10 }),
  calls: fc.array(fc.tuple(call, fc.nat(people - 1), fc.integer({ min: 1, max: 12 })), {
    minLength: people * callsOfEach,
    maxLength: people * callsOfEach,
  }),
});

test(`${rounds} storms of parallel calls, with clocks that differ, leave every place, offer and email exact`, {
  timeout: 60_000 + rounds * 20_000,
}, async () => {
  const storm = fc.asyncProperty(round, async ({ capacity, calls }) => {
    const cohort = await createPublished({ capacity, offerHours: 24 });
    const act = actionsOn(cohort);
    const crowd = await createPeople(cohort, people);
    await Promise.all(crowd.map((person, index) => act.enroll(start + index, person)));
    expect(await brokenRules(cohort, start + people, capacity)).toEqual([]);
    await Promise.all(
      calls.map(([what, index, number], serial) => {
        const [time, person] = [start + 1_000 + serial * 2, crowd[index]];
        if (person === undefined) {
          return null;
        }
        return {
          enroll: () => act.enroll(time, person),
          leave: () => act.leave(time, person),
          accept: () => act.accept(time, person),
          add: () => act.add(time, person),
          'add over': () => act.add(time, person, true),
          offer: () => act.offer(time, person),
          'offer over': () => act.offer(time, person, true),
          invite: () => act.invite(time, person),
          'accept invitation': () => act.acceptInvitation(time, person),
          remove: () => act.remove(time, person),
          resize: () => act.resize(time, number),
          sweep: () => act.sweep(time),
        }[what]();
      }),
    );
    const after = start + 10_000;
    await act.sweep(after);
    expect(await brokenRules(cohort, after, 12)).toEqual([]);
    // A day later all offers are over, and the queue has moved on.
    const dayAfter = start + 25 * 60 * 60 * 1000;
    await act.sweep(dayAfter);
    expect(await brokenRules(cohort, dayAfter, 12)).toEqual([]);
    for (const person of crowd) {
      expect((await mailsOf(person)).length).toBeGreaterThan(0);
    }
  });
  await fc.assert(storm, { seed, numRuns: rounds, endOnFailure: true });
});
