import { and, eq, getTableColumns, getTableName, type Table } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { ask as askDatabase } from '#db/query.ts';
import { checkouts } from '#db/schema/checkouts.ts';
import { learnerCodes, learning, lessonMarks } from '#db/schema/learning.ts';
import { ledgerEntries, ledgerNotes } from '#db/schema/ledger.ts';
import { attendance } from '#db/schema/meetings.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import {
  blockedAddresses,
  courseInterests,
  enrollmentEvents,
  enrollmentRequests,
  enrollments,
  people,
} from '#db/schema/people.ts';
import { LedgerEntry } from '#features/ledger/schema.ts';
import { PersonEvent, PersonInterest } from '#features/places/schema.ts';
import {
  ExportedPerson,
  PersonCheckout,
  type PersonExport,
  PersonLearning,
  PersonLesson,
  PersonMail,
  PersonMark,
  PersonPlace,
  PersonRequest,
} from '#features/rights/schema.ts';
import { blockInvitations } from '#features/suppression/blocked-addresses.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { minute } from '#support/days.ts';
import { createEnrollment, db, uniqueEmail } from '#support/factories.ts';
import { createLessonRow, createMark, createSectionRow } from '#support/lesson-rows.ts';
import { linkIn, mailsTo } from '#support/resend.ts';
import { startFresh } from '../places/fresh.ts';
import { createPublished, start } from '../places/storm.ts';
import { ask, createOwner, participate, personRow, refused, setTime } from '../places/support.ts';
import { call, expectRefusal, linkFor, placesOf, rightsTokenIn, tokenFor } from './rights.ts';

const day = 24 * 60 * minute;
const given = startFresh();
beforeEach(async () => {
  await db.delete(blockedAddresses);
});

async function createMember(values: Parameters<typeof createEnrollment>[1] = {}) {
  const cohort = await createPublished();
  return { cohort, ...(await createEnrollment(cohort, values)) };
}

test('a page’s link gets another by email, which works for 10 minutes', async () => {
  const { person } = await createMember();
  expect((await call('data-link', { link: await linkFor(person) })).status).toBe(202);
  const [mail] = mailsTo(person.email, given.resend.accepted);
  expect(mail?.subject).toBe('The link to your data: Writing');
  const token = rightsTokenIn(mail, 'data');
  setTime(start + 10 * minute - 1);
  expect((await call('data', { token })).status).toBe(200);
  setTime(start + 10 * minute);

  for (const path of ['data', 'erase']) {
    await expectRefusal(await call(path, { token }), 400, 'rights_link_invalid');
  }
  expect(await personRow(person.id)).toBeDefined();
});

test('a link of a person is emailed five times an hour, and in no case to others', async () => {
  const { person } = await createMember();
  const link = await linkFor(person);
  for (let round = 0; round < 5; round += 1) {
    setTime(start + round);
    expect((await call('data-link', { link })).status).toBe(202);
  }
  await expectRefusal(await call('data-link', { link }), 429, 'rate_limited');
  const forged = `${person.id}.${'0'.repeat(64)}`;
  await expectRefusal(await call('data-link', { link: forged }), 400, 'person_link_invalid');

  expect(given.resend.accepted.map(({ to }) => to)).toEqual(Array(5).fill(person.email));
});

type Holder = { id: string; linkVersion: number };

const others: Record<string, (person: Holder) => unknown> = {
  'the link to their page': linkFor,
  'a link that removes': (person) => tokenFor('remove', person),
  'one of someone else': () => tokenFor('data', { id: crypto.randomUUID(), linkVersion: 1 }),
  'one whose person was changed': async (person) => {
    const token = await tokenFor('data', { ...person, id: crypto.randomUUID() });
    return token.replace(/^[^.]+/, person.id);
  },
  'one of before a new link': (person) => tokenFor('data', { ...person, linkVersion: 0 }),
  'one that lasts longer than it was made for': async (person) =>
    (await tokenFor('data', person)).replace(/\.\d+\./, `.${start + day}.`),
  'no text': () => 5,
};

