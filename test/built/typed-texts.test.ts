import { globSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { shortTitle, visibleText } from '#lib/text.ts';
import { nodesOf, plainTextLike, textIn, typedAddress, typedTexts } from '#support/typed-texts.ts';
import { hasEveryCase } from '../every-case.ts';
import { pageList } from '../page-list.ts';
import { contact, serveEmpty } from './pages.ts';
import {
  type BuiltWorker,
  createCohort,
  createInvited,
  createLesson,
  createMeetings,
  createParticipant,
  createVisitor,
  openCourse,
  signUpNewcomer,
  signUpPerson,
  tokenIn,
  type Visitor,
} from './worker.ts';

type Reader = 'teacher' | 'newcomer' | 'stranger' | 'learner';
type Page = { path: string; reader: Reader; shows: readonly (keyof Names)[] };

const names = ['first', 'last'] as const;
const namesAndAddress = [...names, 'course', 'address'] as const;
const byLink = { reader: 'stranger', shows: names } as const;
const ofCohort = { reader: 'stranger', shows: [...names, 'course', 'cohort'] } as const;
const ofCourse = { reader: 'learner', shows: [...names, 'course'] } as const;
const ofNobody = { reader: 'stranger', shows: [] } as const;

/** Every page of src/pages, with the reader who sees the most, and its data. */
const pages: Record<string, Page> = {
  ...Object.fromEntries(
    pageList
      .filter(({ reader }) => reader === 'instructor')
      .map(({ file, path }) => {
        const shows = path.startsWith('/cohorts/[id]')
          ? ([...namesAndAddress, 'cohort'] as const)
          : namesAndAddress;
        return [file, { path, reader: 'teacher', shows }];
      }),
  ),
  'c/[slug]': { path: '/c/[slug]', ...ofCohort },
  'p/[link]': { path: '/p/[link]?lang=LANGUAGE', ...ofCohort },
  'p/certificate': { path: '/p/certificate?token=[link]&lang=LANGUAGE', ...ofNobody },
  'p/confirm': { path: '/p/confirm?token=REQUEST&lang=LANGUAGE', ...byLink, shows: ['cohort'] },
  'p/address': { path: '/p/address?token=ADDRESS&lang=LANGUAGE', ...ofNobody },
  'p/paid': { path: '/p/paid?c=PAYMENT&lang=LANGUAGE', ...ofNobody },
  'p/data': { path: '/p/data?token=DATA&lang=LANGUAGE', ...byLink },
  'p/unsubscribe': { path: '/p/unsubscribe?u=UNSUBSCRIBE&lang=LANGUAGE', ...byLink },
  'p/remove': { path: '/p/remove?token=REMOVAL&lang=LANGUAGE', ...byLink },
  'cohorts/preview': { path: '/cohorts/preview', ...ofCourse, reader: 'teacher' },
  'cohorts/[id]/preview': { path: '/cohorts/[id]/preview', ...ofCohort, reader: 'teacher' },
  'lessons/preview/index': { path: '/lessons/preview', ...ofCourse, reader: 'teacher' },
  'lessons/preview/[id]': {
    path: '/lessons/preview/[lesson]',
    ...ofCourse,
    reader: 'teacher',
    shows: ['course'],
  },
  'learn/index': { path: '/learn', ...ofCourse, shows: [...names, 'course', 'cohort'] },
  'learn/[course]/index': { path: '/learn/[course]', ...ofCourse },
  'learn/[course]/[lesson]': { path: '/learn/[course]/[lesson]', ...ofCourse, shows: ['course'] },
  'learn/[course]/all': { path: '/learn/[course]/all', ...ofCourse, shows: ['course'] },
  'learn/[course]/search': { path: '/learn/[course]/search', ...ofCourse, shows: ['course'] },
  'learn/[course]/attestation': {
    path: '/learn/[course]/attestation',
    ...ofNobody,
    reader: 'learner',
  },
  '404': { path: '/%3Cb%3E%7B0%7D', ...ofNobody },
  // The teacher's link in the newcomer's browser.
  confirm: { path: '/confirm?token=TOKEN', reader: 'newcomer', shows: ['newcomersAddress'] },
  login: { path: '/login?error=%3Cb%3E%7B0%7D', ...ofNobody },
  'onboarding/course': {
    path: '/onboarding/course',
    reader: 'newcomer',
    shows: [...names, 'newcomersAddress'],
  },
  privacy: { path: '/privacy', reader: 'stranger', shows: ['contact'] },
  'settings/index': {
    path: '/settings',
    reader: 'teacher',
    shows: [...namesAndAddress, 'newAddress', 'contact'],
  },
  signup: { path: '/signup', ...ofNobody },
  terms: { path: '/terms', ...ofNobody },
  'undo-address-change': { path: '/undo-address-change?token=STOP', ...ofNobody },
};

/** All of them are valid; operators' settings are data too. */
const addresses = {
  address: typedAddress,
  newAddress: `new-${typedAddress}`,
  newcomersAddress: `newcomer-${typedAddress}`,
  contact,
};

function namesOf(text: string) {
  return {
    ...addresses,
    first: `${text} first`,
    last: `${text} last`,
    course: `${text} course`,
    cohort: `${text} cohort`,
  };
}

type Names = ReturnType<typeof namesOf>;

let built: BuiltWorker;
let browsers: Record<Reader, Visitor>;
/** The token of the link that changes the teacher's address. */
let token: string;
/** The token of the link that stops this change. */
let stopToken: string;
let cohort: { id: string; slug: string };
let courseId: string;
let lessonId: string;
let invited: Awaited<ReturnType<typeof createInvited>>;
let meetingId: string;
let participant: Awaited<ReturnType<typeof createParticipant>>;

serveEmpty(async (worker) => {
  built = worker;
  const person = { firstName: 'Ada', lastName: 'Lovelace', courseName: 'Biology 101' };
  const { address, newAddress, newcomersAddress } = addresses;
  browsers = {
    teacher: await signUpPerson(built, { ...person, email: address }),
    newcomer: await signUpNewcomer(built, { ...person, email: newcomersAddress }),
    stranger: createVisitor(built.server),
    learner: createVisitor(built.server),
  };
  const { teacher } = browsers;
  const account = await teacher.request('/api/accounts/auth/user/');
  const { id } = (await account.json()) as { id: string };
  await teacher.send('PATCH', `/api/accounts/${id}/`, { email: newAddress });
  token = tokenIn((await built.mailsTo(newAddress)).at(-1));
  stopToken = tokenIn((await built.mailsTo(address)).at(-1));
  cohort = await createCohort(teacher);
  meetingId = await createMeetings(teacher, cohort, 2);
  participant = await createParticipant(built, teacher, cohort);
  invited = await createInvited(built, teacher, cohort);
  const courses = await teacher.request('/api/courses/');
  [{ id: courseId = '' } = {}] = (await courses.json()) as { id?: string }[];
  lessonId = await createLesson(teacher, courseId, { text: 'Nobody asks.' });
  browsers.learner = await openCourse(built, participant.link);
  await built.sql("INSERT INTO undeliverable_addresses VALUES (?, 'bounced', 1)", address);
  // Otherwise one page may say "just now", and the next one "1 minute ago".
  for (const [table, column] of [
    ['sessions', 'created_at'],
    ['links', 'created_at'],
    ['enrollment_events', 'at'],
  ]) {
    await built.sql(`UPDATE ${table} SET ${column} = ${column} - 172800000`);
  }
});

test('every page is covered', () => {
  const files = globSync('**/*.tsx', { cwd: 'src/pages' })
    .filter((file) => !file.startsWith('_'))
    .map((file) => file.replace('.tsx', ''));

  expect(Object.keys(pages).sort()).toEqual(files.sort());
});

/** Something of every kind, as short as a name has to be. */
const medley = String.raw`a <b>b</b> <0>c</0> <1/> {name} {0, plural, other {#}} '{' &amp; "d" </script><!-- ]]> $& $1 %s \u003ce\u003e \n ${'\u202eשלום\u200b'}`;

/** At night each kind alone, in both languages. */
const kinds = hasEveryCase ? Object.entries(typedTexts) : [['a medley of all', medley] as const];

test.each(kinds)('in names, %s appears on every page as typed', async (_kind, typed) => {
  const languages = hasEveryCase ? ['en', 'fr'] : ['fr'];
  const typedNames = namesOf(typed);
  const plainNames = namesOf(plainTextLike(typed));
  const withPlain = await readAllPages(plainNames, languages);
  const withTyped = await readAllPages(typedNames, languages);
  const rename = (text: string) => renamed(text, typedNames, plainNames);
  for (const [index, { page, nodes, data }] of withTyped.entries()) {
    for (const name of page.shows) {
      expect(textIn(nodes), page.path).toContain(typedNames[name]);
    }
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
  const reads = languages.flatMap((language) =>
    Object.values(pages).map((page) => readPage(page, language)),
  );
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
  const headers = { 'Accept-Language': language };
  const response = await browsers[reader].request(
    path
      .replace('TOKEN', token)
      .replace('STOP', stopToken)
      .replace('[id]', cohort.id)
      .replace('[course]', courseId)
      .replace('[lesson]', lessonId)
      .replace('[enrollment]', participant.enrollmentId)
      .replace('[meeting]', meetingId)
      .replace('[link]', participant.link)
      .replace('REQUEST', participant.token)
      .replace('ADDRESS', participant.addressToken)
      .replace('DATA', participant.dataToken)
      .replace('REMOVAL', participant.removeToken)
      .replace('UNSUBSCRIBE', invited.token)
      .replace('[kind]', 'enrolled')
      .replace('LANGUAGE', language)
      .replace('[slug]', cohort.slug),
    { headers },
  );
  // Another one in each response.
  const [, nonce = ''] =
    /'nonce-([^']+)'/.exec(response.headers.get('Content-Security-Policy') ?? '') ?? [];
  const html = (await response.text()).replaceAll(nonce, 'NONCE');
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
