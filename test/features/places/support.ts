import { eq } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { ask as query } from '#db/query.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { formStamp } from '#features/enrolling/form-stamp.ts';
import type { EnrollmentDetails } from '#features/places/schema.ts';
import { blockInvitations } from '#features/suppression/blocked-addresses.ts';
import { settled } from '#support/background.ts';
import { type Client, createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createSignedInClient,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend, linkIn, mailsTo, requestTokenIn } from '#support/resend.ts';
import { start } from './storm.ts';

export const confirmPath = '/api/public/requests/confirm/';

export function requestsPath(slug: string): string {
  return `/api/public/cohorts/${slug}/requests/`;
}

type Options = Parameters<Client['post']>[2];

type CohortValues = Parameters<typeof createCohortRow>[1];

/** An answer about someone on a roster, or a refusal. */
type Answer = EnrollmentDetails & {
  code: string;
  message: string;
  fields: Record<string, string[]>;
};

/** A refusal, as the functions of `createOwner` return it. */
export const refused = (code: string, status = 422) => ({ status, body: { code } });

/** Anna Martin, who is signed in, with a published cohort, and functions that send her requests. */
export async function createOwner(values: CohortValues = {}, name = 'Writing') {
  const { client, user } = await createSignedInClient({ firstName: 'Anna', lastName: 'Martin' });
  await client.get('/api/health/');
  const course = await createCourseRow(user.id, { courseType: 'cohort', name });
  const cohort = await createCohortRow(course, { publishedAt: new Date(start), ...values });
  const base = `/api/cohorts/${cohort.id}/`;

  /** Calls a path below that of the cohort, or another, and waits for the emails. */
  async function send(method: string, path: string, input?: unknown, options: Options = {}) {
    const address = path.startsWith('/') ? path : `${base}${path}`;
    const response = await client.request(method, address, input, options);
    await settled();
    const text = await response.text();
    const body: Answer = text === '' ? {} : JSON.parse(text);
    return { status: response.status, body };
  }

  return {
    client,
    user,
    course,
    cohort,
    base,
    send,
    post: (path: string, input: unknown = {}, options: Options = {}) =>
      send('POST', path, input, options),
    /** Adds or invites someone, or puts them on the waitlist. */
    add: async (input: object = {}, options: Options = {}) => {
      const person = { as: 'enrolled', name: 'Élodie Blanc', email: uniqueEmail(), ...input };
      const answer = await send('POST', 'enrollments/', person, options);
      return { ...answer, email: person.email };
    },
    read: async <Read>(path = '') => {
      const response = await client.get(`${base}${path}`);
      expect(response.status).toBe(200);
      return response.json<Read>();
    },
  };
}

/** An instructor whose cohort people join by approval; `asking` lists who asks, by name. */
export async function createTaught(values: CohortValues = {}) {
  const owner = await createOwner({ joinMode: 'approval', ...values });
  const path = 'enrollments/?status=applied';
  const asking = async () =>
    (await owner.read<{ items: { id: string; person_id: string }[] }>(path)).items;
  return { ...owner, asking, resend: fakeResend() };
}

/** An enrollment as it is stored. */
export function enrollmentRow(id: string) {
  return db.select().from(enrollments).where(eq(enrollments.id, id)).get();
}

export function personRow(id: string) {
  return db.select().from(people).where(eq(people.id, id)).get();
}

/** What a person types, in a form that was made a while ago. */
export async function formOf(values: Record<string, unknown> = {}) {
  const then = new Date(Date.now() - 10_000);
  const stamp = await formStamp({ ...contextOn(), now: () => then });
  return { name: 'Grace Hopper', email: uniqueEmail(), consent: true, stamp, ...values };
}

/** Asks to enroll, as from a page, and waits for the email. */
export async function ask(
  slug: string,
  values: Record<string, unknown> = {},
  options: Options = {},
  client = createClient(),
) {
  const form = await formOf(values);
  const response = await client.request('POST', requestsPath(slug), form, options);
  await settled();
  return { response, email: form.email };
}

type Resend = ReturnType<typeof fakeResend>;

/** Asks and confirms: someone who takes part or waits, with the link in their email. */
export async function enrollBy(
  { accepted }: Resend,
  slug: string,
  values: Record<string, unknown> = {},
) {
  const { response, email } = await ask(slug, values);
  expect(response.status, await response.clone().text()).toBe(202);
  const token = requestTokenIn(mailsTo(email, accepted).at(-1));
  const client = createClient();
  const confirmed = await client.request('POST', confirmPath, { token });
  await settled();
  const answer = await confirmed.json<{ status: string; queue_position: number | null }>();
  expect(confirmed.status, JSON.stringify(answer)).toBe(200);
  const link = linkIn(mailsTo(email, accepted).at(-1));
  return { ...answer, email, token, link, client };
}

/** What a person does by their link. */
export async function participate(
  action: string,
  link: string | undefined,
  enrollmentId: string | undefined,
) {
  const path = `/api/participation/${action}/`;
  const input = { link, enrollment_id: enrollmentId };
  const response = await createClient().request('POST', path, input);
  await settled();
  return { status: response.status, body: await response.json<Record<string, unknown>>() };
}

/** Moves the clock. */
export function setTime(time: number | Date): void {
  vi.useFakeTimers({ toFake: ['Date'], now: time });
}

/** Lets an address want no invitations of an owner. */
export async function unsubscribe(ownerId: string, emailCanonical: string): Promise<void> {
  const ctx = contextOn();
  await query(ctx, { blocked: await blockInvitations(ctx, { ownerId, emailCanonical }) });
}
