import { addDays, type Day, isDay } from '#lib/time/calendar.ts';
import { addedRow, meetingDays, type SheetRow, weekdayNumber, wrongTexts } from './session-rows.ts';

/** What a column of a pasted text holds. */
export type Role = 'day' | 'title' | 'line' | 'none';

/** The sheet that a text is pasted into, and the days of its cohort, which may be empty. */
export type Plan = {
  rows: readonly SheetRow[];
  /** Where it was pasted; by default into the first title. */
  at?: { key: string; column: 'title' | 'line' } | undefined;
  from: Day;
  to: Day;
  today: Day;
  locale: string;
};

/** Why someone should look at a row: what is wrong with its texts, or where its day is. */
export type Doubt =
  | ReturnType<typeof wrongTexts>[number][1]
  | 'undated'
  | 'outside'
  | 'otherWeekday';

export type SyllabusRow = {
  /** One for a session; all on which there would be one for a span without class. */
  days: Day[];
  title: string;
  /** The public line, or why there is no class. */
  line: string;
  isOff: boolean;
  /** As they were pasted. */
  cells: string[];
  doubt: Doubt | null;
};

export type Syllabus = {
  roles: Role[];
  rows: SyllabusRow[];
  /** How many headings and empty lines are left out. */
  headings: number;
  empty: number;
};

type Dated = { day: Day; weekday: number | null; rest: string };
type DateOf = (text: string) => Dated | null;
type Span = { from: Day; to: Day; reason: string };

/**
 * Reads a syllabus as it is pasted: columns of a spreadsheet, or lines with headings, dates and
 * what to read. Whether days or months come first in numbers is what fits the cohort better.
 *
 * @param chosen what the columns hold, where someone has said so
 */
export function readSyllabus(text: string, plan: Plan, chosen: readonly Role[] = []): Syllabus {
  const misfits = ({ rows }: Syllabus) =>
    rows.filter(
      ({ doubt, title }) =>
        doubt === 'otherWeekday' || doubt === 'outside' || /^\d{1,2}\/\d/.test(title),
    ).length;
  return [plan.locale === 'fr', plan.locale !== 'fr']
    .map((isDayFirst) => readWith(text, plan, chosen, (cell) => dateIn(cell, plan, isDayFirst)))
    .reduce((usual, other) => (misfits(other) < misfits(usual) ? other : usual));
}

/** More than any syllabus of as many sessions as a cohort can have. */
const most = { lines: 500, cells: 8, characters: 600 };

function readWith(text: string, plan: Plan, chosen: readonly Role[], dateOf: DateOf): Syllabus {
  const isTable = text.trim().includes('\t');
  const typed = isTable ? tableIn(text) : text.split(/\r\n?|\n/).map((line) => [clean(line)]);
  const all = typed
    .slice(0, most.lines)
    .map((cells) => cells.slice(0, most.cells).map((cell) => cell.slice(0, most.characters)));
  const lines = all.filter((cells) => cells.some(Boolean));
  const found: (string[] | Span)[] = [];
  const dateOfLine = (line: string) => dateOf(line.replace(bulletPattern, ''));
  let headings = 0;
  let above = '';
  lines.forEach((cells, index) => {
    const whole = [above, ...cells].filter(Boolean).join(' ');
    const rest = lines.slice(index + 1);
    const [[below = ''] = []] = isTable ? [] : rest;
    const isLone = cells.filter(Boolean).length < 2;
    const isAlone = below !== '' && !dateOfLine(below) && !readingPattern.test(below);
    above = isAlone && dateOfLine(whole)?.rest === '' ? whole : '';
    if (above !== '') {
      return;
    }
    const heading = headingPattern.exec(whole)?.groups;
    const span = spanIn(whole, heading, plan, dateOf);
    const last = found.at(-1);
    if (span !== null) {
      found.push(span);
    } else if ((isLone && isHeading(heading, rest)) || cells.filter(isHead).length > 1) {
      headings += 1;
    } else if (!isTable && readingPattern.test(whole) && Array.isArray(last)) {
      last[2] = [last[2], whole].filter(Boolean).join(' ');
    } else {
      found.push(isTable ? cells : partsOf(heading?.['title'] ?? whole, dateOf));
    }
  });
  const contents = found.filter((one) => Array.isArray(one));
  const guessed = isTable ? rolesOfTable(contents, dateOf) : rolesOfLines(contents, plan);
  const roles = guessed.map((role, index) => chosen[index] ?? role);
  const rows = found.map((one) => (Array.isArray(one) ? sessionOf(one, roles, dateOf) : one));
  return { roles, rows: onDays(rows, plan), headings, empty: all.length - lines.length };
}

