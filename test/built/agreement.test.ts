import fc from 'fast-check';
import { expect, test } from 'vitest';
import { day, dayFromToday } from '#support/days.ts';
import { fuzzSeed } from '../every-case.ts';
import { serveSite, wordsOf } from './pages.ts';
import {
  addPerson,
  type BuiltWorker,
  createCohort,
  createLesson,
  createVisitor,
  firstCourseOf,
  mailedTo,
  make,
  openCourse,
  type Visitor,
} from './worker.ts';

/**
 * Facts that several readers show: pages, files, emails and the API, each in its own words. They
 * are of one state, which a seed draws. A reader that is added to a fact has to agree with the others.
 */

const upTo = (max: number, min = 1) => fc.integer({ min, max });

/** People are Ana, who has paid, Ben, who has paid some of it, and others, who have not. */
const [drawn = never()] = fc.sample(
  fc.record({
    names: fc.shuffledSubarray(
      ['Zoë', 'Ana Lucía', 'O’Brien', "D'Arc", 'Łukasz', 'Jean-Luc', 'Ma. Rosa', 'Ìyá', 'Bo'],
      { minLength: 2, maxLength: 2 },
    ),
    ...{ others: upTo(4), invited: upTo(3), waiting: upTo(4), free: upTo(20, 2) },
    ...{ price: upTo(89_999, 1_000), paidShare: upTo(99) },
    ...{ held: upTo(4, 2), toCome: upTo(3), attendedShare: upTo(100, 0) },
    ...{ published: upTo(5, 2), drafts: upTo(3), doneShare: upTo(99, 0) },
    ...{ hour: upTo(23, 0), minute: upTo(59, 0), weekday: upTo(5, 2), daysLeft: upTo(99, 30) },
    zone: fc.constantFrom('UTC', 'Europe/Paris', 'America/Vancouver', 'Pacific/Auckland'),
  }),
  { seed: fuzzSeed, numRuns: 1 },
);

function never(): never {
  throw new Error('Nothing was drawn.');
}

const { held, published, drafts, price } = drawn;
const [ana = '', ben = ''] = drawn.names.map((name) => `${name} Quill`);
const enrolled = 2 + drawn.others;
const capacity = enrolled + drawn.free;
const sessions = held + drawn.toCome;
const attended = Math.round((held * drawn.attendedShare) / 100);
/** One at least, and not all. */
const done = 1 + Math.floor(((published - 1) * drawn.doneShare) / 100);
const paidByBen = Math.ceil((price * drawn.paidShare) / 100) % price || 1;
const firstSession = dayFromToday(drawn.weekday - 7 * held);
const firstDay = dayFromToday(drawn.weekday - 7 * held - 1);
const lastDay = dayFromToday(drawn.daysLeft);
const [hour, minute] = [drawn.hour, drawn.minute].map((part) => String(part).padStart(2, '0'));

