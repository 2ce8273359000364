import { expect, test } from 'vitest';
import { payloadOf, person, serveSite } from './pages.ts';
import {
  askForAddress,
  type BuiltWorker,
  createCohort,
  createInvited,
  createParticipant,
  createVisitor,
  signUpNewcomer,
  signUpPerson,
  tokenIn,
  type Visitor,
} from './worker.ts';

let built: BuiltWorker;
let ada: Visitor;

serveSite((site) => {
  ({ built, ada } = site);
});

/** Opens addresses by HEAD and GET, as a scanner does; resolves to what it read. */
async function scan(addresses: string[]): Promise<string[]> {
  const scanner = createVisitor(built.server);
  const texts: string[] = [];
  for (const address of addresses) {
    for (const method of ['HEAD', 'GET', 'GET']) {
      const headers = { 'Sec-Purpose': 'prefetch', 'User-Agent': 'HeadlessChrome' };
      const response = await scanner.request(address, { method, headers });
      expect(response.status).toBe(200);
      expect(response.headers.get('Referrer-Policy')).toBe('strict-origin');
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(response.headers.getSetCookie().join()).not.toContain('session');
      texts.push(...(method === 'GET' ? [await response.text()] : []));
    }
  }
  return texts;
}

/** The token in the login link that an account has just asked for. */
async function loginTokenOf(email: string): Promise<string> {
  await createVisitor(built.server).post('/api/accounts/auth/login/', { email });
  return tokenIn((await built.mailsTo(email)).at(-1));
}

test('a link that a scanner has opened still works, and shows its address', async () => {
  const token = await loginTokenOf(person.email);
  const before = await built.sql('SELECT * FROM links');
  for (const html of await scan([`/confirm?token=${token}`])) {
    expect(html).toContain('c•••@example.com');
    expect(html).not.toContain(person.email);
  }

  expect(await built.sql('SELECT * FROM links')).toEqual(before);
  const clicked = await createVisitor(built.server).post('/api/accounts/auth/confirm/', { token });
  expect(clicked.status).toBe(200);
});

test('opening another account’s link warns and changes nothing before the click', async () => {
  const email = 'grace@example.com';
  await signUpNewcomer(built, { email, firstName: 'Grace', lastName: 'Hopper' });
  const { text } = await ada.get(`/confirm?token=${await loginTokenOf(email)}`);

  expect(text).toContain('g•••@example.com');
  expect(text).toContain('be logged out of that account');
  expect((await ada.get('/api/accounts/auth/user/')).text).toContain(person.email);
});

/**
 * A user whose address is about to change, or has changed, and the token emailed to their previous
 * one.
 */
async function moving(name: string, kind: 'stop' | 'restore') {
  const [email, newEmail] = [`${name}@example.com`, `new.${name}@example.com`];
  const mover = await signUpNewcomer(built, { email, firstName: 'Mae', lastName: 'Jemison' });
  await askForAddress(mover, newEmail);
  if (kind === 'restore') {
    const token = tokenIn((await built.mailsTo(newEmail)).at(-1));
    const { text: html } = await createVisitor(built.server).get(`/confirm?token=${token}`);
    expect(html).toContain('Confirm your new email address');
    expect(html).toContain('n•••@example.com');
    expect(html).toContain('Until now');
    expect(html).not.toContain(email);
    await mover.post('/api/accounts/auth/confirm/', { token });
  }
  return { email, newEmail, mover, token: tokenIn((await built.mailsTo(email)).at(-1)) };
}

test.each([
  ['stop', 'Stop this change', 'stopped'],
  ['restore', 'Undo the address change', 'restored'],
] as const)(
  'a link to %s an address change that a scanner has opened still works, and shows its address',
  async (kind, title, outcome) => {
    const { email, newEmail, mover, token } = await moving(`opened.${kind}`, kind);
    const tables = ['users', 'sessions', 'links', 'address_restores'];
    const rows = () => Promise.all(tables.map((table) => built.sql(`SELECT * FROM ${table}`)));
    const before = await rows();
    const address = `/undo-address-change?token=${token}`;
    for (const text of await scan([address, payloadOf(address)])) {
      expect(text).toContain(title);
      expect(text).toContain(kind === 'stop' ? 'o•••@example.com' : 'n•••@example.com');
      for (const told of [email, newEmail, 'Jemison', 'canary']) {
        expect(text).not.toContain(told);
      }
    }

    expect(await rows()).toEqual(before);
    expect((await mover.request('/api/accounts/auth/user/')).status).toBe(200);
    const scanner = createVisitor(built.server);
    const clicked = await scanner.post('/api/accounts/auth/undo-address-change/', { token });
    expect(clicked.status).toBe(200);
    expect(await clicked.json()).toEqual({ outcome });
    const { text: again } = await scanner.get(address);
    expect(again).toContain('This link doesn’t work');
    expect(again).not.toContain('•••');
  },
);

test('the settings of a user with a suppressed address explain why no email arrives, in both languages', async () => {
  const marked = await signUpPerson(built, {
    email: 'rosalind@example.com',
    firstName: 'Rosalind',
    lastName: 'Franklin',
    courseName: 'Crystals',
  });
  for (const [reason, language, sentence] of [
    [null, 'en', 'Active sessions'],
    ['bounced', 'en', 'An email to this address bounced, so we’ve stopped sending to it'],
    ['complained', 'fr', 'Un de nos e‑mails à cette adresse a été signalé comme indésirable'],
  ] as const) {
    if (reason !== null) {
      await built.sql(
        'INSERT OR REPLACE INTO undeliverable_addresses VALUES (?, ?, 1)',
        'rosalind@example.com',
        reason,
      );
    }
    const { text } = await marked.get('/settings', { 'Accept-Language': language });
    expect(text).toContain(sentence);
    expect(text.includes('stopped sending')).toBe(reason === 'bounced');
  }
});

test.each(['', '?token=%', '?token[]=a', `?token=${'a'.repeat(64)}`])(
  'a link that does not work says why and offers a new one: %#',
  async (query) => {
    for (const [page = '', ...told] of [
      ['/confirm', 'Authentication failed. Please try again', 'href="/login"'],
      ['/undo-address-change', 'This link doesn’t work', 'href="/settings"'],
    ]) {
      const { status, text } = await createVisitor(built.server).get(page + query);

      expect(status).toBe(200);
      expect(told.filter((words) => !text.includes(words))).toEqual([]);
      expect(text).not.toContain('•••');
    }
  },
);

test('what a participant opens from an email is in the language of the email, not of the browser', async () => {
  const cohort = await createCohort(ada);
  const participant = await createParticipant(built, ada, cohort);
  const { token } = await createInvited(built, ada, cohort);
  for (const address of [
    `/p/${participant.link}?`,
    `/p/certificate?token=${participant.link}&place=${participant.enrollmentId}&`,
    `/p/data?token=${participant.dataToken}&`,
    `/p/remove?token=${participant.removeToken}&`,
    `/p/address?token=${participant.addressToken}&`,
    `/p/unsubscribe?u=${token}&`,
  ]) {
    const visitor = createVisitor(built.server);
    const { headers } = await visitor.get(address.slice(0, -1), { 'Accept-Language': 'fr' });
    expect(headers['location']).toBe(`${address}lang=en`);
  }
});
