import { expect, test } from 'vitest';
import type { OpenRun } from '#features/cohorts/schema.ts';
import { createCourseRow, createSignedInClient } from '#support/factories.ts';

test('enrollment is opened once, and not in a course that is taught in cohorts', async () => {
  const { client, user } = await createSignedInClient();
  const course = await createCourseRow(user.id);
  const path = `/api/courses/${course.id}/enrollment/`;
  const first = await client.post(path, {});
  const again = await client.post(path, {});
  expect([first.status, again.status]).toEqual([201, 200]);
  const run = await first.json<OpenRun>();
  expect(run).toMatchObject({ kind: 'open', name: course.name, starts_on: null, ends_at: null });
  expect(run.enrollment_state).toBe('open');
  expect(await again.json<OpenRun>()).toMatchObject({ id: run.id });

  const other = await createCourseRow(user.id, { courseType: 'cohort' });
  const refused = await client.post(`/api/courses/${other.id}/enrollment/`, {});
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ code: 'course_is_cohort' });
});
