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

/** So many that they go by one request. */
const addresses = Array.from({ length: 12 }, (_, n) => `person${n}@example.com`);

async function send<Answer>(path: string, input: object): Promise<Answer> {
  const response = await anna.post(path, input);
  expect(response.status, path).toBeLessThan(300);
  return response.json() as Promise<Answer>;
}

/** How many messages each person got. */
async function messages(): Promise<number[]> {
  const mails = await Promise.all(addresses.map((address) => built.mailsTo(address)));
  return mails.map((all) => all.filter(({ subject }) => subject.startsWith('Chairs')).length);
}

const tick = () => built.server.getWorker().scheduled({ cron: '*/5 * * * *' });

test('a batch whose key the provider knows with other emails is not sent again, and counts as sent', async () => {
  const [course] = (await (await anna.request('/api/courses/')).json()) as { id: string }[];
  const { id } = await send<{ id: string }>(`/api/courses/${course?.id}/cohorts/`, {
    name: 'Winter',
    time_zone: 'Europe/Paris',
    starts_on: '2090-01-09',
    ends_on: '2090-02-24',
  });
  await send(`/api/cohorts/${id}/publish/`, {});
  for (const email of addresses) {
    await send(`/api/cohorts/${id}/enrollments/`, { name: 'Ada', email, as: 'enrolled' });
  }
  await send(`/api/cohorts/${id}/messages/`, { subject: 'Chairs', text: 'Bring one.' });
  await tick();
  expect(await messages()).toEqual(addresses.map(() => 1));

  // As if the worker had died before it marked them, and someone had been erased since.
  await built.sql(
    "DELETE FROM mails_due WHERE kind = 'message' AND to_address = ?",
    addresses[0] ?? '',
  );
  await built.sql("UPDATE mails_due SET sent_at = NULL, due_at = 1 WHERE kind = 'message'");
  await tick();

  expect(await messages()).toEqual(addresses.map(() => 1));
  const rows = await built.sql(
    "SELECT sent_at > 0 AS sent, failure, provider_id AS provider FROM mails_due WHERE kind = 'message'",
  );
  expect(rows).toEqual(Array(11).fill({ sent: 1, failure: null, provider: null }));
});
