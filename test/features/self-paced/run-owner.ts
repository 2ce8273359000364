import { settled } from '#support/background.ts';
import {
  createCourseRow,
  createEnrollment,
  createOpenRun,
  createSignedInClient,
} from '#support/factories.ts';
import { updateLearning } from '#support/lesson-rows.ts';

/** Anna Martin, who is signed in, with an evergreen course that has an open run. */
export async function createRunOwner(values: Parameters<typeof createOpenRun>[1] = {}) {
  const { client, user } = await createSignedInClient({ firstName: 'Anna', lastName: 'Martin' });
  await client.get('/api/health/');
  const course = await createCourseRow(user.id, { name: 'Fiction' });
  const run = await createOpenRun(course, values);
  const base = `/api/cohorts/${run.id}/`;

  async function send(method: string, path: string, input?: unknown) {
    const response = await client.request(method, `${base}${path}`, input);
    await settled();
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  }

  return {
    client,
    user,
    course,
    run,
    base,
    send,
    /** Enrolls someone who has got on as given. */
    enroll: async (name: string, progress: Parameters<typeof updateLearning>[1] = {}) => {
      const enrollment = await createEnrollment(run, {}, { name });
      if (Object.keys(progress).length > 0) {
        await updateLearning(enrollment, progress);
      }
      return enrollment;
    },
    read: async <Read>(path = ''): Promise<Read> => (await send('GET', path)).body,
  };
}
