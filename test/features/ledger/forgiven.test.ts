import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { OwnBalance } from '#features/ledger/own-balance.tsx';
import { openParticipant } from '#features/participant/find-participant.ts';
import { sealLink } from '#lib/signed-links.ts';
import { contextOn } from '#support/context.ts';
import { createCohortRow } from '#support/factories.ts';
import { nodesOf, textIn } from '#support/typed-texts.ts';
import { startFresh } from '../places/fresh.ts';
import { balancesOf, brief, checkBalances, createPaid } from './support.ts';

checkBalances();

startFresh();

type OwnBalanceProps = Parameters<typeof OwnBalance>[0];

/** Someone in a cohort of 240 euros, and how they are moved to another and back. */
async function createMoving(priceMinor: number) {
  const owner = await createPaid();
  const { client, cohort, course, enroll, post } = owner;
  const other = await createCohortRow(course, { priceMinor, currency: 'EUR' });
  const { id, person } = await enroll();
  const move = async (from: string, to: string) => {
    const path = `/api/cohorts/${from}/enrollments/${id}/transfer/`;
    expect((await post(path, { cohort_id: to })).status).toBe(200);
  };
  return {
    ...owner,
    id,
    there: balancesOf(client, other.id),
    go: () => move(cohort.id, other.id),
    comeBack: () => move(other.id, cohort.id),
    /** What their account says, with what is said of it everywhere else. */
    said: async (accounts = balancesOf(client, cohort.id)) => {
      const { items, totals } = await accounts.list();
      expect(items.map(brief)).toEqual([brief(await accounts.account(id))]);
      const { owed_minor: owed, overpaid_minor: overpaid } = totals;
      return [...items.map(brief), owed, overpaid, await ownPage(person)];
    },
  };
}

/** What the person's own page says of money, in its first line; or all of it. */
async function ownPage(
  person: { id: string; linkVersion: number },
  { all = false, ...how }: { all?: boolean } & Partial<OwnBalanceProps> = {},
) {
  const ctx = contextOn();
  const found = await openParticipant(ctx, await sealLink(ctx, 'person', person));
  const { entries = [], sums = null } = found?.enrollments[0] ?? {};
  const account = {
    entries,
    sums,
    isOwed: true,
    isUndecided: false,
    online: null,
    paymentNote: 'By transfer.',
    paymentUrl: null,
    instructor: 'Anna',
    ...how,
  };
  const children = createElement(OwnBalance, account);
  const { i18n } = ctx.request;
  const html = renderToStaticMarkup(createElement(I18nProvider, { i18n, children }));
  return textIn(nodesOf(all ? html : (/<p>.*?<\/p>/.exec(html)?.[0] ?? '')));
}

test('what was waived goes along only up to the price of the other cohort', async () => {
  const { go, id, said, there, waive } = await createMoving(15_000);
  await waive(id, 14_000);
  await waive(id);
  await go();

  expect(await said(there)).toEqual(['waived 0', 0, 0, 'Nothing more to pay.']);
  expect(await there.account(id)).toMatchObject({ charged_minor: 15_000, waived_minor: 15_000 });
  expect(await there.refund(id)).toMatchObject({ status: 422, code: 'nothing_paid' });
});

test('a charge that is reversed after it was waived leaves only what was paid to give back', async () => {
  const { account, id, pay, reverse, said, waive, write } = await createMoving(0);
  await pay(id, 10_000);
  await waive(id);
  const [charge, payment] = (await account(id)).entries;
  await reverse(charge?.id ?? '');
  expect(await said()).toEqual(['overpaid -10000', 0, 10_000, 'Paid too much: €100']);
  await reverse(payment?.id ?? '');
  expect(await said()).toEqual(['free 0', 0, 0, 'Nothing more to pay.']);
  await write({ kind: 'charge', enrollments: [id], amount_minor: 20_000 });

  expect(await said()).toEqual(['owes 6000', 6000, 0, 'Still to pay: €60']);
});

test('what was paid goes along whole, and comes back', async () => {
  const { account, comeBack, go, id, list, pay, said, there, waive } = await createMoving(15_000);
  await pay(id, 20_000);
  await waive(id, 1000);
  await go();
  expect(await said(there)).toEqual(['overpaid -5000', 0, 5000, 'Paid too much: €50']);
  const sources = (await there.account(id)).entries.map(({ source }) => source);
  expect(sources).toEqual(['move', 'enrollment']);
  expect(brief(await account(id))).toBe('free 0');
  expect((await list('?show=gone')).items).toEqual([]);
  await comeBack();

  expect(await said()).toEqual(['partly_paid 4000', 4000, 0, 'Still to pay: €40']);
});

test('who has left reads that their instructor decides, and how to pay only where they owe', async () => {
  const { enroll, pay } = await createPaid();
  const { id, person } = await enroll();
  await pay(id, 10_000);
  const undecided = { isOwed: false, isUndecided: true, all: true };
  expect(await ownPage(person, undecided)).toContain(
    'You haven’t paid €140 yet. Anna decides whether you still owe it.',
  );
  expect(await ownPage(person, undecided)).not.toContain('By transfer.');
  expect(await ownPage(person, { isOwed: false })).toBe('Nothing more to pay.');
  expect(await ownPage(person, { all: true })).toContain('By transfer.');
});
