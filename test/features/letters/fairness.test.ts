import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { takeNoise } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { day, hour, minute } from '#support/days.ts';
import { createEnrollment, createUser, db, uniqueEmail } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { startFresh } from '../places/fresh.ts';
import { createPublished, start } from '../places/storm.ts';
import { createOwner } from '../places/support.ts';
import { noWindow } from '../planning/support.ts';
import { enrollMany } from './reminders.ts';
import {
  createDue,
  createMail,
  createMany,
  createNews,
  createOffer,
  createSpam,
  drainAt,
  drainByClock,
  mailOf,
  mailRow,
  messageMail,
  payload,
  payloadUntil,
  repeat,
} from './support.ts';

const given = startFresh();
/** In one cohort. */
const many = env.EVERY_CASE === '1' ? 1_500 : 100;

const sentTo = (address: string) => mailsTo(address, given.resend.accepted);

/** An instructor with this many people, and functions that move the cohort and write to them. */
async function createCrowd(people: number) {
  const welcomeNote = 'Read chapter one. '.repeat(100);
  const owner = await createOwner({ timeZone: 'UTC', welcomeNote });
  const { base, client, cohort, post, read } = owner;
  await enrollMany(cohort, people);
  const move = async (starts_on: string, note: string | null = null) => {
    const now = await read<{ starts_on: string; ends_on: string }>();
    const zone = { time_zone: 'UTC' };
    const expected = { ...noWindow, ...zone, starts_on: now.starts_on, ends_on: now.ends_on };
    const next = { starts_on, ends_on: '2027-06-30', ...zone };
    const moved = await post('move/', { ...next, expected, notify: true, note });
    expect(moved.status, moved.body.code).toBe(200);
  };
  const write = async (text: string) => {
    // The emails are sent after the answer.
    const written = await client.post(`${base}messages/`, { subject: 'Hello', text });
    expect(written.status).toBeLessThan(300);
  };
  return { ...owner, move, write };
}

const imported = { source: 'imported', consentedAt: null, createdAt: new Date(start) } as const;
const agreed = { ...imported, source: 'self', consentedAt: new Date(start) } as const;

/** Someone whom an instructor has just enrolled, and a function that makes an email to them. */
async function join(
  cohort: { id: string; ownerId: string },
  of: Parameters<typeof createEnrollment>[2] = imported,
) {
  const { id, person } = await createEnrollment(cohort, { changedBy: 'owner' }, of);
  const to = { ownerId: cohort.ownerId, enrollmentId: id, toAddress: person.email };
  return {
    email: person.email,
    person: { id: person.id, link_version: 1 },
    mail: (values: Parameters<typeof createDue>[0]) => createMail({ ...to, ...values }),
  };
}

const textsTo = (address: string) => sentTo(address).map(({ text }) => text);

async function databaseBytes(): Promise<number> {
  return (await env.DB.prepare('SELECT 1').run()).meta.size_after;
}

test.each([
  ['an invalid payload, of many', { instructor: null }, 12],
  ['an unknown zone, of a few', { cohort: { ...payload.cohort, time_zone: 'Mars/X' } }, 3],
])('an email that cannot be composed harms no other: %s', async (_what, broken, count) => {
  const body = JSON.stringify({ ...payload, ...broken });
  const bad = await createDue({ payload: body, dueAt: new Date(start - hour) });
  const others = await repeat(count, () => createDue());
  await drainByClock();
  const { accepted } = given.resend;
  expect(accepted.map(({ to }) => to).sort()).toEqual(others.map((mail) => mail.toAddress).sort());
  // What it has left is tried again without it, and it is given up in the end.
  expect(await mailRow(bad.id)).toMatchObject({ sentAt: null, failedAt: null, batchKey: null });
  for (const hours of [1, 2, 3, 9, 10]) {
    await drainAt(start + hours * hour);
  }
  expect(await mailRow(bad.id)).toMatchObject({ failure: 'not_composed', attempts: 5 });
  expect(takeNoise()).toHaveLength(5);
  expect(accepted).toHaveLength(count);
});

