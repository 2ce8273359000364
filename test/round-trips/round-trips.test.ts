import { env } from 'cloudflare:workers';
import type { Node } from '@tiptap/pm/model';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { counters } from '#db/schema/counters.ts';
import { renderDocument } from '#features/documents/render-document.ts';
import type { Client } from '#support/client.ts';
import { db } from '#support/factories.ts';
import { repeatedBy } from '#support/repeated-by.ts';
import { fakeResend } from '#support/resend.ts';
import { everything } from '#support/rows.ts';
import { nodesOf, textIn } from '#support/typed-texts.ts';
import { png, text, upload } from '../features/files/support.ts';
import { createPaid } from '../features/ledger/support.ts';
import {
  addLesson,
  addSection,
  createAuthor,
  createWriter,
  documentOf,
  lessonOf,
  save,
} from '../features/lessons/support.ts';
import { createOwner } from '../features/lists/support.ts';
import { backUp, restore } from './backup.ts';
import { chooser, documentBy } from './documents.ts';

/** Fixed; nightly runs make more round trips with other seeds. */
const seed = Number(env.FUZZ_SEED);

/**
 * What is known to get lost, and is therefore not generated. After fixing one, remove it from this
 * list: the tests then cover it.
 */
const knownLosses = {
  'triggers before the rows': 'By the guide, triggers are made first, and add rows of their own.',
  'a long text': 'The statement of a row over 100,000 bytes is too long for D1.',
};
const isMade = (what: string) => !(what in knownLosses);

/** Sends what these choices make somewhere and back, and returns both. */
type Trip = { runs: number; nightly: number; go: (choices: number[]) => Promise<Arrived> };
type Arrived = { sent: unknown; got: unknown };

const trips: Record<string, Trip> = {
  'a text from the editor is saved and shown as it is': {
    ...{ runs: 60, nightly: 2_000 },
    go: async (choices) => {
      const made = documentBy(choices);
      const { client, lesson } = await createWriter();
      const saved = await save(client, lesson.id, made.toJSON(), lesson.draft_version);
      expect(saved.status, JSON.stringify(saved.body)).toBe(200);
      const { document } = await lessonOf(client, lesson.id);
      return { sent: [made.toJSON(), wordsOf(made)], got: [document, shownIn(document)] };
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

/** The text of a document without spaces, as `shownIn` returns that of its page. */
const wordsOf = (node: Node) => node.textContent.replace(/\s/g, '');

function shownIn(document: Parameters<typeof renderDocument>[0]): string {
  return textIn(nodesOf(renderDocument(document))).replace(/\s/g, '');
}

const names = ['Élodie Blanc', "O'Neil Ann", "'t Hooft", 'Ann-Lee', '中文', 'J. R. Lee', 'Шура'];
const notes = [null, '=1+1', 'Two\nlines', 'a,"b";c', "'quoted'", '-5', '\tx', 'été', ' a '];

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
  const own = {
    aaaaaaaaa1: (await uploadAs(client, course.id, 'a gate (1).png')).key,
    aaaaaaaaa2: (await uploadAs(client, course.id, 'notes, été.txt')).key,
  };
  const { choose, pick, some, rest } = chooser(choices);
  const sections = some(3).length;
  for (let at = 0; at <= sections; at += 1) {
    const { id } = await addSection(client, course.id, pick(titles));
    const place = `/api/sections/${id}/lessons/`;
    if (choose(2) === 1) {
      await patch(client, `sections/${id}`, { release_days: at });
    }
    const isEmpty = at < sections && choose(3) === 1;
    for (const _ of isEmpty ? [] : [null, ...some(2)]) {
      const json = JSON.stringify(documentBy(rest(30)));
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
