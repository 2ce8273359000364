import { expect, test } from 'vitest';
import { mailsTo } from '#support/resend.ts';
import { drainByClock } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { enrollBy, refused } from '../places/support.ts';
import { createPaid } from './support.ts';

const fresh = startFresh();

/** Someone who has enrolled by themselves and owes 240 euros, and the receipts that they got. */
async function createPayer(values: Parameters<typeof createPaid>[0] = {}) {
  const owner = await createPaid(values);
  const { email } = await enrollBy(fresh.resend, owner.cohort.slug, { name: 'Grace Hopper' });
  const [member] = (await owner.list()).items;
  return {
    ...owner,
    id: member?.id ?? '',
    receipts: async () => {
      await drainByClock();
      return mailsTo(email, fresh.resend.accepted).filter(({ subject }) =>
        subject.startsWith('Receipt'),
      );
    },
  };
}

test('a receipt says what was paid, how and when, and what is left', async () => {
  const { cohort, id, pay, post, receipts } = await createPayer();
  const how = { method: 'other', method_word: 'Wero', received_on: '2026-11-20' };
  const [entry] = (await pay(id, 10_000, how)).entries;
  expect(await receipts()).toEqual([]);
  // A second press on the same day sends no other.
  for (let press = 0; press < 2; press += 1) {
    expect((await post(`/api/ledger/${entry?.id}/receipt/`)).status).toBe(204);
  }

  const [mail, ...more] = await receipts();
  expect(more).toEqual([]);
  for (const said of [
    'not an invoice',
    '€100.00',
    'November 20, 2026',
    'Wero',
    'Writing',
    cohort.name,
    'Anna Martin',
    '€140.00',
  ]) {
    expect(mail?.text.replaceAll('\u00a0', ' ')).toContain(said);
  }
});

test('a receipt does not say what someone owes who has left, before that is decided', async () => {
  const { id, pay, post, receipts } = await createPayer({ sendsReceipts: true });
  await post(`enrollments/${id}/remove/`);
  await pay(id, 10_000);

  const [mail] = await receipts();
  expect(mail?.text).toContain('€100.00');
  expect(mail?.text).not.toContain('Still owed');
});

test('a cohort that sends receipts sends one for each payment, and not for another sort of entry', async () => {
  const { id, pay, receipts, waive } = await createPayer({ sendsReceipts: true });
  await pay(id, 10_000, {});
  await waive(id, 1_000);
  expect(await receipts()).toHaveLength(1);
});

test('an owner sends only so many receipts', async () => {
  const { id, pay, post } = await createPayer();
  const [entry] = (await pay(id, 10_000)).entries;
  const send = () =>
    post(`/api/ledger/${entry?.id}/receipt/`, undefined, {
      bindings: { LIMITS: { receipts_per_user: ['1/d'] } },
    });

  expect((await send()).status).toBe(204);
  expect((await send()).status).toBe(429);
});

test('reversed payments, other entries and entries of other instructors have no receipt', async () => {
  const { account, id, pay, post, reverse } = await createPayer();
  const [entry] = (await pay(id, 10_000)).entries;
  const path = (of: string | undefined) => `/api/ledger/${of}/receipt/`;
  await reverse(entry?.id ?? '');
  const [charge] = (await account(id)).entries;

  expect(await post(path(entry?.id))).toMatchObject(refused('no_receipt'));
  expect(await post(path(charge?.id))).toMatchObject(refused('no_receipt'));
  const other = await createPaid();
  expect((await other.post(path(entry?.id))).status).toBe(404);
});
