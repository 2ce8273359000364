import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments } from '#db/schema/people.ts';
import { hour } from '#support/days.ts';
import { createCohortRow, createEnrollment, db, uniqueEmail } from '#support/factories.ts';
import { linkIn, mailsTo } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { createSpam } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { countsOf, start } from '../places/storm.ts';
import {
  createOwner,
  participate,
  personRow,
  refused,
  setTime,
  unsubscribe,
} from '../places/support.ts';

const given = startFresh();

const mailsOf = (email: string) => mailsTo(email, given.resend.accepted);

test('someone is added with an email that says who has done so, and added again changes nothing', async () => {
  const { add, cohort } = await createOwner({ language: 'fr' });
  const added = await add();
  setTime(start + 1);
  const again = await add({ email: added.email, name: 'Another Name' });

  expect(added).toMatchObject({
    status: 201,
    body: { status: 'enrolled', name: 'Élodie Blanc', person: { language: 'fr', source: 'added' } },
  });
  expect(again).toMatchObject({ status: 200, body: { name: 'Élodie Blanc' } });
  const [mail, ...rest] = mailsOf(added.email);
  expect(rest).toEqual([]);
  expect(mail?.subject).toMatch(/^Anna Martin vous donne une place\u00a0: Writing/);
  expect((await participate('leave', linkIn(mail), added.body.id)).status).toBe(200);
  expect(await db.$count(enrollments, eq(enrollments.cohortId, cohort.id))).toBe(1);
});

test.each([
  ['left', { money: null, balance_minor: 0, paid_minor: 0, notify: true }],
  ['remove', { notify: true }],
])('the email to someone who was added, after “%s”, has no removal link', async (verb, input) => {
  const { add, post } = await createOwner();
  const { email, body } = await add();
  await post(`enrollments/${body.id}/${verb}/`, input);

  const mails = mailsOf(email);
  expect(mails.map(({ text }) => text.includes('Remove me'))).toEqual([true, false]);
});

test('an owner puts someone last on the waitlist of a full cohort, who reads why', async () => {
  const { add, cohort } = await createOwner({ capacity: 1 });
  await createEnrollment(cohort);
  await createEnrollment(cohort, { status: 'waitlisted', queueNo: 3 });
  const put = await add({ as: 'waitlisted' });
  setTime(start + 1);
  const again = await add({ as: 'waitlisted', email: put.email });

  const events = [{ actor: 'owner', to_status: 'waitlisted' }];
  const body = { status: 'waitlisted', queue_position: 2, person: { source: 'added' }, events };
  expect(put).toMatchObject({ status: 201, body });
  expect(again).toMatchObject({ status: 200, body: { id: put.body.id, queue_position: 2 } });
  const [mail, ...others] = mailsOf(put.email);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('You’re number 2 on the waitlist for Writing');
  expect(mail?.text).toContain('Anna Martin has put you on the waitlist');
  expect(mail?.text).toContain('Remove me');
});

test('people who are out can be put on the waitlist; people who ask for a place cannot, nor anyone without a waitlist', async () => {
  const { cohort, add } = await createOwner({ capacity: 1 });
  await createEnrollment(cohort);
  for (const [status, answer] of [
    ['left', 201],
    ['removed', 201],
    ['applied', 422],
  ] as const) {
    const { email } = (await createEnrollment(cohort, { status })).person;
    expect((await add({ as: 'waitlisted', email })).status, status).toBe(answer);
  }
  const full = await createOwner({ capacity: 1, waitlist: false });
  await createEnrollment(full.cohort);
  expect(await full.add({ as: 'waitlisted' })).toMatchObject(refused('cohort_full'));
});

test.each([
  ['archived', { archivedAt: new Date(start) }, 'cohort_over'],
  ['over', { endsAt: new Date(start) }, 'cohort_over'],
  ['in the trash', { deletedAt: new Date(start) }, 'cohort_in_trash'],
])(
  'no one is added, approved or moved to a cohort that is %s: they would not hear of it',
  async (_, values, code) => {
    const { cohort, course, add, post } = await createOwner();
    const other = await createCohortRow(course);
    const { id: asking } = await createEnrollment(cohort, { status: 'applied' });
    const { id: elsewhere } = await createEnrollment(other);
    await updateRow(cohorts, cohort, values);
    for (const as of ['enrolled', 'invited', 'waitlisted']) {
      expect(await add({ as })).toMatchObject(refused(code));
    }
    const list = { text: `name,email\nAna,${uniqueEmail()}`, as: 'enrolled', informed: true };
    for (const [path, input] of [
      ['imports/', list],
      [`enrollments/${asking}/approve/`, {}],
      ['enrollments/approve/', { enrollments: [asking] }],
      [`/api/cohorts/${other.id}/enrollments/${elsewhere}/transfer/`, { cohort_id: cohort.id }],
    ] as const) {
      expect(await post(path, input), path).toMatchObject(refused(code));
    }

    expect(await countsOf(cohort)).toEqual({ applied: 1 });
    expect(await countsOf(other)).toEqual({ enrolled: 1 });
    expect(given.resend.accepted).toEqual([]);
  },
);

