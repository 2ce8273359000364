import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#features/outbox/table.ts';
import { enrollmentRequests } from '#features/people/table.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { createEnrollment, db, uniqueEmail } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { createMail } from '../outbox/support.ts';
import { startFresh } from './fresh.ts';
import { linkFor, tokenFor } from './rights.ts';
import { createPublished, start } from './storm.ts';
import { ask, setTime } from './support.ts';

const given = startFresh();

const sentTo = (email: string) => mailsTo(email, given.resend.accepted).length;

let serial = 0;

/** Asks for an email to an address, each time at another moment; the answer is always the same. */
async function send(path: string, input: object, LIMITS: Record<string, string[]> = {}) {
  serial += 1;
  setTime(start + serial);
  const options = { bindings: { LIMITS } };
  const response = await createClient().request('POST', path, input, options);
  await settled();
  expect(response.status).toBe(202);
}

async function askAt(slug: string, email: string, LIMITS: Record<string, string[]> = {}) {
  serial += 1;
  setTime(start + serial);
  const { response } = await ask(slug, { email }, { bindings: { LIMITS } });
  expect(response.status).toBe(202);
}

const newLink = '/api/participation/new-link/';
const oneADay = { requests_per_address: ['1/d'] };

test.each([
  ['no link', async () => 'x'],
  [
    'the link of someone else',
    async () => linkFor((await createEnrollment(await createPublished())).person),
  ],
])('asking for a new link with %s uses up nothing of an address', async (_what, linkOf) => {
  const [email, link] = [uniqueEmail(), await linkOf()];
  for (let count = 0; count < 3; count += 1) {
    await send(newLink, { link, email }, oneADay);
  }
  expect(sentTo(email)).toBe(0);
  await askAt((await createPublished()).slug, email, oneADay);

  expect(sentTo(email)).toBe(1);
});

test('an address is asked three times a day about one cohort, then still about others, ten times in all', async () => {
  const email = uniqueEmail();
  const counts: number[] = [];
  for (let count = 0; count < 4; count += 1) {
    const { slug } = await createPublished();
    for (let time = 0; time < 4; time += 1) {
      await askAt(slug, email);
    }
    counts.push(await db.$count(mailsDue, eq(mailsDue.toCanonical, email)));
  }

  expect(counts).toEqual([3, 6, 9, 10]);
});

test('the other emails to an address have such a limit for each purpose', async () => {
  const cohort = await createPublished();
  const { person } = await createEnrollment(cohort);
  const prover = (await createEnrollment(cohort)).person;
  const link = await linkFor(person);
  const token = await tokenFor('data', prover);
  for (let count = 0; count < 4; count += 1) {
    await send(newLink, { link, email: person.email });
  }
  expect(sentTo(person.email)).toBe(3);
  for (let count = 0; count < 4; count += 1) {
    await send('/api/participation/new-address/', { token, email: person.email });
  }

  expect(sentTo(person.email)).toBe(6);
});

test('beyond its limit, nothing of a request is written', async () => {
  const [one, other] = [await createPublished(), await createPublished()];
  const email = uniqueEmail();
  await askAt(one.slug, email, oneADay);
  const isTheirs = eq(enrollmentRequests.emailCanonical, email);
  const before = await db.select().from(enrollmentRequests).where(isTheirs);
  await askAt(one.slug, email, oneADay);
  await askAt(other.slug, email, oneADay);

  expect(before).toHaveLength(1);
  expect(await db.select().from(enrollmentRequests).where(isTheirs)).toEqual(before);
});

test('where someone has marked emails as spam, so that none comes, asking uses up nothing', async () => {
  const [rival, wanted] = [await createPublished(), await createPublished()];
  const [email, before] = [uniqueEmail(), new Date(start - 1)];
  const spam = { ownerId: rival.ownerId, sentAt: before, complainedAt: before };
  await createMail({ ...spam, toAddress: email });
  await askAt(rival.slug, email, oneADay);
  expect(sentTo(email)).toBe(0);
  await askAt(wanted.slug, email, oneADay);

  expect(sentTo(email)).toBe(1);
});
