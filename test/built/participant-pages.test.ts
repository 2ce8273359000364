import { expect, test } from 'vitest';
import { payloadOf, person, read, serveSite } from './pages.ts';
import {
  askToBeTold,
  type BuiltWorker,
  createClosedCourse,
  createCohort,
  createInvited,
  createParticipant,
  createVisitor,
  mailedTo,
  make,
  requestPlace,
  type Visitor,
} from './worker.ts';

let built: BuiltWorker;
let ada: Visitor;
let nobody: Visitor;
let participant: Awaited<ReturnType<typeof createParticipant>>;
/** The links of emails, as documents and as payloads. */
let addresses: string[];

serveSite(async (site) => {
  ({ built, ada } = site);
  nobody = createVisitor(built.server);
  const cohort = await createCohort(ada);
  participant = await createParticipant(built, ada, cohort);
  const invited = await createInvited(built, ada, cohort);
  const subscriptions = [invited.token, ...(await tokensByClock(cohort))];
  const interest = await askToBeTold(built, await createClosedCourse(ada));
  const { link, token, dataToken, removeToken, addressToken } = participant;
  addresses = [
    `/p/${link}?`,
    `/p/confirm?token=${token}&`,
    `/p/confirm?token=${interest}&`,
    `/p/data?token=${dataToken}&`,
    `/p/remove?token=${removeToken}&`,
    `/p/address?token=${addressToken}&`,
    ...subscriptions.map((one) => `/p/unsubscribe?u=${one}&`),
  ].flatMap((address) => [`${address}lang=en`, payloadOf(`${address}lang=en`)]);
});

/** The tokens in emails that the clock sends: a message to the group, and news of who joined. */
async function tokensByClock(cohort: { id: string; slug: string }): Promise<string[]> {
  const message = { subject: 'Our room', text: 'It is room 12.' };
  await make(ada, `/api/cohorts/${cohort.id}/messages/`, message);
  const joining = { token: await requestPlace(built, cohort) };
  await nobody.post('/api/public/requests/confirm/', joining);
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
  const tables = ['people', 'enrollments', 'enrollment_events', 'enrollment_requests', 'mails_due']
    .concat(['cohort_erasures', 'course_interests', 'users'])
    .map((table) => built.sql(`SELECT * FROM ${table} ORDER BY id`));
  return Promise.all(tables);
}

test('opening the links of emails, by GET or HEAD, changes nothing, and their pages are kept nowhere, name no referrer, are not indexed and set no cookie', async () => {
  const before = await written();
  for (const address of addresses) {
    expect((await ada.get(address)).status, address).toBe(200);
    for (const method of ['GET', 'HEAD']) {
      const response = await createVisitor(built.server).request(address, { method });
      expect(response.status, address).toBe(200);
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(await response.text()).toContain(method === 'GET' ? 'noindex' : '');
    }
  }

  expect(await written()).toEqual(before);
});

test('a link shows the cohorts of its person, and nothing of who is signed in', async () => {
  const { text } = await ada.get(`/p/${participant.link}?lang=en`);

  expect(text).toMatch(/Grace Hopper.*Winter/s);
  expect(text).not.toContain(participant.token);
  // The instructor's address is there to reply to; their courses are not shown.
  expect(text).not.toContain('Create new course');
  // Their calendar can be subscribed to, put into Google's, or downloaded.
  const [, feed = ''] =
    /href="webcal:\/\/(lectern\.test\/calendar\/[\w.~-]+\.ics)"/.exec(text) ?? [];
  expect(text).toContain(`href="https://${feed}"`);
  const google = encodeURIComponent(`webcal://${feed}`);
  expect(text).toContain(`href="https://calendar.google.com/calendar/r?cid=${google}"`);
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

test('a link with another signature, of nobody or none at all says how to get a new one, in the same words', async () => {
  const signature = '0'.repeat(64);
  const forged = `${participant.link.split('.')[0]}.${signature}`;
  for (const link of [forged, `${crypto.randomUUID()}.${signature}`, '%3Cb%3E']) {
    const { headers, text } = await nobody.get(`/p/${link}?lang=en`);

    expect(headers['cache-control']).toBe('no-store');
    expect(text).toContain('This link is no longer valid');
    expect(text).not.toContain('Grace');
  }
});

/** What someone's link shows. */
const pageOf = ({ link }: { link: string }) => read(nobody, `/p/${link}?lang=en`);

test('a place is said to go to the next person only while someone waits and can be offered one', async () => {
  const cohort = await createCohort(ada);
  const grace = await createParticipant(built, ada, cohort);
  const next = 'Your place goes to the next person on the waitlist.';
  const noWayBack = 'Enrollment is closed, so you won’t be able to enroll again yourself.';
  const alone = await pageOf(grace);
  expect(alone).toContain('You can ask for a place again while enrollment is open.');
  expect(alone).not.toContain(next);

  await built.setCohort(cohort, 'capacity = 1');
  await make(nobody, '/api/public/requests/confirm/', { token: grace.token });
  expect(await pageOf(grace)).toContain(next);
  await built.setCohort(cohort, "join_mode = 'invitation'");
  expect(await pageOf(grace)).toContain(`${next} ${noWayBack}`);
  await built.setCohort(cohort, `starts_at = ${Date.now()}`);
  const begun = await pageOf(grace);
  expect(begun).toContain(noWayBack);
  expect(begun).not.toContain(next);
});

test('who has left has nothing to pay until their instructor says so', async () => {
  const cohort = await createCohort(ada, { price_minor: 24_000, currency: 'EUR' });
  const grace = await createParticipant(built, ada, cohort);
  expect(await pageOf(grace)).toContain('Still to pay');
  const place = { link: grace.link, enrollment_id: grace.enrollmentId };
  await make(nobody, '/api/participation/leave/', place);
  const left = await pageOf(grace);
  const ofGrace = await ada.get(`/cohorts/${cohort.id}/roster/${grace.enrollmentId}`);
  expect(ofGrace.text).toMatch(/<dialog[^>]* id="settle-account"/);
  expect(left).toContain('You’ve left this cohort.');
  expect(left).not.toContain('Still to pay');

  const kept = { money: 'keep', balance_minor: 24_000, paid_minor: 0 };
  await make(ada, `/api/cohorts/${cohort.id}/enrollments/${grace.enrollmentId}/settle/`, kept);
  expect(await pageOf(grace)).toContain('Still to pay');
});