test.each(Object.entries(others))(
  'with %s no one takes or erases anything',
  async (_what, tokenOf) => {
    const { person } = await createMember();
    const token = await tokenOf(person);
    for (const path of ['data', 'erase', 'new-address', 'renew-link']) {
      const input = path === 'new-address' ? { token, email: uniqueEmail() } : { token };
      await expectRefusal(await call(path, input), 400, 'rights_link_invalid');
    }
    const own = await tokenFor('data', person);
    await expectRefusal(await call('remove-me', { token: own }), 400, 'rights_link_invalid');

    expect(await personRow(person.id)).toBeDefined();
    expect(await placesOf(person.email)).toEqual(['people.email', 'people.email_canonical']);
  },
);

test('the data of a person is all that this instructor keeps, for both of them the same', async () => {
  const { client, cohort, course, user } = await createOwner();
  const { person, id } = await createEnrollment(cohort, {}, { note: 'Pays in March.' });
  const elsewhere = await createPublished();
  await createEnrollment(elsewhere, {}, { email: person.email, note: 'Of another.' });
  await ask(cohort.slug, { email: person.email });
  const lesson = await createLessonRow(await createSectionRow(course));
  const mark = await createMark({ id, ownerId: user.id, cohortId: cohort.id }, lesson);
  await participate('leave', await linkFor(person), id);
  const token = await tokenFor('data', person);
  const own = await (await call('data', { token })).json<PersonExport>();

  const events = [{ to_status: 'enrolled' }, { from_status: 'enrolled', to_status: 'left' }];
  const marked = { opened_at: mark.openedAt.toISOString(), done_at: mark.doneAt?.toISOString() };
  expect(own).toMatchObject({
    exported_at: new Date(start).toISOString(),
    instructor: { name: 'Anna Martin', email: user.email },
    person: { id: person.id, email: person.email, note: 'Pays in March.' },
    enrollments: [
      {
        ...{ cohort_name: cohort.name, course_name: 'Writing', status: 'left', events },
        learning: { done: 1, last_seen_at: null },
        lessons: [{ lesson_id: lesson.id, title: lesson.title, ...marked }],
      },
    ],
    requests: [{ email: person.email }],
  });
  expect(own.emails.map(({ kind }) => kind).sort()).toEqual(['already_there', 'left']);
  expect(JSON.stringify(own)).not.toContain('Of another.');
  const response = await client.get(`/api/people/${person.id}/export/`);
  expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="person.json"');
  expect(await response.json()).toEqual(own);
  expect(loggedEvents('person_exported')).toMatchObject([{ by: 'person' }, { by: 'owner' }]);
});

