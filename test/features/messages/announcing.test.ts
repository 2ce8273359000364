import { expect, test } from 'vitest';
import type { EmailPreview } from '#features/letters/schema.ts';
import { createEnrollment } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { createSpam, drainByClock } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { refused } from '../places/support.ts';
import { createMeeting, createOwner } from './support.ts';

startFresh();

test('people are told once what is new, moved and canceled, with a note, in one email', async () => {
  const { accepted, announce, cohort, read, send } = await createOwner();
  const readers = [
    await createEnrollment(cohort),
    // These emails are facts, also for who wants no reminders.
    await createEnrollment(cohort, {}, { noRemindersAt: new Date(start) }),
  ];
  const [moved, cancelled] = [
    await createMeeting(cohort),
    await createMeeting(cohort, { title: 'Second draft' }),
  ];
  expect(await announce()).toEqual({ status: 202, body: { recipients: 2, changes: 2 } });
  await drainByClock();
  expect(accepted).toHaveLength(2);
  expect(accepted[0]?.text).toContain('First draft: New: Tuesday, January 5, 2027');

  await send('PATCH', `meetings/${moved.id}/`, { starts_local: '2027-01-06T19:00' });
  await send('DELETE', `meetings/${cancelled.id}/`);
  await createMeeting(cohort, { title: 'Third draft' });
  expect(await read('emails/')).toMatchObject({ unannounced: 3 });
  const again = await announce({ note: 'The room is taken.' });
  expect(again).toEqual({ status: 202, body: { recipients: 2, changes: 3 } });
  await drainByClock();

  expect(accepted).toHaveLength(4);
  const mail = accepted.at(-1);
  expect(readers.map(({ person }) => person.email)).toContain(mail?.to);
  expect(mail).toMatchObject({ subject: 'Changes to the live sessions of Writing' });
  expect(mail?.headers).toBeUndefined();
  expect(mail?.text).toContain('A word from Anna Martin:\n\nThe room is taken.');
  expect(mail?.text).toMatch(
    /First draft: Wednesday, January 6, 2027, 7:00\sPM \(Paris\) · 90 minutes · Previously: Tuesday, January 5, 2027, 6:00\sPM \(Paris\)/,
  );
  expect(mail?.text).toContain('Second draft: Canceled: Tuesday, January 5, 2027');
  expect(mail?.text).toContain('Third draft: New: Tuesday, January 5, 2027');
  expect(await read('emails/')).toMatchObject({
    unannounced: 0,
    messages: [{ text: 'The room is taken.', changes: 3, recipients: 2 }, { changes: 2 }],
  });
  expect(await announce()).toMatchObject(refused('nothing_to_announce'));
});

test('the preview of an announcement, and one that its instructor gets, says what would be told', async () => {
  const { accepted, base, client, cohort, post, send } = await createOwner();
  await createEnrollment(cohort);
  const meeting = await createMeeting(cohort, { title: 'Scenes' });
  const kept = await createMeeting(cohort, { title: 'Dialogue' });
  const preview = async (kind: string) =>
    (await client.get(`${base}emails/${kind}/`)).json<EmailPreview>();
  await post('announcements/dismiss/');
  expect((await preview('meeting_changed')).text).toContain('First session');
  for (const kind of ['enrolled', 'meeting_reminder']) {
    expect((await preview(kind)).text).toMatch(/Scenes|Dialogue/);
  }

  await send('PATCH', `meetings/${meeting.id}/`, { starts_local: '2027-01-06T19:00' });
  const moved = await preview('meeting_changed');
  expect(moved).toMatchObject({ kind: 'meeting_changed' });
  expect(moved.text).toMatch(/Scenes: Wednesday, January 6.*Previously: Tuesday, January 5/);
  expect(moved.text).not.toMatch(/First session|Dialogue/);
  expect((await preview('meeting_cancelled')).text).toContain('First session');
  await send('DELETE', `meetings/${meeting.id}/`);
  await send('DELETE', `meetings/${kept.id}/`);
  expect(await preview('meeting_changed')).toMatchObject({
    kind: 'meeting_cancelled',
    text: expect.stringMatching(/Dialogue: Canceled.*Scenes: Canceled/s),
  });

  accepted.length = 0;
  expect((await post('emails/meeting_changed/send/')).status).toBe(202);
  await drainByClock();
  expect(accepted).toMatchObject([{ text: expect.stringContaining('Scenes: Canceled') }]);
});