test('an instructor invites a limited number of people a day until 10 have accepted by themselves', async () => {
  const { add, cohort, post } = await createOwner();
  const limits = { bindings: { LIMITS: { invitations_per_user: ['10/d'] } } };
  for (let count = 0; count < 10; count += 1) {
    const { body } = await add({ as: 'invited' }, limits);
    expect((await post(`enrollments/${body.id}/accept/`)).status).toBe(200);
  }
  expect((await add({ as: 'invited' }, limits)).status).toBe(429);
  const invited = { status: 'invited', expiresAt: new Date(start + hour) } as const;
  for (let count = 0; count < 10; count += 1) {
    const accepted = { status: 'enrolled', expiresAt: null } as const;
    await updateRow(enrollments, await createEnrollment(cohort, invited), accepted);
  }

  expect((await add({ as: 'invited' }, limits)).status).toBe(201);
});

test('invitations go out 12 seconds after one another, places at once', async () => {
  const { add } = await createOwner();
  await add({ as: 'invited' });
  setTime(start + 1);
  await add({ as: 'invited' });
  await add();

  expect(given.resend.accepted).toHaveLength(2);
  const due = await db.select().from(mailsDue).where(eq(mailsDue.kind, 'invitation'));
  expect(due.map(({ dueAt }) => dueAt.getTime() - start)).toContain(12_000);
});

/** Someone in an instructor's cohort, and a function that corrects their data. */
async function createCorrected() {
  const owner = await createOwner();
  const { id, person } = await createEnrollment(owner.cohort);
  const correct = (input: object, LIMITS: Record<string, string[]> = {}) =>
    owner.send('PATCH', `/api/people/${person.id}/`, input, { bindings: { LIMITS } });
  return { ...owner, id, person, correct };
}

test('an owner corrects a name and an address; another address ends the old links', async () => {
  const { cohort, id, person, correct } = await createCorrected();
  const other = await createEnrollment(cohort);
  const email = uniqueEmail();
  const words = { name: 'Ada Byron', note: 'Vegetarian' };
  expect(await correct(words)).toMatchObject({ body: words });
  const { accepted } = given.resend;
  expect(accepted).toEqual([]);
  expect((await correct({ email })).status).toBe(200);
  expect((await correct({ email })).status).toBe(200);
  expect(accepted.map(({ to }) => to)).toEqual([email]);
  expect((await participate('leave', linkIn(accepted[0]), id)).status).toBe(200);
  expect(await personRow(person.id)).toMatchObject({ linkVersion: 2 });
  const fields = { email: ['Someone else in your cohorts has this email address'] };
  const taken = await correct({ email: other.person.email });
  expect(taken).toMatchObject({ status: 400, body: { fields } });
});

test('each correction of an address counts as an invitation, so that strangers are not emailed without end', async () => {
  const { person, correct } = await createCorrected();
  const [first, second, third] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
  const note = 'Sits in front';
  for (const [input, status] of [
    [{ email: first }, 200],
    // Sending the same address again changes nothing.
    [{ email: first }, 200],
    [{ email: second }, 200],
    [{ email: third, note }, 429],
    [{ note }, 200],
  ] as const) {
    expect((await correct(input, { invitations_per_user: ['2/d'] })).status).toBe(status);
  }

  expect(given.resend.accepted.map(({ to }) => to)).toEqual([first, second]);
  expect(await personRow(person.id)).toMatchObject({ email: second });
});

test('no address is corrected to one that wants no invitations, nor while people mark the emails as spam', async () => {
  const { user, correct, person } = await createCorrected();
  const unwilling = uniqueEmail();
  await unsubscribe(user.id, unwilling);
  expect(await correct({ email: unwilling })).toMatchObject(refused('invitations_unwanted'));
  await createSpam(user.id, new Date());
  expect(await correct({ email: uniqueEmail() })).toMatchObject(refused('invitations_paused'));
  expect((await correct({ name: 'Ada Byron' })).status).toBe(200);

  expect(given.resend.attempts).toEqual([]);
  expect(await personRow(person.id)).toMatchObject({ email: person.email });
});

test('people can remove themselves unless they have agreed at the address that they have now', async () => {
  const { course, person, correct, post } = await createCorrected();
  const enroll = async () => {
    const other = await createCohortRow(course, { publishedAt: new Date(start) });
    const { email } = (await personRow(person.id)) ?? {};
    const input = { as: 'enrolled', name: 'Grace Hopper', email };
    expect((await post(`/api/cohorts/${other.id}/enrollments/`, input)).status).toBe(201);
    return mailsOf(email ?? '').findLast(({ subject }) => subject.includes('has enrolled you'))
      ?.text;
  };
  expect(await enroll()).not.toContain('Remove me');
  expect((await correct({ email: uniqueEmail() })).status).toBe(200);
  expect(await enroll()).toContain('Remove me');
});
