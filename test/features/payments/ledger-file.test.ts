import papaparse from 'papaparse';
import { expect, test } from 'vitest';
import { startFresh } from '../people/fresh.ts';
import { createPaid } from './support.ts';

startFresh();

/** The file of a cohort as its rows, by the names of their columns. */
async function rowsOf(client: Awaited<ReturnType<typeof createPaid>>['client'], path: string) {
  const response = await client.get(path);
  expect(response.status).toBe(200);
  const text = (await response.text()).replace(/^\ufeff/, '');
  return papaparse.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
}

test.each([
  '=HYPERLINK("https://example.com")',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '  =1',
  '＝1',
  "'=1",
  '-12,5 for the book',
])('no spreadsheet executes a note or a name: %s', async (typed) => {
  const { client, cohort, enroll, pay } = await createPaid({ name: typed });
  const { id } = await enroll(typed);
  await pay(id, 10_000, { note: typed });
  const rows = await rowsOf(client, `/api/cohorts/${cohort.id}/ledger.csv`);
  const payment = rows.find(({ kind }) => kind === 'payment');

  expect(payment).toMatchObject({ name: `'${typed}`, cohort: `'${typed}` });
  expect(payment?.note).toBe(`'${typed.trim()}`);
  // Amounts stay numbers, those below 0 too.
  expect(payment).toMatchObject({ paid: '100.00', balance: '-100.00', currency: 'EUR' });
});

test.each([
  ['JPY', 24_000, '24000'],
  ['EUR', 24_000, '240.00'],
  ['KWD', 24_000, '24.000'],
])('in %s an amount has the digits of its currency', async (currency, priceMinor, charged) => {
  const { client, cohort, enroll } = await createPaid({ priceMinor, currency });
  await enroll();
  const rows = await rowsOf(client, `/api/cohorts/${cohort.id}/ledger.csv`);

  expect(rows).toMatchObject([{ charged, balance: charged, currency }]);
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
