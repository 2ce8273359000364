import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { attendance } from '#db/schema/meetings.ts';
import { day } from '#support/days.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { linkIn, mailsTo } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { createMeeting } from '../calendar/support.ts';
import { drainByClock } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner, enrollmentRow, refused, setTime } from '../places/support.ts';

const fresh = startFresh();

/** A cohort that has ended, with two sessions: Ada was at both, Bea at one, Cleo at none. */
async function createEnded(values: Parameters<typeof createOwner>[0] = {}) {
  const times = { startsAt: new Date(start - 60 * day), endsAt: new Date(start - day) };
  const owner = await createOwner({ ...times, ...values });
  const { cohort, user } = owner;
  const [ada, bea, cleo] = [
    await createEnrollment(cohort, {}, { name: 'Ada Lovelace' }),
    await createEnrollment(cohort),
    await createEnrollment(cohort),
  ];
  for (const [days, ...present] of [
    [40, ada, bea],
    [20, ada],
  ] as const) {
    const meeting = await createMeeting(cohort, { startsAt: new Date(start - days * day) });
    const of = { ownerId: user.id, meetingId: meeting.id };
    const marked = { markedAt: new Date(start), markedByUserId: user.id };
    const marks = [ada, bea, cleo].map(({ id: enrollmentId }) => ({
      ...{ ...of, ...marked, enrollmentId },
      isPresent: present.some(({ id }) => id === enrollmentId),
    }));
    await db.insert(attendance).values(marks);
  }
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
  const done = { status: 200, body: { completed: 2 } };
  expect(await post('completions/', { at_least: 1 })).toEqual(done);
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

test('no one is completed before the end of a cohort, unless that is wanted, nor before its begin or in the trash', async () => {
  const { post, cohort, ada } = await createEnded({ endsAt: new Date(start + day) });
  expect(await post('completions/', { at_least: 2 })).toMatchObject(refused('cohort_not_over'));
  expect((await enrollmentRow(ada.id))?.completedAt).toBeNull();
  const early = (at_least: number) => post('completions/', { at_least, before_end: true });
  expect((await early(2)).body).toEqual({ completed: 1 });
  const later = { startsAt: new Date(start + day), endsAt: new Date(start + 2 * day) };
  await updateRow(cohorts, cohort, later);
  expect(await early(0)).toMatchObject(refused('cohort_not_begun'));
  await updateRow(cohorts, cohort, { deletedAt: new Date(start) });
  expect(await early(0)).toMatchObject(refused('cohort_in_trash'));
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

test('without certificates and in an archived cohort no email goes out, otherwise to everyone', async () => {
  const silent = await createEnded({ sendsCertificates: false });
  expect((await silent.post('completions/', { at_least: 0 })).body).toEqual({ completed: 3 });
  const archived = await createEnded({ archivedAt: new Date(start) });
  await archived.post('completions/', { at_least: 0 });
  const asked = await createEnded();
  const added = await createEnrollment(asked.cohort, { changedBy: 'owner' }, { source: 'added' });
  await asked.post(`enrollments/${added.id}/complete/`);
  await asked.post(`enrollments/${asked.ada.id}/complete/`);
  const readers = (await sent()).map(({ to }) => to);
  expect(readers.sort()).toEqual([added.person.email, asked.ada.person.email].sort());
});
