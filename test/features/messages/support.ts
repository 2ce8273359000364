import { settled } from '#support/background.ts';
import { createCohortRow, createCourseRow, createSignedInClient } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { start } from '../people/storm.ts';
import { createMeeting } from '../reminders/support.ts';

/** An instructor with a published cohort, signed in. */
export async function createOwner(values: Parameters<typeof createCohortRow>[1] = {}) {
  const resend = fakeResend();
  const { client, user } = await createSignedInClient({ firstName: 'Anna', lastName: 'Martin' });
  await client.get('/api/health/');
  const course = await createCourseRow(user.id, { courseType: 'cohort', name: 'Writing' });
  const cohort = await createCohortRow(course, { publishedAt: new Date(start), ...values });
  const path = `/api/cohorts/${cohort.id}`;
  const post = async (what: 'messages' | 'announcements', input: object, options = {}) => {
    const response = await client.post(`${path}/${what}/`, input, options);
    await settled();
    return response;
  };
  return { ...resend, client, user, course, cohort, path, post };
}

export const message = { subject: 'Bring chairs', text: 'And a pen.\n\nSee https://example.com.' };

export { createMeeting };
