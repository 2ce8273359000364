import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#features/outbox/table.ts';
import { enrollmentRequests } from '#features/people/table.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { createEnrollment, db, uniqueEmail } from '#support/factories.ts';
import { fakeResend, mailsTo } from '#support/resend.ts';
import { createMail } from '../outbox/support.ts';
import { startFresh } from './fresh.ts';
import { linkFor, tokenFor } from './rights.ts';
import { createPublished, start } from './storm.ts';
import { ask, setTime } from './support.ts';

startFresh();

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

test.each([
  ['no link', async () => 'x'],
  [
    'the link of someone else',
    async () => linkFor((await createEnrollment(await createPublished())).person),
  ],
])('asking for a new link with %s uses up nothing of an address', async (_what, linkOf) => {
  const { accepted } = fakeResend();
  const email = uniqueEmail();
  const link = await linkOf();
  const LIMITS = { requests_per_address: ['1/d'] };
  for (let count = 0; count < 3; count += 1) {
    await send(newLink, { link, email }, LIMITS);
  }
  expect(mailsTo(email, accepted)).toEqual([]);
  await askAt((await createPublished()).slug, email, LIMITS);

  expect(mailsTo(email, accepted)).toHaveLength(1);
});

test('an address is asked three times a day about one cohort, and then still about others', async () => {
  const { accepted } = fakeResend();
  const [rival, wanted] = [await createPublished(), await createPublished()];
  const email = uniqueEmail();
  for (let count = 0; count < 5; count += 1) {
    await askAt(rival.slug, email);
  }
  expect(mailsTo(email, accepted)).toHaveLength(3);
  await askAt(wanted.slug, email);

  expect(mailsTo(email, accepted)).toHaveLength(4);
});

test('the other emails to an address have such a limit for each purpose', async () => {
  const { accepted } = fakeResend();
  const cohort = await createPublished();
  const { person } = await createEnrollment(cohort);
  const prover = (await createEnrollment(cohort)).person;
  const link = await linkFor(person);
  const token = await tokenFor('data', prover);
  for (let count = 0; count < 4; count += 1) {
    await send(newLink, { link, email: person.email });
  }
  expect(mailsTo(person.email, accepted)).toHaveLength(3);
  for (let count = 0; count < 4; count += 1) {
    await send('/api/participation/new-address/', { token, email: person.email });
  }

  expect(mailsTo(person.email, accepted)).toHaveLength(6);
});

test('in all, an address is asked ten times a day, whatever it is about', async () => {
  fakeResend();
  const email = uniqueEmail();
  for (let count = 0; count < 4; count += 1) {
    const { slug } = await createPublished();
    for (let time = 0; time < 3; time += 1) {
      await askAt(slug, email);
    }
  }

  expect(await db.$count(mailsDue, eq(mailsDue.toCanonical, email))).toBe(10);
});

test('beyond its limit, nothing of a request is written', async () => {
  fakeResend();
  const [one, other] = [await createPublished(), await createPublished()];
  const email = uniqueEmail();
  const LIMITS = { requests_per_address: ['1/d'] };
  await askAt(one.slug, email, LIMITS);
  const isTheirs = eq(enrollmentRequests.emailCanonical, email);
  const before = await db.select().from(enrollmentRequests).where(isTheirs);
  await askAt(one.slug, email, LIMITS);
  await askAt(other.slug, email, LIMITS);

  expect(before).toHaveLength(1);
  expect(await db.select().from(enrollmentRequests).where(isTheirs)).toEqual(before);
});

test('where someone has marked emails as spam, so that none comes, asking uses up nothing', async () => {
  const { accepted } = fakeResend();
  const [rival, wanted] = [await createPublished(), await createPublished()];
  const email = uniqueEmail();
  await createMail({
    ownerId: rival.ownerId,
    toAddress: email,
    sentAt: new Date(start - 1),
    complainedAt: new Date(start - 1),
  });
  const LIMITS = { requests_per_address: ['1/d'] };
  await askAt(rival.slug, email, LIMITS);
  expect(mailsTo(email, accepted)).toEqual([]);
  await askAt(wanted.slug, email, LIMITS);

  expect(mailsTo(email, accepted)).toHaveLength(1);
});
