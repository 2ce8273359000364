import { expect, test } from 'vitest';
import { person, serveSite } from './pages.ts';
import {
  askToBeTold,
  type BuiltWorker,
  createClosedCourse,
  createCohort,
  createInvited,
  createParticipant,
  createVisitor,
  mailedTo,
  requestPlace,
  type Visitor,
} from './worker.ts';

let built: BuiltWorker;
let ada: Visitor;
let participant: Awaited<ReturnType<typeof createParticipant>>;
/** The tokens of links that end emails not about one's own place. */
let subscriptions: string[];
let interest: string;

serveSite(async (site) => {
  ({ built, ada } = site);
  const cohort = await createCohort(ada);
  participant = await createParticipant(built, ada, cohort);
  const invited = await createInvited(built, ada, cohort);
  subscriptions = [invited.token, ...(await tokensByClock(cohort))];
  interest = await askToBeTold(built, await createClosedCourse(ada));
});

/** The tokens in emails that the clock sends: a message to the group, and news of who joined. */
async function tokensByClock(cohort: { id: string; slug: string }): Promise<string[]> {
  const message = { subject: 'Our room', text: 'It is room 12.' };
  await ada.post(`/api/cohorts/${cohort.id}/messages/`, message);
  const joining = { token: await requestPlace(built, cohort) };
  await createVisitor(built.server).post('/api/public/requests/confirm/', joining);
  // As if it were the next morning.
  await built.sql('UPDATE news_due SET due_at = 1');
  await built.server.getWorker().scheduled({ cron: '*/5 * * * *' });
  return [
    await mailedTo(built, participant.email, /\/p\/unsubscribe\?u=(reminder[\w.-]+)/),
    await mailedTo(built, person.email, /\/p\/unsubscribe\?u=(news[\w.-]+)/),
  ];
}

/** Everything that a click could change. */
async function written(): Promise<unknown[]> {
  const tables = [
    'people',
    'enrollments',
    'enrollment_events',
    'enrollment_requests',
    'mails_due',
    'cohort_erasures',
    'course_interests',
    'users',
  ];
  return Promise.all(tables.map((table) => built.sql(`SELECT * FROM ${table} ORDER BY id`)));
}

/** The links of emails, as documents and as payloads. */
function addresses(): string[] {
  const { link, token, dataToken, removeToken, addressToken } = participant;
  const page = `/p/${link}?lang=en`;
  const tokens = [
    ['confirm', token],
    ['confirm', interest],
    ['data', dataToken],
    ['remove', removeToken],
    ['address', addressToken],
  ];
  const payload = (path: string, query: string) =>
    `/RSC/R${path}.txt?${new URLSearchParams({ query })}`;
  return [
    page,
    payload(`/p/${link}`, 'lang=en'),
    ...tokens.flatMap(([name, one]) => [
      `/p/${name}?token=${one}&lang=en`,
      payload(`/p/${name}`, `token=${one}&lang=en`),
    ]),
    ...subscriptions.flatMap((one) => [
      `/p/unsubscribe?u=${one}&lang=en`,
      payload('/p/unsubscribe', `u=${one}&lang=en`),
    ]),
  ];
}

test('opening the links of emails, by GET or HEAD, changes nothing, and their pages are kept nowhere, name no referrer, are not indexed and set no cookie', async () => {
  const before = await written();
  for (const address of addresses()) {
    for (const method of ['GET', 'HEAD', 'GET']) {
      expect((await ada.request(address, { method })).status).toBe(200);
      const response = await createVisitor(built.server).request(address, { method });
      expect(response.status).toBe(200);
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(await response.text()).toContain(method === 'GET' ? 'noindex' : '');
    }
  }

  expect(await written()).toEqual(before);
});

test('a link shows the cohorts of its person, and nothing of who is signed in', async () => {
  const [page = ''] = addresses();
  const html = await (await ada.request(page)).text();

  expect(html).toContain('Grace Hopper');
  expect(html).toContain('Winter');
  expect(html).not.toContain(participant.token);
  // The instructor's address is there to reply to; their courses are not shown.
  expect(html).not.toContain('Create new course');
});

