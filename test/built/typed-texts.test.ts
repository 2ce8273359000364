import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { shortTitle, visibleText } from '#lib/text.ts';
import { nodesOf, plainTextLike, textIn, typedAddress, typedTexts } from '#support/typed-texts.ts';
import { words } from '#support/words.ts';
import { hasEveryCase } from '../every-case.ts';
import { pageList, type Reader } from '../page-list.ts';
import { serveEmpty } from './pages.ts';
import { createReaders, type Readers } from './readers.ts';
import { askForAddress, type BuiltWorker } from './worker.ts';

type Page = { path: string; reader: Reader };

/** Every page of src/pages. */
const pages: Page[] = [
  ...pageList,
  // What was typed into the address.
  { path: '/%3Cb%3E%7B0%7D', reader: 'nobody' },
  { path: '/login?error=%3Cb%3E%7B0%7D', reader: 'nobody' },
  // The instructor's link in the newcomer's browser.
  { path: '/confirm', reader: 'newcomer' },
];

/** What is not shown as on most pages of instructors, or of others. */
const shownOn: Record<string, string> = {
  ...Object.fromEntries(
    words('/c/[slug] /p/[link] /cohorts/[id]/preview /learn').map((path) => [
      path,
      'first last course cohort',
    ]),
  ),
  ...{ '/p/confirm': 'cohort', '/privacy': 'contact', '/onboarding/course': 'first last' },
  ...{ '/p/data': 'first last', '/p/unsubscribe': 'first last', '/p/remove': 'first last' },
  ...{ '/cohorts/preview': 'first last course', '/lessons/preview': 'first last course' },
  ...{ '/learn/[course]': 'first last course', '/lessons/preview/[id]': 'course' },
  ...{ '/learn/[course]/[lesson]': 'course', '/learn/[course]/all': 'course' },
  '/learn/[course]/search': 'course',
  '/settings': 'first last course address newAddress contact',
};

/** The names that a page shows. */
function namesOn({ path, reader }: Page): string[] {
  const ofCohort = path.startsWith('/cohorts/[id]') ? 'cohort' : '';
  const usual = reader === 'instructor' ? `first last course address ${ofCohort}` : '';
  return words(shownOn[path] ?? usual).filter(Boolean);
}

function namesOf(text: string) {
  return {
    address: typedAddress,
    newAddress: `new-${typedAddress}`,
    contact: `us-${typedAddress}`,
    first: `${text} first`,
    last: `${text} last`,
    course: `${text} course`,
    cohort: `${text} cohort`,
  };
}

type Names = ReturnType<typeof namesOf>;

let built: BuiltWorker;
let readers: Readers;

serveEmpty(async (worker) => {
  built = worker;
  const person = { firstName: 'Ada', lastName: 'Lovelace', courseName: 'Biology 101' };
  readers = await createReaders(built, { ...person, email: typedAddress });
  await askForAddress(readers.instructor, `new-${typedAddress}`);
  await built.sql("UPDATE enrollments SET completed_at = 1 WHERE status = 'enrolled'");
  await built.sql("INSERT INTO undeliverable_addresses VALUES (?, 'bounced', 1)", typedAddress);
  // Otherwise one page may say "just now", and the next one "1 minute ago".
  for (const [table, column] of [
    ['sessions', 'created_at'],
    ['links', 'created_at'],
    ['enrollment_events', 'at'],
    ['learning', 'last_seen_at'],
  ]) {
    await built.sql(`UPDATE ${table} SET ${column} = ${column} - 172800000`);
  }
  await built.sql('UPDATE links SET expires_at = expires_at + 172800000');
});

/** Something of every kind, as short as a name has to be. */
const medley = String.raw`a <b>b</b> <0>c</0> <1/> {name} {0, plural, other {#}} '{' &amp; "d" </script><!-- ]]> $& $1 %s \u003ce\u003e \n ${'\u202eשלום\u200b'}`;

/** At night each kind alone, in both languages. */
const kinds = Object.entries(hasEveryCase ? typedTexts : { 'a medley of all': medley });

