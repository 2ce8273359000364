import { expect, test } from 'vitest';
import { lessons } from '#db/schema/lessons.ts';
import type { CourseContent, Lesson } from '#features/lessons/schema.ts';
import { maxLessons, maxSections } from '#features/lessons/vocabulary.ts';
import { copyRow, db } from '#support/factories.ts';
import { refused } from '../places/support.ts';
import {
  addLesson,
  addSection,
  contentOf,
  createAuthor,
  createOutline,
  createWriter,
  documentOf,
  lessonOf,
  publish,
  save,
  titlesIn,
} from './support.ts';

test('the content of a course comes in order, with what is known of each lesson', async () => {
  const outline = { One: ['Scenes'], 'Week two': ['Voices', 'Silence'] };
  const { client, course, lessons: ids } = await createOutline(outline);
  const id = ids['Scenes'] ?? '';
  await save(client, id, documentOf(...Array(300).fill('Nobody asks.')), 0);
  await publish(client, { id }, 1);

  const content = await contentOf(client, course.id);
  expect(titlesIn(content)).toEqual([
    ['One', 'Said is enough'],
    ['Week two', 'Voices', 'Silence'],
  ]);
  expect(content.sections[0]?.lessons[0]).toMatchObject({
    ...{ id, state: 'published', published_at: expect.any(String) },
    ...{ minutes: null, reading_minutes: 3, words: 600 },
  });
});

test('a lesson or section is created once for each key', async () => {
  const { client, course, send } = await createAuthor();
  const options = { headers: { 'Idempotency-Key': 'a-key' } };
  for (const kind of ['sections', 'lessons']) {
    const create = (title: string) =>
      send('POST', `/api/courses/${course.id}/${kind}/`, { title }, options);
    const answers = await Promise.all(Array.from({ length: 5 }, () => create('Scenes')));
    expect(answers).toEqual(Array(5).fill({ status: 201, body: answers[0]?.body }));
    expect((await create('Another')).status).toBe(422);
  }
  expect(titlesIn(await contentOf(client, course.id))).toEqual([['Scenes', 'Scenes']]);
});

test('parallel first lessons of a course make one section', async () => {
  const { client, course } = await createAuthor();
  await Promise.all(Array.from({ length: 6 }, () => addLesson(client, course.id)));
  const { sections } = await contentOf(client, course.id);
  expect(sections.map(({ title, lessons: all }) => [title, all.length])).toEqual([[null, 6]]);
});

test('a course has up to 50 sections and 300 lessons outside the trash', async () => {
  const { client, course, lesson, path, send } = await createWriter();
  await copyRow('lessons', lesson.id, maxLessons - 2, { position: 'position + n' });
  const add = () => send<Lesson>('POST', `/api/courses/${course.id}/lessons/`, { title: 'More' });
  const { status, body: second } = await add();
  expect(status).toBe(201);
  const tooMany = refused('too_many_lessons');
  expect(await add()).toMatchObject(tooMany);
  expect(await send('POST', `${path}duplicate/`)).toMatchObject(tooMany);

  expect((await send('DELETE', `/api/lessons/${second.id}/`)).status).toBe(204);
  expect((await add()).status).toBe(201);
  expect(await send('POST', `/api/lessons/${second.id}/restore/`)).toMatchObject(tooMany);

  for (let no = 1; no < maxSections; no += 1) {
    await addSection(client, course.id, `Week ${no}`);
  }
  const section = await send('POST', `/api/courses/${course.id}/sections/`, { title: 'More' });
  expect(section).toMatchObject(refused('too_many_sections'));
});

