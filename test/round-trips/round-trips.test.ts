import { env } from 'cloudflare:workers';
import { Node } from '@tiptap/pm/model';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { counters } from '#db/schema/counters.ts';
import { downloadContent } from '#features/content-files/download-content.ts';
import { markdownToDocument } from '#features/content-files/from-markdown.ts';
import { planImport } from '#features/content-files/plan-import.ts';
import { sendLessons } from '#features/content-files/run-import.ts';
import { documentToMarkdown } from '#features/content-files/to-markdown.ts';
import { renderDocument } from '#features/documents/render-document.ts';
import type { Client } from '#support/client.ts';
import { db } from '#support/factories.ts';
import { repeatedBy } from '#support/repeated-by.ts';
import { fakeResend } from '#support/resend.ts';
import { everything } from '#support/rows.ts';
import { nodesOf, textIn } from '#support/typed-texts.ts';
import { fetchFile, png, text, upload } from '../features/files/support.ts';
import { createPaid } from '../features/ledger/support.ts';
import {
  addLesson,
  addSection,
  contentOf,
  createAuthor,
  createWriter,
  documentOf,
  lessonOf,
  save,
} from '../features/lessons/support.ts';
import { createOwner } from '../features/lists/support.ts';
import { backUp, restore } from './backup.ts';
import { chooser, documentBy, essence, files, schema } from './documents.ts';

/** Fixed; nightly runs make more round trips with other seeds. */
const seed = Number(env.FUZZ_SEED);

/**
 * What is known to get lost, and is therefore not generated. After fixing one, remove it from this
 * list: the tests then cover it.
 */
const knownLosses = {
  'marks on a line break': 'A lesson with one is refused when it is saved.',
  'an empty section': 'A download has no place for a section without lessons.',
  'release days': 'A download does not say when a section opens.',
  'triggers before the rows': 'By the guide, triggers are made first, and add rows of their own.',
  'a long text': 'The statement of a row over 100,000 bytes is too long for D1.',
};
const isMade = (what: string) => !(what in knownLosses);
const isUnwanted = (node: Node) =>
  !isMade('marks on a line break') && node.type.name === 'hardBreak' && node.marks.length > 0;

/** Sends what these choices make somewhere and back, and returns both. */
type Trip = { runs: number; nightly: number; go: (choices: number[]) => Promise<Arrived> };
type Arrived = { sent: unknown; got: unknown };

const trips: Record<string, Trip> = {
  'a text from the editor is saved, shown and written as Markdown, and the editor reads it again': {
    ...{ runs: 60, nightly: 2_000 },
    go: async (choices) => {
      const made = documentBy(choices, isUnwanted);
      const { client, lesson } = await createWriter();
      const saved = await save(client, lesson.id, made.toJSON(), lesson.draft_version);
      expect(saved.status, JSON.stringify(saved.body)).toBe(200);
      const { document } = await lessonOf(client, lesson.id);
      const markdown = write(document);
      const back = Node.fromJSON(schema, read(markdown));
      back.check();
      return {
        sent: [made.toJSON(), essence(made.toJSON()), markdown, wordsOf(made)],
        got: [document, essence(back.toJSON()), write(back.toJSON()), shownIn(document)],
      };
    },
  },
  'a downloaded course can be imported into another course without changes': {
    ...{ runs: 4, nightly: 200 },
    go: async (choices) => {
      const { client, course } = await createCourse(choices);
      const zip = await new Response(
        downloadContent({
          ...{ courseId: course.id, readme: 'Lessons', without: new Set(), onProgress: () => {} },
          signal: new AbortController().signal,
        }),
      ).blob();
      const other = await createAuthor();
      sendFrom(other.client);
      const signal = new AbortController().signal;
      const plan = await planImport([new File([zip], 'course.zip')], () => {}, signal);
      const keys = new Map<string, string>();
      for (const { key, name } of plan.files) {
        keys.set(key, (await uploadAs(other.client, other.course.id, name)).key);
      }
      const how = { isDry: false, idempotencyKey: crypto.randomUUID() };
      await sendLessons({ courseId: other.course.id, plan, keys }, how);
      return {
        sent: await lessonsOf(client, course.id),
        got: await lessonsOf(other.client, other.course.id),
      };
    },
  },
  'an exported list of people can be imported into another cohort without changes': {
    ...{ runs: 4, nightly: 200 },
    go: async (choices) => {
      const [owner, other] = [await createOwner(), await createOwner()];
      const { pick, some } = chooser(choices);
      await owner.add();
      for (const _ of some(6)) {
        const person = { name: pick(names), language: pick(['en', 'fr']) };
        const { status: added, body } = await owner.add(person);
        expect(added, JSON.stringify(body)).toBe(201);
        await patch(owner.client, `people/${body.person_id}`, { note: pick(notes) });
      }
      const list = await (await owner.exported()).text();
      const { status, body } = await other.importList({ text: list, as: 'enrolled' });
      expect(status, JSON.stringify(body)).toBe(200);
      const peopleOf = ({ user }: typeof owner) =>
        db.all(sql`SELECT email, name, language, note FROM people
          WHERE owner_id = ${user.id} ORDER BY email`);
      return { sent: await peopleOf(owner), got: await peopleOf(other) };
    },
  },
  'restoring a backup of the database brings back every row': {
    ...{ runs: 1, nightly: 50 },
    go: async (choices) => {
      const { client, course } = await createCourse(choices);
      if (isMade('a long text')) {
        await addLesson(client, course.id, { document: documentOf('中'.repeat(49_000)) });
      }
      const owner = await createPaid();
      const { choose, some } = chooser(choices);
      for (const _ of some(8)) {
        const { id } = await owner.enroll();
        await [owner.pay, owner.waive, owner.refund][choose(3)]?.(id, 1_000);
      }
      const sent = await everything();
      await restore(await backUp(isMade('triggers before the rows')));
      return { sent, got: await everything() };
    },
  },
};

