import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { meetings } from '#db/schema/meetings.ts';
import { enrollments, people } from '#db/schema/people.ts';
import type { CalendarFeed } from '#features/calendar/schema.ts';
import { createToken } from '#lib/tokens.ts';
import { withoutSecrets } from '#observability/without-secrets.ts';
import type { Client } from '#support/client.ts';
import { day } from '#support/days.ts';
import {
  copyRow,
  createCohortRow,
  createDaysOff,
  createEnrollment,
  createPerson,
  createSignedInClient,
} from '#support/factories.ts';
import { recordDatabase } from '#support/recorder.ts';
import { updateRow } from '#support/rows.ts';
import { eventsIn, linesOf } from './calendars.ts';
import { createMeeting, createTeacher, feedOf, read } from './support.ts';

const fileOf = ({ slug }: { slug: string }) => `/c/${slug}/calendar.ics`;

async function titlesIn(address: string): Promise<string[]> {
  const response = await read(address);
  expect(response.status).toBe(200);
  return eventsIn(await response.text()).map(({ summary }) => String(summary));
}

test('the file of a cohort has its days and sessions, without what is for its people', async () => {
  const { cohort } = await createTeacher({
    joinUrl: 'https://meet.example.com/a-room',
    welcomeNote: 'The door code is 4711',
    description: 'Six weeks',
    place: 'Room 12',
    language: 'fr',
  });
  const meeting = await createMeeting(cohort, { note: 'The password is swordfish' });
  const response = await read(fileOf(cohort));
  const text = await response.text();
  const events = eventsIn(text);

  expect(response.status).toBe(200);
  expect(linesOf(text)).toContain('X-WR-CALNAME:Fiction · Writing in spring');
  expect(linesOf(text)).toContain('PRODID:-//Lectern//Lectern//FR');
  expect(events.map(({ uid }) => uid)).toEqual([
    `cohort-${cohort.id}@lectern.test`,
    `meeting-${meeting.id}@lectern.test`,
  ]);
  expect(events).toMatchObject([
    { summary: 'Fiction · Writing in spring', description: 'Six weeks', location: 'Room 12' },
    { summary: 'Scenes · Fiction', location: 'Room 12' },
  ]);
  expect(text).toContain(`URL:https://lectern.test/c/`);
  expect(text).not.toMatch(/meet\.example|4711|swordfish/);
});

test('a participant’s feed has their cohorts with one instructor, and how to join', async () => {
  const { course, cohort } = await createTeacher({ joinUrl: 'https://meet.example.com/a-room' });
  const { person } = await createEnrollment(cohort);
  await createMeeting(cohort, { joinUrl: null, note: 'Bring a page' });
  const other = await createCohortRow(course, { publishedAt: new Date(), name: 'Not theirs' });
  await createMeeting(other);
  const text = await (await read(await feedOf('p', person.id))).text();
  const [, event] = eventsIn(text);

  expect(eventsIn(text)).toHaveLength(2);
  expect(event).toMatchObject({
    description: 'Join online: https://meet.example.com/a-room\n\nBring a page',
    location: 'https://meet.example.com/a-room',
  });
  expect(linesOf(text)).toContain('X-WR-CALNAME:Cohorts with Ada Lovelace');
});

test('an instructor’s feed has what is published in all courses, and no one’s name', async () => {
  const { client, user, cohort, course } = await createTeacher();
  await createMeeting(cohort);
  await createEnrollment(cohort, {}, { name: 'Grace Hopper' });
  const published = { publishedAt: new Date() };
  await createCohortRow(course, { name: 'A draft' });
  await createCohortRow(course, { ...published, name: 'Archived', archivedAt: new Date() });
  await createCohortRow(course, { ...published, name: 'Trashed', deletedAt: new Date() });
  const ended = { startsOn: '2025-01-06', endsOn: '2025-02-14' };
  const endsAt = new Date(Date.now() - 366 * day);
  await createCohortRow(course, { ...ended, endsAt, name: 'Long ago', publishedAt: endsAt });
  const stranger = await createTeacher({ name: 'Someone else’s' });
  await createMeeting(stranger.cohort);
  const made = await client.post('/api/calendar-feed/');
  const { url } = await made.json<{ url: string }>();

  expect(made.status).toBe(201);
  expect(url).toBe(await feedOf('i', user.id));
  expect(await titlesIn(url)).toEqual(['Fiction · Writing in spring', 'Scenes · Fiction']);
  expect(await (await read(url)).text()).not.toContain('Grace');
});

