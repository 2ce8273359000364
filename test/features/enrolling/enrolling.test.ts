import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollmentRequests, enrollments, people } from '#db/schema/people.ts';
import { findRequest } from '#features/enrolling/confirm-request.ts';
import { formStamp } from '#features/enrolling/form-stamp.ts';
import { sealLink } from '#lib/signed-links.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { hour } from '#support/days.ts';
import { createEnrollment, db, uniqueEmail } from '#support/factories.ts';
import { recordDatabase } from '#support/recorder.ts';
import { linkIn, mailsTo, requestTokenIn } from '#support/resend.ts';
import { startFresh } from '../places/fresh.ts';
import { createPublished, start } from '../places/storm.ts';
import { ask, confirmPath, enrollBy, formOf, requestsPath, setTime } from '../places/support.ts';
import { expectRefusal, linkFor, tokenFor } from '../rights/rights.ts';

const given = startFresh();

const confirm = (token: unknown) => createClient().request('POST', confirmPath, { token });

test('a request is confirmed by a click, into a place, or to the waitlist if all are taken', async () => {
  const { resend } = given;
  const cohort = await createPublished({ capacity: 1, welcomeNote: 'Bring a pen.\nAnd paper.' });
  const answer = await enrollBy(resend, cohort.slug);

  expect(answer).toMatchObject({ status: 'enrolled', queue_position: null });
  const [asked, enrolled, ...rest] = mailsTo(answer.email, resend.accepted);
  expect(rest).toEqual([]);
  expect(asked).toMatchObject({ subject: 'Confirm your place in Writing' });
  expect(asked?.text).toContain('no place is kept until you do.');
  // A stranger may have typed the address.
  expect(asked?.text).not.toContain('Grace');
  expect(asked?.text).not.toContain('pen');
  expect(enrolled).toMatchObject({
    subject: 'You’re in: Writing, starting January 4',
    from: '"Anna Martin via Lectern" <hello@lectern.test>',
  });
  expect(enrolled?.text).toContain('Bring a pen.\n\nAnd paper.');
  for (const queue_position of [1, 2]) {
    const waiting = await enrollBy(resend, cohort.slug);
    expect(waiting).toMatchObject({ status: 'waitlisted', queue_position });
    const mail = mailsTo(waiting.email, resend.accepted).at(-1);
    expect(mail?.subject).toContain(`You’re number ${queue_position} on the waitlist`);
  }
});

test('nothing happens before the click, and opening the link is no click', async () => {
  const { accepted } = given.resend;
  const cohort = await createPublished();
  const { email } = await ask(cohort.slug);
  const token = requestTokenIn(accepted.at(-1));
  const shown = await findRequest(contextOn(), token);
  for (const method of ['GET', 'HEAD']) {
    await createClient().request(method, `${confirmPath}?token=${token}`);
  }

  const found = { personName: 'Grace Hopper', name: 'Writing in spring', isConfirmed: false };
  expect(shown).toMatchObject({ ...found, email: `${email[0]}•••@example.com` });
  expect(await db.$count(enrollments, eq(enrollments.cohortId, cohort.id))).toBe(0);
  expect(await db.$count(people, eq(people.emailCanonical, email))).toBe(0);
});

test('a second click changes nothing and says the same, even after the person has left', async () => {
  const { resend } = given;
  const cohort = await createPublished({ capacity: 1 });
  const { token, email } = await enrollBy(resend, cohort.slug);
  expect(await (await confirm(token)).json()).toMatchObject({ status: 'enrolled' });
  await settled();
  await db.update(enrollments).set({ status: 'left' }).where(eq(enrollments.cohortId, cohort.id));

  expect(await (await confirm(token)).json()).toMatchObject({ status: 'left' });
  expect(mailsTo(email, resend.accepted)).toHaveLength(2);
});

test('an earlier link stays good for its day, although someone has asked again', async () => {
  const { resend } = given;
  const cohort = await createPublished();
  const { email } = await ask(cohort.slug);
  setTime(start + hour);
  await ask(cohort.slug, { email });
  const [first, second] = mailsTo(email, resend.accepted).map(requestTokenIn);
  expect(first).not.toBe(second);
  setTime(start + 24 * hour);
  expect((await confirm(first)).status).toBe(400);
  expect((await confirm(second)).status).toBe(200);
  await settled();

  expect(await db.$count(enrollments, eq(enrollments.cohortId, cohort.id))).toBe(1);
});

