import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Course } from '#features/courses/schema.ts';
import type { Client } from '#support/client.ts';
import { createSignedInClient } from '#support/factories.ts';

const coursesPath = '/api/courses/';
const bindings = { LIMITS: { courses_per_user: [] } };
const peopleCount = 3;

/** One request of a round, who sends it, and which of the courses it is about. */
const operation = fc.record({
  kind: fc.constantFrom(
    'create',
    'create',
    'select own',
    'select own',
    'select missing',
    'select foreign',
    'delete own',
    'delete own',
    'delete foreign',
    'list own',
  ),
  who: fc.nat({ max: peopleCount - 1 }),
  which: fc.nat(),
});

test('during any parallel requests, every user with a course has exactly one selected, and it is theirs', async () => {
  const people = await Promise.all(
    Array.from({ length: peopleCount }, () => createSignedInClient()),
  );
  await Promise.all(people.map(({ client }) => client.get(coursesPath)));
  const outcomes = new Set<string>();
  const round = async (operations: { kind: string; who: number; which: number }[]) => {
    const courseIds = await Promise.all(people.map(({ user }) => courseIdsOf(user.id)));
    const responses = await Promise.all(
      operations.map(async ({ kind, who, which }) => {
        const client = people[who]?.client;
        const ofNeighbor = kind.endsWith('foreign') ? 1 : 0;
        const ids = courseIds[(who + ofNeighbor) % peopleCount] ?? [];
        const id = kind.endsWith('missing') ? undefined : ids[which % ids.length];
        const path = `${coursesPath}${id ?? crypto.randomUUID()}/`;
        if (kind === 'create') {
          const course = { name: `Course ${which}`, course_type: 'evergreen' };
          return client?.post(coursesPath, course, { bindings });
        }
        if (kind === 'list own') {
          return readList(client);
        }
        return kind.startsWith('select')
          ? client?.post(`${path}select/`)
          : client?.request('DELETE', path);
      }),
    );

    for (const [index, response] of responses.entries()) {
      outcomes.add(`${operations[index]?.kind} ${response?.status}`);
    }
    for (const { client, user } of people) {
      const list = await (await client.get(coursesPath)).json<Course[]>();
      const selected = list.filter(({ is_selected }) => is_selected);
      expect(selected).toHaveLength(list.length > 0 ? 1 : 0);
      expect(list.map(({ id }) => id).sort()).toEqual((await courseIdsOf(user.id)).sort());
      expect(await selectionOf(user.id)).toEqual({
        selected_course_id: selected[0]?.id ?? null,
        owner_id: list.length > 0 ? user.id : null,
      });
    }
  };
  const rounds = fc.asyncProperty(
    fc.array(operation, { minLength: 12, maxLength: 12, size: 'max' }),
    round,
  );
  // A round starts with the result of earlier rounds, so a smaller example would be a different
  // one.
  await fc.assert(rounds, {
    seed: 20_261_121,
    numRuns: env.EVERY_CASE === '1' ? 20 : 5,
    endOnFailure: true,
  });

  // Each kind of request ended in each expected way and in no other.
  expect([...outcomes].sort()).toEqual([
    'create 201',
    'delete foreign 404',
    'delete own 204',
    'delete own 404',
    'list own 200',
    'select foreign 404',
    'select missing 404',
    'select own 200',
    'select own 404',
  ]);
});

/** At any moment, every user with courses sees exactly one selected. */
async function readList(client: Client | undefined) {
  const response = await client?.get(coursesPath);
  const list = (await response?.clone().json<Course[]>()) ?? [];
  expect(list.filter(({ is_selected }) => is_selected)).toHaveLength(list.length > 0 ? 1 : 0);
  return response;
}

async function courseIdsOf(userId: string): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT id FROM courses WHERE owner_id = ? ORDER BY id')
    .bind(userId)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

function selectionOf(userId: string) {
  return env.DB.prepare(
    `SELECT selected_course_id, owner_id FROM users
     LEFT JOIN courses ON courses.id = selected_course_id WHERE users.id = ?`,
  )
    .bind(userId)
    .first();
}