test('days without class are one entry for each span, in the file and in both feeds, in the language of each', async () => {
  const { client, user, cohort, course } = await createTeacher({ language: 'fr' });
  const { person } = await createEnrollment(cohort);
  await createMeeting(cohort, { startsLocal: '2027-01-14T18:00', cancelledAt: new Date() });
  await createMeeting(cohort, { startsLocal: '2027-01-20T18:00' });
  const winter = ['2027-01-12', '2027-01-19', '2027-01-21'];
  const [first] = await createDaysOff(cohort, winter, 'winter holidays');
  await createDaysOff(cohort, ['2027-01-26']);
  await createDaysOff(await createCohortRow(course, {}), winter, 'not published');
  await client.post('/api/calendar-feed/');
  const because = (noClass: string) => `${noClass} winter holidays · Fiction`;
  const [english, french] = [because('No class:'), because('Pas de séance\u00a0:')];
  for (const [address, title, bare] of [
    [fileOf(cohort), french, 'Pas de séance · Fiction'],
    [await feedOf('p', person.id), english, 'No class · Fiction'],
    [await feedOf('i', user.id), english, 'No class · Fiction'],
  ] as const) {
    const text = await (await read(address)).text();
    const found = eventsIn(text).filter(({ uid }) => uid.startsWith('off-'));
    expect(found[0]?.uid).toBe(`off-${first?.id}@lectern.test`);
    expect(found.map(({ summary }) => summary)).toEqual([title, title, bare]);
    expect(text.match(/(?<=DT(?:START|END);VALUE=DATE:)\d{8}/g)?.slice(2)).toEqual([
      ...['20270112', '20270120', '20270121', '20270122', '20270126', '20270127'],
    ]);
  }
});

test('feeds leave out a cohort that is archived or in the trash, or in which someone has no place, and stay valid', async () => {
  const { user, client, cohort } = await createTeacher();
  const { id, person } = await createEnrollment(cohort);
  await client.post('/api/calendar-feed/');
  const [own, feed] = [await feedOf('p', person.id), await feedOf('i', user.id)];
  const counts = async () => [(await titlesIn(own)).length, (await titlesIn(feed)).length];
  expect(await counts()).toEqual([1, 1]);
  await updateRow(cohorts, cohort, { archivedAt: new Date() });
  expect(await counts()).toEqual([0, 0]);
  expect((await read(fileOf(cohort))).status).toBe(200);
  await updateRow(cohorts, cohort, { archivedAt: null, deletedAt: new Date() });
  expect(await counts()).toEqual([0, 0]);
  expect((await read(fileOf(cohort))).status).toBe(404);
  await updateRow(cohorts, cohort, { deletedAt: null });
  for (const values of [
    { status: 'waitlisted', queueNo: 1 },
    { status: 'invited', queueNo: null, expiresAt: new Date(Date.now() + day) },
    { status: 'removed', queueNo: null, expiresAt: null },
    { status: 'left' },
  ] as const) {
    await updateRow(enrollments, { id }, values);
    expect(await counts(), values.status).toEqual([0, 1]);
  }
  expect(await (await read(own)).text()).toContain('BEGIN:VTIMEZONE');
});

test('a canceled session says so for 30 days, and is then left out', async () => {
  const { cohort } = await createTeacher();
  const { id } = await createMeeting(cohort, { cancelledAt: new Date(Date.now() - 29 * day) });
  const text = await (await read(fileOf(cohort))).text();
  expect(linesOf(text)).toContain('STATUS:CANCELLED');

  const cancelledAt = new Date(Date.now() - 31 * day);
  await updateRow(meetings, { id }, { cancelledAt });
  expect(await titlesIn(fileOf(cohort))).toEqual(['Fiction · Writing in spring']);
});

