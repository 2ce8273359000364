import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ledgerEntries } from '#db/schema/ledger.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import { createCohortRow, createEnrollment, db, uniqueEmail } from '#support/factories.ts';
import { fakeResend, mailsTo } from '#support/resend.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { refused, setTime, unsubscribe } from '../places/support.ts';
import { createOwner, listOf, listsOf, said, statusesIn } from './support.ts';

startFresh();

test('a list is only looked at first; then its people are invited, and the same list again does nothing', async () => {
  const { accepted } = fakeResend();
  const { preview, importList, cohort } = await createOwner({ language: 'fr' });
  const { addresses, text } = listOf(3);
  const list = `${text}\nAnna again,${addresses[0]?.toUpperCase()}\nBroken,broken@`;

  const seen = await preview({ text: list });
  const counts = { lines: 5, people: 3, unchanged: 1, faulty: 1 };
  expect(seen.body).toMatchObject({ is_done: false, counts, action: 'Import 3 people' });
  expect(seen.body).toMatchObject({ too_many: null, columns: null });
  expect(said(seen.body)).toEqual(['5 duplicate -', '6 invalid_email -']);
  expect(await statusesIn(cohort.id)).toEqual([]);

  const done = await importList({ text: list });
  expect(done).toMatchObject({ status: 200, body: { is_done: true, action: null } });
  expect(done.body.summary[0]).toBe('3 people were invited.');
  const invited = [2, 3, 4].map((line) => `${line} new invited`);
  expect(said(done.body)).toEqual([...invited, '5 duplicate -', '6 invalid_email -']);
  const names = ['Anna B invited', 'Béla B invited', 'Chloé B invited'];
  expect(await statusesIn(cohort.id)).toEqual(names);
  const [person] = await db.select().from(people).where(eq(people.ownerId, cohort.ownerId));
  expect(person).toMatchObject({ source: 'imported', language: 'fr', consentedAt: null });
  // The first at once, the others one after another.
  expect(mailsTo(addresses[0] ?? '', accepted)).toHaveLength(1);
  const isOwners = eq(mailsDue.ownerId, cohort.ownerId);
  const mails = await db.select().from(mailsDue).where(isOwners).orderBy(mailsDue.dueAt);
  const due = mails.filter(({ kind }) => kind === 'invitation').map(({ dueAt }) => dueAt.getTime());
  expect(due).toEqual([start, start + 12_000, start + 24_000]);

  setTime(start + 1);
  const again = await importList({ text: list });
  expect(again.body.summary[0]).toBe('Nothing has changed.');
  expect(said(again.body)[0]).toBe('2 already -');
  expect(await db.$count(mailsDue, isOwners)).toBe(mails.length);
});

test('people are known by their address, and what is known about them stays', async () => {
  const { client, preview, course, cohort, importList } = await createOwner();
  const other = await createCohortRow(course, { publishedAt: new Date(start) });
  const email = uniqueEmail();
  await listsOf(client, other.id).importList({
    text: `name,email,note,language\nÉlodie Blanc,${email},Sits in front,fr`,
    as: 'enrolled',
  });
  const text = `name,email,note,language\nElodie White,${email},Other,en`;

  expect(said((await preview({ text, as: 'enrolled' })).body)).toEqual(['2 known enrolled']);
  expect((await importList({ text, as: 'enrolled' })).body.lines[0]?.message).toBe(
    'Added. Already in another cohort; details stay as they are',
  );
  expect(await statusesIn(cohort.id)).toEqual(['Élodie Blanc enrolled']);
  const [person] = await db.select().from(people).where(eq(people.ownerId, cohort.ownerId));
  expect(person).toMatchObject({ name: 'Élodie Blanc', note: 'Sits in front', language: 'fr' });
});

test('people on the roster stay as they are, and those who wait are let in only by “add”', async () => {
  const { preview, importList, cohort } = await createOwner({ capacity: 1 });
  const statuses = ['enrolled', 'invited', 'left', 'declined', 'expired', 'waitlisted'] as const;
  const lines: string[] = [];
  for (const [index, status] of statuses.entries()) {
    const queueNo = status === 'waitlisted' ? 1 : null;
    const expiresAt = status === 'invited' ? new Date(start + 1_000) : null;
    const values = { status, queueNo, expiresAt };
    const { person } = await createEnrollment(cohort, values, { name: `N ${index}` });
    lines.push(`N,${person.email}`);
  }
  const text = `name,email\n${lines.join('\n')}`;

  expect((await importList({ text })).body.counts).toMatchObject({ people: 0, unchanged: 6 });
  expect(said((await preview({ text, as: 'enrolled' })).body).at(-1)).toBe('7 waiting -');
  const already = [2, 3, 4, 5, 6].map((line) => `${line} already -`);
  const added = await preview({ text, as: 'enrolled', rest: 'add' });
  expect(said(added.body)).toEqual([...already, '7 waiting enrolled']);
  setTime(start + 1);
  await importList({ text, as: 'enrolled', rest: 'waitlist' });
  expect((await statusesIn(cohort.id)).at(-1)).toBe('N 5 waitlisted');
  await importList({ text, as: 'enrolled', rest: 'add' });
  expect((await statusesIn(cohort.id)).at(-1)).toBe('N 5 enrolled over');
});