test('what someone waits for goes before 10,000 other emails, and news after what is due later', async () => {
  // Of as many owners, all of whom it would come after.
  await createNews(10_000, start - hour);
  const offer = await createOffer({}, start + day);
  const later = await createDue(messageMail);
  await drainByClock();
  expect(given.resend.accepted.length).toBeLessThan(10_000);
  for (const { toAddress } of [offer, later]) {
    expect(sentTo(toAddress)).toHaveLength(1);
  }
});

test(`moves of ${many} people hold up no one else’s message, and hardly grow the database`, async () => {
  const large = await createCrowd(many);
  const small = await createCrowd(1);
  const before = await databaseBytes();
  for (let n = 1; n <= 5; n += 1) {
    await large.move(`2027-0${n}-11`, 'The room is not free. '.repeat(20));
  }
  await small.write('Bring a pen.');
  await drainAt(start + 5 * minute);
  const told = given.resend.accepted.filter(({ subject }) => subject.startsWith('Hello'));
  expect(told).toHaveLength(1);
  expect((await databaseBytes()) - before).toBeLessThan(500_000 + many * 4_000);
});

test('what one owner sends to 500 people holds up no one else’s email', async () => {
  await createMany(500, 'cohort_cancelled');
  const { id: owner } = await createUser();
  await db.run(sql`UPDATE mails_due SET owner_id = ${owner}, due_at = ${start - hour}`);
  const mail = { ownerId: (await createUser()).id, toAddress: uniqueEmail() };
  await createMail({ ...mail, kind: 'cohort_cancelled' });
  const ctx = contextOn();
  ctx.requests.made = ctx.config.requestsPerRun - 10;
  await drainOutbox(ctx, null);
  expect(given.resend.accepted.length).toBeLessThan(500);
  expect(sentTo(mail.toAddress)).toHaveLength(1);
});

test('words go to people who agreed, and to others once they were told that they were added', async () => {
  const { cohort, move } = await createCrowd(0);
  const [asked, stranger, told] = [
    await join(cohort, agreed),
    await join(cohort),
    await join(cohort),
  ];
  await told.mail({ kind: 'added', sentAt: new Date(start - 1) });
  await move('2027-02-01', 'Open evil now.');

  for (const { email } of [asked, told]) {
    expect(textsTo(email).at(-1)).toContain('Open evil now.');
  }
  expect(textsTo(stranger.email).at(-1)).toContain('Feb');
  expect(textsTo(stranger.email).at(-1)).not.toContain('evil');
});

test.each(['enrolled', 'transferred'] as const)(
  'the note of “%s” goes to few who have not agreed, and to none after complaints',
  async (kind) => {
    const note = 'Read chapter one.';
    const ways = { payment_note: 'To FR76 3000.', payment_url: 'https://pay.example.com/writing' };
    const cohort = await createPublished();
    const said = { ...payload.cohort, ...ways, welcome_note: note };
    /** Someone who knows that they were added, with a due email of this kind. */
    const add = async (of: Parameters<typeof join>[1]) => {
      const { email, mail, person } = await join(cohort, of);
      await mail({ kind: 'added', sentAt: new Date(start - hour) });
      await mail(mailOf(kind, { cohort: said, person }));
      return email;
    };
    const strangers = [await add(imported), await add(imported)];
    const asked = await add(agreed);
    await drainByClock({ LIMITS: { stranger_bulk_mails_per_owner: ['1/d'] } });
    const texts = strangers.flatMap(textsTo);
    expect(texts).toEqual(Array(2).fill(expect.stringContaining('Writing in spring')));
    expect(texts.filter((text) => text.includes(note))).toHaveLength(1);
    const [own, ...others] = textsTo(asked);
    expect(others).toEqual([]);
    for (const words of [note, ...Object.values(ways)]) {
      expect(own).toContain(words);
    }
    // Strangers are not asked for money.
    expect(texts.join()).not.toMatch(/FR76|pay\.example/);
    await createSpam(cohort.ownerId, new Date(start));
    const [late, lateAsked] = [await add(imported), await add(agreed)];
    await drainByClock();
    expect(textsTo(late)).toEqual([expect.stringContaining('Writing in spring')]);
    expect(textsTo(late)[0]).not.toContain(note);
    expect(textsTo(lateAsked)[0]).toContain(note);
  },
);

