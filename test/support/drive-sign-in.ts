import { ask } from '#db/query.ts';
import { findCourses } from '#features/courses/list-courses.ts';
import { findActor } from '#features/identity/find-actor.ts';
import { linkQuery, linkRows } from '#features/identity/find-link.ts';
import { findSessions } from '#features/identity/sessions.ts';
import { undoRows } from '#features/identity/undo-address-change.ts';
import { apiPaths } from '#paths.ts';
import { createClient } from './client.ts';
import { takeNoise } from './console.ts';
import { seenThrough } from './context.ts';
import { day } from './days.ts';
import type { Drive } from './driver.ts';
import { createCaller } from './examples.ts';
import {
  createAttempt,
  createChange,
  createLink,
  createRestore,
  createSession,
  createSignedInClient,
  createUser,
  uniqueEmail,
} from './factories.ts';
import { callbackOf, googlePerson, loginPath, startSignIn } from './google.ts';
import { codeIn, fakeResend, mailsTo, tokenIn } from './resend.ts';

const auth = '/api/accounts/auth';
const nobodysToken = 'f'.repeat(64);
const newcomer = () => ({ first_name: 'Ada', last_name: 'Lovelace', email: uniqueEmail() });

/** What pages without a cohort read, and the routes that need nothing. */
export const drivePages: Drive = async ({ drive, call, bindings, ctx }) => {
  const { user } = await createCaller();
  const token = await createSession(user.id);
  await drive('page: home, cohorts, payments, billing', () =>
    findActor(ctx, token, { courses: findCourses }),
  );
  await drive('page: settings', () =>
    findActor(ctx, token, { courses: findCourses, sessions: findSessions }),
  );
  const { stopToken } = await createChange(user);
  await drive('page: undo, signed out', async () => {
    const link = await linkQuery(stopToken, undoRows);
    await ask(ctx, { link: link(ctx) });
  });
  await drive('page: with a session that is no more', () => findActor(ctx, nobodysToken, {}));
  const lastSeenAt = new Date(Date.now() - 2 * day);
  const visitor = (await createCaller()).user.id;
  const earlier = await createSession(visitor, { createdAt: lastSeenAt, lastSeenAt });
  await drive('page: first of the day', () =>
    seenThrough(bindings, (visit) => findActor(visit, earlier, { courses: findCourses })),
  );
  await call('health', createClient(), 'GET /api/health/ 200');
  await call('schema', createClient(), 'GET /api/schema/ 200');
  await call('error report, nowhere to go', createClient(), `POST ${apiPaths.errorReports} 404`);
};

export const driveSignUp: Drive = async ({ drive, call, ctx, resend }) => {
  const [browser, person] = [createClient(), newcomer()];
  const { email } = person;
  await call('sign up', browser, `POST ${auth}/signup/ 201`, person);
  await call('sign up, once more', browser, 'POST /api/accounts/ 201', person);
  const verification = tokenIn(resend.accepted.at(-1));
  await drive('page: confirm, signed out', async () => {
    const link = await linkQuery(verification, linkRows);
    await ask(ctx, { link: link(ctx) });
  });
  await call('log in, not verified', browser, `POST ${auth}/login/ 403`, { email });
  const token = tokenIn(resend.accepted.at(-1));
  await call('confirm: verification', browser, `POST ${auth}/confirm/ 200`, { token });
  await call('log out', browser, `POST ${auth}/logout/ 204`);
  const taken = { ...newcomer(), email: (await createUser()).email };
  await call('sign up, address taken', browser, `POST ${auth}/signup/ 400`, taken);
  const other = createClient();
  await other.post(`${auth}/signup/`, newcomer());
  const code = codeIn(resend.accepted.at(-1));
  await call('confirm: code of a verification', other, `POST ${auth}/confirm/ 200`, { code });
  // Last, because no email goes out from here on.
  fakeResend({ status: 422 });
  await call('sign up, email refused', createClient(), 'POST /api/accounts/ 503', newcomer());
  takeNoise();
};