test('an announcement replaces one that has not gone', async () => {
  const { accepted, announce, cohort, send } = await createOwner();
  const { person } = await createEnrollment(cohort);
  const move = (id: string, to: string) => send('PATCH', `meetings/${id}/`, { starts_local: to });
  const [moved, back, dropped] = [
    await createMeeting(cohort),
    await createMeeting(cohort, { title: 'Second draft' }),
    await createMeeting(cohort, { title: 'Third draft' }),
  ];
  await send('DELETE', `meetings/${dropped.id}/`);
  await announce();
  await drainByClock();
  await createMeeting(cohort, { title: 'Fourth draft' });
  await move(moved.id, '2027-01-06T18:00');
  await move(back.id, '2027-01-06T18:00');
  await announce({ note: 'The room is taken.' });
  await move(moved.id, '2027-01-07T18:00');
  await move(back.id, back.startsLocal);
  await announce({ note: 'Sorry.' });
  accepted.length = 0;
  await drainByClock();

  const [mail, ...others] = mailsTo(person.email, accepted);
  expect(others).toEqual([]);
  expect(mail?.text).toContain('The room is taken.\n\nSorry.');
  expect(mail?.text).toMatch(/First draft: Thursday, January 7.*Previously: Tuesday, January 5/);
  expect(mail?.text).toContain('Fourth draft: New');
  expect(mail?.text).not.toContain('Second draft');
});

test('only changes that were seen count as known without an email', async () => {
  const { cohort, mailCount, post, read } = await createOwner();
  await createEnrollment(cohort);
  await createMeeting(cohort);
  const { schedule_mark: mark } = await read<{ schedule_mark: string }>('emails/');
  await createMeeting(cohort, { title: 'Second draft' });
  const dismiss = (mark: string) => post('announcements/dismiss/', { mark });
  expect(await dismiss(mark)).toMatchObject(refused('changes_outdated'));
  const now = await read<{ schedule_mark: string }>('emails/');
  expect(now).toMatchObject({ unannounced: 2 });
  expect((await dismiss(now.schedule_mark)).status).toBe(204);
  // The same click again finds the same.
  expect((await dismiss(now.schedule_mark)).status).toBe(204);

  expect(await read('emails/')).toMatchObject({ unannounced: 0 });
  expect(await mailCount()).toBe(0);
});

test('changes are told once, also by a retry with the same key or two at once, and up to the limit of a day', async () => {
  const { announce, cohort, mailCount, read } = await createOwner();
  await createEnrollment(cohort);
  await createMeeting(cohort);
  const options = { headers: { 'Idempotency-Key': 'an-announcement' } };
  expect((await announce({}, options)).status).toBe(202);
  expect((await announce({}, options)).status).toBe(202);
  await createMeeting(cohort, { title: 'Second draft' });
  const both = await Promise.all([announce(), announce()]);
  expect(both.map(({ status }) => status).sort()).toEqual([202, 422]);
  expect(await mailCount()).toBe(1);

  await createMeeting(cohort, { title: 'Third draft' });
  const usedUp = { bindings: { LIMITS: { announcements_per_cohort: ['2/d'] } } };
  expect((await announce({}, usedUp)).status).toBe(429);
  expect(await read('emails/')).toMatchObject({ unannounced: 1 });
});

test('while people mark an owner’s emails as spam, changes are told without a note', async () => {
  const { accepted, announce, cohort, user } = await createOwner();
  await createEnrollment(cohort);
  await createMeeting(cohort, { title: 'Scenes', place: 'https://buy.example' });
  await createSpam(user.id, new Date(start));
  expect((await announce({ note: 'Buy my other course.' })).status).toBe(202);
  await drainByClock();

  expect(accepted).toHaveLength(1);
  expect(accepted[0]?.text).toContain('Scenes');
  expect(accepted[0]?.text).not.toMatch(/Buy my|https:..buy/);
});