test('an unchanged calendar is the same to the byte, and is not sent again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { cohort } = await createTeacher();
  const { person } = await createEnrollment(cohort);
  const { id } = await createMeeting(cohort);
  for (const address of [fileOf(cohort), await feedOf('p', person.id)]) {
    const first = await read(address);
    const tag = first.headers.get('ETag') ?? '';
    const body = await first.text();
    vi.setSystemTime(Date.now() + 3 * day);
    expect(await (await read(address)).text()).toBe(body);
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await read(address, { headers: { 'If-None-Match': known } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      for (const name of ['ETag', 'Cache-Control']) {
        expect(again.headers.get(name)).toBe(first.headers.get(name));
      }
    }
    await updateRow(meetings, { id }, { title: `Endings ${Date.now()}` });
    const changed = await read(address, { headers: { 'If-None-Match': tag } });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('ETag')).not.toBe(tag);
  }
});

test('a cohort that changes has an entry with a higher version', async () => {
  const before = new Date(Date.now() - day);
  const { client, cohort } = await createTeacher({ createdAt: before, updatedAt: before });
  const versionIn = async () =>
    Number(/SEQUENCE:(\d+)/.exec(await (await read(fileOf(cohort))).text())?.[1]);
  expect(await versionIn()).toBe(0);
  await client.get('/api/health/');
  await client.request('PATCH', `/api/cohorts/${cohort.id}/`, { place: 'Room 12' });
  expect(await versionIn()).toBeGreaterThan(0);
});

test('answers say what they are, how old, and how long they may be kept', async () => {
  const updatedAt = new Date('2026-11-03T10:20:30Z');
  const { user, client, cohort } = await createTeacher({ updatedAt, createdAt: updatedAt });
  await client.post('/api/calendar-feed/');
  const { person } = await createEnrollment(cohort);
  const [file, feed, own] = await Promise.all([
    read(fileOf(cohort), { headers: { Cookie: `__Host-session=${createToken()}` } }),
    read(await feedOf('p', person.id)),
    read(await feedOf('i', user.id)),
  ]);

  for (const { headers } of [file, feed, own]) {
    expect(headers.get('Content-Type')).toBe('text/calendar; charset=utf-8');
    expect(headers.get('Last-Modified')).toBe('Tue, 03 Nov 2026 10:20:30 GMT');
    expect(headers.get('Vary') ?? '').not.toMatch(/cookie|language/i);
    expect(headers.getSetCookie()).toEqual([]);
  }
  const asked = await read(fileOf(cohort), { method: 'HEAD' });
  expect([asked.status, await asked.text()]).toEqual([200, '']);
  expect(asked.headers.get('ETag')).toBe(file.headers.get('ETag'));
  expect(file.headers.get('Cache-Control')).toBe('public, max-age=300');
  expect(feed.headers.get('Cache-Control')).toBe('private, max-age=900');
  expect(own.headers.get('Cache-Control')).toBe('private, max-age=900');
  const disposition = file.headers.get('Content-Disposition');
  expect(disposition).toBe(`attachment; filename="fiction-writing-in-spring.ics"`);
});

test('a wrong address is answered with nothing, and never kept', async () => {
  const { user, cohort, course } = await createTeacher();
  const { person } = await createEnrollment(cohort);
  const draft = await createCohortRow(course, {});
  const right = await feedOf('p', person.id);
  const wrong = [
    fileOf(draft),
    fileOf({ slug: 'unknown' }),
    right.replace(/[0-9a-f](?=\.ics)/, (digit) => (digit === '0' ? '1' : '0')),
    right.replace('/p-', '/i-'),
    right.replace('.ics', ''),
    right.replace(person.id, (await createPerson(user.id)).id),
    await feedOf('p', crypto.randomUUID()),
    // Signed, but not switched on yet, and signed for the other kind of feed.
    await feedOf('i', user.id),
    await feedOf('p', user.id),
    '/calendar/x.ics',
  ];
  for (const address of wrong) {
    const response = await read(address);
    expect(response.status, address).toBe(404);
    expect(await response.text()).toBe('');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  }
  expect((await read(right)).status).toBe(200);
});

test('a new link of a person ends their feed, whose address is in no log and no report', async () => {
  const { cohort } = await createTeacher();
  const { person } = await createEnrollment(cohort);
  const feed = await feedOf('p', person.id);
  // The test's own watch fails if anything is written that contains it.
  expect((await read(feed)).status).toBe(200);
  await updateRow(people, person, { linkVersion: 2 });
  expect((await read(feed)).status).toBe(404);
  expect((await read(await feedOf('p', person.id, 2))).status).toBe(200);

  const cleaned = JSON.stringify(withoutSecrets({ url: feed, path: new URL(feed).pathname }));
  expect(cleaned).toContain('/calendar/p-[removed]');
  expect(cleaned).not.toContain(person.id);
  expect(withoutSecrets('at src/features/calendar/answer.ts:12')).toContain('answer.ts');
});

