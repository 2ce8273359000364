import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { api } from '#api.ts';
import { settled } from '#support/background.ts';
import {
  type Caller,
  createCaller,
  documentedPath,
  type ExampleCall,
  examplesByFeature,
  fillIn,
  makeCall,
} from '#support/examples.ts';
import { recordDatabase } from '#support/recorder.ts';
import { fakeResend } from '#support/resend.ts';
import { fakeStripe } from '#support/stripe.ts';

const guest = '/api/cohorts/{group}/enrollments/{guest}/';
/** Calls without an example, because they end what others need: made after those of a feature. */
const endings: Record<string, ExampleCall[]> = {
  roster: [
    // Of someone who has been removed by then.
    { method: 'POST', path: `${guest}approve/`, input: {}, status: 422 },
    { method: 'POST', path: `${guest}refuse/`, input: {}, status: 422 },
    { method: 'POST', path: `${guest}withdraw/`, input: {}, status: 200 },
    { method: 'GET', path: '/api/people/{guestPerson}/export/', status: 200 },
    { method: 'DELETE', path: '/api/people/{guestPerson}/', status: 204 },
  ],
  identity: [{ method: 'DELETE', path: '/api/accounts/{account}/', status: 204 }],
};

const calls: [feature: string, calls: ExampleCall[]][] = Object.entries(examplesByFeature).map(
  ([feature, examples]) => [feature, [...examples, ...(endings[feature] ?? [])]],
);

/** Every route, such as `GET /api/courses/{id}/`. */
const routes = api.routes
  .filter(({ method }) => method !== 'ALL')
  .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);

test('every route about something of an owner is called', () => {
  const called = calls
    .flatMap(([, ofFeature]) => ofFeature)
    .map(({ method, path }) => `${method} ${documentedPath(path.replace(/\?.*/, ''))}`);
  // Learners and other visitors own nothing: features/learning/device.test.ts has what they see.
  const isOfOwner = (route: string) =>
    route.includes('{') && !/\/api\/(public|learning)\//.test(route);
  const missing = new Set(routes.filter((route) => isOfOwner(route) && !called.includes(route)));

  // Of a session: features/identity/sessions.test.ts.
  expect([...missing]).toEqual(['DELETE /api/accounts/auth/sessions/{id}/']);
});

test.each(calls)('%s: no route shows or changes what another owner has', async (_, ofFeature) => {
  fakeResend();
  fakeStripe();
  const [ada, eve] = [await createCaller(), await createCaller()];
  for (const call of ofFeature) {
    for (const names of namesIn(call)) {
      const theirs = Object.fromEntries(names.map((name) => [name, ada.things[name] ?? '']));
      const { isNothing, written } = await attempt(eve, call, theirs);
      expect([isNothing, written], `${call.method} ${call.path}: ${names}`).toEqual([true, []]);
    }
    for (const caller of [ada, eve]) {
      const { status } = await makeCall(caller, call);
      await settled();
      expect(status, `${call.method} ${call.path}`).toBe(call.status);
    }
  }
});

/** What a call names that could be someone else's: each thing by itself, and all together. */
function namesIn({ path, input }: ExampleCall): string[][] {
  const found = JSON.stringify({ path, input }).matchAll(/\{(\w+)\}/g);
  const names = [...new Set([...found].map(([, name = '']) => name))].filter(
    // The account counts only if the path names it: inputs only make addresses of it.
    (name) => name !== 'email' && (name !== 'account' || path.includes('{account}')),
  );
  const together = names.length > 1 ? [names] : [];
  return [...names.map((name) => [name]), ...together];
}

/** Routes about many at once, which answer with counts of zero for what is not the caller's. */
const ofMany = /\/enrollments\/(approve|refuse|remove)\/$/;

/** A call with things of someone else: whether the answer is that of none, and all it has written. */
async function attempt({ client, things }: Caller, call: ExampleCall, theirs: object) {
  const recording = recordDatabase(env.DB);
  const { method, path, input } = fillIn(call, { ...things, ...theirs });
  const options = { bindings: { DB: recording.db } };
  const response = await client.request(method, path, input, options);
  await settled();
  const isOfNone = ofMany.test(path) && /^\{("\w+":0,?)+\}$/.test(await response.text());
  const written = recording
    .take()
    // A rate limit may count the attempt against the caller.
    .statements.filter(
      ({ sql, rowsWritten }) => rowsWritten && !/^insert into "counters"/.test(sql),
    );
  return { isNothing: isOfNone || response.status === 404, written };
}
