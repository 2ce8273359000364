import { expect, test } from 'vitest';
import { loggedEvents } from '#support/console.ts';
import {
  browserWith,
  createCohortRow,
  createCourseRow,
  createSession,
  createUser,
  uniqueEmail,
} from '#support/factories.ts';
import { connectAccount } from '#support/payments.ts';
import { fakeResend } from '#support/resend.ts';
import { everything } from '#support/rows.ts';
import { fakeStripe } from '#support/stripe.ts';
import { ago, minute, send } from './support.ts';

test.each([
  ['DELETE', '/api/accounts/{account}/', 204],
  ['GET', '/api/accounts/{account}/export/', 200],
  ['PATCH', '/api/accounts/{account}/', 200],
  ['POST', '/api/cohorts/{cohort}/purge/', 204],
  ['POST', '/api/payment-account/', 200],
  ['DELETE', '/api/payment-account/', 204],
] as const)(
  '%s %s is refused in a session older than 15 minutes, and allowed just before',
  async (method, path, status) => {
    const { attempts } = fakeResend();
    fakeStripe();
    const { id } = await createUser();
    await connectAccount(id);
    const course = await createCourseRow(id, { courseType: 'cohort' });
    const cohort = await createCohortRow(course, { deletedAt: new Date() });
    const browserOf = async (age: number) =>
      browserWith(await createSession(id, { createdAt: ago(age) }));
    const old = await browserOf(15 * minute + 5_000);
    const young = await browserOf(15 * minute - 10_000);
    const address = path.replace('{account}', id).replace('{cohort}', cohort.id);
    const change = { first_name: 'Grace', email: uniqueEmail() };
    const input = { PATCH: change, POST: { country: 'FR' }, GET: undefined, DELETE: undefined };
    const before = await everything();
    const refused = await send(old, method, address, input[method]);

    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      code: 'proof_required',
      message: 'Please confirm it’s you by logging in again with a new link.',
    });
    expect(refused.headers.has('Content-Disposition')).toBe(false);
    expect(await everything()).toEqual(before);
    expect(attempts).toEqual([]);
    expect(loggedEvents('proof_demanded')).toMatchObject([{ user_id: id }]);
    expect((await send(young, method, address, input[method])).status).toBe(status);
  },
);