test('people who were removed, want no invitations or whose address bounces are left out', async () => {
  const { preview, importList, cohort } = await createOwner();
  const values = { status: 'removed', statusChangedAt: new Date(start) } as const;
  const { person: removed } = await createEnrollment(cohort, values);
  const [unsubscribed, bounced] = [uniqueEmail(), uniqueEmail()];
  await unsubscribe(cohort.ownerId, unsubscribed);
  const suppressed = { reason: 'bounced', since: new Date(start) } as const;
  await db.insert(suppressedAddresses).values({ emailCanonical: bounced, ...suppressed });
  const text = `name,email\nA,${removed.email}\nB,${unsubscribed}\nC,${bounced}\nD,${uniqueEmail()}`;

  for (const as of ['invited', 'enrolled']) {
    const { body } = await preview({ text, as });
    expect(said(body)).toEqual(['2 removed -', '3 unsubscribed -', '4 undeliverable -']);
    expect(body.counts).toEqual({ lines: 4, people: 1, unchanged: 2, faulty: 1 });
  }
  const { body } = await importList({ text, as: 'enrolled' });
  expect(body.lines.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Was removed on \w+day, /),
    'Does not want invitations from you',
    'Email to this address bounces',
    'Added',
  ]);
  expect(body.faulty_lines).toBe(
    `\ufeff"name","email","what is wrong"\r\n"C","${bounced}","Email to this address bounces"\r\n`,
  );
  expect(await db.$count(people, eq(people.ownerId, cohort.ownerId))).toBe(2);
});

const inside = ['Anna B enrolled', 'Béla B enrolled'];

test.each([
  ['waitlist', true, ['Chloé B waitlisted', 'Dora B waitlisted']],
  ['invite', true, ['Chloé B invited', 'Dora B invited']],
  ['add', true, ['Chloé B enrolled over', 'Dora B enrolled over']],
  ['waitlist', false, []],
])('more people than places are asked about: %s, %s', async (rest, waitlist, others) => {
  const { preview, importList, cohort } = await createOwner({ capacity: 2, waitlist });
  const input = { text: listOf(4).text, as: 'enrolled' };
  const expected = [...inside, ...others];

  const seen = await preview(input);
  expect(seen.body).toMatchObject({
    action: null,
    too_many: {
      message: 'Only 2 places are free. Please choose what happens to the others.',
      choices: waitlist ? ['waitlist', 'invite', 'add'] : ['invite', 'add'],
    },
  });
  expect(said(seen.body)).toEqual(['4 no_place -', '5 no_place -']);
  expect(await importList(input)).toMatchObject(refused('too_many_for_places'));
  expect(await db.$count(people, eq(people.ownerId, cohort.ownerId))).toBe(0);

  const done = await importList({ ...input, rest });
  expect(done.body.counts.people).toBe(expected.length);
  expect(await statusesIn(cohort.id)).toEqual(expected);

  setTime(start + 1);
  expect((await importList({ ...input, rest })).body.counts.people).toBe(0);
  expect(await statusesIn(cohort.id)).toEqual(expected);
});

test('someone who is put on the waitlist by a list reads who added them, what is kept and how to get out', async () => {
  const { accepted } = fakeResend();
  const { importList, cohort } = await createOwner({ capacity: 1, language: 'fr' });
  await createEnrollment(cohort);
  const { addresses, text } = listOf(1);
  await importList({ text, as: 'enrolled', rest: 'waitlist' });

  const [mail] = mailsTo(addresses[0] ?? '', accepted);
  expect(mail?.text).toContain('Anna Martin a placé votre nom sur la liste d’attente');
  expect(mail?.text).toContain('dans sa propre liste');
  expect(mail?.text).toContain('Me retirer');
  expect(mail?.text).not.toContain('parce que vous avez demandé');
});

test('a list that does not say which column is what is asked about', async () => {
  const { preview, importList, cohort } = await createOwner();
  const text = `7,Anna,${uniqueEmail()},Sits in front`;

  const { body } = await preview({ text });
  expect(body).toMatchObject({
    action: null,
    columns: {
      is_clear: false,
      kinds: ['ignored', 'ignored', 'email', 'ignored'],
      sample: [['7', 'Anna', expect.stringContaining('@'), 'Sits in front']],
    },
  });
  expect(await importList({ text, columns: ['name', 'ignored'] })).toMatchObject({ status: 400 });
  await importList({ text, columns: ['ignored', 'name', 'email', 'note'] });
  expect(await statusesIn(cohort.id)).toEqual(['Anna invited']);
  // A first row without any address is no person, also where columns are chosen.
  const header = { text: `Nombre,Correo\nBea,${uniqueEmail()}`, columns: ['name', 'email'] };
  await importList(header);
  expect(await statusesIn(cohort.id)).toEqual(['Anna invited', 'Bea invited']);
});

