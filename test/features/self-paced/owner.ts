import { expect } from 'vitest';
import type { OpenRun } from '#features/cohorts/schema.ts';
import type { EnrollmentPage } from '#features/places/schema.ts';
import { settled } from '#support/background.ts';
import { createCourseRow, createEnrollment, createSignedInClient } from '#support/factories.ts';
import { updateLearning } from '#support/lesson-rows.ts';

/** What the API answers: a run, someone in it, or a refusal. */
type Answer = Omit<OpenRun, 'status'> & { status: string; code: string; message: string };

/** Anna Martin, who is signed in, with an evergreen course that people can enroll in. */
export async function createSelfPaced(values: object = {}, name = 'Grammar') {
  const { client, user } = await createSignedInClient({ firstName: 'Anna', lastName: 'Martin' });
  await client.get('/api/health/');
  const course = await createCourseRow(user.id, { name });
  const opened = await client.post(`/api/courses/${course.id}/enrollment/`, {});
  expect(opened.status).toBe(201);
  const { id } = await opened.json<OpenRun>();
  const base = `/api/cohorts/${id}/`;

  /** Calls a path below that of the run, or another, and waits for the emails. */
  async function send(method: string, path = '', input?: unknown) {
    const address = path.startsWith('/') ? path : `${base}${path}`;
    const response = await client.request(method, address, input);
    await settled();
    const text = await response.text();
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true;
    const body: Answer = isJson ? JSON.parse(text) : text;
    return { status: response.status, body };
  }

  async function read<Read = Answer>(path = ''): Promise<Read> {
    const response = await client.get(`${base}${path}`);
    expect(response.status).toBe(200);
    return response.json();
  }

  const changed = await send('PATCH', '', values);
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  const run = changed.body;
  return {
    client,
    user,
    course,
    run,
    slug: run.public_url.split('/').at(-1) ?? '',
    send,
    read,
    post: (path: string, input: unknown = {}) => send('POST', path, input),
    /** The people of the run, by name. */
    items: async (query = '') => (await read<EnrollmentPage>(`enrollments/${query}`)).items,
    /** Enrolls someone who has got on as given. */
    enroll: async (name = 'Grace Hopper', progress?: Parameters<typeof updateLearning>[1]) => {
      const enrollment = await createEnrollment({ id, ownerId: user.id }, {}, { name });
      if (progress !== undefined) {
        await updateLearning(enrollment, progress);
      }
      return enrollment;
    },
  };
}