test('a token that is not ours, or whose cohort is gone, confirms nothing', async () => {
  const id = crypto.randomUUID();
  const gone = await sealLink(contextOn(), 'request', { id, expiresAt: start + hour });
  const forged = `${id}.${start + hour}.${'0'.repeat(64)}`;
  for (const token of [undefined, ['a'], 'f'.repeat(64), forged, gone]) {
    await expectRefusal(await confirm(token), 400, 'person_link_invalid');
  }
});

test('the answer and the work are the same for every address, and the email says the rest', async () => {
  const { accepted } = given.resend;
  const cohort = await createPublished({ capacity: 2 });
  const enrolled = await createEnrollment(cohort);
  const removed = await createEnrollment(cohort, { status: 'removed' });
  const left = await createEnrollment(cohort, { status: 'left' });
  const answers: unknown[] = [];
  const work: unknown[] = [];
  const known = [enrolled, removed, left].map(({ person }) => person.email);
  for (const email of [...known, uniqueEmail()]) {
    const recording = recordDatabase(env.DB);
    const { response } = await ask(cohort.slug, { email }, { bindings: { DB: recording.db } });
    const { statements, trips } = recording.take();
    answers.push([response.status, Object.keys(await response.json<object>())]);
    work.push([trips, statements.map(({ sql }) => sql)]);
  }

  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(new Set(work.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(accepted.map(({ subject }) => subject)).toEqual([
    'Your place in Writing',
    'Your request for Writing',
    'Confirm your place in Writing',
    'Confirm your place in Writing',
  ]);
  expect(linkIn(accepted[0])).toContain(enrolled.person.id);
  expect(linkIn(accepted[1])).toBeUndefined();
});

test.each([
  ['a draft', { publishedAt: null }, 404, 'not_found'],
  ['in the trash', { deletedAt: new Date(start) }, 404, 'not_found'],
  ['by invitation', { joinMode: 'invitation' }, 422, 'cohort_invitation_only'],
  ['not open yet', { enrollmentOpensAt: new Date(start + hour) }, 422, 'enrollment_not_open'],
  ['closed', { enrollmentClosesAt: new Date(start) }, 422, 'enrollment_closed'],
  ['over', { endsAt: new Date(start) }, 422, 'cohort_over'],
] as const)('no one asks for a place in a cohort that is %s', async (_, values, status, code) => {
  const { attempts } = given.resend;
  const cohort = await createPublished(values);
  const { response } = await ask(cohort.slug);

  await expectRefusal(response, status, code);
  expect(attempts).toEqual([]);
});

test('refusals are said in the language of the request, with times where the cohort is', async () => {
  const full = await createPublished({ capacity: 1, waitlist: false });
  await createEnrollment(full);
  const taken = await ask(full.slug, {}, { headers: { 'Accept-Language': 'fr' } });
  const message = 'L’unique place est prise.';
  expect(await taken.response.json()).toMatchObject({ code: 'cohort_full', message });
  const soon = await createPublished({ enrollmentOpensAt: new Date(start + hour) });
  const opens = /^Enrollment opens on November 24 at 2:00\sPM \(Paris\)\.$/;
  const { response } = await ask(soon.slug);
  expect(await response.json()).toMatchObject({ message: expect.stringMatching(opens) });
});

const consent = 'Please agree that your name and email address are passed on to Anna Martin';
const signs = 'Use only letters, spaces, up to four digits and these characters: ’ - . , ( ) /';

test.each([
  [{ consent: false }, { consent: [consent] }],
  [{ name: '' }, { name: ['Name is required'] }],
  [{ name: 'x'.repeat(101) }, { name: ['Name must be at most 100 characters'] }],
  [{ name: 'Visit evil.example' }, { name: ['Add a space after each period'] }],
  [{ name: 'Ada <b>' }, { name: [signs] }],
  [{ name: 'Call 0800 555 0100' }, { name: [signs] }],
])('what is typed is checked, and refused in words: %j', async (typed, fields) => {
  const { response } = await ask((await createPublished()).slug, typed);

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ fields });
});

