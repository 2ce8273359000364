import { expect, test } from 'vitest';
import { serveSite } from './pages.ts';
import {
  type BuiltWorker,
  createLesson,
  createVisitor,
  mailedTo,
  openCourse,
  type Visitor,
} from './worker.ts';

/**
 * One state, and everyone who reads a rule of it: a page, a file, an email or the API, in the words
 * of which the number stands. A reader that is added to a rule has to say what all others say.
 */

const dayMs = 24 * 60 * 60 * 1000;
const dayIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const [firstDay, lastDay] = [dayIn(-14), dayIn(60)];

/** What is read, by its name: an address, and who asks; beside the emails. */
const sources: Record<string, readonly [address: string, reader?: 'Ben' | 'Ana' | 'nobody']> = {
  home: ['/'],
  'list of cohorts': ['/cohorts'],
  overview: ['/cohorts/{winter}'],
  roster: ['/cohorts/{winter}/roster'],
  'page about Ana': ['/cohorts/{winter}/roster/{Ana}'],
  schedule: ['/cohorts/{winter}/schedule'],
  attendance: ['/cohorts/{winter}/attendance'],
  preview: ['/cohorts/{winter}/preview'],
  lessons: ['/lessons?cohort={winter}'],
  payments: ['/payments'],
  accounts: ['/payments?cohort={winter}'],
  'account of Ben': ['/payments/{winter}/{Ben}'],
  'public page': ['/c/{slug}', 'nobody'],
  'public API': ['/api/public/cohorts/{slug}/', 'nobody'],
  calendar: ['/c/{slug}/calendar.ics', 'nobody'],
  'page of Ana': ['/p/{link of Ana}', 'nobody'],
  'page of Ben': ['/p/{link of Ben}', 'nobody'],
  'course of Ana': ['/learn/{course}', 'Ana'],
  'API: learning': ['/api/learning/{course}/', 'Ana'],
  'API: cohort': ['/api/cohorts/{winter}/'],
  'API: roster': ['/api/cohorts/{winter}/enrollments/'],
  'API: addresses': ['/api/cohorts/{winter}/addresses/'],
  'API: sessions': ['/api/cohorts/{winter}/meetings/'],
  'API: attendance': ['/api/cohorts/{winter}/attendance/'],
  'API: accounts': ['/api/cohorts/{winter}/ledger/'],
  'roster.csv': ['/api/cohorts/{winter}/roster.csv'],
  'attendance.csv': ['/api/cohorts/{winter}/attendance.csv'],
  'ledger.csv': ['/api/cohorts/{winter}/ledger.csv'],
  'full: overview': ['/cohorts/{full}'],
  'full: waitlist': ['/cohorts/{full}/waitlist'],
  'full: API': ['/api/cohorts/{full}/'],
  'full: API of the waitlist': ['/api/cohorts/{full}/waitlist/'],
  'full: public API': ['/api/public/cohorts/{full slug}/', 'nobody'],
  'full: roster.csv': ['/api/cohorts/{full}/roster.csv'],
};

/** Where in a text the answer stands: the group of a pattern, or what a function finds. */
type Reading = RegExp | ((text: string) => unknown);
type Rule = [expected: number | string, readers: Record<string, Reading>];