test('no other spelling of their paths shows them, with other headers or at all', async () => {
  const { link } = participant;
  const spellings = [
    ...[`/p/${link}/`, `//p/${link}`, `/x/..//p/./${link}`, `/p/${link}%2F`, `/%70/${link}`],
    ...[`//p/${link}`, `/p/${link}/`, `/p/${link}/index.html`].map((path) => `/RSC/R${path}.txt`),
  ];
  for (const path of spellings) {
    const response = await ada.request(`${path}?lang=en`);

    expect(await response.text()).not.toContain('Grace');
    if (response.status === 301) {
      expect(response.headers.get('Location')).toMatch(/^\/(p|RSC\/R\/p)\/[\w.-]+\?lang=en$/);
      expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  }
});

test.each([
  ['one with another signature', (link: string) => `${link.split('.')[0]}.${'0'.repeat(64)}`],
  ['one of nobody', () => `${crypto.randomUUID()}.${'0'.repeat(64)}`],
  ['no link at all', () => '%3Cb%3E'],
])('%s says how to get a new one, in the same words', async (_kind, linkFrom) => {
  const address = `/p/${linkFrom(participant.link)}?lang=en`;
  const response = await createVisitor(built.server).request(address);
  const html = await response.text();

  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(html).toContain('This link is no longer valid');
  expect(html).not.toContain('Grace');
});

/** What someone's link shows. */
async function pageOf({ link }: { link: string }): Promise<string> {
  return (await createVisitor(built.server).request(`/p/${link}?lang=en`)).text();
}

test('a place is said to go to the next person only while someone waits and can be offered one', async () => {
  const cohort = await createCohort(ada);
  const grace = await createParticipant(built, ada, cohort);
  const next = 'Your place goes to the next person on the waitlist.';
  const alone = await pageOf(grace);
  await built.sql(`UPDATE cohorts SET capacity = 1 WHERE id = '${cohort.id}'`);
  const waiting = { token: grace.token };
  await createVisitor(built.server).post('/api/public/requests/confirm/', waiting);
  const awaited = await pageOf(grace);
  await built.sql(`UPDATE cohorts SET join_mode = 'invitation' WHERE id = '${cohort.id}'`);
  const closed = await pageOf(grace);
  await built.sql(`UPDATE cohorts SET starts_at = ${Date.now()} WHERE id = '${cohort.id}'`);
  const begun = await pageOf(grace);

  expect(alone).toContain('You can ask for a place again while enrollment is open.');
  expect(alone).not.toContain(next);
  expect(awaited).toContain(next);
  const noWayBack = 'Enrollment is closed, so you won’t be able to enroll again yourself.';
  expect(closed).toContain(`${next} ${noWayBack}`);
  expect(begun).toContain(noWayBack);
  expect(begun).not.toContain(next);
});

test('who has left has nothing to pay until their instructor says so', async () => {
  const cohort = await createCohort(ada);
  const price = "price_minor = 24000, currency = 'EUR'";
  await built.sql(`UPDATE cohorts SET ${price} WHERE id = '${cohort.id}'`);
  const grace = await createParticipant(built, ada, cohort);
  const enrolled = await pageOf(grace);
  const place = { link: grace.link, enrollment_id: grace.enrollmentId };
  await createVisitor(built.server).post('/api/participation/leave/', place);
  const left = await pageOf(grace);
  const ofGrace = await ada.request(`/cohorts/${cohort.id}/roster/${grace.enrollmentId}`);
  expect(await ofGrace.text()).toMatch(/<dialog[^>]* id="settle-account"/);
  const path = `/api/cohorts/${cohort.id}/enrollments/${grace.enrollmentId}/settle/`;
  const kept = { money: 'keep', balance_minor: 24_000, paid_minor: 0 };
  expect((await ada.post(path, kept)).status).toBe(200);

  expect(enrolled).toContain('Still to pay');
  expect(left).toContain('You’ve left this cohort.');
  expect(left).not.toContain('Still to pay');
  expect(await pageOf(grace)).toContain('Still to pay');
});
