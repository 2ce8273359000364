import { globSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { nodesOf, plainTextLike, textIn, typedAddress, typedTexts } from '#support/typed-texts.ts';
import { pageList } from '../page-list.ts';
import {
  type BuiltWorker,
  createCohort,
  createInvited,
  createMeetings,
  createParticipant,
  createVisitor,
  signUpNewcomer,
  signUpPerson,
  startBuiltWorker,
  tokenIn,
  type Visitor,
} from './worker.ts';

type Reader = 'teacher' | 'newcomer' | 'stranger';
type Page = { path: string; reader: Reader; shows: readonly (keyof Names)[] };

const ofCourse = { reader: 'teacher', shows: ['first', 'last', 'course', 'address'] } as const;
const ofCohort = { ...ofCourse, shows: [...ofCourse.shows, 'cohort'] } as const;
const ofAStranger = { reader: 'stranger', shows: [] } as const;

/** Every page of src/pages, with the reader who sees the most, and its data. */
const pages: Record<string, Page> = {
  ...Object.fromEntries(
    pageList
      .filter(({ reader }) => reader === 'instructor')
      .map(({ file, path }) => [
        file,
        { path, ...(path.startsWith('/cohorts/[id]') ? ofCohort : ofCourse) },
      ]),
  ),
  'c/[slug]': {
    path: '/c/[slug]',
    reader: 'stranger',
    shows: ['first', 'last', 'course', 'cohort'],
  },
  'p/[link]': {
    path: '/p/[link]?lang=LANGUAGE',
    reader: 'stranger',
    shows: ['first', 'last', 'course', 'cohort'],
  },
  'p/confirm': {
    path: '/p/confirm?token=REQUEST&lang=LANGUAGE',
    reader: 'stranger',
    shows: ['cohort'],
  },
  'p/address': {
    path: '/p/address?token=ADDRESS&lang=LANGUAGE',
    reader: 'stranger',
    shows: [],
  },
  'p/data': {
    path: '/p/data?token=DATA&lang=LANGUAGE',
    reader: 'stranger',
    shows: ['first', 'last'],
  },
  'p/unsubscribe': {
    path: '/p/unsubscribe?u=UNSUBSCRIBE&lang=LANGUAGE',
    reader: 'stranger',
    shows: ['first', 'last'],
  },
  'p/remove': {
    path: '/p/remove?token=REMOVAL&lang=LANGUAGE',
    reader: 'stranger',
    shows: ['first', 'last'],
  },
  'cohorts/[id]/preview': {
    path: '/cohorts/[id]/preview',
    reader: 'teacher',
    shows: ['first', 'last', 'course', 'cohort'],
  },
  '404': { path: '/%3Cb%3E%7B0%7D', ...ofAStranger },
  // The teacher's link in the newcomer's browser.
  confirm: { path: '/confirm?token=TOKEN', reader: 'newcomer', shows: ['newcomersAddress'] },
  login: { path: '/login?error=%3Cb%3E%7B0%7D', ...ofAStranger },
  'onboarding/course': {
    path: '/onboarding/course',
    reader: 'newcomer',
    shows: ['first', 'last', 'newcomersAddress'],
  },
  privacy: { path: '/privacy', reader: 'stranger', shows: ['contact'] },
  'settings/index': {
    path: '/settings',
    reader: 'teacher',
    shows: [...ofCourse.shows, 'newAddress', 'contact'],
  },
  signup: { path: '/signup', ...ofAStranger },
  terms: { path: '/terms', ...ofAStranger },
  'undo-address-change': { path: '/undo-address-change?token=STOP', ...ofAStranger },
};

/** All of them are valid; operators' settings are data too. */
const addresses = {
  address: typedAddress,
  newAddress: `new-${typedAddress}`,
  newcomersAddress: `newcomer-${typedAddress}`,
  contact: `us-${typedAddress}`,
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
let invited: Awaited<ReturnType<typeof createInvited>>;
let meetingId: string;
let participant: Awaited<ReturnType<typeof createParticipant>>;

beforeAll(async () => {
  built = await startBuiltWorker({ MAIL_FROM: `Lectern <${addresses.contact}>` });
  const person = { firstName: 'Ada', lastName: 'Lovelace', courseName: 'Biology 101' };
  const { address, newAddress, newcomersAddress } = addresses;
  browsers = {
    teacher: await signUpPerson(built, { ...person, email: address }),
    newcomer: await signUpNewcomer(built, { ...person, email: newcomersAddress }),
    stranger: createVisitor(built.server),
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
  await built.sql("INSERT INTO undeliverable_addresses VALUES (?, 'bounced', 1)", address);
  // Two days ago, so that the settings show the same during the whole run.
  await built.sql('UPDATE sessions SET created_at = created_at - 172800000');
});

afterAll(async () => {
  await built.close();
});

afterEach(() => {
  const lines = built.server.getLogs().filter(({ level }) => level === 'error');
  built.server.clearLogs();
  expect(lines).toEqual([]);
});

test('every page is covered', () => {
  const files = globSync('**/*.tsx', { cwd: 'src/pages' })
    .filter((file) => !file.startsWith('_'))
    .map((file) => file.replace('.tsx', ''));

  expect(Object.keys(pages).sort()).toEqual(files.sort());
});

test.each(Object.entries(typedTexts))(
  'in names, %s appear on every page as typed, in both languages',
  async (_kind, typed) => {
    const typedNames = namesOf(typed);
    const plainNames = namesOf(plainTextLike(typed));
    const withPlain = await readAllPages(plainNames);
    const withTyped = await readAllPages(typedNames);
    const rename = (text: string) => renamed(text, typedNames, plainNames);
    for (const [index, { page, nodes, data }] of withTyped.entries()) {
      for (const name of page.shows) {
        expect(textIn(nodes), page.path).toContain(typedNames[name]);
      }
      // Apart from the names it is the same page: no tag was lost or added.
      expect(partsOf(nodes.map(rename)), page.path).toEqual(partsOf(withPlain[index]?.nodes));
      expect(new Set(data.map(rename)), page.path).toEqual(new Set(withPlain[index]?.data));
    }
  },
);

/** Inserts names past the forms, which refuse many of these. */
async function readAllPages({ first, last, course, cohort: name }: Names) {
  await built.sql('UPDATE users SET first_name = ?, last_name = ?', first, last);
  await built.sql('UPDATE courses SET name = ?', course);
  await built.sql('UPDATE cohorts SET name = ?, description = ?, place = ?', name, name, name);
  const reads = ['en', 'fr'].flatMap((language) =>
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
  const data = self.__FLIGHT_DATA?.join('').match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  return {
    page,
    // A long name is set smaller on its cover.
    nodes: nodesOf(shown.replaceAll(unsettled, '').replaceAll(' data-long="true"', '')),
    // A string with one leading dollar sign refers to another part, by an unordered number.
    data: data.map((json): string => JSON.parse(json)).filter((text) => !/^\$(?!\$)/.test(text)),
  };
}

function renamed(text: string, names: Names, others: Names): string {
  const keys = ['first', 'last', 'course', 'cohort'] as const;
  return keys.reduce((rest, key) => rest.replaceAll(names[key], () => others[key]), text);
}