test('a form that a program has filled in is answered like others, and sends nothing', async () => {
  const { attempts } = given.resend;
  const cohort = await createPublished();
  const quick = await formStamp({ ...contextOn(), now: () => new Date(start - 1_999) });
  for (const values of [{ website: 'https://spam.example' }, { stamp: quick }]) {
    expect((await ask(cohort.slug, values)).response.status).toBe(202);
  }

  expect(attempts).toEqual([]);
  const ofCohort = eq(enrollmentRequests.cohortId, cohort.id);
  expect(await db.$count(enrollmentRequests, ofCohort)).toBe(0);
  const reasons = loggedEvents('form_refused').map(({ reason }) => reason);
  expect(reasons).toEqual(['honeypot', 'too_quick']);
});

test('a form of yesterday, or without a stamp of ours, has to be loaded again', async () => {
  const { slug } = await createPublished();
  const old = await formStamp({ ...contextOn(), now: () => new Date(start - 24 * hour - 1) });
  for (const stamp of ['', old, `${start - hour}.${'0'.repeat(64)}`]) {
    await expectRefusal((await ask(slug, { stamp })).response, 422, 'form_stale');
  }
});

test('beyond the limit of a cohort, requests are accepted, and their emails wait for the clock', async () => {
  const { slug } = await createPublished();
  const limited = { bindings: { LIMITS: { cohort_requests: ['1/h'] } } };
  for (let count = 0; count < 2; count += 1) {
    expect((await ask(slug, {}, limited)).response.status).toBe(202);
  }

  expect(given.resend.accepted).toHaveLength(1);
});

test('what a cohort offers is told to everyone, kept for ten seconds, and holds no cookie', async () => {
  const { slug } = await createPublished({ capacity: 3 });
  const response = await createClient().get(`/api/public/cohorts/${slug}/`);

  const stamp = expect.stringMatching(/^\d+\.[0-9a-f]{64}$/);
  const told = { enrollment_state: 'open', places_left: 3, waiting: 0, stamp };
  expect(await response.json()).toEqual(told);
  expect(response.headers.get('Cache-Control')).toContain('s-maxage=3');
  expect(response.headers.getSetCookie()).toEqual([]);
  const hidden = await createPublished({ capacity: 3, showsPlacesLeft: false });
  const other = await createClient().get(`/api/public/cohorts/${hidden.slug}/`);
  expect(await other.json()).toMatchObject({ places_left: null, waiting: null });
  expect((await createClient().get('/api/public/cohorts/none/')).status).toBe(404);
});

const sentTo = (email: string) => mailsTo(email, given.resend.accepted).length;

let serial = 0;

type Limits = Record<string, string[]>;

/** Asks for an email to an address, each time at another moment; the answer is always the same. */
async function send(path: string, input: object, LIMITS: Limits = {}) {
  serial += 1;
  setTime(start + serial);
  const response = await createClient().request('POST', path, input, { bindings: { LIMITS } });
  await settled();
  expect(response.status).toBe(202);
}

const askAt = async (slug: string, email: string, limits: Limits = {}) =>
  send(requestsPath(slug), await formOf({ email }), limits);

const newLink = '/api/participation/new-link/';
const oneADay = { requests_per_address: ['1/d'] };

test('asking for a new link without a link of the address uses up nothing of its limit', async () => {
  const [email, cohort] = [uniqueEmail(), await createPublished()];
  const { person: other } = await createEnrollment(cohort);
  for (const link of ['x', await linkFor(other)]) {
    await send(newLink, { link, email }, oneADay);
  }
  expect(sentTo(email)).toBe(0);
  await askAt(cohort.slug, email, oneADay);

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

test('the other emails to an address have a limit of three a day for each purpose', async () => {
  const cohort = await createPublished();
  const { person } = await createEnrollment(cohort);
  const { email } = person;
  const prover = (await createEnrollment(cohort)).person;
  for (const [path, proof, sent] of [
    [newLink, { link: await linkFor(person) }, 3],
    ['/api/participation/new-address/', { token: await tokenFor('data', prover) }, 6],
  ] as const) {
    for (let count = 0; count < 4; count += 1) {
      await send(path, { ...proof, email });
    }
    expect(sentTo(email)).toBe(sent);
  }
});

test('beyond the limit of an address, nothing of a request is written', async () => {
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
