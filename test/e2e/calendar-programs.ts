import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ical, { type VEvent } from 'node-ical';
import { quietEnv } from '../../scripts/local/settings.ts';
import {
  type BuiltWorker,
  createParticipant,
  createVisitor,
  signUpPerson,
  startBuiltWorker,
  type Visitor,
} from '../built/worker.ts';

/**
 * Reads our calendars with programs that are not ours: node-ical, python3-icalendar and khal, which
 * imports a cohort, and once more after it has moved.
 */

export const howToGetCalendars =
  'The calendars are read by Debian’s programs: `apt-get install python3-icalendar khal`.';

const python = '/usr/bin/python3';

export const hasCalendarPrograms =
  spawnSync(python, ['-c', 'import icalendar']).status === 0 &&
  spawnSync('khal', ['--version']).status === 0;

/** An event, as programs read it. */
type Read = Record<'uid' | 'starts' | 'title', string> &
  Record<'zone' | 'text' | 'place', string | null> & { sequence: number };

type Meeting = { id: string; title: string; starts_local: string; sequence: number };

/** A text that, unescaped, would end lines, entries or values. */
const hostile = {
  title: 'Scènes, plots; C:\\drafts "🎭" \u200fשלום\u200e',
  text: `One\r\nTwo\rThree\nEND:VEVENT\nEND:VCALENDAR\n${'é, 🎓; '.repeat(120)}`,
  place: 'Salle 12; 3, rue de l’Église',
};
const readText = hostile.text.replaceAll(/\r\n?/g, '\n').trim();

const noWindow = { enrollment_opens_local: null, enrollment_closes_local: null };

if (import.meta.main) {
  await main();
}

