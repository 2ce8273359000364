import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { groupMessages } from '#db/schema/messages.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { covers } from '#email/document.ts';
import { hueOfCourse } from '#features/courses/list-courses.ts';
import { loggedEvents } from '#support/console.ts';
import { createCohortRow, createEnrollment, db } from '#support/factories.ts';
import { updateRow } from '#support/rows.ts';
import { createSpam, drainByClock, repeat } from '../letters/support.ts';
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
    await updateRow(courses, course, { hue });
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
    email: {
      kind: 'message',
      subject: 'Bring chairs (Writing)',
      text: expect.stringContaining('And a pen.'),
    },
  });
  await repeat(4, () => createEnrollment(cohort));
  const late = (await write({ dry_run: true }, limited)).body;
  const summary = /Some of the emails have to wait: the last ones go out in 2\u00a0hours\./;
  expect(late).toMatchObject({ summary: expect.stringMatching(summary) });
  expect(await db.$count(groupMessages, eq(groupMessages.cohortId, cohort.id))).toBe(0);
  expect(await mailCount()).toBe(0);
});

test('a retry with the same key sends nothing again, and another text, cohort or reader with it is refused', async () => {
  const { cohort, course, mailCount, post, write } = await createOwner();
  const [one, other] = [await createEnrollment(cohort), await createEnrollment(cohort)];
  const left = await createEnrollment(cohort, { status: 'left' });
  const key = { headers: { 'Idempotency-Key': 'a-message' } };
  const to = (...enrollments: string[]) => write({ audience: 'chosen', enrollments }, key);
  const first = await to(one.id, left.id);
  expect(first).toMatchObject({ status: 202, body: { recipients: 1 } });
  expect(await to(left.id, one.id)).toEqual(first);
  const { id } = await createCohortRow(course, { publishedAt: new Date(start) });
  const chosen = { ...message, audience: 'chosen', enrollments: [one.id, left.id] };
  for (const answer of [
    await write({ ...chosen, text: 'Another text' }, key),
    await post(`/api/cohorts/${id}/messages/`, chosen, key),
    await write({ audience: 'owing' }, key),
    await to(other.id),
    await to(one.id, other.id),
  ]) {
    expect(answer).toMatchObject(refused('idempotency_key_reused'));
  }

  expect(await mailCount()).toBe(1);
});

test('what does not pass is refused in words', async () => {
  const { cohort, write } = await createOwner();
  await createEnrollment(cohort);
  for (const [values, field, words] of [
    [{ subject: ' ' }, 'subject', 'Please enter a subject'],
    [{ subject: 'x'.repeat(121) }, 'subject', 'Subject must be at most 120 characters'],
    [{ subject: 'two\nlines' }, 'subject', 'Please use only printable characters'],
    [{ text: '' }, 'text', 'Please write something'],
    [{ text: 'x'.repeat(5_001) }, 'text', 'Message must be at most 5,000 characters'],
  ] as const) {
    const fields = { [field]: [words] };
    expect(await write(values)).toMatchObject({ status: 400, body: { fields } });
  }
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
  await updateRow(enrollments, gone, { status: 'left' });
  await updateRow(people, unwilling.person, { noRemindersAt: new Date(start) });
  await drainByClock();

  expect(accepted.map(({ to }) => to)).toEqual([reader.person.email]);
});
