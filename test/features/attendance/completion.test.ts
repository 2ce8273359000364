import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { attendance } from '#db/schema/meetings.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { linkIn, mailsTo } from '#support/resend.ts';
import { createMeeting } from '../calendar/support.ts';
import { drainByClock } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner, enrollmentRow, refused, setTime } from '../places/support.ts';

const fresh = startFresh();
const day = 24 * 60 * 60 * 1000;

/** A cohort that has ended, with two sessions: Ada was at both, Bea at one, Cleo at none. */
async function createEnded(values: Parameters<typeof createOwner>[0] = {}) {
  const times = { startsAt: new Date(start - 60 * day), endsAt: new Date(start - day) };
  const owner = await createOwner({ ...times, ...values });
  const { cohort, user } = owner;
  const enroll = (name: string) => createEnrollment(cohort, {}, { name });
  const [ada, bea, cleo] = [
    await enroll('Ada Lovelace'),
    await enroll('Bea'),
    await enroll('Cleo'),
  ];
  const at = (days: number) => createMeeting(cohort, { startsAt: new Date(start - days * day) });
  const [first, second] = [await at(40), await at(20)];
  const mark = (meeting: { id: string }, { id }: { id: string }, isPresent: boolean) => ({
    ...{ ownerId: user.id, meetingId: meeting.id, enrollmentId: id, isPresent },
    ...{ markedAt: new Date(start), markedByUserId: user.id },
  });
  await db
    .insert(attendance)
    .values([
      ...[ada, bea].map((who) => mark(first, who, true)),
      mark(second, ada, true),
      mark(first, cleo, false),
      ...[bea, cleo].map((who) => mark(second, who, false)),
    ]);
  return { ...owner, ada, bea, cleo };
}

/** What goes out within an hour: emails to many go out one after another. */
async function sent() {
  for (let minute = 0; minute <= 60; minute += 10) {
    setTime(Date.now() + 10 * 60_000);
    await drainByClock();
  }
  return fresh.resend.accepted;
}

test('everyone who attended enough is completed at once, and gets one email with the way to the certificate', async () => {
  const { post, ada, bea, cleo, cohort } = await createEnded();
  expect(await post('completions/', { at_least: 1 })).toEqual({
    status: 200,
    body: { completed: 2 },
  });
  expect((await enrollmentRow(cleo.id))?.completedAt).toBeNull();
  // Again, it completes no one and changes no date.
  const { completedAt } = (await enrollmentRow(ada.id)) ?? {};
  expect((await post('completions/', { at_least: 1 })).body).toEqual({ completed: 0 });
  expect((await enrollmentRow(ada.id))?.completedAt).toEqual(completedAt);

  const mails = await sent();
  expect(mails.map(({ to }) => to).sort()).toEqual([ada.person.email, bea.person.email].sort());
  const [mail] = mailsTo(ada.person.email, mails);
  for (const text of [mail?.subject, mail?.text]) {
    expect(text).toContain('Writing');
    expect(text).toContain(cohort.name);
    expect(text).toContain('Anna Martin');
  }
  expect(linkIn(mail)).not.toBe('');
});

test('no one is completed before the end of a cohort, unless that is wanted, nor before its begin', async () => {
  const { post, cohort, ada } = await createEnded({ endsAt: new Date(start + day) });
  expect(await post('completions/', { at_least: 2 })).toMatchObject(refused('cohort_not_over'));
  expect((await enrollmentRow(ada.id))?.completedAt).toBeNull();
  expect((await post('completions/', { at_least: 2, before_end: true })).body).toEqual({
    completed: 1,
  });
  await db
    .update(cohorts)
    .set({ startsAt: new Date(start + day), endsAt: new Date(start + 2 * day) })
    .where(eq(cohorts.id, cohort.id));
  const early = { at_least: 0, before_end: true };
  expect(await post('completions/', early)).toMatchObject(refused('cohort_not_begun'));
});

test('a completion that is taken back before its email goes out sends none; twice completed, one', async () => {
  const { post, ada, bea } = await createEnded();
  await post(`enrollments/${ada.id}/complete/`);
  await post(`enrollments/${bea.id}/complete/`);
  await post(`enrollments/${bea.id}/uncomplete/`);
  expect((await sent()).map(({ to }) => to)).toEqual([ada.person.email]);

  // One that was sent is not sent again; one that was taken back is due again.
  await post(`enrollments/${ada.id}/uncomplete/`);
  await post(`enrollments/${ada.id}/complete/`);
  await post(`enrollments/${bea.id}/complete/`);
  expect((await sent()).map(({ to }) => to)).toEqual([ada.person.email, bea.person.email]);
});

test('without certificates, in an archived cohort and to people who never agreed, no email goes out', async () => {
  const silent = await createEnded({ sendsCertificates: false });
  expect((await silent.post('completions/', { at_least: 0 })).body).toEqual({ completed: 3 });
  const archived = await createEnded({ archivedAt: new Date(start) });
  await archived.post('completions/', { at_least: 0 });
  const asked = await createEnded();
  const added = await createEnrollment(asked.cohort, { changedBy: 'owner' }, { source: 'added' });
  await asked.post(`enrollments/${added.id}/complete/`);
  // Only who has agreed.
  await asked.post(`enrollments/${asked.ada.id}/complete/`);
  expect((await sent()).map(({ to }) => to)).toEqual([asked.ada.person.email]);
});
