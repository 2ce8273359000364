import papaparse from 'papaparse';
import { expect, test } from 'vitest';
import { momentIn } from '#lib/time/words.ts';
import { startFresh } from '../people/fresh.ts';
import { setTime } from '../people/support.ts';
import { createPaid } from './support.ts';

startFresh();

/** The file of a cohort as its rows, by the names of their columns. */
async function rowsOf(client: Awaited<ReturnType<typeof createPaid>>['client'], path: string) {
  const response = await client.get(path);
  expect(response.status).toBe(200);
  const text = (await response.text()).replace(/^\ufeff/, '');
  return papaparse.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
}

const typed = [
  '=HYPERLINK("https://example.com")',
  '  =1',
  '＝1',
  '-12,5 for the book',
  "x;=cmd|' /C calc'!A0;y",
];

test.each(typed)('no spreadsheet executes a note or a name: %s', async (name) => {
  const { client, cohort, enroll, pay } = await createPaid({ name });
  const { id } = await enroll(name);
  await pay(id, 10_000, { note: name });
  const rows = await rowsOf(client, `/api/cohorts/${cohort.id}/ledger.csv`);
  const payment = rows.find(({ kind }) => kind === 'payment');

  const guarded = name.replace(/[=+\-@＝]/, "'$&");
  expect(payment).toMatchObject({ name: guarded, cohort: guarded, note: guarded.trim() });
  // Amounts stay numbers, those below 0 too.
  expect(payment).toMatchObject({ paid: '100.00', balance: '-100.00', currency: 'EUR' });
});

test('an amount has the digits of its currency', async () => {
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

test('columns are added up by themselves, also after a reversal', async () => {
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
