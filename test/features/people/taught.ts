import { createCohortRow, createCourseRow, createSignedInClient } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { start } from './storm.ts';

type Page = { items: { id: string; person_id: string }[] };

/** An instructor whose cohort people join by approval. */
export async function createTaught(values: Parameters<typeof createCohortRow>[1] = {}) {
  const { client: owner, user } = await createSignedInClient();
  await owner.get('/api/health/');
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, {
    name: 'Writing in spring',
    publishedAt: new Date(start),
    joinMode: 'approval',
    ...values,
  });
  const path = `/api/cohorts/${cohort.id}/enrollments/`;

  /** Who asks for a place, by name. */
  async function asking() {
    const { items } = await (await owner.get(`${path}?status=applied`)).json<Page>();
    return items;
  }

  return { owner, user, course, cohort, resend: fakeResend(), path, asking };
}
