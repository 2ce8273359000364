import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { courseInterests } from '#db/schema/people.ts';
import { removeExpired } from '#features/clean-up/remove-expired.ts';
import { tellInterested } from '#features/enrolling/tell-interested.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import type { PersonExport } from '#features/rights/schema.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { day, hour } from '#support/days.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { mailsTo, requestTokenIn } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { startFresh } from '../places/fresh.ts';
import { contextAt, start } from '../places/storm.ts';
import { confirmPath, createOwner, formOf, refused, setTime } from '../places/support.ts';
import { call, placesOf, tokenFor } from '../rights/rights.ts';

let serial = 0;

const given = startFresh();
beforeEach(async () => {
  await db.delete(courseInterests);
});

/** A course with a page and one cohort, which no one can enroll in yet. */
async function createCourse(values: Parameters<typeof createCohortRow>[1] = {}) {
  const owner = await createOwner({
    enrollmentOpensLocal: '2026-12-01T09:00',
    enrollmentOpensAt: new Date(start + 2 * day),
    ...values,
  });
  serial += 1;
  const slug = `writing-${serial}`;
  await updateRow(courses, owner.course, { slug });
  return { ...owner, slug };
}

/** Someone on a list of the course’s instructor. */
async function createMember({ course }: Awaited<ReturnType<typeof createCourse>>, email: string) {
  const elsewhere = await createCourseRow(course.ownerId, { courseType: 'cohort' });
  const cohort = await createCohortRow(elsewhere, { publishedAt: new Date(start) });
  return (await createEnrollment(cohort, {}, { email })).person;
}

async function ask(slug: string, values: Record<string, unknown> = {}) {
  const { name: _, ...form } = await formOf(values);
  const answer = await post(`courses/${slug}/interests/`, form);
  return { ...answer, email: form.email };
}

const send = (what: 'confirm' | 'forget', token: string | undefined) =>
  post(`interests/${what}/`, { token });

async function post(path: string, input: object) {
  const response = await createClient().request('POST', `/api/public/${path}`, input);
  await settled();
  const body = response.status === 204 ? {} : await response.json<{ code?: string }>();
  return { status: response.status, body };
}

/** Someone who waits. */
async function wait(slug: string, { accepted } = given.resend) {
  const { status, email } = await ask(slug);
  expect(status).toBe(202);
  const token = requestTokenIn(mailsTo(email, accepted).at(-1));
  expect(await send('confirm', token)).toEqual({ status: 200, body: { redirect_to: null } });
  return { email, token };
}

async function clock(time: number) {
  setTime(time);
  await tellInterested(contextAt(time));
  await drainOutbox(contextAt(time), null);
}

test('someone is told once when enrollment opens, and then forgotten', async () => {
  const { slug, cohort } = await createCourse();
  const { email } = await wait(slug);
  await clock(start + 2 * day - 1);
  expect(mailsTo(email, given.resend.accepted)).toHaveLength(1);

  await clock(start + 2 * day);
  const [, mail, ...rest] = mailsTo(email, given.resend.accepted);
  expect(rest).toEqual([]);
  expect(mail?.subject).toMatch(/^Enrollment is open: Writing, starting/);
  expect(mail?.text).toContain(`/c/${cohort.slug}`);
  expect(await db.$count(courseInterests)).toBe(0);
  await clock(start + 3 * day);
  expect(mailsTo(email, given.resend.accepted)).toHaveLength(2);
});

test('the email asks in the language of the page, and nothing is kept unless it is confirmed', async () => {
  const { accepted } = given.resend;
  const { slug } = await createCourse();
  const { email, body } = await ask(slug, { language: 'fr' });

  expect(body).toEqual({ email });
  const [mail] = mailsTo(email, accepted);
  expect(mail?.html).toContain('lang="fr"');
  expect(mail?.text).toContain('Anna Martin');
  await clock(start + 2 * day);
  expect(mailsTo(email, accepted)).toHaveLength(1);
  expect(await removeExpired(contextAt(start + 2 * day))).toMatchObject({ courseInterests: 1 });
});

test('a link confirms for 24 hours, forgets for as long as it is kept, and does nothing else; a token that is not ours does nothing', async () => {
  const { slug } = await createCourse();
  const invalid = refused('interest_link_invalid', 400);
  const late = await ask(slug);
  const token = requestTokenIn(mailsTo(late.email, given.resend.accepted)[0]);
  setTime(start + day);
  expect(await send('confirm', token)).toMatchObject(invalid);
  setTime(start);
  const other = await wait(slug);
  setTime(start + 30 * day);
  expect((await send('confirm', other.token)).status).toBe(200);
  for (const _ of [1, 2]) {
    expect(await send('forget', other.token)).toEqual({ status: 204, body: {} });
  }
  expect(await send('confirm', other.token)).toMatchObject(invalid);
  expect((await createClient().request('POST', confirmPath, { token })).status).toBe(400);
  const forged = `${crypto.randomUUID()}.9999999999999.${'a'.repeat(64)}`;
  for (const unknown of ['', 'x', undefined, forged]) {
    expect(await send('confirm', unknown)).toMatchObject(invalid);
    expect(await send('forget', unknown)).toMatchObject(invalid);
  }
});

