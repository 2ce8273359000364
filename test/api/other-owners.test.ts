import { expect, test } from 'vitest';
import { api } from '#api.ts';
import { settled } from '#support/background.ts';
import {
  documentedPath,
  type ExampleCall,
  exampleCalls,
  fillIn,
  keepThings,
  type Things,
} from '#support/examples.ts';
import { createCourseRow, createSignedInClient } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { everything } from '#support/rows.ts';
import { fakeStripe } from '#support/stripe.ts';

/** Someone who makes the calls of the examples, with what they have made so far. */
async function createCaller() {
  const { client, user } = await createSignedInClient();
  const [course, otherCourse] = [await createCourseRow(user.id), await createCourseRow(user.id)];
  const things: Things = {
    account: user.id,
    email: user.email,
    course: course.id,
    otherCourse: otherCourse.id,
  };
  await client.get('/api/health/');
  return { client, things };
}

/** What a call names that could be someone else's: each thing by itself, and all together. */
function namesIn({ path, input }: ExampleCall): string[][] {
  const found = JSON.stringify({ path, input }).matchAll(/\{(\w+)\}/g);
  const names = [...new Set([...found].map(([, name = '']) => name))].filter(
    // The account counts only if the path names it: inputs only make addresses of it.
    (name) => name !== 'email' && (name !== 'account' || path.includes('{account}')),
  );
  return names.length > 1 ? [...names.map((name) => [name]), names] : [names];
}

/** Routes about many at once, which answer with counts of zero for what is not the caller's. */
const ofMany = /\/enrollments\/(approve|refuse|remove)\/$/;

const guest = '/api/cohorts/{group}/enrollments/{guest}/';
/** Calls without an example, because they end what other calls need; made after those. */
const endings: Record<string, ExampleCall[]> = {
  '/api/people/{guestPerson}/': [
    // Of someone who has been removed by then.
    { method: 'POST', path: `${guest}approve/`, input: {}, status: 422 },
    { method: 'POST', path: `${guest}refuse/`, input: {}, status: 422 },
    { method: 'POST', path: `${guest}withdraw/`, input: {}, status: 200 },
    { method: 'GET', path: '/api/people/{guestPerson}/export/', status: 200 },
    { method: 'DELETE', path: '/api/people/{guestPerson}/', status: 204 },
  ],
  '/api/accounts/{account}/': [{ method: 'DELETE', path: '/api/accounts/{account}/', status: 204 }],
};

/** The calls of each feature, with those that end what they have made. */
const allCalls = exampleCalls.map((calls) => [
  ...calls,
  ...(Object.entries(endings).find(([of]) => calls.some(({ path }) => path === of))?.[1] ?? []),
]);

test('every route about something of an owner is called', () => {
  const called = allCalls.flat().map(({ method, path }) => {
    const [address = ''] = path.split('?');
    return `${method} ${documentedPath(address)}`;
  });
  // Learners and other visitors own nothing: features/learning/device.test.ts has what they see.
  const isOfOwner = (route: string) =>
    route.includes('{') && !/\/api\/(public|learning)\//.test(route);
  const routes = api.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const missing = [...new Set(routes)].filter(
    (route) => isOfOwner(route) && !called.includes(route),
  );

  // Of a session: features/identity/sessions.test.ts.
  expect(missing).toEqual(['DELETE /api/accounts/auth/sessions/{id}/']);
});

test.each(allCalls.map((calls) => ({ calls, last: calls.at(-1)?.path })))(
  'no route shows or changes what another owner has made, and no read changes one’s own data: up to $last',
  async ({ calls }) => {
    fakeResend();
    fakeStripe();
    const [ada, eve] = [await createCaller(), await createCaller()];
    for (const call of calls) {
      const before = await everything();
      for (const names of namesIn(call).filter((some) => some.length > 0)) {
        const foreign = Object.fromEntries(names.map((name) => [name, ada.things[name] ?? '']));
        const { method, path, input } = fillIn(call, { ...eve.things, ...foreign });
        const response = await eve.client.request(method, path, input);
        await settled();
        const isNone =
          ofMany.test(path) && /^\{("\w+":0,?)+\}$/.test(await response.clone().text());
        expect(isNone || response.status === 404, `${call.method} ${call.path}: ${names}`).toBe(
          true,
        );
      }
      expect(await everything(), `${call.method} ${call.path}`).toEqual(before);
      for (const { client, things } of [ada, eve]) {
        const { method, path, input } = fillIn(call, things);
        const rows = () => (method === 'GET' ? everything() : null);
        const unread = await rows();
        const response = await client.request(method, path, input);
        await settled();
        expect(response.status, `${method} ${call.path}`).toBe(call.status);
        expect(await rows(), `${method} ${call.path}`).toEqual(unread);
        keepThings(call, things, await response.text(), path);
      }
    }
  },
);
