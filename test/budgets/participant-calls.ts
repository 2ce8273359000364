import {
  createClosedCourse,
  createCohort,
  createInvited,
  createParticipant,
  type Reachable,
  tokenToBeTold,
  type Visitor,
} from '../built/worker.ts';
import type { Readers } from './pages.ts';

/** The calls of people without an account, and those of their instructor about them. */
export async function callAsParticipants(
  built: Reachable,
  { nobody, instructor }: Readers,
  call: (
    visitor: Visitor,
    route: [string, string, number, string?],
    more?: { input?: unknown; isExport?: true },
  ) => Promise<string>,
): Promise<void> {
  const cohort = await createCohort(instructor);
  const { link, enrollmentId, email, token, dataToken, addressToken } = await createParticipant(
    built,
    instructor,
    cohort,
  );
  const path = `/api/public/cohorts/${cohort.slug}/`;
  const { stamp } = JSON.parse(await call(nobody, ['GET', path, 200])) as { stamp: string };
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  const person = { name: 'Nina Simone', email: 'nina@example.org', consent: true, stamp };
  await call(nobody, ['POST', `${path}requests/`, 202], { input: person });
  await call(nobody, ['POST', '/api/public/requests/confirm/', 200], { input: { token } });
  await call(nobody, ['PATCH', '/api/participation/', 200], { input: { link, name: 'Grace' } });
  const input = { link, enrollment_id: enrollmentId };
  const own = '/api/participation/';
  const roster = `/api/cohorts/${cohort.id}/enrollments/`;
  const invite = () =>
    instructor.post(roster, { as: 'invited', name: 'Grace', email, language: 'en' });
  await call(nobody, ['POST', `${own}leave/`, 200], { input });
  await call(nobody, ['POST', `${own}rejoin/`, 200], { input });
  await nobody.post(`${own}leave/`, input);
  await invite();
  await call(nobody, ['POST', `${own}accept/`, 200], { input });
  await nobody.post(`${own}leave/`, input);
  await invite();
  await call(nobody, ['POST', `${own}decline/`, 200], { input });
  // They have not asked for a place, and are offered none.
  for (const answer of ['approve', 'refuse', 'withdraw']) {
    await call(instructor, ['POST', `${roster}${enrollmentId}/${answer}/`, 422], { input: {} });
  }
  await call(nobody, ['POST', `${own}new-link/`, 202], { input: { link, email } });
  const { person_id: id } = (await (
    await instructor.request(`${roster}${enrollmentId}/`)
  ).json()) as {
    person_id: string;
  };
  await call(instructor, ['PATCH', `/api/people/${id}/`, 200], { input: { name: 'Grace Hopper' } });
  await call(nobody, ['POST', `${own}data-link/`, 202], { input: { link } });
  await call(nobody, ['POST', `${own}data/`, 200], { input: { token: dataToken } });
  const other = { token: dataToken, email: 'grace@example.org' };
  await call(nobody, ['POST', `${own}new-address/`, 202], { input: other });
  await call(nobody, ['POST', `${own}confirm-address/`, 200], { input: { token: addressToken } });
  await call(instructor, ['GET', `/api/people/${id}/export/`, 200], { isExport: true });
  await call(instructor, ['POST', `/api/people/${id}/link/`, 204]);
  const slug = await createClosedCourse(instructor);
  const asked = { email: 'ella@example.org', consent: true, stamp };
  await call(nobody, ['POST', `/api/public/courses/${slug}/interests/`, 202], { input: asked });
  const confirming = { input: { token: await tokenToBeTold(built, asked.email) } };
  await call(nobody, ['POST', '/api/public/interests/confirm/', 200], confirming);
  await call(nobody, ['POST', '/api/public/interests/forget/', 204], confirming);
  await call(instructor, ['DELETE', `/api/people/${id}/`, 204]);
  const eraser = await createParticipant(built, instructor, cohort);
  await call(nobody, ['POST', `${own}erase/`, 204], { input: { token: eraser.dataToken } });
  const renewing = {
    input: { token: (await createParticipant(built, instructor, cohort)).dataToken },
  };
  await call(nobody, ['POST', `${own}renew-link/`, 204], renewing);
  const { removeToken } = await createParticipant(built, instructor, cohort);
  await call(nobody, ['POST', `${own}remove-me/`, 204], { input: { token: removeToken } });
  // A cohort of its own, because sent emails are counted.
  const { id: quiet } = await createCohort(instructor);
  const emails = `/api/cohorts/${quiet}/emails/`;
  await call(instructor, ['GET', emails, 200]);
  await call(instructor, ['PATCH', emails, 200], { input: { invitation_reminder: false } });
  await call(instructor, ['GET', `${emails}enrolled/`, 200]);
  await call(instructor, ['POST', `${emails}enrolled/send/`, 202]);
  const invited = await createInvited(built, instructor, { id: quiet });
  const oneClick = `/api/mail/unsubscribe/?u=${invited.token}`;
  await call(nobody, ['GET', oneClick, 302]);
  await call(nobody, ['POST', oneClick, 200]);
  const subscription = { link: invited.token, is_on: true };
  await call(nobody, ['POST', '/api/mail/subscription/', 200], { input: subscription });
}
