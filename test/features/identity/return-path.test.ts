import { expect, test } from 'vitest';
import { type Client, createClient } from '#support/client.ts';
import { createLink, createUser } from '#support/factories.ts';
import { fakeGoogle, googlePerson } from '#support/google.ts';
import { confirmPath } from './paths.ts';

test('an emailed link leads to the page that asked for the sign-in, once', async () => {
  const user = await createUser();
  const client = clientOnItsWayTo('/settings?tab=a#sessions');
  const first = await client.post(confirmPath, { token: await createLink(user) });
  expect(await first.json()).toEqual({ redirect_to: '/settings?tab=a#sessions' });
  expect(first.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^return_to=; Max-Age=0; Path=\//),
  );
  const second = await client.post(confirmPath, { token: await createLink(user) });

  expect(await second.json()).toEqual({ redirect_to: '/' });
});

test('a link that does not work leaves the way back to the next one', async () => {
  const client = clientOnItsWayTo('/cohorts');
  expect((await client.post(confirmPath, { token: 'x' })).status).toBe(400);
  const response = await client.post(confirmPath, { token: await createLink(await createUser()) });

  expect(await response.json()).toEqual({ redirect_to: '/cohorts' });
});

test('a sign-in leads only to a page of ours', async () => {
  const token = await createLink(await createUser());
  const confirmed = await clientOnItsWayTo('//evil.test').post(confirmPath, { token });
  const google = fakeGoogle();
  const callback = await google.signIn(clientOnItsWayTo('//evil.test'), googlePerson());

  expect(await confirmed.json()).toEqual({ redirect_to: '/' });
  expect(callback.headers.get('Location')).toBe('/');
});

test('Google leads to the page that asked for the sign-in; a refusal keeps the way back', async () => {
  const google = fakeGoogle();
  const client = clientOnItsWayTo('/settings/billing');
  await google.signIn(client, googlePerson({ email_verified: false }));
  const callback = await google.signIn(client, googlePerson());

  expect(callback.headers.get('Location')).toBe('/settings/billing');
  expect(client.cookies.has('return_to')).toBe(false);
});

/** A browser whose login page was asked to lead back. */
function clientOnItsWayTo(next: string): Client {
  const client = createClient();
  client.cookies.set('return_to', encodeURIComponent(next));
  return client;
}
