import { expect, test } from 'vitest';
import { drainOutbox } from '#features/outbox/drain-outbox.ts';
import { settled } from '#support/background.ts';
import type { Client } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import { createCohortRow, createCourseRow, createSignedInClient } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { startFresh } from '../people/fresh.ts';
import { start } from '../people/storm.ts';
import { setTime } from '../people/support.ts';
import { enrollMany } from '../reminders/support.ts';

const minute = 60 * 1000;

startFresh();

type Cohort = Awaited<ReturnType<typeof createCohortRow>>;

const causes: Record<string, (owner: Client, cohort: Cohort) => Promise<Response>> = {
  'canceled cohort': (owner, { id }) =>
    owner.request('DELETE', `/api/cohorts/${id}/`, { notify: true }),
  'moved cohort': (owner, { id, startsOn, endsOn, timeZone }) =>
    owner.post(`/api/cohorts/${id}/move/`, {
      starts_on: '2027-01-11',
      ends_on: '2027-02-19',
      time_zone: timeZone,
      expected: {
        starts_on: startsOn,
        ends_on: endsOn,
        time_zone: timeZone,
        enrollment_opens_local: null,
        enrollment_closes_local: null,
      },
      notify: true,
    }),
};

test.each(Object.entries(causes))(
  'word of a %s reaches 400 people within ten minutes, each once',
  async (_, tell) => {
    const { accepted, batches } = fakeResend();
    const { client: owner, user } = await createSignedInClient();
    await owner.get('/api/health/');
    const course = await createCourseRow(user.id, { courseType: 'cohort' });
    const cohort = await createCohortRow(course, { publishedAt: new Date(start) });
    await enrollMany(cohort, 400);
    const response = await tell(owner, cohort);
    expect(response.status, await response.clone().text()).toBeLessThan(300);
    await settled();
    // What a request sends by itself.
    expect(accepted).toHaveLength(300);
    for (const minutes of [5, 10]) {
      setTime(start + minutes * minute);
      await drainOutbox(contextOn(), null);
    }

    expect(batches.map(({ mails }) => mails.length)).toEqual([100, 100, 100, 100]);
    expect(new Set(accepted.map(({ to }) => to)).size).toBe(400);
    expect(accepted).toHaveLength(400);
  },
);
