import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { groupMessages } from '#db/schema/messages.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { covers } from '#email/document.ts';
import { hueOfCourse } from '#features/courses/list-courses.ts';
import type { MessagePreview } from '#features/messages/schema.ts';
import { loggedEvents } from '#support/console.ts';
import { createCohortRow, createEnrollment, db } from '#support/factories.ts';
import { createSpam, drainByClock } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { refused } from '../places/support.ts';
import { createOwner, message } from './support.ts';

startFresh();

test('everyone who is enrolled gets the message, and answers go to the instructor', async () => {
  const { accepted, cohort, mailCount, read, user, write } = await createOwner();
  const readers = [await createEnrollment(cohort), await createEnrollment(cohort)];
  await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 });
  await createEnrollment(cohort, { status: 'left' });
  await createEnrollment(cohort, {}, { noRemindersAt: new Date(start) });
  expect(await write()).toEqual({ status: 202, body: { recipients: 2, left_out: 1 } });
  expect(await mailCount()).toBe(2);
  const counts = { changes: null, recipients: 2, left_out: 1 };
  const created_at = new Date(start).toISOString();
  expect(await read('emails/')).toMatchObject({
    messages: [{ ...message, ...counts, created_at }],
  });
  await drainByClock();

  expect(accepted.map(({ to }) => to).sort()).toEqual(
    readers.map(({ person }) => person.email).sort(),
  );
  expect(accepted[0]).toMatchObject({
    from: '"Anna Martin via Lectern" <hello@lectern.test>',
    reply_to: user.email,
    subject: 'Bring chairs (Writing)',
    headers: {
      'List-Unsubscribe': expect.stringContaining('/api/mail/unsubscribe/?u=reminder.'),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  });
  expect(accepted[0]?.text).toContain('And a pen.\n\nSee https://example.com.');
  // What was typed is text, and nothing in it is a link or a tag.
  expect(accepted[0]?.html).toContain(
    'href="https://example.com" target="_blank" rel="noopener noreferrer nofollow ugc"',
  );
  expect(loggedEvents('message_queued')).toMatchObject([{ count: 2 }]);
});

test('an email has the color of its course, chosen or by its id', async () => {
  const { accepted, cohort, course, write } = await createOwner();
  await createEnrollment(cohort);
  for (const hue of ['plum', null] as const) {
    await db.update(courses).set({ hue }).where(eq(courses.id, course.id));
    await write();
    await drainByClock();
    const [light] = covers[hueOfCourse({ id: course.id, hue })];
    expect(accepted.splice(0)).toMatchObject([
      { html: expect.stringContaining(`class="cover" style="background-color:${light};`) },
    ]);
  }
});

test('a dry run shows the email, to how many it would go and when the last goes out, and sends nothing', async () => {
  const { cohort, mailCount, write } = await createOwner({ language: 'fr' });
  const limited = { bindings: { LIMITS: { bulk_mails_per_owner: ['2/h'] } } };
  await createEnrollment(cohort);
  await createEnrollment(cohort, {}, { noRemindersAt: new Date(start) });
  const { status, body } = await write({ dry_run: true }, limited);

  expect(status).toBe(200);
  expect(body).toMatchObject({
    recipients: 1,
    left_out: 1,
    summary: 'It goes to 1 person. 1 person has turned messages off and won’t get it.',
    action: 'Send to 1 person',
    email: { kind: 'message', subject: 'Bring chairs (Writing)' },
  });
  expect((body as unknown as MessagePreview).email.text).toContain('And a pen.');
  for (let count = 0; count < 4; count += 1) {
    await createEnrollment(cohort);
  }
  const late = (await write({ dry_run: true }, limited)).body;
  expect(late).toMatchObject({
    summary: expect.stringContaining(
      'Some of the emails have to wait: the last ones go out in 2\u00a0hours.',
    ),
  });
  expect(await db.$count(groupMessages, eq(groupMessages.cohortId, cohort.id))).toBe(0);
  expect(await mailCount()).toBe(0);
});