export const driveLogin: Drive = async ({ call, resend }) => {
  const [{ user }, atHome] = [await createCaller(), createClient()];
  const { email } = user;
  await call('log in', atHome, `POST ${auth}/login/ 200`, { email });
  const token = tokenIn(resend.accepted.at(-1));
  await call('confirm: login', atHome, `POST ${auth}/confirm/ 200`, { token });
  await call('log in, known', atHome, `POST ${auth}/login/ 200`, { email });
  // New to the account.
  const network = `2001:db8:${crypto.randomUUID().slice(0, 4)}`;
  const away = { headers: { 'CF-Connecting-IP': `${network}::1` } };
  await call('log in, from a network', createClient(), `POST ${auth}/login/ 200`, { email }, away);
  const browser = createClient();
  const nobody = { email: uniqueEmail() };
  await call('log in, no account', browser, `POST ${auth}/login/ 404`, nobody);
  const none = { token: nobodysToken };
  await call('confirm: no such link', browser, `POST ${auth}/confirm/ 400`, none);
  const once = { bindings: { LIMITS: { confirmations_per_ip: ['1/h'] } } };
  const impatient = createClient();
  await impatient.post(`${auth}/confirm/`, none, once);
  await call('a full limit', impatient, `POST ${auth}/confirm/ 429`, none, once);
};

export const driveCodes: Drive = async ({ call }) => {
  const { client, code, wrong } = await createAttempt((await createCaller()).user);
  await call('confirm: wrong code', client, `POST ${auth}/confirm/ 400`, { code: wrong });
  await call('confirm: code', client, `POST ${auth}/confirm/ 200`, { code });
  await call('confirm: no attempt', client, `POST ${auth}/confirm/ 400`, { code });
};

export const driveAccount: Drive = async ({ call, resend }) => {
  const { client, user } = await createCaller();
  const [account, moved] = [`/api/accounts/${user.id}/`, uniqueEmail()];
  await call('change address', client, `PATCH ${account} 200`, { email: moved });
  const change = { token: tokenIn(mailsTo(moved, resend.accepted)[0]) };
  await call('confirm: address change', client, `POST ${auth}/confirm/ 200`, change);
  const taken = { email: (await createUser()).email };
  await call('change address to a taken one', client, `PATCH ${account} 200`, taken);
  const undo = `${auth}/undo-address-change/`;
  const { stopToken } = await createChange((await createCaller()).user);
  await call('stop an address change', createClient(), `POST ${undo} 200`, { token: stopToken });
  const { user: robbed } = await createCaller();
  await createLink(robbed);
  const back = { token: await createRestore(robbed) };
  await call('take an account back', createClient(), `POST ${undo} 200`, back);
  await call('undo: no such link', createClient(), `POST ${undo} 400`, back);
  const { client: old, user: visitor } = await createSignedInClient();
  await createSession(visitor.id);
  await call('end other sessions', old, `DELETE ${auth}/sessions/others/ 204`);
  await call('end the session', old, `DELETE ${auth}/sessions/current/ 204`);
  const leaving = await createCaller();
  await createLink(leaving.user);
  await call('delete account', leaving.client, `DELETE /api/accounts/${leaving.user.id}/ 204`);
};

export const driveGoogle: Drive = async ({ call, google }) => {
  await call('Google: start', createClient(), `POST ${loginPath} 200`);
  const known = googlePerson();
  const unproven = await createCaller({ emailVerifiedAt: null, email: googlePerson().email });
  const linked = await createCaller({ email: googlePerson().email });
  for (const [name, claims] of [
    ['new', known],
    ['known', known],
    ['linked by address', googlePerson({ email: linked.user.email })],
    ['takes over an unproven account', googlePerson({ email: unproven.user.email })],
  ] as const) {
    const client = createClient();
    const url = await startSignIn(client);
    const callback = callbackOf(url, google.codeFor(url, claims));
    await call(`Google: ${name}`, client, `GET ${callback} 302`);
  }
};