function clean(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The cells of a spreadsheet, of which those with line breaks are in quotes. */
function tableIn(text: string): string[][] {
  const rows: string[][] = [];
  const cells = /([\t\n])(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))/g;
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  for (const [, before, quoted, plain = ''] of `\n${lines}`.matchAll(cells)) {
    if (before === '\n') {
      rows.push([]);
    }
    rows.at(-1)?.push(clean(quoted?.replaceAll('""', '"') ?? plain));
  }
  return rows;
}

const headingPattern =
  /^[#*\s]*(?:(?<week>weeks?|semaines?)|modules?|units?|parts?|parties?|unités?) (?<first>\d{1,3})(?: ?(?:[-–—&]|to|and|à|et) ?(?<last>\d{1,3}))?[*\s]*(?:[:.–—-] ?(?<title>.*))?$/iu;
const isHead = (cell: string) =>
  /^(?:#|n°|no\.?|dates?|days?|jours?|titles?|titres?|topics?|thèmes?|sujets?|sessions?|séances?|weeks?|semaines?|readings?|lectures?|public line)$/iu.test(
    cell,
  );
const numberPattern =
  /^(?:(?:week|session|class|module|unit|part|semaine|séance|cours|partie|unité|n°|no\.?) ?)?\d{1,3}[.)]?$/iu;