async function main(): Promise<void> {
  Object.assign(process.env, quietEnv);
  const built = await startBuiltWorker();
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-calendars-'));
  try {
    const ada = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
    const owner = await signUpPerson(built, { ...ada, courseName: hostile.title });
    for (const zone of ['Europe/Paris', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC']) {
      await comparePrograms(built, owner, zone);
    }
    await importTwice(built, owner, folder);
  } finally {
    await built.close();
    rmSync(folder, { recursive: true });
  }
}

/** Both readers read what was entered, in the file of a cohort and in a participant's feed. */
async function comparePrograms(built: BuiltWorker, owner: Visitor, zone: string): Promise<void> {
  const { cohort, meetings } = await createSpring(owner, zone);
  const { link } = await createParticipant(built, owner, cohort);
  const page = await (await createVisitor(built.server, built.origin).request(`/p/${link}`)).text();
  const [feed = ''] = /\/calendar\/p-[\w.-]+\.ics/.exec(page) ?? [];
  for (const address of [`/c/${cohort.slug}/calendar.ics`, feed]) {
    const text = await readAddress(built, address);
    const byPython = readByPython(text);
    assert.deepEqual(
      readByNode(text),
      byPython.map(({ uid, starts }) => ({ uid, starts })),
    );
    const entries = byPython.filter(({ uid }) => uid.startsWith('meeting-'));
    assert.deepEqual(
      entries.map(({ uid, starts, sequence }) => ({ uid, starts, sequence })),
      meetings.map(({ id, starts_local: starts, sequence }) => ({
        uid: `meeting-${id}@lectern.test`,
        starts,
        sequence,
      })),
    );
    const name = zone === 'UTC' ? 'Etc/UTC' : zone;
    for (const entry of entries) {
      assert.equal(entry.zone, name);
      assert.equal(entry.title, `${hostile.title} · ${hostile.title}`);
      // Notes are for those who take part.
      assert.equal(entry.text?.endsWith(readText) ?? null, address === feed ? true : null);
      assert.equal(entry.place, hostile.place);
    }
    const whole = byPython.find(({ uid }) => uid.startsWith('cohort-'));
    assert.equal(whole?.text, readText);
    assert.equal(/meet\.example/.test(text), address === feed);
    console.log(`  ${zone}: ${entries.length} sessions, the same in node-ical and icalendar`);
  }
}

/** Entries in khal move with their cohort, and none is there twice. */
async function importTwice(built: BuiltWorker, owner: Visitor, folder: string): Promise<void> {
  const khal = createKhal(folder);
  const { cohort, meetings, days } = await createSpring(owner, 'Europe/Paris');
  const address = `/c/${cohort.slug}/calendar.ics`;
  const sessions = () => khal.list().filter(({ uid }) => uid.startsWith('meeting-'));

  khal.import(await readAddress(built, address));
  const before = sessions();
  assert.deepEqual(
    before.map(({ starts }) => starts),
    meetings.map(({ starts_local: starts }) => starts.replace('T', ' ')),
  );
  // Clocks on the wall show the same time before and after they change.
  assert.deepEqual(new Set(before.map(({ starts }) => starts.slice(11))), new Set(['18:00']));

  const moved = { starts_on: after(days.starts_on, 7), ends_on: after(days.ends_on, 7) };
  const dates = { ...moved, time_zone: 'Europe/Paris' };
  await send(owner, `/api/cohorts/${cohort.id}/move/`, {
    ...dates,
    expected: { ...dates, ...days, ...noWindow },
    notify: false,
  });
  khal.import(await readAddress(built, address));
  assert.deepEqual(
    sessions().map(({ uid, starts }) => ({ uid, starts })),
    before.map(({ uid, starts }) => ({
      uid,
      starts: `${after(starts.slice(0, 10), 7)}${starts.slice(10)}`,
    })),
  );
  assert.equal(khal.files(), meetings.length + 1);
  console.log(`  khal: ${meetings.length} sessions imported, moved by a week, none twice`);
}

/** A published cohort with six weekly sessions, three before and three after clocks change. */
async function createSpring(owner: Visitor, zone: string) {
  const march = `${new Date().getUTCFullYear() + 1}-03-31`;
  const lastSunday = after(march, -new Date(`${march}T00:00Z`).getUTCDay());
  const days = { starts_on: after(lastSunday, -20), ends_on: after(lastSunday, 21) };
  const [course] = (await (await owner.request('/api/courses/')).json()) as { id: string }[];
  const created = await send(owner, `/api/courses/${course?.id}/cohorts/`, {
    name: hostile.title,
    description: hostile.text,
    place: hostile.place,
    time_zone: zone,
    ...days,
  });
  const { id, public_url: url } = (await created.json()) as { id: string; public_url: string };
  const cohort = { id, slug: path.basename(url) };
  await send(owner, `/api/cohorts/${id}/publish/`, {});
  const made = await send(owner, `/api/cohorts/${cohort.id}/meetings/`, {
    title: hostile.title,
    starts_local: `${after(days.starts_on, 1)}T18:00`,
    duration_minutes: 90,
    count: 6,
    note: hostile.text,
    join_url: 'https://meet.example/a-room',
  });
  return { cohort, days, meetings: (await made.json()) as Meeting[] };
}

async function send(owner: Visitor, address: string, input: object): Promise<Response> {
  const response = (await owner.post(address, input)) as unknown as Response;
  assert.ok(
    response.status < 300,
    `${address}: ${response.status} ${await response.clone().text()}`,
  );
  return response;
}

async function readAddress(built: BuiltWorker, address: string): Promise<string> {
  const response = await createVisitor(built.server, built.origin).request(address);
  assert.equal(response.status, 200, address);
  return response.text();
}

function readByNode(text: string): Pick<Read, 'uid' | 'starts'>[] {
  const events = Object.values(ical.sync.parseICS(text)).filter(
    (one): one is VEvent => one?.type === 'VEVENT',
  );
  return events.map(({ uid, start, datetype }) => ({ uid, starts: wallOf(start, datetype) }));
}

/** A time as clocks in its zone show it; only the day for what lasts whole days. */
function wallOf(start: VEvent['start'], type: VEvent['datetype']): string {
  const format = new Intl.DateTimeFormat('sv', {
    dateStyle: 'short',
    ...(type === 'date-time' && { timeStyle: 'short' as const, timeZone: start.tz ?? 'UTC' }),
  });
  return format.format(start).replace(' ', 'T');
}

function readByPython(text: string): Read[] {
  const reader = path.join(import.meta.dirname, 'read-calendar.py');
  const { status, stdout, stderr } = spawnSync(python, [reader], { input: text });
  assert.equal(status, 0, stderr.toString());
  return JSON.parse(stdout.toString()) as Read[];
}

/** A calendar program with a folder of its own. */
function createKhal(folder: string) {
  const calendar = path.join(folder, 'calendar');
  const config = path.join(folder, 'config');
  mkdirSync(calendar);
  const time = '%Y-%m-%d %H:%M';
  writeFileSync(
    config,
    `[calendars]
[[lectern]]
path = ${calendar}
[locale]
local_timezone = Europe/Paris
default_timezone = Europe/Paris
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
timeformat = %H:%M
datetimeformat = ${time}
longdatetimeformat = ${time}
[sqlite]
path = ${path.join(folder, 'khal.db')}
`,
  );
  function run(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('khal', ['-c', config, ...args]);
    assert.equal(status, 0, stderr.toString());
    return stdout.toString();
  }
  return {
    import(text: string): void {
      const file = path.join(folder, 'calendar.ics');
      writeFileSync(file, text);
      run('import', '--batch', '-a', 'lectern', file);
    },
    list(): { uid: string; starts: string }[] {
      const year = new Date().getUTCFullYear() + 1;
      const format = '{uid}|{start-long}';
      const listed = run('list', '--once', '-f', format, '-df', '', `${year}-01-01`, '200d');
      const entries = listed.matchAll(/^(.+)\|(.+)$/gm);
      return [...entries].map(([, uid = '', starts = '']) => ({ uid, starts }));
    },
    files: () => readdirSync(calendar).length,
  };
}

function after(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
