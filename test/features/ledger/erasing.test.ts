import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { ledgerNotes } from '#db/schema/ledger.ts';
import { blockedAddresses, people } from '#db/schema/people.ts';
import { findCourseTotals } from '#features/ledger/find-balances.ts';
import { removeUnlinked } from '#features/rights/remove-unlinked.ts';
import { sealLink } from '#lib/signed-links.ts';
import { createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import { day } from '#support/days.ts';
import { db } from '#support/factories.ts';
import { sawSecret } from '#support/secrets.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { personRow, setTime } from '../places/support.ts';
import { checkBalances, createPaid, entriesOf } from './support.ts';

checkBalances();

startFresh();

test('someone who is erased is a number in the account, which stays', async () => {
  const { user, cohort, enroll, pay, list, send } = await createPaid();
  const members = [await enroll('Grace Hopper'), await enroll('Hedy Lamarr')];
  for (const { id } of members) {
    const how = { method: 'other', method_word: 'Zelle of Grace Hopper' };
    await pay(id, 10_000, { note: 'Paid by their employer', ...how });
  }
  const before = await entriesOf(cohort.id);
  for (const { personId } of members) {
    expect((await send('DELETE', `/api/people/${personId}/`)).status).toBe(204);
  }

  const wordless = before.map((entry) => ({ ...entry, methodWord: null }));
  expect(await entriesOf(cohort.id)).toEqual(wordless);
  const { items, totals } = await list('?show=gone');
  const byNumber = items.toSorted((one, other) => (one.erased_no ?? 0) - (other.erased_no ?? 0));
  expect(byNumber).toMatchObject([
    { name: null, email: null, erased_no: 1, balance_minor: 14_000 },
    { name: null, email: null, erased_no: 2, balance_minor: 14_000 },
  ]);
  expect(totals).toMatchObject({ owed_minor: 0, paid_minor: 20_000 });
  expect(await db.select().from(ledgerNotes).where(eq(ledgerNotes.ownerId, user.id))).toEqual([]);
  const personId = members[0]?.personId ?? '';
  const nothing = { name: '', email: '', nameKey: '', note: null };
  expect(await personRow(personId)).toMatchObject({ ...nothing, erasedAt: new Date(start) });
  // They cannot be changed, exported, erased again or sent a link.
  const path = `/api/people/${personId}/`;
  expect((await send('DELETE', path)).status).toBe(404);
  expect((await send('PATCH', path, { name: 'Grace' })).status).toBe(404);
  expect((await send('GET', `${path}export/`)).status).toBe(404);
  expect((await send('POST', `${path}link/`)).status).toBe(404);
});

test('the links that unsubscribe change nothing of someone who is erased', async () => {
  const { client, user, enroll, pay } = await createPaid();
  const { id, personId } = await enroll();
  await pay(id, 100);
  const noReminders = { noRemindersAt: new Date(start) };
  await db.update(people).set(noReminders).where(eq(people.id, personId));
  await client.request('DELETE', `/api/people/${personId}/`);
  const erased = await personRow(personId);
  expect(erased).toMatchObject({ noInvitationsAt: null, noRemindersAt: null });
  for (const kind of ['invitation', 'reminder'] as const) {
    const link = await sealLink(contextOn(), kind, { id: personId });
    sawSecret(link.split('.')[2] ?? '');
    const input = { link, is_on: false };
    const response = await createClient().post('/api/mail/subscription/', input);
    expect(response.status).toBe(200);
    expect(await personRow(personId)).toEqual(erased);
  }

  const blocked = eq(blockedAddresses.ownerId, user.id);
  expect(await db.$count(blockedAddresses, blocked)).toBe(0);
});

test('someone in no cohort is forgotten after 30 days, unless they have entries', async () => {
  const { client, cohort, enroll, list } = await createPaid();
  const { personId } = await enroll('Grace Hopper');
  await client.request('DELETE', `/api/cohorts/${cohort.id}/`);
  await client.post(`/api/cohorts/${cohort.id}/purge/`);
  // The trigger has the clock of the database.
  const unlinked = { unlinkedAt: new Date(start) };
  await db.update(people).set(unlinked).where(eq(people.id, personId));
  setTime(start + 31 * day);
  await removeUnlinked(contextOn());
  setTime(start);

  expect(await personRow(personId)).toMatchObject({ name: 'Grace Hopper', unlinkedAt: null });
  expect((await list('?show=gone')).items.map(({ name }) => name)).toEqual(['Grace Hopper']);
});

test('accounts of a deleted course are listed for their owner, with a file', async () => {
  const { client, user, course, cohort, enroll } = await createPaid();
  const other = await createPaid();
  await enroll('Grace Hopper');
  await other.enroll('Hedy Lamarr');
  const deletedOf = async (ownerId: string) => {
    const owner = sql`${ownerId}`;
    const page = findCourseTotals({ cohortId: '' })(contextOn(), owner, owner);
    return (await ask(contextOn(), { page })).page.deleted;
  };
  expect(await deletedOf(user.id)).toEqual([]);
  await client.request('DELETE', `/api/cohorts/${cohort.id}/`);
  expect((await client.request('DELETE', `/api/courses/${course.id}/`)).status).toBe(204);

  expect(await deletedOf(user.id)).toEqual([{ id: course.id, name: course.name }]);
  expect(await deletedOf(other.user.id)).toEqual([]);
  const file = await client.get(`/api/courses/${course.id}/ledger.csv`);
  expect(file.status).toBe(200);
  expect(await file.text()).toContain('Grace Hopper');
});

test('what someone owes and has paid is part of what they can download, and of the account', async () => {
  const { client, user, enroll, pay } = await createPaid();
  const { id, personId } = await enroll();
  await pay(id, 10_000, { note: 'First part' });
  const own = await (await client.get(`/api/people/${personId}/export/`)).json();
  const account = await (await client.get(`/api/accounts/${user.id}/export/`)).json();

  expect(own).toMatchObject({
    payments: [
      { kind: 'charge', amount_minor: 24_000 },
      { kind: 'payment', amount_minor: -10_000, note: 'First part' },
    ],
  });
  expect(account).toMatchObject({
    ledger_entries: [{ kind: 'charge' }, { kind: 'payment' }],
    ledger_notes: [{ text: 'First part' }],
  });
});