test('a feed has at most 500 cohorts and 2,000 sessions and days without class: those of cohorts that end last', async () => {
  const { client, user, cohort, course } = await createTeacher();
  await client.post('/api/calendar-feed/');
  const { person } = await createEnrollment(cohort);
  const long = { startsOn: '2028-01-03', endsOn: '2028-12-22', endsAt: new Date('2028-12-22') };
  const later = await createCohortRow(course, { publishedAt: new Date(), ...long });
  const { id } = await createEnrollment(later, { personId: person.id });
  for (const of of [cohort, later]) {
    const title = of === later ? 'Later' : 'Sooner';
    await copyRow('meetings', (await createMeeting(of, { title })).id, 1_499);
    const [off] = await createDaysOff(of, ['2027-02-02']);
    const each = { on_date: "date(on_date, n || ' days')", reason: 'n' };
    await copyRow('days_off', off?.id ?? '', 1_499, each);
  }
  const [own, ofPerson] = [await feedOf('i', user.id), await feedOf('p', person.id)];
  const countIn = async (address: string, line: string) =>
    (await (await read(address)).text()).split(`\n${line}`).length - 1;
  for (const address of [own, ofPerson]) {
    expect(await countIn(address, 'UID:meeting-')).toBe(2_000);
    expect(await countIn(address, 'UID:off-')).toBe(2_000);
  }
  expect(await countIn(own, 'SUMMARY:Later · Fiction')).toBe(1_500);
  await copyRow('cohorts', later.id, 500, { slug: 'slug || n' });
  await copyRow('enrollments', id, 500, { cohort_id: 'cohort_id || n' });
  for (const address of [own, ofPerson]) {
    expect(await countIn(address, 'UID:cohort-')).toBe(500);
  }
});

test('a flood is refused before the database is asked', async () => {
  const { cohort } = await createTeacher();
  const usedUp = { limit: async () => ({ success: false }) };
  const recording = recordDatabase(env.DB);
  const bindings = { ...env, DB: recording.db, FLOOD_LIMIT: usedUp };
  const response = await read(fileOf(cohort), {}, bindings);

  expect(recording.take().trips).toBe(0);
  expect(response.status).toBe(429);
  expect(response.headers.get('Retry-After')).toBe('60');
});

const path = '/api/calendar-feed/';
const off = { url: null, webcal_url: null };

async function stateOf(client: Client): Promise<CalendarFeed> {
  return (await client.get(path)).json();
}

async function switchOn(client: Client): Promise<{ url: string; webcal_url: string }> {
  return (await client.post(path)).json();
}

test('a feed is off until it is switched on, a new address ends those before, and what was switched off stays off', async () => {
  const { client, user } = await createSignedInClient();
  const statusOf = async ({ url }: { url: string }) => (await read(url)).status;
  await client.request('HEAD', path);
  expect(await stateOf(client)).toEqual(off);
  expect(await statusOf({ url: await feedOf('i', user.id) })).toBe(404);

  const first = await switchOn(client);
  expect(first.webcal_url).toBe(first.url.replace('https:', 'webcal:'));
  expect(await stateOf(client)).toEqual(first);
  expect(await statusOf(first)).toBe(200);

  const second = await switchOn(client);
  expect(second.url).toBe(await feedOf('i', user.id, 2));
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);

  expect((await client.request('DELETE', path)).status).toBe(204);
  expect((await client.request('DELETE', path)).status).toBe(204);
  expect(await stateOf(client)).toEqual(off);
  expect(await statusOf(second)).toBe(404);
  const third = await switchOn(client);
  const statuses = [await statusOf(first), await statusOf(second), await statusOf(third)];
  expect(statuses).toEqual([404, 404, 200]);
});

test('only its owner can see and change a feed', async () => {
  const [owner, stranger] = [await createSignedInClient(), await createSignedInClient()];
  const { url } = await switchOn(owner.client);
  expect(await stateOf(stranger.client)).toEqual(off);
  await stranger.client.request('DELETE', path);
  await switchOn(stranger.client);

  expect(await stateOf(owner.client)).toMatchObject({ url });
  expect((await read(url)).status).toBe(200);
});