test.each(kinds)('in names, %s appears on every page as typed', async (_kind, typed) => {
  const languages = hasEveryCase ? ['en', 'fr'] : ['fr'];
  const typedNames = namesOf(typed);
  const plainNames = namesOf(plainTextLike(typed));
  const withPlain = await readAllPages(plainNames, languages);
  const withTyped = await readAllPages(typedNames, languages);
  const rename = (text: string) => renamed(text, typedNames, plainNames);
  for (const [index, { page, nodes, data }] of withTyped.entries()) {
    const names: Record<string, string> = typedNames;
    const missing = namesOn(page).filter((name) => !textIn(nodes).includes(names[name] ?? '?'));
    expect(missing, page.path).toEqual([]);
    // Apart from the names it is the same page: no tag was lost or added.
    expect(partsOf(nodes.map(rename)), page.path).toEqual(partsOf(withPlain[index]?.nodes));
    expect(new Set(data.map(rename)), page.path).toEqual(new Set(withPlain[index]?.data));
  }
});

/** Inserts names past the forms, which refuse many of these. */
async function readAllPages(
  { first, last, course, cohort: name }: Names,
  languages: readonly string[],
) {
  await built.sql('UPDATE users SET first_name = ?, last_name = ?', first, last);
  await built.sql('UPDATE courses SET name = ?', course);
  await built.sql('UPDATE cohorts SET name = ?, description = ?, place = ?', name, name, name);
  const reads = languages.flatMap((language) => pages.map((page) => readPage(page, language)));
  return Promise.all(reads);
}

/** Streamed scripts come in any order, between or inside two texts. */
const unsettled = /<link rel="modulepreload"[^>]*>|<!-- -->|<\/(?:body|html)>/g;

/**
 * The elements and texts of a page in any order: React sends the parts of a long document at its
 * end, with templates in their places, and names of more bytes make documents longer.
 */
function partsOf(nodes: string[] = []): string[] {
  return nodes.filter((node) => !/^(?:$|<(?:\/|!--|template|div hidden id="S:))/.test(node)).sort();
}

/** What a browser reads from a page: its visible text, and the strings in React's payload. */
async function readPage(page: Page, language: string) {
  const { path, reader } = page;
  const { status, headers, text } = await readers[reader].get(readers.addressOf(path, language), {
    'Accept-Language': language,
  });
  expect(status, path).toBe(path.startsWith('/%') ? 404 : 200);
  // Another one in each response.
  const [, nonce = ''] = /'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '') ?? [];
  const html = text.replaceAll(nonce, 'NONCE');
  const self: { __FLIGHT_DATA?: string[] } = {};
  // A script ends at the first end tag, even inside a string.
  const shown = html.replace(/<script[^>]*>(.*?)<\/script>/gs, (_script, code: string) => {
    if (code.startsWith('(self.__FLIGHT_DATA')) {
      runInNewContext(code, { self });
    }
    return '';
  });
  return {
    page,
    // A long name is set smaller on its cover.
    nodes: nodesOf(shown.replaceAll(unsettled, '').replaceAll(' data-long="true"', '')),
    data: stringsOf(self.__FLIGHT_DATA?.join('')).map(unescapedEmail),
  };
}

/** The strings in React's payload: long ones after their length in bytes, others as JSON. */
function stringsOf(payload = ''): string[] {
  const strings: string[] = [];
  let rest = Buffer.from(payload);
  while (rest.length > 0) {
    const start = rest.subarray(0, 30).toString('latin1');
    const [head, length] = /^[0-9a-f]+:T([0-9a-f]+),/.exec(start) ?? ['', ''];
    const end = length === '' ? rest.indexOf('\n') + 1 : head.length + Number.parseInt(length, 16);
    const row = rest.subarray(head.length, end || rest.length).toString();
    strings.push(...(length === '' ? stringsOfRow(row) : [row]));
    rest = rest.subarray(end || rest.length);
  }
  return strings;
}

/** Previews of emails are documents: unescaped, with what separates tags from texts. */
function unescapedEmail(text: string): string {
  return /^<!doctype html/i.test(text) ? nodesOf(text).join('\n') : text;
}

function stringsOfRow(row: string): string[] {
  const strings = (row.match(/"(?:[^"\\]|\\.)*"/g) ?? []).map((json): string => JSON.parse(json));
  // With one leading dollar sign it refers to another part, by an unordered number.
  return strings.filter((text) => !/^\$(?!\$)/.test(text)).map((text) => text.replace(/^\$/, ''));
}

function renamed(text: string, names: Names, others: Names): string {
  const keys = ['first', 'last', 'course', 'cohort'] as const;
  // Other sites are told names without what is not seen, and subjects have a short one of the course.
  const spellings = [
    ...keys.flatMap((key) => [names[key], visibleText(names[key])].map((name) => [key, name])),
    ['course', shortTitle(names.course)],
  ] as [(typeof keys)[number], string][];
  return spellings.reduce((rest, [key, name]) => rest.replaceAll(name, () => others[key]), text);
}
