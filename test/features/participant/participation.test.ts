import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { findCheckoutState } from '#features/participant/find-checkout-state.ts';
import {
  findParticipant,
  openCertificate,
  toParticipation,
} from '#features/participant/find-participant.ts';
import { sealLink } from '#lib/signed-links.ts';
import { createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import { beforeWriting } from '#support/database.ts';
import { hour } from '#support/days.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { connectAccount, insertCheckout } from '#support/payments.ts';
import { requestTokenIn } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { startFresh } from '../places/fresh.ts';
import { createPublished, start } from '../places/storm.ts';
import {
  ask,
  confirmPath,
  enrollmentRow,
  participate,
  personRow,
  refused,
  setTime,
} from '../places/support.ts';

const given = startFresh();

type Values = Parameters<typeof createEnrollment>[1];

/** Someone in a cohort, with their link. */
async function createParticipant(
  values: Values = {},
  of: Parameters<typeof createPublished>[0] = {},
) {
  const cohort = await createPublished(of);
  const { id, person } = await createEnrollment(cohort, values);
  return { id, person, cohort, link: await sealLink(contextOn(), 'person', person) };
}

const offered = { status: 'offered', expiresAt: new Date(start + hour) } as const;
const invited = { status: 'invited', expiresAt: new Date(start + hour) } as const;
const waiting = { status: 'waitlisted', queueNo: 1 } as const;

test.each([
  ['accept', offered, 'enrolled', 'You’re in: '],
  ['accept', invited, 'enrolled', 'You’re in: '],
  ['decline', offered, 'declined', null],
  ['decline', invited, 'declined', null],
  ['leave', {}, 'left', 'You’ve left '],
  ['rejoin', { status: 'left' }, 'enrolled', 'You’re in: '],
  ['rejoin', { status: 'expired' }, 'enrolled', 'You’re in: '],
  ['rejoin', { status: 'declined' }, 'enrolled', 'You’re in: '],
] as const)('to %s from %j makes %s, once', async (action, values, status, subject) => {
  const { accepted } = given.resend;
  const { id, link } = await createParticipant(values);
  for (const time of [start, start + 1]) {
    setTime(time);
    const done = await participate(action, link, id);
    expect(done).toMatchObject({ status: 200, body: { id, status } });
  }

  expect((await enrollmentRow(id))?.status).toBe(status);
  expect(accepted.map((mail) => mail.subject.slice(0, subject?.length))).toEqual(
    subject === null ? [] : [subject],
  );
});

test('who leaves reads that they can ask for a place again, while enrollment is open', async () => {
  const { accepted } = given.resend;
  for (const joinMode of ['open', 'invitation'] as const) {
    const { id, link } = await createParticipant({}, { joinMode });
    await participate('leave', link, id);
  }

  const again = accepted.map(({ text }) => text.includes('ask for a place again'));
  expect(again).toEqual([true, false]);
});

const over = { ...offered, expiresAt: new Date(start) };
const noLonger = 'That is no longer possible: Grace Hopper is now';

test.each([
  ['accept', {}, undefined, undefined],
  ['accept', waiting, undefined, undefined],
  ['accept', { status: 'left' }, 'enrollment_transition', `${noLonger} no longer taking part.`],
  ['decline', {}, 'enrollment_transition', `${noLonger} enrolled.`],
  ['leave', offered, 'enrollment_transition', `${noLonger} offered a place.`],
  ['rejoin', { status: 'removed' }, 'enrollment_removed', 'Please write to Anna Martin.'],
  ['accept', over, 'offer_expired', 'This offer has expired. You can join the waitlist again.'],
] as const)('to %s from %j is answered with %s', async (action, values, code, message) => {
  const { id, link } = await createParticipant(values);
  const { body, status } = await participate(action, link, id);

  expect(status).toBe(code === undefined ? 200 : 422);
  expect({ code: body['code'], message: body['message'] }).toEqual({ code, message });
});

test('a link does what is theirs: nothing of others, and nothing of an instructor', async () => {
  const { link } = await createParticipant();
  const other = await createParticipant();
  expect((await participate('leave', link, other.id)).status).toBe(404);
  const cookie = { headers: { Cookie: `__Host-session=${link}` } };
  const client = createClient();
  for (const path of ['/api/courses/', `/api/cohorts/${other.cohort.id}/`]) {
    expect((await client.get(path, cookie)).status).toBe(401);
  }

  expect((await enrollmentRow(other.id))?.status).toBe('enrolled');
});

test('a link with the place of someone else shows no certificate, as for a place that is not there', async () => {
  const { id, link, cohort } = await createParticipant({ completedAt: new Date(start) });
  const other = await createEnrollment(cohort, { completedAt: new Date(start) });
  const open = (place: string) => openCertificate(contextOn(), link, place);
  const own = await open(id);
  expect(own).toMatchObject({ place: { id }, attended: { sessions: 0 } });

  const unknown = { participant: own?.participant, place: null, attended: null };
  expect(await open(other.id)).toEqual(unknown);
  expect(await open(crypto.randomUUID())).toEqual(unknown);
});

test('no one is let in with no link, a forged one or one of an earlier version', async () => {
  const { id, person } = await createParticipant();
  const earlier = await sealLink(contextOn(), 'person', { id: person.id, linkVersion: 0 });
  for (const link of [undefined, person.id, `${person.id}.${'0'.repeat(64)}`, earlier]) {
    expect(await participate('leave', link, id)).toMatchObject(refused('person_link_invalid', 400));
  }
  expect((await enrollmentRow(id))?.status).toBe('enrolled');
});

test('a canceled cohort, or one that is over, can be left no more', async () => {
  const { id, link, cohort } = await createParticipant();
  for (const values of [
    { deletedAt: new Date(start) },
    { deletedAt: null, endsAt: new Date(start) },
  ]) {
    await updateRow(cohorts, cohort, values);
    expect(await participate('leave', link, id)).toMatchObject(refused('cohort_over'));
  }
});

test('the page of a person shows their cohorts with this instructor, and the room only to those who are in', async () => {
  const room = { joinUrl: 'https://meet.example.com/secret', welcomeNote: 'Bring a pen.' };
  const { link, person, cohort } = await createParticipant({}, room);
  await createEnrollment(cohort);
  const elsewhere = await createPublished();
  await createEnrollment(elsewhere, {}, { email: person.email });
  const read = async () => {
    const ctx = contextOn();
    const { participant, enrollments: own } = await findParticipant(ctx, link);
    return { participant, own: own.map((row) => toParticipation(ctx, row)) };
  };

  expect(await read()).toMatchObject({
    participant: { id: person.id, instructor: { name: 'Anna Martin' } },
    own: [{ status: 'enrolled', join_url: room.joinUrl, welcome_note: 'Bring a pen.' }],
  });
  await db.update(enrollments).set({ status: 'left' }).where(eq(enrollments.personId, person.id));
  expect((await read()).own).toMatchObject([
    { status: 'left', join_url: null, welcome_note: null, actions: ['rejoin'] },
  ]);
});

/** Changes what a person has chosen for themselves. */
async function change(input: object, bindings = {}) {
  const path = '/api/participation/';
  return (await createClient().request('PATCH', path, input, { bindings })).json<object>();
}

test('people choose their own name and language, and switch reminders and messages off and on', async () => {
  const { link, person, id } = await createParticipant();
  const chosen = { name: 'Élodie Strauß', language: 'fr' };
  const answer = await change({ link, ...chosen });
  expect(answer).toEqual({ ...chosen, email: person.email, reminders: true });
  expect(await enrollmentRow(id)).toMatchObject({ nameKey: 'elodie strauss' });
  const after = async (values: object) => {
    const answer = await change({ link, ...values });
    const since = (await personRow(person.id))?.noRemindersAt?.getTime() ?? null;
    return { ...answer, since };
  };

  expect(await after({ reminders: false })).toMatchObject({ reminders: false, since: start });
  setTime(start + 1);
  expect(await after({ reminders: false })).toMatchObject({ reminders: false, since: start });
  expect(await after({ name: 'Ada Byron' })).toMatchObject({ reminders: false, since: start });
  expect(await after({ reminders: true })).toMatchObject({ reminders: true, since: null });
});

test('another name keeps what is changed meanwhile', async () => {
  const { link, person } = await createParticipant();
  const meanwhile = { language: 'fr' as const, noRemindersAt: new Date(start) };
  const DB = beforeWriting(() => updateRow(people, person, meanwhile));
  const name = 'Élodie Blanc';

  const answer = await change({ link, name }, { DB });
  expect(answer).toMatchObject({ name, language: 'fr', reminders: false });
});

const paidFirst = { paymentMode: 'online_first', priceMinor: 24_000, currency: 'EUR' } as const;

test('a second request to come back gets the same answer', async () => {
  const { id, link } = await createParticipant({ status: 'left' }, paidFirst);
  const first = await participate('rejoin', link, id);
  setTime(start + 1);

  expect(await participate('rejoin', link, id)).toEqual(first);
});

test('no place is held for someone a fourth time within a day, by any route', async () => {
  const { id, link, cohort, person } = await createParticipant({ status: 'left' }, paidFirst);
  await connectAccount(cohort.ownerId);
  const tooOften = refused('too_many_holds');
  for (const time of [0, 1, 2]) {
    setTime(start + time * hour);
    expect(await participate('rejoin', link, id)).toMatchObject({ body: { status: 'offered' } });
    await participate('decline', link, id);
  }
  expect(await participate('rejoin', link, id)).toMatchObject(tooOften);
  await ask(cohort.slug, { email: person.email });
  const token = requestTokenIn(given.resend.accepted.at(-1));
  const confirm = await createClient().request('POST', confirmPath, { token });
  expect({ status: confirm.status, body: await confirm.json() }).toMatchObject(tooOften);
  const expiresAt = new Date(start + 48 * hour);
  await updateRow(enrollments, { id }, { status: 'invited', changedBy: 'owner', expiresAt });
  expect(await participate('accept', link, id)).toMatchObject(tooOften);

  setTime(start + 25 * hour);
  expect(await participate('accept', link, id)).toMatchObject({ body: { status: 'offered' } });
});

test('the return address from Stripe shows the status of a payment, and nothing else', async () => {
  const { expiresAt } = offered;
  const { id, person, cohort } = await createParticipant(offered, paidFirst);
  const ctx = contextOn();
  const checkout = await insertCheckout({ cohort, id, person: person.id }, { expiresAt });
  const address = await sealLink(ctx, 'checkout', checkout);

  const state = { id: checkout.id, status: 'open', language: 'en' };
  expect(await findCheckoutState(ctx, address)).toEqual(state);
  const gone = await sealLink(ctx, 'checkout', { id: crypto.randomUUID() });
  const forged = `${checkout.id}${gone.slice(36)}`;
  for (const text of [gone, forged, `${address}0`, checkout.id, '', undefined]) {
    expect(await findCheckoutState(ctx, text)).toBeNull();
  }
});
