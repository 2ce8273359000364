import { expect, test } from 'vitest';
import { startFresh } from '../people/fresh.ts';
import { actionsOn, start } from '../people/storm.ts';
import { enrollBy, participate } from '../people/support.ts';
import { brief, createPaid, entriesOf } from './support.ts';

const fresh = startFresh();

test('leaving and coming back writes nothing, and charges no one twice', async () => {
  const { cohort, list } = await createPaid();
  const { link } = await enrollBy(fresh.resend, cohort.slug);
  const [account] = (await list()).items;
  const left = await participate('leave', link, account?.id);
  expect(left.body).toMatchObject({ status: 'left' });
  const back = await participate('rejoin', link, account?.id);
  expect(back.body).toMatchObject({ status: 'enrolled' });

  expect(await entriesOf(cohort.id)).toHaveLength(1);
});

test('who has left is listed until their money is refunded and the rest waived', async () => {
  const { cohort, client, enroll, list, pay, refund, waive } = await createPaid();
  const [ada, bea, cleo, dora] = [
    await enroll('Ada'),
    await enroll('Bea'),
    await enroll('Cleo'),
    await enroll('Dora'),
  ];
  await pay(ada.id);
  await waive(cleo.id);
  await pay(dora.id);
  const names = async () =>
    (await list('?show=left')).items.map((one) => `${one.name} ${one.status} ${brief(one)}`);
  expect(await names()).toEqual([]);
  const { leave } = actionsOn(cohort);
  await leave(start + 1, ada.person);
  await leave(start + 2, cleo.person);
  await client.post(`/api/cohorts/${cohort.id}/enrollments/${bea.id}/remove/`, {});

  expect(await names()).toEqual(['Ada left paid 0', 'Bea removed owes 24000']);
  const [first] = (await list('?show=left')).items;
  expect((await list(`?show=left&after=${first?.id}`)).items.map(({ name }) => name)).toEqual([
    'Bea',
  ]);
  await refund(ada.id, null, { waive_rest: true });
  await waive(bea.id);
  expect(await names()).toEqual([]);
});
