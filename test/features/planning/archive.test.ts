import { expect, test } from 'vitest';
import type { EnrollmentStatus } from '#db/values.ts';
import { minuteMs } from '#lib/time/calendar.ts';
import { createEnrollment } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { drainAt } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner, enrollmentRow, refused, setTime } from '../places/support.ts';

const given = startFresh();

const standings = ['enrolled', 'offered', 'invited', 'waitlisted', 'applied', 'left'] as const;

/** A cohort with someone of each standing, and which of them have read what. */
async function createPeopled(values: Parameters<typeof createOwner>[0] = {}) {
  const owner = await createOwner({ capacity: 2, ...values });
  const expiresAt = new Date(start + 48 * 60 * minuteMs);
  const people = await Promise.all(
    standings.map(async (status) => {
      const isWaiting = status === 'waitlisted';
      const hasEnd = status === 'offered' || status === 'invited';
      const standing = { ...(isWaiting && { queueNo: 1 }), ...(hasEnd && { expiresAt }) };
      return { ...(await createEnrollment(owner.cohort, { status, ...standing })), status };
    }),
  );
  return {
    ...owner,
    people,
    archive: (input?: object) => owner.send('POST', 'archive/', input),
    told: (): Partial<Record<EnrollmentStatus, string[]>> =>
      Object.fromEntries(
        people.flatMap(({ status, person }) => {
          const mails = mailsTo(person.email, given.resend.accepted);
          return mails.length > 0 ? [[status, mails.map(({ subject }) => subject)]] : [];
        }),
      ),
  };
}

const none = 'No place became free in Writing';
const ended = 'Writing has ended';
const waiting = { waitlisted: [none], applied: [none] };

test.each([
  [undefined, waiting],
  [{ notify: true }, { ...waiting, enrolled: [ended], offered: [ended], invited: [ended] }],
])(
  'archived before its end by %j, a cohort tells those who wait, and others if asked to, minutes later',
  async (input, expected) => {
    const { archive, told } = await createPeopled();
    expect(await archive(input)).toMatchObject({ status: 200, body: { status: 'archived' } });
    await drainAt(start + 4 * minuteMs);
    expect(told()).toEqual({});
    await drainAt(start + 5 * minuteMs);
    expect(told()).toEqual(expected);
  },
);

test('out of the archive at once, the cohort is what it was and no one reads that it has ended; archived again, that is told once', async () => {
  const { archive, post, told, people, read } = await createPeopled();
  const before = await read<object>();
  const rows = await Promise.all(people.map(({ id }) => enrollmentRow(id)));
  await archive({ notify: true });
  setTime(start + minuteMs);
  expect((await post('unarchive/')).status).toBe(200);
  expect(await read()).toEqual({ ...before, updated_at: expect.any(String) });
  expect(await Promise.all(people.map(({ id }) => enrollmentRow(id)))).toEqual(rows);
  await drainAt(start + 6 * minuteMs);
  expect(told()).toEqual({});

  for (const minutes of [10, 20]) {
    setTime(start + minutes * minuteMs);
    await archive();
    await drainAt(start + (minutes + 6) * minuteMs);
    expect(told()).toEqual(waiting);
    await post('unarchive/');
  }
});

test('in the trash at once, it has ended all the same', async () => {
  const { archive, send, told } = await createPeopled();
  await archive({ notify: true });
  await send('DELETE', '', { notify: true });
  await drainAt(start + 6 * minuteMs);
  expect(told()).toMatchObject({ enrolled: [ended] });
});

test('taken out and archived again within minutes, only the last word counts', async () => {
  const { archive, post, told } = await createPeopled();
  await archive({ notify: true });
  await post('unarchive/');
  setTime(start + minuteMs);
  await archive();
  await drainAt(start + 7 * minuteMs);
  expect(told()).toEqual(waiting);
});

test.each([
  ['has ended', { endsAt: new Date(start - 1) }],
  ['is a draft', { publishedAt: null }],
])('a cohort that %s is archived without a word', async (_, values) => {
  const { archive, told } = await createPeopled(values);
  expect((await archive({ notify: true })).status).toBe(200);
  await drainAt(start + 6 * minuteMs);
  expect(told()).toEqual({});
});

test('what is not known of an archive is refused, and so is another owner’s cohort', async () => {
  const { archive, base } = await createPeopled();
  expect(await archive({ tells: true })).toMatchObject({ status: 400 });
  const other = await createOwner();
  const path = `${base}archive/`;
  expect(await other.send('POST', path, { notify: true })).toMatchObject(refused('not_found', 404));
});
