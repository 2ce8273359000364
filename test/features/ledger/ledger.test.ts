import { eq, sql } from 'drizzle-orm';
import papaparse from 'papaparse';
import { expect, test } from 'vitest';
import { ledgerEntries, ledgerNotes } from '#db/schema/ledger.ts';
import { people } from '#db/schema/people.ts';
import { users } from '#db/schema/users.ts';
import { momentIn } from '#lib/time/words.ts';
import { db } from '#support/factories.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { setTime } from '../places/support.ts';
import { createPaid, earlyUntil } from './support.ts';

startFresh();

async function paidEntry() {
  const { cohort, enroll, pay, ...owner } = await createPaid();
  const member = await enroll();
  const [entry] = (await pay(member.id, 100, { note: 'In cash' })).entries;
  return { ...owner, cohort, member, id: entry?.id ?? '' };
}

function entryOf(
  { cohort, member }: Pick<Awaited<ReturnType<typeof paidEntry>>, 'cohort' | 'member'>,
  values: Partial<typeof ledgerEntries.$inferInsert>,
) {
  return {
    id: crypto.randomUUID(),
    ownerId: cohort.ownerId,
    courseId: cohort.courseId,
    courseName: 'Writing',
    cohortId: cohort.id,
    cohortName: cohort.name,
    personId: member.personId,
    enrollmentId: member.id,
    kind: 'payment' as const,
    amountMinor: -100,
    currency: 'EUR',
    method: 'cash' as const,
    receivedOn: '2026-11-20',
    source: 'owner' as const,
    createdBy: 'owner' as const,
    createdAt: new Date(start),
    ...values,
  };
}

const none = { method: null, receivedOn: null };

test('the database changes and deletes no entry, and no note', async () => {
  const { id, user } = await paidEntry();
  const own = eq(ledgerEntries.id, id);

  await refuses(db.update(ledgerEntries).set({ amountMinor: -200 }).where(own), 'append_only');
  await refuses(db.delete(ledgerEntries).where(own), 'append_only');
  const note = eq(ledgerNotes.entryId, id);
  await refuses(db.update(ledgerNotes).set({ text: 'Other' }).where(note), 'append_only');
  await refuses(db.delete(ledgerNotes).where(note), 'append_only');
  // Deleting the account deletes them all.
  await db.delete(users).where(eq(users.id, user.id));
  expect(await db.select().from(ledgerEntries).where(own)).toEqual([]);
  expect(await db.select().from(ledgerNotes).where(note)).toEqual([]);
});

test.each([
  ['a second charge', { kind: 'charge', amountMinor: 100, ...none }, 'charged_already'],
  ['another currency', { currency: 'USD' }, 'currency_in_use'],
  ['a payment that adds', { amountMinor: 100 }, 'amount_check'],
  ['a payment of no way', none, 'method_check'],
  ['the reversal of nothing', { amountMinor: 100, reversesId: 'x' }, 'reverses_nothing'],
] as const)('the database refuses %s', async (_name, values, reason) => {
  const made = await paidEntry();

  await refuses(db.insert(ledgerEntries).values(entryOf(made, { ...values })), reason);
});

test('the database reverses an entry once, by its own amount, and no reversal', async () => {
  const made = await paidEntry();
  const reversal = entryOf(made, { amountMinor: 100, reversesId: made.id });
  const wrong = { ...reversal, amountMinor: 99 };
  await refuses(db.insert(ledgerEntries).values(wrong), 'reverses_nothing');
  await db.insert(ledgerEntries).values(reversal);

  const second = { ...reversal, id: crypto.randomUUID() };
  await refuses(db.insert(ledgerEntries).values(second), 'UNIQUE');
  const back = entryOf(made, { amountMinor: -100, reversesId: reversal.id });
  await refuses(db.insert(ledgerEntries).values(back), 'reverses_nothing');
});

test('a cohort keeps the currency of its account, and people stay beside their money', async () => {
  const { cohort, member } = await paidEntry();
  const change = sql`UPDATE cohorts SET currency = 'USD' WHERE id = ${cohort.id}`;
  await refuses(db.run(change), 'currency_in_use');

  await refuses(db.delete(people).where(eq(people.id, member.personId)), 'person_has_entries');
});

async function refuses(statement: PromiseLike<unknown>, reason: string): Promise<void> {
  const failure = await Promise.resolve(statement).then(
    () => null,
    (error: Error) => `${error.message} ${error.cause}`,
  );
  expect(failure).toContain(reason);
}

