import { expect, vi } from 'vitest';
import { formStamp } from '#features/people/links.ts';
import { settled } from '#support/background.ts';
import { type Client, createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import { uniqueEmail } from '#support/factories.ts';
import { type fakeResend, linkIn, mailsTo, requestTokenIn } from '#support/resend.ts';

export const confirmPath = '/api/public/requests/confirm/';

export function requestsPath(slug: string): string {
  return `/api/public/cohorts/${slug}/requests/`;
}

type Options = Parameters<Client['post']>[2];

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