const readingPattern = /^(?:readings?|to read|lectures?|à lire) ?:/iu;
const inlineReading = /^(.+?)[\s.;,–—(-]+((?:readings?|to read|lectures?|à lire) ?:.*)$/iu;
const sameMonthPattern =
  /^(?:\p{L}+(?:di|anche|day) )?(\d{1,2})(?:er)? ?[-–—] ?(\p{L}* ?\d{1,2} \p{L}.*)$/iu;
const unopenedPattern = /^([^()]*(?:\([^()]*\)[^()]*)*)\)\.?$/;
// Not after abbreviations, which are short but for these two.
const twoSentences = /^(.*?[\p{L}\p{N}]{4}[)”»]?)(?<!\b[Pp]rof|\b[Cc]hap)\. (?=\p{Lu})(.+)$/u;
const bulletPattern =
  /^(?:[#*•·▪◦–—-]+ |\d{1,3}[.)] |(?:session|class|séance|cours) \d{1,3} ?[:.–—-] ?)+/iu;
const noClassPattern = /^(?:no (?:class|session)e?s?\b|pas de (?:cours|séance)\b)[\s:–—(,-]*/iu;
const holidayPattern =
  /^(?:(?:[\p{L}’'.]+ ){0,3}(?:holidays?|vacation|recess|day off)\W*|(?:\p{L}+ ){1,2}break|(?:jours? )?fériés?.*|vacances\b.*|congés?\b.*)$/iu;

/** Why there is no class, if that is what a text says; else null. */
function reasonIn(text: string): string | null {
  return noClassPattern.test(text) || holidayPattern.test(text)
    ? text.replace(noClassPattern, '').replace(/[\s).]+$/, '')
    : null;
}

/** Days without class: the weeks of a heading, or the days at the beginning of a line. */
function spanIn(
  text: string,
  heading: Record<string, string> | undefined,
  { from }: Plan,
  dateOf: DateOf,
): Span | null {
  const ofWeeks = heading?.['week'] === undefined ? null : reasonIn(heading['title'] ?? '');
  if (ofWeeks !== null) {
    const dayOf = (week: string | undefined) => addDays(from, (Number(week) - 1) * 7);
    const [first, last = first] = [heading?.['first'], heading?.['last']];
    return { from: dayOf(first), to: addDays(dayOf(last), 6), reason: ofWeeks };
  }
  // `16 – 25 Feb`, `Feb 16 – 25` or two dates.
  const dashed = text.replace(/^(?:du|from) (.{1,25}?) (?:au|to) /iu, '$1 – ');
  const [, firstNo, whole = dashed] = sameMonthPattern.exec(dashed) ?? [];
  const first = dateOf(whole);
  const last = dateOf(first?.rest ?? '');
  const rest = last?.rest ?? first?.rest ?? '';
  const [, lastNo, after = rest] = (!last && /^(\d{1,2})\b[\s:–—|,.·-]+(.*)$/.exec(rest)) || [];
  const reason = reasonIn(after);
  if (first === null || reason === null) {
    return null;
  }
  const inMonth = (day: Day, no: string | undefined) =>
    no === undefined ? day : `${day.slice(0, 8)}${no.padStart(2, '0')}`;
  return { from: inMonth(first.day, firstNo), to: last?.day ?? inMonth(first.day, lastNo), reason };
}

/** Whether a line is only a heading: without a title, or with sessions below it. */
function isHeading(heading: Record<string, string> | undefined, below: string[][]): boolean {
  if (heading === undefined) {
    return false;
  }
  const next = below.map((cells) => cells.join(' ')).find((text) => !readingPattern.test(text));
  return !heading['title'] || (next !== undefined && !headingPattern.test(next));
}

/** The day, the title and the public line of a line of text. */
function partsOf(text: string, dateOf: DateOf): string[] {
  const line = text.replace(bulletPattern, '');
  const date = dateOf(line);
  const rest = (date?.rest ?? line).replace(bulletPattern, '');
  // A mere list of titles is taken as it is.
  const [, title = rest, reading = ''] =
    inlineReading.exec(rest) ?? (date && twoSentences.exec(rest)) ?? [];
  const day = line.slice(0, line.length - (date?.rest ?? line).length);
  return [day, title, reading.replace(unopenedPattern, '$1')];
}

function rolesOfLines(rows: string[][], { at }: Plan): Role[] {
  const isList = rows.every(([day, , line]) => !day && !line);
  return isList && at?.column === 'line' ? ['day', 'line', 'none'] : ['day', 'title', 'line'];
}

function rolesOfTable(rows: string[][], dateOf: DateOf): Role[] {
  const texts: Role[] = ['title', 'line'];
  const count = Math.max(0, ...rows.map(({ length }) => length));
  return Array.from({ length: count }, (_, index) => {
    const cells = rows.flatMap((row) => row[index] || []);
    const areMost = (is: (cell: string) => boolean) => cells.filter(is).length * 2 > cells.length;
    if (areMost((cell) => dateOf(cell)?.rest === '')) {
      return 'day';
    }
    return cells.length === 0 || areMost((cell) => numberPattern.test(cell))
      ? 'none'
      : (texts.shift() ?? 'none');
  });
}

type Session = { date: Dated | null; title: string; line: string; cells: string[] };

function sessionOf(cells: string[], roles: Role[], dateOf: DateOf): Session {
  const textOf = (role: Role) =>
    cells.filter((cell, index) => cell !== '' && roles[index] === role).join(' ');
  const title = textOf('title');
  // The day may also be before the title, in the same cell.
  const date = dateOf(textOf('day')) ?? dateOf(title);
  const isBefore = date !== null && dateOf(textOf('day')) === null;
  return { date, title: isBefore ? date.rest : title, line: textOf('line'), cells };
}

/** Gives a day to each: its own, or the next one with class that is left. */
function onDays(found: (Session | Span)[], plan: Plan): SyllabusRow[] {
  const { rows, at, from, to } = plan;
  const planned = rows.filter(({ isAdded }) => !isAdded).map(({ day }) => day);
  const own = found.flatMap((one) => ('date' in one && one.date ? [one.date.day] : []));
  const weekdays = new Set((planned.length > 0 ? planned : own).map(weekdayNumber));
  const daysOf = (one: Span) => {
    const days = meetingDays(one.from, one.to, [...weekdays]).filter((day) => !own.includes(day));
    return days.length > 0 ? days : [one.from];
  };
  const taken = new Set([...own, ...found.flatMap((one) => ('date' in one ? [] : daysOf(one)))]);
  const start = rows.findIndex(({ key }) => key === at?.key);
  const left = rows.filter((row) => !row.isOff && !taken.has(row.day));
  let last = '';
  const nextDay = (): Day => {
    // After a date, the place of the paste says nothing.
    const row = left.find((one) => (last === '' ? rows.indexOf(one) >= start : one.day > last));
    const after = addDays(last || rows.at(-1)?.day || addDays(from, -7), 1);
    const [day = addDays(after, 6)] = meetingDays(after, addDays(after, 60), [...weekdays]).filter(
      (one) => !taken.has(one),
    );
    return row?.day ?? day;
  };
  return found.map((one) => {
    const isSpan = !('date' in one);
    const days = isSpan ? daysOf(one) : [one.date?.day ?? nextDay()];
    last = days.at(-1) ?? last;
    const isMarked = isSpan || one.date !== null || noClassPattern.test(one.title);
    const reason = isSpan ? one.reason : isMarked ? reasonIn(one.title) : null;
    if (isSpan || reason !== null) {
      return { days, title: '', line: reason ?? '', isOff: true, cells: [], doubt: null };
    }
    const [day = ''] = days;
    const texts = { title: one.title, line: one.line, cells: one.cells, isOff: false };
    const [[, wrong = null] = []] = wrongTexts({
      ...addedRow(day),
      title: one.title,
      line: one.line,
    });
    const isOutside = from !== '' && to !== '' && (day < from || day > to);
    const isOther = one.date !== null && !weekdays.has(weekdayNumber(day));
    const isMisnamed = one.date?.weekday != null && one.date.weekday !== weekdayNumber(day);
    const ofDay = isOutside ? 'outside' : isOther || isMisnamed ? 'otherWeekday' : null;
    return { days: [day], ...texts, doubt: wrong ?? (day === '' ? 'undated' : ofDay) };
  });
}

// As English and French write them, in order.
const months =
  'jan(?:v(?:ier)?|uary)? f[eé]v(?:r(?:ier)?)?|feb(?:ruary)? mar(?:s|ch)? avr(?:il)?|apr(?:il)? ma[iy] june?|juin july?|juil(?:let)? ao[uû]t|aug(?:ust)? sep(?:t(?:emb(?:er|re))?)? oct(?:ob(?:er|re))? nov(?:emb(?:er|re))? d[eé]c(?:emb(?:er|re))?'.split(
    ' ',
  );
const weekdayNames =
  'sun(?:day)?|dim(?:anche)? mon(?:day)?|lun(?:di)? tue(?:s(?:day)?)?|mar(?:di)? wed(?:nesday)?|mer(?:credi)? thu(?:rs?(?:day)?)?|jeu(?:di)? fri(?:day)?|ven(?:dredi)? sat(?:urday)?|sam(?:edi)?'.split(
    ' ',
  );
const [month, weekday] = [months, weekdayNames].map(
  (names) => `(?:${names.join('|')})(?!\\p{L})\\.?`,
);
const number = '\\d{1,2}(?:er|st|nd|rd|th)?';
const datePattern = new RegExp(
  `^(?:(?<weekday>${weekday}),? )?(?:(?<iso>20\\d\\d-\\d\\d-\\d\\d)|(?<one>\\d{1,2})(?:/(?<two>\\d{1,2})(?:/(?<year>(?:20)?\\d\\d))?|[.-](?<three>\\d{1,2})[.-](?<year3>(?:20)?\\d\\d))|(?:(?<day>${number}) (?<month>${month})|(?<month2>${month}) (?<day2>${number}))(?:,? (?<year2>20\\d\\d))?)(?![\\p{L}\\d/])`,
  'iu',
);
const timePattern =
  /^[\s,–—-]*(?:at |à )?\d{1,2}(?::\d\d|h\d\d|h| ?[ap]m)(?: ?[ap]m)?(?: ?[-–—] ?\d{1,2}(?::\d\d|h\d\d|h| ?[ap]m)(?: ?[ap]m)?)?(?![\p{L}\d])/iu;

/** The date at the beginning of a text, and what follows it. */
function dateIn(text: string, { from, today }: Plan, isDayFirst: boolean): Dated | null {
  const { 0: whole = '', groups } = datePattern.exec(text) ?? {};
  if (groups === undefined) {
    return null;
  }
  const placeIn = (names: string[], name = '') =>
    names.findIndex((pattern) => new RegExp(`^(?:${pattern})\\.?$`, 'iu').test(name));
  const numbers = [groups['one'], groups['two'] ?? groups['three']];
  const [ofNumbers, monthNo] = isDayFirst || groups['three'] ? numbers : numbers.toReversed();
  const name = groups['month'] ?? groups['month2'];
  const monthAndDay = [
    name ? placeIn(months, name) + 1 : monthNo,
    Number.parseInt(groups['day'] ?? groups['day2'] ?? ofNumbers ?? '', 10),
  ].map((no) => String(no).padStart(2, '0'));
  const year = groups['year'] ?? groups['year2'] ?? groups['year3'];
  // Without a year, the next one after the cohort was planned.
  const earliest = addDays(from || today, -60);
  const years = year
    ? [2000 + Number(year.slice(-2))]
    : [0, 1].map((more) => Number(earliest.slice(0, 4)) + more);
  const day = (
    groups['iso'] ? [groups['iso']] : years.map((one) => [one, ...monthAndDay].join('-'))
  ).find((one) => isDay(one) && (one >= earliest || year || groups['iso']));
  const weekday = groups['weekday'] ? placeIn(weekdayNames, groups['weekday']) : null;
  const rest = text
    .slice(whole.length)
    .replace(timePattern, '')
    .replace(/^[\s:–—|,.)·-]+/, '');
  return day === undefined ? null : { day, weekday, rest };
}