test('100 parallel moves between two sections leave each lesson once, numbered without gaps', async () => {
  const outline = { One: [...'abcdef'], Two: [...'ghijkl'] };
  const { course, send, sections, ...made } = await createOutline(outline);
  const ids = Object.values(made.lessons);
  const moves = Array.from({ length: 100 }, async (_, no) => {
    const [id, other] = [ids[(no * 5) % 12], ids[(no * 7 + 3) % 12]];
    const section = no % 5 < 2 ? sections['One'] : sections['Two'];
    const input = { section_id: section, before: no % 4 === 0 ? null : other };
    return (await send('POST', `/api/lessons/${id}/move/`, input)).status;
  });

  // The other lesson may have left the section.
  expect(new Set(await Promise.all(moves))).toEqual(new Set([200, 404]));
  const rows = await db.select().from(lessons);
  const own = rows.filter(({ courseId }) => courseId === course.id);
  expect(own.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  for (const section of Object.values(sections)) {
    const positions = own
      .filter(({ sectionId }) => sectionId === section)
      .map(({ position }) => position)
      .sort((a, b) => a - b);
    expect(positions).toEqual(positions.map((_, index) => index + 1));
  }
});

test('lessons and sections move before others, or to the end', async () => {
  const { send, ...made } = await createOutline({ One: ['A', 'B'], Two: ['C'] });
  const { One: one, Two: two } = made.sections;
  const { A: a, B: b, C: c } = made.lessons;
  for (const [path, input, order] of [
    [`lessons/${b}`, { section_id: one, before: a }, 'One B A, Two C'],
    [`lessons/${b}`, { section_id: one, before: b }, 'One B A, Two C'],
    [`lessons/${b}`, { section_id: one, before: null }, 'One A B, Two C'],
    [`lessons/${a}`, { section_id: two, before: c }, 'One B, Two A C'],
    [`sections/${two}`, { before: one }, 'Two A C, One B'],
    [`sections/${two}`, { before: null }, 'One B, Two A C'],
  ] as const) {
    const { body } = await send<CourseContent>('POST', `/api/${path}/move/`, input);
    expect(titlesIn(body).map((titles) => titles.join(' '))).toEqual(order.split(', '));
  }
});

test('nothing moves to another course, before what is not there, or out of the trash', async () => {
  const { client, course, lesson, path, send } = await createWriter();
  const other = await createWriter();
  const trashed = await addLesson(client, course.id, { title: 'Trashed' });
  await send('DELETE', `/api/lessons/${trashed.id}/`);
  const own = lesson.section_id;
  const before = await contentOf(client, course.id);
  for (const [address, input] of [
    [`${path}move/`, { section_id: other.lesson.section_id, before: null }],
    [`${path}move/`, { section_id: own, before: other.lesson.id }],
    [`${path}move/`, { section_id: own, before: trashed.id }],
    [`/api/lessons/${trashed.id}/move/`, { section_id: own, before: null }],
    [`/api/sections/${own}/move/`, { before: other.lesson.section_id }],
    [`/api/sections/${trashed.id}/move/`, { before: null }],
  ] as const) {
    expect((await send('POST', address, input)).status).toBe(404);
  }
  expect(await contentOf(client, course.id)).toEqual(before);
});

test('a section with lessons stays; those in the trash of another move to the next one', async () => {
  const { client, course, lesson, path, send } = await createWriter();
  const drop = () => send('DELETE', `/api/sections/${lesson.section_id}/`);
  expect(await drop()).toMatchObject(refused('section_has_lessons'));
  // In the trash, too, if there is no other section.
  await send('DELETE', path);
  expect((await drop()).status).toBe(422);

  const next = await addSection(client, course.id, 'Next');
  await addSection(client, course.id, 'Last');
  expect((await drop()).status).toBe(204);
  const restored = await send<Lesson>('POST', `${path}restore/`);
  expect(restored.body.section_id).toBe(next.id);
  expect(titlesIn(await contentOf(client, course.id))).toEqual([
    ['Next', 'Said is enough'],
    ['Last'],
  ]);
});

test('a lesson in the trash is nowhere, closes its gap, and comes back where and as it was', async () => {
  const { client, course, lesson, path, send } = await createWriter(documentOf('A text.'));
  await publish(client, lesson);
  await addLesson(client, course.id, { title: 'Second' });
  const titles = async () => titlesIn(await contentOf(client, course.id));
  expect((await send('DELETE', path)).status).toBe(204);

  expect(await titles()).toEqual([[null, 'Second']]);
  for (const [method, action, input] of [
    ['GET', ''],
    ['DELETE', ''],
    ['PATCH', '', { minutes: 3 }],
    ['PUT', 'draft/', { title: 'Said', document: documentOf('No.'), based_on: 0 }],
    ['POST', 'publish/', { draft_version: 0 }],
    ['POST', 'duplicate/'],
    ['GET', 'versions/'],
  ] as const) {
    expect((await send(method, `${path}${action}`, input)).status).toBe(404);
  }
  expect((await send('POST', `${path}restore/`)).status).toBe(200);
  expect(await titles()).toEqual([[null, 'Said is enough', 'Second']]);
  expect(await lessonOf(client, lesson.id)).toMatchObject({ state: 'published', versions: 1 });
});

test('whatever is trashed, moved and added meanwhile, a lesson comes back between those it was between', async () => {
  const { client, course, send, sections, ...made } = await createOutline({
    One: [...'ABCDEF'],
    Two: ['G'],
  });
  const { One: one, Two: two } = sections;
  const ids: Record<string, string> = made.lessons;
  const change = (method: string, action: string) => async (title: string) =>
    expect((await send(method, `/api/lessons/${ids[title]}/${action}`)).status).toBeLessThan(205);
  const [trash, restore] = [change('DELETE', ''), change('POST', 'restore/')];
  const move = (title: string, section: string | undefined, before: string | null) =>
    send('POST', `/api/lessons/${ids[title]}/move/`, {
      section_id: section,
      before: before && ids[before],
    });
  const order = async () =>
    titlesIn(await contentOf(client, course.id)).map((titles) => titles.join(' '));

  for (const title of 'CBEF') {
    await trash(title);
  }
  expect(await order()).toEqual(['One A D', 'Two G']);
  await move('A', two, 'G');
  // Behind what is in the trash, too.
  await move('D', one, null);
  await addLesson(client, course.id, { title: 'H' }, `/api/sections/${one}/lessons/`);
  await send('POST', `/api/sections/${two}/move/`, { before: one });
  expect(await order()).toEqual(['Two A G', 'One D H']);
  for (const title of 'EBFC') {
    await restore(title);
  }
  expect(await order()).toEqual(['Two A G', 'One B C E F D H']);
  await trash('A');
  await trash('G');
  await addLesson(client, course.id, { title: 'I' }, `/api/sections/${two}/lessons/`);
  await restore('G');
  await restore('A');
  expect(await order()).toEqual(['Two A G I', 'One B C E F D H']);
  const { body } = await send<CourseContent>('POST', `/api/lessons/${ids['G']}/duplicate/`);
  expect(body).toMatchObject({ title: 'G (copy)' });
  expect(await order()).toEqual(['Two A G G (copy) I', 'One B C E F D H']);
});

test('a new title is a new draft, and a reading time counts at once', async () => {
  const { client, lesson, path, send } = await createWriter(documentOf('A text.'));
  await publish(client, lesson);
  const before = { title: 'Said is enough', state: 'published', draft_version: 0 };
  const after = { title: 'Said', state: 'changed', draft_version: 1 };
  for (const [input, expected] of [
    [{ minutes: 12 }, { ...before, minutes: 12, reading_minutes: 12 }],
    [{ title: 'Said is enough' }, { ...before, minutes: 12, reading_minutes: 12 }],
    [{ title: ' Said ' }, { ...after, minutes: 12, reading_minutes: 12 }],
    [{ minutes: null }, { ...after, minutes: null, reading_minutes: 1 }],
    [{}, { ...after, minutes: null, reading_minutes: 1 }],
  ] as const) {
    expect((await send('PATCH', path, input)).body).toMatchObject(expected);
  }
});

test('a copy is a draft after its original, with a name in the language of its owner', async () => {
  const { client, course, lesson, path, send } = await createWriter(documentOf('A text.'));
  await publish(client, lesson);
  const long = await addLesson(client, course.id, { title: 'é'.repeat(120) });
  const copy = await send('POST', `${path}duplicate/`);
  const headers = { 'Accept-Language': 'fr' };
  await send('POST', `/api/lessons/${long.id}/duplicate/`, undefined, { headers });

  const isNew = { document: documentOf('A text.'), state: 'draft', draft_version: 0 };
  expect(copy.body).toMatchObject(isNew);
  const [titles] = titlesIn(await contentOf(client, course.id));
  expect(titles?.slice(1)).toEqual([
    ...['Said is enough', 'Said is enough (copy)'],
    ...['é'.repeat(120), `${'é'.repeat(112)} (copie)`],
  ]);
});