const rules: Record<string, Rule> = {
  'how many people are enrolled': [
    3,
    {
      home: /(\d+) of 5 /,
      'list of cohorts': /(\d+) of 5 /,
      overview: /(\d+) of 5 places are taken/,
      'overview in French': /prises : (\d+) sur 5/,
      roster: /Enrolled (\d+)/,
      attendance: /Winter (\d+) people/,
      lessons: /Progress of Winter , (\d+) people/,
      schedule: /Tell (\d+) people/,
      'API: cohort': field('counts.enrolled'),
      'API: roster': count(/"status":"enrolled"/g),
      'API: addresses': count(/@/g),
      'roster.csv': count(/"enrolled"/g),
      'attendance.csv': count(/"enrolled"/g),
    },
  ],
  'how many places are free': [
    2,
    {
      preview: /(\d+) of 5 places left/,
      'preview in French': /(\d+) places? (?:libres? )?sur 5/,
      'public API': field('places_left'),
      'API: cohort': field('counts.places_left'),
    },
  ],
  'how many people are invited': [
    1,
    {
      overview: /invitation to (\d+) person/,
      roster: /Invited (\d+)/,
      'API: cohort': field('counts.invited'),
      'API: roster': count(/"status":"invited"/g),
      'roster.csv': count(/"invited"/g),
    },
  ],
  'how many people wait': [
    2,
    {
      'full: overview': /Waitlist (\d+)/,
      'full: waitlist': count(/ \d [A-Z]Q \w+ Quill /g),
      'full: API': field('counts.waitlisted'),
      'full: API of the waitlist': field('items.length'),
      'full: public API': field('waiting'),
      'full: roster.csv': count(/"waitlisted"/g),
    },
  ],
  'what a place costs': [
    240,
    {
      'public page': /open\. €(\d+)/,
      'public page in French': /ouvertes\. ([\d,]+) €/,
      'page of Ana': /Price €([\d.]+)/,
      'email to Ben': /^Price: €([\d.]+)$/m,
      'API: cohort': cents('price_minor'),
    },
  ],
  'what is still owed': [
    380,
    {
      payments: /Still owed €([\d.]+)/,
      'payments in French': /Reste dû ([\d,]+) €/,
      accounts: /Still owed €([\d.]+)/,
      'API: accounts': cents('totals.owed_minor'),
      'ledger.csv': sum('balance'),
      'roster.csv': sum('balance'),
    },
  ],
  'what was paid': [
    340,
    {
      payments: /Paid €([\d.]+)/,
      accounts: /Paid €([\d.]+)/,
      'API: accounts': cents('totals.paid_minor'),
      'ledger.csv': sum('paid'),
    },
  ],
  'what Ben owes': [
    140,
    {
      roster: /ben @example\.com .*?Owes €([\d.]+)/,
      'roster in French': /ben @example\.com .*?Doit ([\d,]+) €/,
      accounts: /ben @example\.com .*?Owes €([\d.]+)/,
      'account of Ben': /Balance €([\d.]+)/,
      'page of Ben': /Still to pay: €([\d.]+)/,
      'API: accounts': cents('items.1.balance_minor'),
      'roster.csv': sum('balance', 'Ben Quill'),
      'ledger.csv': sum('balance', 'Ben Quill'),
    },
  ],
  'what Ben has paid': [
    100,
    {
      accounts: /ben @example\.com .*?Paid €([\d.]+)/,
      'account of Ben': /Paid €([\d.]+)/,
      'page of Ben': /Paid .*?€([\d.]+)/,
      'API: accounts': cents('items.1.paid_minor'),
      'ledger.csv': sum('paid', 'Ben Quill'),
    },
  ],
  'how many sessions there are': [
    3,
    {
      overview: /Schedule (\d+)/,
      schedule: /(\d+) live sessions/,
      'schedule in French': /(\d+) séances en direct/,
      attendance: /of (\d+) sessions/,
      'public page': /Sessions (\d+)/,
      'page of Ana': /Show all (\d+) sessions/,
      calendar: count(/UID:meeting-/g),
      'API: sessions': field('length'),
      'API: attendance': field('meetings.length'),
      'attendance.csv': count(/ Reading"/g),
    },
  ],
  'how many sessions were held': [
    2,
    {
      attendance: /(\d+) of 3 sessions are behind/,
      'API: sessions': count(/"status":"over"/g),
      'API: attendance': count(/"is_open":true/g),
      'roster.csv': cell('sessions', 'Ana Quill'),
    },
  ],
  'how many sessions Ana has attended': [
    2,
    {
      attendance: /still to come (\d+) of 2/,
      'API: attendance': field('people.0.attended'),
      'roster.csv': cell('attended', 'Ana Quill'),
      'attendance.csv': cell('attended', 'Ana Quill'),
    },
  ],
  'how many lessons Ana has done': [
    1,
    {
      roster: /(\d+) of 3 lessons/,
      'page about Ana': count(/ Done on /g),
      lessons: /1 opened · (\d+) done/,
      'page of Ana': /(\d+) of 3 lessons done/,
      'course of Ana': /done (\d+) of 3 lessons/,
      'course of Ana in French': /terminé (\d+) des 3 leçons/,
      'API: roster': field('items.0.learning.done'),
      'API: learning': field('done'),
      'roster.csv': cell('lessons_done', 'Ana Quill'),
    },
  ],
  'how many lessons Ana can read': [
    3,
    {
      roster: /1 of (\d+) lessons/,
      'page about Ana': count(/ (Opened on|Not opened)/g),
      lessons: /(\d+) of 4 lessons are published/,
      'page of Ana': /1 of (\d+) lessons done/,
      'course of Ana': /done 1 of (\d+) lessons/,
      'API: roster': field('items.0.learning.of'),
      'API: learning': field('of'),
    },
  ],
  'the first day': [
    firstDay,
    {
      'list of cohorts': /(\w+ \d+, \d+) – /,
      overview: /(\w+ \d+, \d+) – /,
      'public page': /Dates (\w+ \d+, \d+)/,
      'page of Ana': /Dates (\w+ \d+, \d+)/,
      'email to Ben': /^Dates: (\w+ \d+, \d+)/m,
      'API: cohort': field('starts_on'),
      'roster.csv': cell('starts_on', 'Ana Quill'),
      calendar: /DTSTART;VALUE=DATE:(\d+)/,
    },
  ],
  'the last day': [
    lastDay,
    {
      'list of cohorts': / – (\w+ \d+, \d+)/,
      overview: / – (\w+ \d+, \d+)/,
      'public page': /Dates [^–]+ – (\w+ \d+, \d+)/,
      'page of Ana': /Dates [^–]+ – (\w+ \d+, \d+)/,
      'email to Ben': /^Dates: [^–]+ – (\w+ \d+, \d+)/m,
      'API: cohort': field('ends_on'),
      'roster.csv': cell('ends_on', 'Ana Quill'),
    },
  ],
};

let built: BuiltWorker;
let ada: Visitor;
let ana: Visitor;
/** What stands for the names in addresses. */
const ids: Record<string, string> = {};

serveSite(async (site) => {
  ({ built, ada } = site);
  await makeState();
});

test.each(Object.entries(rules))('every reader says the same: %s', async (_, [is, readers]) => {
  const said = await Promise.all(
    Object.entries(readers).map(async ([source, reading]) => {
      const text = await textOf(source);
      const found = reading instanceof RegExp ? reading.exec(text)?.[1] : reading(text);
      return [source, typeof is === 'number' ? numberIn(found) : dayOf(found)];
    }),
  );
  const expected = Object.keys(readers).map((source) => [source, is]);
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(expected));
});