/** The file of a cohort as its rows, by the names of their columns. */
async function rowsOf(client: Awaited<ReturnType<typeof createPaid>>['client'], path: string) {
  const response = await client.get(path);
  expect(response.status).toBe(200);
  const text = (await response.text()).replace(/^\ufeff/, '');
  return papaparse.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
}

test('the file of the roster says what each owes, as the pages do', async () => {
  const owner = await createPaid(earlyUntil(start));
  const { account, client, cohort, enroll, pay, reverse, waive } = owner;
  await pay((await enroll('Ada', { statusChangedAt: new Date(start - 1) })).id, 5_000);
  await pay((await enroll('Bea', { statusChangedAt: new Date(start) })).id, 25_000);
  const { id } = await enroll('Cleo');
  await waive(id);
  await reverse((await account(id)).entries[0]?.id ?? '');
  await enroll('Dora', { status: 'waitlisted', queueNo: 1 });
  const rows = await rowsOf(client, `/api/cohorts/${cohort.id}/roster.csv`);

  expect(rows.map(({ name, balance, currency }) => [name, balance, currency])).toEqual([
    ['Ada', '150.00', 'EUR'],
    ['Bea', '-10.00', 'EUR'],
    ['Cleo', '0.00', 'EUR'],
    ['Dora', '', ''],
  ]);
});

const typed = ['=HYPERLINK("https://example.com")', '-12,5 for the book', "x;=cmd|' /C calc'!A0;y"];

test.each(typed)('no spreadsheet executes a note or a name: %s', async (name) => {
  const { client, cohort, enroll, pay } = await createPaid({ name });
  const { id } = await enroll(name);
  await pay(id, 10_000, { note: name });
  const rows = await rowsOf(client, `/api/cohorts/${cohort.id}/ledger.csv`);
  const payment = rows.find(({ kind }) => kind === 'payment');

  const guarded = name.replace(/[=-]/, "'$&");
  expect(payment).toMatchObject({ name: guarded, cohort: guarded, note: guarded.trim() });
  // Amounts stay numbers, those below 0 too.
  expect(payment).toMatchObject({ paid: '100.00', balance: '-100.00', currency: 'EUR' });
});

test('an amount has as many decimals as its currency', async () => {
  for (const [currency, charged] of [
    ['JPY', '24000'],
    ['EUR', '240.00'],
    ['KWD', '24.000'],
  ] as const) {
    const { client, cohort, enroll } = await createPaid({ priceMinor: 24_000, currency });
    await enroll();
    const rows = await rowsOf(client, `/api/cohorts/${cohort.id}/ledger.csv`);
    expect(rows).toMatchObject([{ charged, balance: charged, currency }]);
  }
});

test.each([
  ['America/New_York', '2026-11-26T01:00Z', '2026-11-25', /^November 25 at 8:00\sPM$/],
  ['Pacific/Auckland', '2026-11-25T12:00Z', '2026-11-26', /^November 26 at 1:00\sAM$/],
])('in %s the date of an entry is that of its page', async (zone, now, date, onPage) => {
  const { client, course, cohort, enroll, pay, account } = await createPaid({ timeZone: zone });
  const { id } = await enroll();
  setTime(new Date(now));
  const { entries } = await pay(id);
  const [entry] = (await account(id)).entries.filter((one) => one.id === entries[0]?.id);

  expect(momentIn(zone, new Date(entry?.created_at ?? ''), 'en')).toMatch(onPage);
  for (const path of [`/api/cohorts/${cohort.id}`, `/api/courses/${course.id}`]) {
    const rows = await rowsOf(client, `${path}/ledger.csv`);
    expect(rows.filter((row) => row.entry === entry?.id)).toMatchObject([{ date }]);
  }
});

test('each column adds up to its total, also after a reversal', async () => {
  const { client, course, enroll, pay, refund, reverse } = await createPaid();
  const { id } = await enroll();
  await pay(id);
  const { entries } = await pay(id, 5000);
  await reverse(entries[0]?.id ?? '', { note: 'Twice' });
  await refund(id, 4000);
  const rows = await rowsOf(client, `/api/courses/${course.id}/ledger.csv?delimiter=,`);
  const sums = ['charged', 'waived', 'paid', 'refunded', 'balance'].map((column) =>
    rows.reduce((sum, row) => sum + Number(row[column]), 0),
  );

  expect(sums).toEqual([240, 0, 240, 40, 40]);
});