test('a retry with the same key sends nothing again, and another message or cohort with it is refused', async () => {
  const { cohort, course, mailCount, post, write } = await createOwner();
  await createEnrollment(cohort);
  const options = { headers: { 'Idempotency-Key': 'a-message' } };
  const first = await write({}, options);
  expect(first.status).toBe(202);
  expect(await write({}, options)).toEqual(first);
  const other = await write({ text: 'Another text' }, options);

  expect(other).toMatchObject(refused('idempotency_key_reused'));
  expect(await mailCount()).toBe(1);
  const { id } = await createCohortRow(course, { publishedAt: new Date(start) });
  const elsewhere = await post(`/api/cohorts/${id}/messages/`, message, options);
  expect(elsewhere).toMatchObject(refused('idempotency_key_reused'));
});

test.each([
  [{ subject: ' ' }, 'subject', 'Please enter a subject'],
  [{ subject: 'x'.repeat(121) }, 'subject', 'Subject must be at most 120 characters'],
  [{ subject: 'two\nlines' }, 'subject', 'Please use only printable characters'],
  [{ text: '' }, 'text', 'Please write something'],
  [{ text: 'x'.repeat(5_001) }, 'text', 'Message must be at most 5,000 characters'],
])('what does not pass is refused in words: %#', async (values, field, words) => {
  const { cohort, write } = await createOwner();
  await createEnrollment(cohort);
  const answer = await write(values);
  expect(answer).toMatchObject({ status: 400, body: { fields: { [field]: [words] } } });
});

test.each([
  ['in the trash', { deletedAt: new Date(start) }, 'cohort_in_trash'],
  ['archived', { archivedAt: new Date(start) }, 'cohort_archived'],
  ['without anyone', {}, 'message_without_recipients'],
])('a cohort that is %s gets none', async (_what, values, code) => {
  const { cohort, write } = await createOwner(values);
  if (code !== 'message_without_recipients') {
    await createEnrollment(cohort);
  }
  for (const dry_run of [true, false]) {
    expect(await write({ dry_run })).toMatchObject(refused(code));
  }
});

test('an instructor marked as spam writes to no one, and what waits is held back', async () => {
  const { accepted, cohort, user, write } = await createOwner();
  const { id, person } = await createEnrollment(cohort);
  await write();
  await createSpam(user.id, new Date(start));
  const answer = await write();
  expect(answer).toMatchObject(refused('messages_paused'));
  expect(answer.body.message).toContain('marked your emails as spam');
  await drainByClock();

  expect(accepted.map(({ to }) => to)).not.toContain(person.email);
  const [mail] = await db.select().from(mailsDue).where(eq(mailsDue.enrollmentId, id));
  expect(mail).toMatchObject({ sentAt: null, failedAt: null, attempts: 0 });
});

test('before it is sent, a message is looked at again: those who have left or unsubscribed get none', async () => {
  const { accepted, cohort, write } = await createOwner();
  const [gone, unwilling, reader] = [
    await createEnrollment(cohort),
    await createEnrollment(cohort),
    await createEnrollment(cohort),
  ];
  await write();
  await db.update(enrollments).set({ status: 'left' }).where(eq(enrollments.id, gone.id));
  await db
    .update(people)
    .set({ noRemindersAt: new Date(start) })
    .where(eq(people.id, unwilling.person.id));
  await drainByClock();

  expect(accepted.map(({ to }) => to)).toEqual([reader.person.email]);
});

test('a batch whose key the provider knows with other emails is not sent again, and counts as sent', async () => {
  const { accepted, batches, cohort, write } = await createOwner();
  const readers = [];
  for (let count = 0; count < 12; count += 1) {
    readers.push(await createEnrollment(cohort));
  }
  await write();
  await drainByClock();
  expect([accepted.length, batches.length]).toEqual([12, 1]);
  // As if the worker had stopped before it marked them, and someone had been erased since.
  const [erased] = readers;
  await db.delete(mailsDue).where(eq(mailsDue.enrollmentId, erased?.id ?? ''));
  await db.update(mailsDue).set({ sentAt: null, dueAt: new Date(1) });
  await drainByClock();

  expect([accepted.length, batches.length]).toEqual([12, 2]);
  const rows = await db.select().from(mailsDue);
  expect(rows).toHaveLength(11);
  for (const row of rows) {
    expect(row).toMatchObject({ failure: null, providerId: null, sentAt: expect.any(Date) });
  }
});