/** What is read, by its name: an address, and who asks; beside the emails. */
const sources: Record<string, readonly [address: string, reader?: 'Ana' | 'nobody']> = {
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

/** Where a text has the answer: the group of a pattern, or what a function finds. */
type Reading = RegExp | ((text: string) => unknown);
type Fact = [expected: number | string | true, readers: Record<string, Reading>];

const facts: Record<string, Fact> = {
  'how many people are enrolled': [
    enrolled,
    {
      home: pattern(`(\\d+) of ${capacity} `),
      'list of cohorts': pattern(`(\\d+) of ${capacity} `),
      overview: pattern(`(\\d+) of ${capacity} places are taken`),
      'overview in French': pattern(`prises : (\\d+) sur ${capacity}`),
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
    drawn.free,
    {
      preview: pattern(`(\\d+) of ${capacity} places left`),
      'preview in French': pattern(`(\\d+) places? (?:libres? )?sur ${capacity}`),
      'public API': field('places_left'),
      'API: cohort': field('counts.places_left'),
    },
  ],
  'how many people are invited': [
    drawn.invited,
    {
      overview: (text) => Number(/(\d+) people who are enrolled/.exec(text)?.[1]) - enrolled,
      roster: /Invited (\d+)/,
      'API: cohort': field('counts.invited'),
      'API: roster': count(/"status":"invited"/g),
      'roster.csv': count(/"invited"/g),
    },
  ],
  'how many people wait': [
    drawn.waiting,
    {
      'full: overview': /Waitlist (\d+)/,
      'full: waitlist': count(/ \d WQ Waiting Quill /g),
      'full: API': field('counts.waitlisted'),
      'full: API of the waitlist': field('items.length'),
      'full: public API': field('waiting'),
      'full: roster.csv': count(/"waitlisted"/g),
    },
  ],
  'what a place costs': [
    price,
    {
      'public page': amount('open\\. €'),
      'public page in French': amount('ouvertes\\. ', ' €'),
      'page of Ana': amount('Price €'),
      'email to Ben': amount('Price: €'),
      'API: cohort': field('price_minor'),
    },
  ],
  'what is still owed': [
    (enrolled - 1) * price - paidByBen,
    {
      payments: amount('Still owed €'),
      'payments in French': amount('Reste dû ', ' €'),
      accounts: amount('Still owed €'),
      overview: amount('still owes? €'),
      'API: accounts': field('totals.owed_minor'),
      'ledger.csv': sum('balance'),
      'roster.csv': sum('balance'),
    },
  ],
  'what was paid': [
    price + paidByBen,
    {
      payments: amount('Paid €'),
      accounts: amount('Paid €'),
      'API: accounts': field('totals.paid_minor'),
      'ledger.csv': sum('paid'),
    },
  ],
  'what Ben owes': [
    price - paidByBen,
    {
      roster: amount('ben @example\\.com .*?Owes €'),
      'roster in French': amount('ben @example\\.com .*?Doit ', ' €'),
      accounts: amount('ben @example\\.com .*?Owes €'),
      'account of Ben': amount('Balance €'),
      'page of Ben': amount('Still to pay: €'),
      'API: accounts': itemOf(ben, 'balance_minor'),
      'roster.csv': sum('balance', ben),
      'ledger.csv': sum('balance', ben),
    },
  ],
  'what Ben has paid': [
    paidByBen,
    {
      accounts: amount('ben @example\\.com .*?Paid €'),
      'account of Ben': amount('Paid €'),
      'page of Ben': amount('Paid .*?€'),
      'API: accounts': itemOf(ben, 'paid_minor'),
      'ledger.csv': sum('paid', ben),
    },
  ],
  'how many sessions there are': [
    sessions,
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
    held,
    {
      attendance: pattern(`(\\d+) of ${sessions} sessions are behind`),
      'API: sessions': count(/"status":"over"/g),
      'API: attendance': count(/"is_open":true/g),
      'roster.csv': cell('sessions', ana),
    },
  ],
  'at what time the sessions begin': [
    `${hour}:${minute}`,
    {
      ...{ 'public page': clock('When '), 'page of Ana': clock('Reading '), schedule: clock('') },
      'API: sessions': /"starts_local":"[\d-]+T(\d\d:\d\d)/,
      calendar: (text) => /T(\d\d)(\d\d)00Z?\s+DTEND/.exec(text)?.slice(1).join(':'),
    },
  ],
  'how many sessions Ana has attended': [
    attended,
    {
      attendance: pattern(`${ana} .*?(\\d+) of ${held} `),
      'API: attendance': itemOf(ana, 'attended'),
      'roster.csv': cell('attended', ana),
      'attendance.csv': cell('attended', ana),
    },
  ],
  'how many lessons Ana has done': [
    done,
    {
      roster: pattern(`ana @example\\.com .*?(\\d+) of ${published} lessons`),
      'page about Ana': count(/ Done on /g),
      lessons: count(/1 opened · 1 done/g),
      'page of Ana': pattern(`(\\d+) of ${published} lessons done`),
      'course of Ana': pattern(`done (\\d+) of ${published} lessons`),
      'course of Ana in French': pattern(`terminé (\\d+) des ${published} leçons`),
      'API: roster': itemOf(ana, 'learning.done'),
      'API: learning': field('done'),
      'roster.csv': cell('lessons_done', ana),
    },
  ],
  'how many lessons Ana can read': [
    published,
    {
      roster: pattern(`ana @example\\.com .*?${done} of (\\d+) lessons`),
      'page about Ana': count(/ (Opened on|Not opened)/g),
      lessons: pattern(`(\\d+) of ${published + drafts} lessons are published`),
      'page of Ana': pattern(`${done} of (\\d+) lessons done`),
      'course of Ana': pattern(`done ${done} of (\\d+) lessons`),
      'API: roster': itemOf(ana, 'learning.of'),
      'API: learning': field('of'),
    },
  ],
  'what Ana is called': [
    true,
    {
      ...{ roster: shows(ana), 'page about Ana': shows(ana), attendance: shows(ana) },
      ...{ accounts: shows(ana), 'page of Ana': shows(ana), 'API: roster': shows(ana) },
      ...{ 'roster.csv': shows(ana), 'attendance.csv': shows(ana), 'ledger.csv': shows(ana) },
    },
  ],
  'the first day': [
    firstDay,
    {
      ...{ 'list of cohorts': edge('first'), overview: edge('first') },
      ...{ 'public page': edge('first'), 'page of Ana': edge('first') },
      'email to Ben': edge('first'),
      'API: cohort': field('starts_on'),
      'roster.csv': cell('starts_on', ana),
      calendar: (text) => isoDay(/DTSTART;VALUE=DATE:(\d{8})/.exec(text)?.[1]),
    },
  ],
  'the last day': [
    lastDay,
    {
      ...{ 'list of cohorts': edge('last'), overview: edge('last') },
      ...{ 'public page': edge('last'), 'page of Ana': edge('last') },
      'email to Ben': edge('last'),
      'API: cohort': field('ends_on'),
      'roster.csv': cell('ends_on', ana),
    },
  ],
};

let built: BuiltWorker;
let ada: Visitor;
let learner: Visitor;
/** What stands for the names in addresses. */
const ids: Record<string, string> = {};

serveSite(async (site) => {
  ({ built, ada } = site);
  await makeState();
});

test.each(Object.entries(facts))('all readers agree on %s', async (_, [expected, readers]) => {
  const read = await Promise.all(
    Object.entries(readers).map(async ([source, reading]) => {
      const text = await textOf(source);
      const found = reading instanceof RegExp ? reading.exec(text)?.[1] : reading(text);
      return [source, typeof expected === 'number' ? Number(found) : found];
    }),
  );
  const same = Object.keys(readers).map((source) => [source, expected]);
  expect(Object.fromEntries(read), `FUZZ_SEED=${fuzzSeed} repeats this.`).toEqual(
    Object.fromEntries(same),
  );
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
  const visitor = { Ana: learner, nobody: createVisitor(built.server), owner: ada }[who ?? 'owner'];
  const language = name.endsWith(' in French') ? 'fr' : 'en';
  visitor.cookies.set('language', language);
  const { status, headers, text } = await visitor.get(path, { 'Accept-Language': language });
  expect(status, path).toBe(200);
  return headers['content-type']?.includes('html') ? wordsOf(text) : text;
}

function pattern(source: string): RegExp {
  return new RegExp(source);
}

function shows(text: string): Reading {
  return (page) => page.includes(text);
}

/** An amount of money behind some words, in cents. */
function amount(before: string, after = ''): Reading {
  const words = pattern(`${before}(\\d+(?:[ ,]\\d{3})*(?:[.,]\\d\\d)?)${after}`);
  return (text) => {
    const [, whole = '', cents = '00'] =
      /^(.+?)(?:[.,](\d\d))?$/.exec(words.exec(text)?.[1] ?? '') ?? [];
    return whole.replace(/\D/g, '') + cents;
  };
}

/** The first time of day behind some words, such as `18:00`. */
function clock(before: string): Reading {
  const words = pattern(`${before}.*?(\\d+):(\\d\\d)(?: ([AP]M))? – \\d+:\\d\\d ([AP]M)`);
  return (text) => {
    const [, hours, minutes, own, common] = words.exec(text) ?? [];
    const since = (own ?? common) === 'PM' ? 12 : 0;
    return `${String((Number(hours) % 12) + since).padStart(2, '0')}:${minutes}`;
  };
}

/** A day of the first range of days, whose ends may share their year or their month. */
function edge(which: 'first' | 'last'): Reading {
  return (text) => {
    const [, month, first, ownYear, other, last, year] =
      /(\w+) (\d+)(?:, (\d+))? – (?:(\w+) )?(\d+), (\d{4})/.exec(text) ?? [];
    return which === 'first'
      ? isoDay(`${month} ${first}, ${ownYear ?? year}`)
      : isoDay(`${other ?? month} ${last}, ${year}`);
  };
}

function isoDay(text = ''): string {
  const time = Date.parse(`${text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')} UTC`);
  return Number.isNaN(time) ? text : new Date(time).toISOString().slice(0, 10);
}

function field(path: string): Reading {
  return (text) => valueIn(JSON.parse(text), path);
}

/** Of the entry of someone in a list. */
function itemOf(name: string, path: string): Reading {
  return (text) => {
    const { items, people } = JSON.parse(text);
    return valueIn(
      (items ?? people).find((item: { name: string }) => item.name === name),
      path,
    );
  };
}

function valueIn(whole: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => Object(value)[name], whole);
}

function count(words: RegExp): Reading {
  return (text) => text.match(words)?.length ?? 0;
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

/** In cents. */
function sum(column: string, name?: string): Reading {
  return (text) =>
    cells(text, column, name).reduce((all, value) => all + Math.round(Number(value) * 100), 0);
}

/** Two cohorts: one with people, money, sessions and lessons, and one that is full. */
async function makeState(): Promise<void> {
  const course = await firstCourseOf(ada);
  const common = { ends_on: lastDay, time_zone: drawn.zone, waitlist: true };
  const shown = { ...common, shows_places_left: true };
  const money = { price_minor: price, currency: 'EUR' };
  const winter = await createCohort(ada, { ...shown, ...money, starts_on: firstDay, capacity });
  const later = { name: 'Full', starts_on: dayFromToday(20), capacity: 1 };
  const full = await createCohort(ada, { ...shown, ...later });
  const api = `/api/cohorts/${winter.id}`;
  for (const { id } of [winter, full]) {
    await make(ada, `/api/cohorts/${id}/`, { enrollment_override: 'open' }, 'PATCH');
  }
  const add = (
    cohort: { id: string },
    as: string,
    name: string,
    email: string = crypto.randomUUID(),
  ) => addPerson(ada, cohort, { as, name, email: `${email}@example.com` });
  const several = (count: number, work: () => Promise<unknown>) =>
    Array.fromAsync(Array(count), work);
  ids['Ana'] = await add(winter, 'enrolled', ana, 'ana');
  ids['Ben'] = await add(winter, 'enrolled', ben, 'ben');
  const left = await add(winter, 'enrolled', 'Dan Quill');
  await several(drawn.others, () => add(winter, 'enrolled', 'Eve Quill'));
  await several(drawn.invited, () => add(winter, 'invited', 'Cleo Quill'));
  await add(full, 'enrolled', 'Gus Quill');
  await several(drawn.waiting, () => add(full, 'waitlisted', 'Waiting Quill'));
  const settled = { money: 'waive', balance_minor: price, paid_minor: 0 };
  await make(ada, `${api}/enrollments/${left}/left/`, settled);
  for (const [name, amount_minor] of Object.entries({ Ana: price, Ben: paidByBen })) {
    const paid = { kind: 'payment', method: 'cash', received_on: dayFromToday(-1) };
    await make(ada, `${api}/ledger/`, { ...paid, enrollments: [ids[name]], amount_minor });
  }
  const starts_local = `${firstSession}T${hour}:${minute}`;
  const weekly = { title: 'Reading', starts_local, duration_minutes: 60, count: sessions };
  const meetings = await make<{ id: string }[]>(ada, `${api}/meetings/`, weekly);
  // Only who had a place when a session began can be marked.
  const before = Date.now() - 50 * day;
  await built.sql(`UPDATE enrollments SET created_at = ${before}`);
  await built.sql(`UPDATE enrollment_events SET at = ${before} WHERE from_status IS NULL`);
  for (const [at, { id }] of meetings.slice(0, held).entries()) {
    const marks = [{ enrollment_id: ids['Ana'], is_present: at < attended }];
    await make(ada, `${api}/meetings/${id}/marks/`, { marks }, 'PUT');
  }
  const lessons: string[] = [];
  for (let at = 0; at < published + drafts; at += 1) {
    lessons.push(await createLesson(ada, course, { text: 'Words' }, at < published));
  }
  const emails = ['ana@example.com', 'ben@example.com'];
  const [linkOfAna = '', linkOfBen = ''] = await Promise.all(
    emails.map((email) => mailedTo(built, email, /\/p\/([\w.-]+)/)),
  );
  learner = await openCourse(built, linkOfAna);
  for (const lesson of lessons.slice(0, done)) {
    const marks = { opened: true, done: true };
    await make(learner, `/api/learning/${course}/lessons/${lesson}/`, marks, 'PUT');
  }
  Object.assign(ids, {
    ...{ course, winter: winter.id, slug: winter.slug, full: full.id, 'full slug': full.slug },
    ...{ 'link of Ana': linkOfAna, 'link of Ben': linkOfBen },
  });
}