test('if enrollment has opened before the click, it leads there, and nothing is kept', async () => {
  const { slug, cohort } = await createCourse();
  const { email } = await ask(slug);
  await updateRow(cohorts, cohort, { enrollmentOverride: 'open' });
  const token = requestTokenIn(mailsTo(email, given.resend.accepted)[0]);

  const body = { redirect_to: expect.stringMatching(new RegExp(`/c/${cohort.slug}$`)) };
  expect(await send('confirm', token)).toEqual({ status: 200, body });
  expect(await db.$count(courseInterests)).toBe(0);
});

test.each<[string, number, string | undefined, object, Record<string, unknown>]>([
  ['there is no such course', 404, 'not_found', {}, {}],
  ['enrollment is open', 422, 'enrollment_is_open', { enrollmentOpensAt: null }, {}],
  ['there is no consent', 400, 'validation_failed', {}, { consent: false }],
  ['the address is none', 400, 'validation_failed', {}, { email: 'nobody' }],
  ['the form is old', 422, 'form_stale', {}, { stamp: 'old' }],
  // A program that fills in the hidden field is answered like people.
  ['a program asks', 202, undefined, {}, { website: 'x' }],
])('it is refused if %s', async (_what, status, code, values, typed) => {
  const { accepted } = given.resend;
  const { slug } = await createCourse(values);
  const answer = await ask(code === 'not_found' ? 'no-such-course' : slug, typed);

  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  expect(accepted).toEqual([]);
  expect(await db.$count(courseInterests)).toBe(0);
});

test('an address gets three of these emails a day for a course, always the same answer, and stays confirmed', async () => {
  const { accepted } = given.resend;
  const { slug } = await createCourse();
  const { email } = await wait(slug);
  for (let count = 1; count < 4; count += 1) {
    setTime(start + count);
    expect(await ask(slug, { email })).toMatchObject({ status: 202, body: { email } });
  }
  expect(mailsTo(email, accepted)).toHaveLength(3);
  expect(await db.select().from(courseInterests)).toMatchObject([
    { confirmedAt: new Date(start), expiresAt: new Date(start + 365 * day) },
  ]);
  await ask((await createCourse()).slug, { email });
  expect(mailsTo(email, accepted)).toHaveLength(4);
});

test.each([
  ['full, with a waitlist', { capacity: 1 }, true],
  ['full, without one', { capacity: 1, waitlist: false }, false],
  // Only the approval lets anyone ask for a place.
  ['full, by approval', { capacity: 1, waitlist: false, joinMode: 'approval' }, true],
  ['by invitation', { joinMode: 'invitation' }, false],
  ['a draft', { publishedAt: null }, false],
  ['in the trash', { deletedAt: new Date(start) }, false],
] as const)('they are told of a cohort that is %s: %o', async (_what, values, isTold) => {
  const { slug, course } = await createCourse();
  const { email } = await wait(slug);
  const next = await createCohortRow(course, { publishedAt: new Date(start), ...values });
  await createEnrollment(next);
  await clock(start + hour);

  expect(mailsTo(email, given.resend.accepted)).toHaveLength(isTold ? 2 : 1);
});

test('their instructor learns how many wait, and no address', async () => {
  const { slug, client, user } = await createCourse();
  const { email } = await wait(slug);
  const text = await (await client.get(`/api/accounts/${user.id}/export/`)).text();

  expect(text).not.toContain(email);
  expect(JSON.parse(text)).toMatchObject({ course_interests: [{ language: 'en' }], mails_due: [] });
});

test('it is among the data of a person of this instructor, who does not see it', async () => {
  const found = await createCourse();
  const { email } = await wait(found.slug);
  await wait(found.slug);
  const person = await createMember(found, email);
  const token = await tokenFor('data', person);
  const own = await (await call('data', { token })).json<PersonExport>();
  const { body: shown } = await found.send('GET', `/api/people/${person.id}/export/`);

  expect(own.interests).toMatchObject([{ course_id: found.course.id, email }]);
  expect(own.emails.map(({ kind }) => kind)).toEqual(['confirm_interest']);
  expect(shown).toEqual({ ...own, interests: [], emails: [] });
});

test('it is erased with a person of this instructor, and of no other', async () => {
  const [found, other] = [await createCourse(), await createCourse()];
  const { email } = await wait(found.slug);
  await ask(other.slug, { email });
  const next = await wait(found.slug);
  const person = await createMember(found, email);
  expect((await call('erase', { token: await tokenFor('data', person) })).status).toBe(204);

  const rows = await db.select().from(courseInterests);
  const kept = [`${found.course.id} ${next.email}`, `${other.course.id} ${email}`];
  expect(rows.map((row) => `${row.courseId} ${row.email}`).sort()).toEqual(kept.sort());
  const mails = await db.select().from(mailsDue).where(eq(mailsDue.toAddress, email));
  expect(mails.map(({ ownerId }) => ownerId)).toEqual([other.user.id]);
});

test('when a person’s address changes, the previous one waits for nothing', async () => {
  const found = await createCourse();
  const { email } = await wait(found.slug);
  const { id } = await createMember(found, email);
  const change = await found.send('PATCH', `/api/people/${id}/`, { email: uniqueEmail() });
  expect(change.status).toBe(200);

  expect(await placesOf(email)).toEqual([]);
});