beforeEach(() => {
  fakeResend();
});

test.each(Object.entries(trips))('%s', { timeout: 1_900_000 }, async (_, trip) => {
  const choices = fc.array(fc.nat(999), { maxLength: 150, size: 'max' });
  const property = fc.asyncProperty(fc.noBias(choices), async (all) => {
    await db.delete(counters);
    const { sent, got } = await trip.go(all);
    expect(got).toEqual(sent);
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, {
    ...{ seed, numRuns: env.EVERY_CASE ? trip.nightly : trip.runs },
    ...{ interruptAfterTimeLimit: 1_800_000, markInterruptAsFailure: true },
  });
  if (failed) {
    const shortest = `the shortest choices are [${counterexample?.[0] ?? ''}]`;
    throw new Error(`${repeatedBy('round-trips')}; ${shortest}`, { cause: errorInstance });
  }
});

const write = (document: Parameters<typeof documentToMarkdown>[0]) =>
  documentToMarkdown(document, (key) => `files/${key} (1).bin`);

function read(markdown: string) {
  return markdownToDocument(markdown, (path) => {
    const key = /^files\/(\w+)/.exec(path)?.[1] ?? '';
    return files[key] === undefined ? null : { key, kind: files[key] };
  });
}

/** The text of a document without spaces, as `shownIn` returns that of its page. */
const wordsOf = (node: Node) => node.textContent.replace(/\s/g, '');

function shownIn(document: Parameters<typeof renderDocument>[0]): string {
  return textIn(nodesOf(renderDocument(document))).replace(/\s/g, '');
}

const names = ['Élodie Blanc', "O'Neil Ann", "'t Hooft", 'Ann-Lee', '中文', 'J. R. Lee', 'Шура'];
const notes = [null, '=1+1', 'Two\nlines', 'a,"b";c', "'quoted'", '-5', '\tx', 'été', ' a '];

/** Makes the browser's own functions send their requests as this client. */
function sendFrom(client: Client): void {
  vi.stubGlobal('window', { location: { protocol: 'https:' } });
  vi.stubGlobal('document', { cookie: '', dispatchEvent: () => true });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const path = String(input);
    if (!path.startsWith('/api/')) {
      return fetchFile(path);
    }
    const key = new Headers(init?.headers).get('Idempotency-Key') ?? '';
    const body = init?.body === undefined ? undefined : JSON.parse(String(init.body));
    return client.request(init?.method ?? 'GET', path, body, {
      headers: { 'Idempotency-Key': key },
    });
  });
}

async function uploadAs(client: Client, courseId: string, name: string) {
  const isImage = name.endsWith('.png');
  const sent = { name, content_type: isImage ? 'image/png' : 'text/plain' };
  return (await upload(client, courseId, { ...sent, bytes: isImage ? png : text })).file;
}

async function patch(client: Client, path: string, input: object): Promise<void> {
  const response = await client.request('PATCH', `/api/${path}/`, input);
  expect(response.status, await response.clone().text()).toBe(200);
}

/** A course with a picture and a file; the choices make its sections and lessons. */
async function createCourse(choices: number[]) {
  const author = await createAuthor();
  const { client, course } = author;
  sendFrom(client);
  const own = {
    aaaaaaaaa1: (await uploadAs(client, course.id, 'a gate (1).png')).key,
    aaaaaaaaa2: (await uploadAs(client, course.id, 'notes, été.txt')).key,
  };
  const { choose, pick, some, rest } = chooser(choices);
  const sections = some(3).length;
  for (let at = 0; at <= sections; at += 1) {
    const { id } = await addSection(client, course.id, pick(titles));
    const place = `/api/sections/${id}/lessons/`;
    if (isMade('release days') && choose(2) === 1) {
      await patch(client, `sections/${id}`, { release_days: at });
    }
    const isEmpty = isMade('an empty section') && at < sections && choose(3) === 1;
    for (const _ of isEmpty ? [] : [null, ...some(2)]) {
      const json = JSON.stringify(documentBy(rest(30), isUnwanted));
      const document = Object.entries(own).reduce(
        (all, [standing, key]) => all.replaceAll(standing, key),
        json,
      );
      const input = { title: pick(titles), document: JSON.parse(document) };
      const lesson = await addLesson(client, course.id, input, place);
      await patch(client, `lessons/${lesson.id}`, { minutes: pick([null, 1, 90]) });
    }
  }
  return author;
}

const titles = [
  'Scenes',
  'Week: one',
  '# Said',
  '--- a',
  '“Été” d’où',
  '2. Two',
  'it\'s "x"',
  '中',
];

/** The sections and lessons of a course, with the names of files in place of their keys. */
async function lessonsOf(client: Client, courseId: string) {
  const { sections } = await contentOf(client, courseId);
  const stored = await (await client.get(`/api/courses/${courseId}/files/`)).json<
    { key: string; name: string }[]
  >();
  const named = (json: string) =>
    stored.reduce((all, { key, name }) => all.replaceAll(key, name), json);
  return Promise.all(
    sections.map(async ({ title, release_days, lessons }) => ({
      title,
      ...(isMade('release days') && { release_days }),
      lessons: await Promise.all(
        lessons.map(async ({ id, title: name, minutes }) => {
          const { document } = await lessonOf(client, id);
          return [name, minutes, JSON.parse(named(JSON.stringify(essence(document))))];
        }),
      ),
    })),
  );
}