test.each([
  [null, start, 'Each new person who enrolls owes €240.', 24_000],
  [start, start, 'Each new person who enrolls owes €240.', 24_000],
  [
    start + 1,
    start,
    'Each new person who enrolls owes €180 until November 24, and €240 after that.',
    18_000,
  ],
])(
  'a preview says what newcomers are then charged: early price until %s',
  async (until, now, owes, charged) => {
    const { preview, importList, cohort } = await createOwner({
      priceMinor: 24_000,
      currency: 'EUR',
      ...(until && {
        earlyPriceMinor: 18_000,
        earlyUntilAt: new Date(until),
        earlyUntilLocal: '2026-11-24T13:00',
      }),
    });
    setTime(now);
    const { person } = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
    const text = `name,email\nOld,${person.email}`;
    const both = { text: `${text}\nNew,${uniqueEmail()}`, as: 'enrolled' };

    expect((await preview({ text, as: 'enrolled' })).body.summary.join()).not.toContain('owes');
    expect((await preview(both)).body.summary).toContain(owes);
    const { body } = await importList(both);
    expect(body.summary.join()).not.toContain('owes');
    const ofNew = await db
      .select({ amount: ledgerEntries.amountMinor })
      .from(ledgerEntries)
      .innerJoin(enrollments, eq(enrollments.id, ledgerEntries.enrollmentId))
      .innerJoin(people, eq(people.id, enrollments.personId))
      .where(and(eq(ledgerEntries.cohortId, cohort.id), eq(people.name, 'New')));
    expect(ofNew).toEqual([{ amount: charged }]);
  },
);

test('a preview shows the names that will be written, and no others', async () => {
  const { client, course, preview } = await createOwner();
  const other = await createCohortRow(course, { publishedAt: new Date(start) });
  const known = uniqueEmail();
  await listsOf(client, other.id).importList({ text: `name,email\nÉlodie,${known}` });
  const namesIn = async (count: number) => {
    const text = `${listOf(count).text}\nElodie,${known}\nNo one,nobody@`;
    const { summary } = (await preview({ text, informed: false })).body;
    return summary.find((sentence) => sentence.startsWith('Names'))?.replace(/[\u2068\u2069]/g, '');
  };

  expect(await namesIn(2)).toBe('Names to be saved: Anna B and Béla B');
  expect(await namesIn(9)).toBe(
    'Names to be saved: Anna B, Béla B, Chloé B, Dora B, Émile B, Fanny B, Gaël B, Hugo B, and 1 more',
  );
  expect(await namesIn(0)).toBeUndefined();
});

test('columns that are left out are named, and imported if the owner says what they hold', async () => {
  const { preview, importList, cohort } = await createOwner();
  const text = `Name,Email,Remarques diverses\nAnna,${uniqueEmail()},Sits in front`;

  const { body } = await preview({ text });
  expect(body.columns).toMatchObject({ kinds: ['name', 'email', 'ignored'], is_clear: true });
  expect(body).toMatchObject({ action: 'Import 1 person' });
  await importList({ text, columns: ['name', 'email', 'note'] });
  const [person] = await db.select().from(people).where(eq(people.ownerId, cohort.ownerId));
  expect(person).toMatchObject({ name: 'Anna', note: 'Sits in front' });
});

test('nothing is imported before the owner says that people know about it', async () => {
  const { importList, cohort } = await createOwner();
  expect(await importList({ text: listOf(1).text, informed: false })).toMatchObject({
    status: 400,
    body: { fields: { informed: ['Please confirm that you’ve told them'] } },
  });
  expect(await statusesIn(cohort.id)).toEqual([]);
});

test('answers come in with the question of the cohort, and are left out where it asks nothing', async () => {
  const asking = await createOwner({ question: 'What do you write?' });
  const silent = await createOwner();
  const text = `Name,Email,Answer\nAnna,${uniqueEmail()},Poems`;
  const stored = async ({ cohort }: typeof asking) =>
    (await db.select().from(enrollments).where(eq(enrollments.cohortId, cohort.id)))[0];

  await asking.importList({ text });
  await silent.importList({ text });
  expect(await stored(asking)).toMatchObject({ question: 'What do you write?', answer: 'Poems' });
  expect(await stored(silent)).toMatchObject({ question: null, answer: null });
  expect((await silent.preview({ text })).body.columns?.kinds.at(-1)).toBe('ignored');
  const tooLong = await asking.preview({ text: text.replace('Poems', 'x'.repeat(501)) });
  expect(tooLong.body.lines).toMatchObject([{ verdict: 'invalid_answer' }]);
});
