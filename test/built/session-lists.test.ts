import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltWorker, signUpPerson, startBuiltWorker, type Visitor } from './worker.ts';

let built: BuiltWorker;
let anna: Visitor;

beforeAll(async () => {
  built = await startBuiltWorker();
  const person = { email: 'anna@example.com', firstName: 'Anna', lastName: 'Martin' };
  anna = await signUpPerson(built, { ...person, courseName: 'Writing' });
});
afterAll(() => built.close());

type Made = { id: string; public_url: string };

async function send(path: string, input: object): Promise<Made> {
  const response = await anna.post(path, input);
  expect(response.status, path).toBeLessThan(300);
  return response.json() as Promise<Made>;
}

/** The bytes that a page may have with one session, and those that each further one may add. */
const room: Record<string, [first: number, each: number]> = {
  schedule: [12_500, 250],
  attendance: [10_500, 110],
  emails: [15_000, 60],
  public: [7_500, 100],
};

test('pages that list sessions grow by little with each of them, up to 200', async () => {
  const [course] = (await (await anna.request('/api/courses/')).json()) as { id: string }[];
  const { id, public_url: url } = await send(`/api/courses/${course?.id}/cohorts/`, {
    name: 'Winter',
    time_zone: 'Europe/Paris',
    starts_on: '2090-01-09',
    ends_on: '2091-02-24',
  });
  await send(`/api/cohorts/${id}/publish/`, {});
  const person = { name: 'Ada', email: 'ada@example.com', as: 'enrolled' };
  await send(`/api/cohorts/${id}/enrollments/`, person);
  const paths: Record<string, string> = {
    schedule: `/cohorts/${id}/schedule`,
    attendance: `/cohorts/${id}/attendance`,
    emails: `/cohorts/${id}/emails`,
    public: new URL(url).pathname,
  };
  let [sessions, day] = [0, 10];
  for (const total of [1, 30, 200]) {
    while (sessions < total) {
      const count = Math.min(50, total - sessions);
      const starts_local = `2090-01-${day}T18:00`;
      const series = { title: `Series ${day}`, starts_local, duration_minutes: 90, count };
      await send(`/api/cohorts/${id}/meetings/`, series);
      sessions += count;
      day += 1;
    }
    for (const [name, [first, each]] of Object.entries(room)) {
      const response = await anna.request(paths[name] ?? '');
      const document = await response.text();
      expect(response.status).toBe(200);
      // All sessions are listed.
      expect(document).toContain(`Series ${day - 1}`);
      const weight = gzipSync(document).length;
      expect(weight, `${name} with ${total}`).toBeLessThan(first + each * (total - 1));
    }
  }
});