test.each([
  ['which is due later', { dueAt: new Date(start + 30 * minute) }, 30],
  ['which was dropped', { failedAt: new Date(start), failure: 'not_needed' as const }, 5],
  ['which was never written', null, 5],
])('a message waits for the email that someone was added, %s', async (_, added, due) => {
  const { cohort, write } = await createCrowd(0);
  const { email, mail } = await join(cohort);
  if (added !== null) {
    await mail({ kind: 'added', ...added });
  }
  await write('Bring a pen.');
  await drainByClock();
  expect(given.resend.accepted).toEqual([]);
  for (const minutes of [due, due + 5]) {
    await drainAt(start + minutes * minute);
  }
  expect(sentTo(email).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('has enrolled you'),
    'Hello (Writing)',
  ]);
});

test('a message to someone who cannot be told that they were added is given up', async () => {
  const { cohort, write } = await createCrowd(0);
  const { mail } = await join(cohort);
  await mail({ kind: 'added', failedAt: new Date(start), failure: 'refused' });
  await write('Bring a pen.');
  await drainByClock();
  const messages = await db.select().from(mailsDue).where(eq(mailsDue.kind, 'message'));
  expect(messages).toMatchObject([{ failure: 'not_told' }]);
});

test('beyond what an owner may send, people read what has changed without words', async () => {
  const { move } = await createCrowd(120);
  await move('2027-02-01', 'My own words.');
  await db.update(mailsDue).set({ sentAt: null, attempts: 0, batchKey: null });
  const { accepted } = given.resend;
  accepted.length = 0;
  await drainByClock({ LIMITS: { bulk_mails_per_owner: ['100/h'] } });
  expect(accepted).toHaveLength(120);
  expect(accepted.filter(({ text }) => text.includes('My own words.'))).toHaveLength(100);
});

test.each([
  ['offers to someone whom they have added', 'offer', { source: 'added' }],
  ['offers to someone who takes part with them', 'offer', {}],
  ['new links', 'new_link', { by_owner: 1 }],
] as const)('no instructor locks anyone out elsewhere: by %s', async (_what, kind, facts) => {
  const toAddress = uniqueEmail();
  const mail = { ownerId: (await createUser()).id, toAddress, payload: payloadUntil(null, facts) };
  await repeat(12, (no) => createMail({ ...mail, kind, sentAt: new Date(start - no) }));
  const request = { id: crypto.randomUUID(), expires_at: start + hour };
  await createMail({ toAddress, ...mailOf('confirm_request', { request }) });
  const enrolled = await createDue({ toAddress });
  await drainByClock();
  expect(sentTo(toAddress)).toHaveLength(2);
  expect((await mailRow(enrolled.id)).sentAt).not.toBeNull();
});

test.each([
  ['and leaves room for others', 'added', 'added', false],
  ['beside what its owner asks for', 'added', 'new_link', true],
  ['and more of what its owner asks for', 'new_link', 'new_link', true],
  ['beside the reminders of many sessions', 'meeting_reminder', 'added', true],
] as const)('one owner sends an address seven a day, %s', async (_, before, kind, goes) => {
  const mail = { ownerId: (await createUser()).id, toAddress: uniqueEmail() };
  await repeat(7, (no) =>
    createMail({ ...mail, kind: before, sentAt: new Date(start - no), payload: '' }),
  );
  const own = await createDue({ ...mail, kind });
  const other = await createDue({ ...mail, kind, ownerId: (await createUser()).id });
  // A rate of a month also counts emails whose texts are deleted.
  await drainByClock({ LIMITS: { owner_mails_per_address: ['7/30d'] } });
  expect((await mailRow(own.id)).sentAt !== null).toBe(goes);
  expect((await mailRow(other.id)).sentAt).not.toBeNull();
});
