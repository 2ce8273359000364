import { expect, test } from 'vitest';
import { enrollments } from '#db/schema/people.ts';
import { findCheckoutState } from '#features/participant/find-checkout-state.ts';
import { sealLink } from '#lib/signed-links.ts';
import { createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import { createEnrollment } from '#support/factories.ts';
import { insertCheckout } from '#support/payments.ts';
import { requestTokenIn } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { startFresh } from '../places/fresh.ts';
import { createPublished, start } from '../places/storm.ts';
import { ask, confirmPath, participate, refused, setTime } from '../places/support.ts';

const hour = 60 * 60 * 1000;
const given = startFresh();

const paidFirst = { paymentMode: 'online_first', priceMinor: 24_000, currency: 'EUR' } as const;

/** Someone in a cohort in which places are paid first, with their link. */
async function createPayer(values: Parameters<typeof createEnrollment>[1] = {}) {
  const cohort = await createPublished(paidFirst);
  const { id, person } = await createEnrollment(cohort, values);
  return { id, person, cohort, link: await sealLink(contextOn(), 'person', person) };
}

/** Lets a place be kept for someone three times within three hours, and declines it each time. */
async function holdThrice({ link, id }: { link: string; id: string }): Promise<void> {
  for (const time of [0, 1, 2]) {
    setTime(start + time * hour);
    expect(await participate('rejoin', link, id)).toMatchObject({ body: { status: 'offered' } });
    await participate('decline', link, id);
  }
}

const tooOften = {
  ...refused('too_many_holds'),
  body: {
    code: 'too_many_holds',
    message:
      'This place was kept for you three times today, but not paid for. Please try again tomorrow, or write to Anna Martin.',
  },
};

test('to come back twice is to come back once', async () => {
  const { id, link } = await createPayer({ status: 'left' });
  const first = await participate('rejoin', link, id);
  setTime(start + 1);

  expect(await participate('rejoin', link, id)).toEqual(first);
});

test('the fourth time within a day, no place is kept, whichever way is taken', async () => {
  const { resend } = given;
  const payer = await createPayer({ status: 'left' });
  const { id, link, cohort, person } = payer;
  await holdThrice(payer);
  expect(await participate('rejoin', link, id)).toMatchObject(tooOften);
  await ask(cohort.slug, { email: person.email });
  const token = requestTokenIn(resend.accepted.at(-1));
  const confirm = await createClient().request('POST', confirmPath, { token });
  expect({ status: confirm.status, body: await confirm.json() }).toMatchObject(tooOften);
  const invited = { status: 'invited', changedBy: 'owner' } as const;
  await updateRow(enrollments, { id }, { ...invited, expiresAt: new Date(start + 48 * hour) });
  expect(await participate('accept', link, id)).toMatchObject(tooOften);

  setTime(start + 25 * hour);
  expect(await participate('accept', link, id)).toMatchObject({ body: { status: 'offered' } });
});

test('the address to which Stripe leads back tells where a payment stands, and nothing else', async () => {
  const expiresAt = new Date(start + hour);
  const { id, person, cohort } = await createPayer({ status: 'offered', expiresAt });
  const ctx = contextOn();
  const checkout = await insertCheckout({ cohort, id, person: person.id }, { expiresAt });
  const address = await sealLink(ctx, 'checkout', checkout);

  expect(await findCheckoutState(ctx, address)).toEqual({
    id: checkout.id,
    status: 'open',
    language: 'en',
  });
  const gone = await sealLink(ctx, 'checkout', { id: crypto.randomUUID() });
  const forged = `${checkout.id}${gone.slice(36)}`;
  for (const text of [gone, forged, `${address}0`, checkout.id, '', undefined]) {
    expect(await findCheckoutState(ctx, text)).toBeNull();
  }
});