test('every column about a person is in their data, or left out for a reason', () => {
  const leftOut: Record<string, Record<string, string[]>> = {
    'the name in another spelling': { people: ['name_key'], enrollments: ['name_key'] },
    'about the address that is there': { people: ['corrected_at'] },
    'a number that links are signed with': { people: ['link_version'] },
    'null for everyone who can ask': { people: ['erased_at', 'erased_no'] },
    'the order of the list': { enrollment_events: ['id'] },
    'part of its place or its entry': {
      enrollment_events: ['enrollment_id'],
      ledger_notes: ['entry_id', 'text'],
      learning: ['enrollment_id', 'cohort_id'],
      lesson_marks: ['enrollment_id', 'cohort_id'],
    },
    'a code that is gone after ten minutes': {
      learner_codes: ['attempt_hash', 'code_hash', 'tries', 'expires_at'],
    },
    'made of what else is there': {
      learning: ['next_release_at'],
      mails_due: ['cohort_id', 'dedupe_key', 'payload', 'text_id', 'is_to_stranger'],
      checkouts: ['course_id'],
      ledger_entries: ['course_id', 'course_name', 'created_by'],
    },
    'about how it was sent or asked for': {
      mails_due: ['provider_id', 'batch_key'],
      ledger_entries: ['idempotency_key'],
    },
    'which Stripe has it by, in the account of the instructor': {
      checkouts: ['stripe_account', 'session_id', 'payment_intent'],
      ledger_entries: ['outside_id'],
    },
    'when Stripe is asked about it': { checkouts: ['check_at', 'attempts'] },
    'which user acted for the instructor': {
      enrollments: ['changed_by_user_id'],
      enrollment_events: ['actor_user_id'],
      attendance: ['marked_by_user_id'],
      ledger_entries: ['created_by_user_id'],
    },
  };
  const told = [
    [people, ExportedPerson],
    [enrollments, PersonPlace],
    [enrollmentEvents, PersonEvent],
    [attendance, PersonMark],
    [learning, PersonLearning],
    [lessonMarks, PersonLesson],
    [learnerCodes, { shape: {} }],
    [enrollmentRequests, PersonRequest],
    [courseInterests, PersonInterest],
    [mailsDue, PersonMail],
    [ledgerEntries, LedgerEntry],
    [ledgerNotes, LedgerEntry],
    [checkouts, PersonCheckout],
  ] as const;
  // The instructor and the person are at the top.
  const atTheTop = ['owner_id', 'person_id'];
  const missing = told.flatMap(([table, schema]) =>
    Object.values(getTableColumns<Table>(table))
      .filter(({ name }) => !(name in schema.shape) && !atTheTop.includes(name))
      .map(({ name }) => `${getTableName(table)}.${name}`),
  );

  const named = Object.values(leftOut)
    .flatMap((tables) => Object.entries(tables))
    .flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`));
  expect(missing.sort()).toEqual(named.sort());
});

test('another address is theirs once its mailbox is proven, and all earlier links end', async () => {
  const { accepted } = given.resend;
  const { person, id, cohort } = await createMember();
  const fresh = 'grace.new@example.com';
  const token = await tokenFor('data', person);
  const before = await linkFor(person);
  expect((await call('new-address', { token, email: fresh })).status).toBe(202);
  const [mail] = mailsTo(fresh, accepted);
  // It names no one: the mailbox may be that of a stranger.
  expect(mail?.text).not.toContain(person.name);
  expect(await personRow(person.id)).toMatchObject({ email: person.email });
  const proof = rightsTokenIn(mail, 'address');
  const done = await call('confirm-address', { token: proof });
  const { redirect_to: page } = await done.json<{ redirect_to: string }>();

  const link = await linkFor({ ...person, linkVersion: 2 });
  expect(page).toBe(`https://lectern.test/p/${link}`);
  expect(linkIn(mailsTo(fresh, accepted).at(-1))).toBe(link);
  expect(await placesOf(person.email)).toEqual([]);
  await expectRefusal(await call('confirm-address', { token: proof }), 400, 'rights_link_invalid');
  await expectRefusal(await call('data', { token }), 400, 'rights_link_invalid');
  expect(await participate('leave', before, id)).toMatchObject({ status: 400 });
  // After a later erasure, nothing of either address is left.
  await ask(cohort.slug, { email: fresh });
  await call('erase', { token: await tokenFor('data', { ...person, linkVersion: 2 }) });
  expect(await placesOf(fresh)).toEqual([]);
});

test('an address of another person of the instructor stays theirs, and only its mailbox learns that', async () => {
  const { person, cohort } = await createMember();
  const { email } = (await createEnrollment(cohort)).person;
  const token = await tokenFor('data', person);
  expect((await call('new-address', { token, email })).status).toBe(202);
  const proof = rightsTokenIn(mailsTo(email, given.resend.accepted)[0], 'address');

  await expectRefusal(await call('confirm-address', { token: proof }), 422, 'address_in_use');
  expect(await personRow(person.id)).toMatchObject({ email: person.email, linkVersion: 1 });
});

test('what is due goes to a corrected address, and so does the wish to get no invitations', async () => {
  const { accepted } = given.resend;
  const { add, send, user } = await createOwner();
  const { body, email: wrong } = await add({ as: 'invited' });
  const { person } = body;
  const ctx = contextOn();
  const addressee = { ownerId: user.id, emailCanonical: wrong };
  await askDatabase(ctx, { blocked: await blockInvitations(ctx, addressee) });
  const email = uniqueEmail();
  await send('PATCH', `/api/people/${person.id}/`, { email });

  const isReminder = eq(mailsDue.kind, 'invitation_reminder');
  const isTheirs = and(eq(mailsDue.ownerId, user.id), isReminder);
  const due = await db.select().from(mailsDue).where(isTheirs);
  expect(due.map(({ toAddress, payload }) => [toAddress, JSON.parse(payload).person])).toEqual([
    [email, { id: person.id, link_version: 2 }],
  ]);
  expect(mailsTo(email, accepted).map(({ subject }) => subject)).toEqual([
    'Your new link for Writing',
  ]);
  await db.update(enrollments).set({ status: 'declined', expiresAt: null });
  expect(await add({ as: 'invited', email })).toMatchObject(refused('invitations_unwanted'));
  // Someone who is already on the lists can be added on request.
  expect((await add({ email })).status).toBe(201);
});