const kept = new Map<string, Promise<string>>();

/** What a source says, as someone reads it; with ` in French` behind its name, in French. */
function textOf(name: string): Promise<string> {
  const text = kept.get(name) ?? readAnew(name);
  kept.set(name, text);
  return text;
}

async function readAnew(name: string): Promise<string> {
  if (name === 'email to Ben') {
    return (await built.mailsTo('ben@example.com'))[0]?.text ?? '';
  }
  const [address = '', who] = sources[name.replace(' in French', '')] ?? [];
  const path = address.replace(/\{(.+?)\}/g, (_, id) => ids[id] ?? '');
  const visitor = { Ana: ana, Ben: ada, nobody: createVisitor(built.server) }[who ?? 'Ben'];
  const language = name.endsWith(' in French') ? 'fr' : 'en';
  visitor.cookies.set('language', language);
  const response = await visitor.request(path, { headers: { 'Accept-Language': language } });
  expect(response.status, path).toBe(200);
  const text = await response.text();
  return response.headers.get('Content-Type')?.includes('html') ? wordsOf(text) : text;
}

/** The words of a page, each a space apart. */
function wordsOf(html: string): string {
  return html
    .replace(/<(script|style|template)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ');
}

function numberIn(found: unknown): unknown {
  return typeof found === 'string' ? Number(found.replace(',', '.')) : found;
}

function dayOf(found: unknown): unknown {
  const text = String(found).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  const time = Date.parse(`${text} UTC`);
  return Number.isNaN(time) ? found : new Date(time).toISOString().slice(0, 10);
}

function field(path: string): Reading {
  return (text) =>
    path.split('.').reduce<unknown>((value, name) => Object(value)[name], JSON.parse(text));
}

/** An amount in the smallest unit. */
function cents(path: string): Reading {
  const reading = field(path);
  return (text) => Number(typeof reading === 'function' && reading(text)) / 100;
}

function count(pattern: RegExp): Reading {
  return (text) => text.match(pattern)?.length ?? 0;
}

/** The cells of a column of a file, of one person or of all. */
function cells(text: string, column: string, name?: string): string[] {
  const [header = [], ...rows] = text
    .split(/\r?\n/)
    .map((line) => [...line.matchAll(/"([^"]*)"/g)].map(([, cell = '']) => cell));
  const [at, who] = [header.indexOf(column), header.indexOf('name')];
  const theirs = rows.filter((row) => name === undefined || row[who] === name);
  return theirs.map((row) => row[at] ?? '');
}

function cell(column: string, name: string): Reading {
  return (text) => cells(text, column, name)[0];
}

function sum(column: string, name?: string): Reading {
  return (text) => cells(text, column, name).reduce((all, amount) => all + Number(amount), 0);
}

/** Two cohorts: one with people, money, sessions and lessons, and one that is full. */
async function makeState(): Promise<void> {
  const post = async <Answer>(path: string, input: object = {}, method = 'POST') => {
    const response = await ada.send(method, path, input);
    const text = await response.text();
    expect(response.status, text).toBeLessThan(300);
    return (text === '' ? null : JSON.parse(text)) as Answer;
  };
  type Made = { id: string; public_url: string };
  const [course] = (await (await ada.request('/api/courses/')).json()) as Made[];
  ids['course'] = course?.id ?? '';
  const createCohort = async (name: string, starts_on: string, values: object) => {
    const days = { starts_on, ends_on: lastDay, time_zone: 'UTC' };
    const made = await post<Made>(`/api/courses/${ids['course']}/cohorts/`, {
      ...{ name, ...days, shows_places_left: true, waitlist: true, ...values },
    });
    await post(`/api/cohorts/${made.id}/publish/`);
    await post(`/api/cohorts/${made.id}/`, { enrollment_override: 'open' }, 'PATCH');
    return { id: made.id, slug: new URL(made.public_url).pathname.slice('/c/'.length) };
  };
  const add = async (cohort: string, name: string, as: string) => {
    const email = `${name.toLowerCase()}@example.com`;
    const person = { as, name: `${name} Quill`, email, language: 'en' };
    ids[name] = (await post<Made>(`/api/cohorts/${cohort}/enrollments/`, person)).id;
  };
  const price = { price_minor: 24_000, currency: 'EUR' };
  const { id: winter, slug } = await createCohort('Winter', firstDay, { capacity: 5, ...price });
  const full = await createCohort('Full', dayIn(20), { capacity: 1 });
  Object.assign(ids, { winter, slug, full: full.id, 'full slug': full.slug });
  for (const name of ['Ana', 'Ben', 'Eve', 'Dan']) {
    await add(winter, name, 'enrolled');
  }
  await add(winter, 'Cleo', 'invited');
  await add(full.id, 'Gus', 'enrolled');
  await add(full.id, 'Hal', 'waitlisted');
  await add(full.id, 'Ida', 'waitlisted');
  const settled = { money: 'waive', balance_minor: 24_000, paid_minor: 0 };
  await post(`/api/cohorts/${winter}/enrollments/${ids['Dan']}/left/`, settled);
  for (const [name, amount] of Object.entries({ Ana: 24_000, Ben: 10_000 })) {
    await post(`/api/cohorts/${winter}/ledger/`, {
      ...{ kind: 'payment', enrollments: [ids[name]], amount_minor: amount },
      ...{ method: 'cash', received_on: dayIn(-1) },
    });
  }
  const sessions = await post<Made[]>(`/api/cohorts/${winter}/meetings/`, {
    ...{ title: 'Reading', starts_local: `${dayIn(-13)}T10:00`, duration_minutes: 60, count: 3 },
  });
  // Only who had a place when a session began can be marked.
  const before = Date.now() - 20 * dayMs;
  await built.sql(`UPDATE enrollments SET created_at = ${before}`);
  await built.sql(`UPDATE enrollment_events SET at = ${before} WHERE from_status IS NULL`);
  for (const { id } of sessions.slice(0, 2)) {
    const marks = [{ enrollment_id: ids['Ana'], is_present: true }];
    await post(`/api/cohorts/${winter}/meetings/${id}/marks/`, { marks }, 'PUT');
  }
  const lessons: string[] = [];
  for (const [title, isPublished] of Object.entries({ A: true, B: true, C: true, D: false })) {
    lessons.push(
      await createLesson(ada, ids['course'] ?? '', { title, text: 'Words' }, isPublished),
    );
  }
  await post(`/api/courses/${ids['course']}/select/`);
  for (const name of ['Ana', 'Ben']) {
    const email = `${name.toLowerCase()}@example.com`;
    ids[`link of ${name}`] = await mailedTo(built, email, /\/p\/([\w.-]+)/);
  }
  ana = await openCourse(built, ids['link of Ana'] ?? '');
  const done = { opened: true, done: true };
  await ana.send('PUT', `/api/learning/${ids['course']}/lessons/${lessons[0]}/`, done);
}
