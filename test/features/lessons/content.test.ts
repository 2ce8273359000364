import { expect, test } from 'vitest';
import { lessons } from '#db/schema/lessons.ts';
import type { CourseContent, Lesson } from '#features/lessons/schema.ts';
import { maxLessons, maxSections } from '#features/lessons/vocabulary.ts';
import { db } from '#support/factories.ts';
import {
  addLesson,
  addSection,
  contentOf,
  copyLesson,
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
  const document = documentOf(...Array(300).fill('Nobody asks.'));
  await save(client, id, document, 0);
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
  const { client, course } = await createAuthor();
  const headers = { 'Idempotency-Key': 'a-key' };
  for (const kind of ['sections', 'lessons']) {
    const path = `/api/courses/${course.id}/${kind}/`;
    const create = (title: string) => client.post(path, { title }, { headers });
    const responses = await Promise.all(Array.from({ length: 5 }, () => create('Scenes')));
    const ids = await Promise.all(responses.map(async (one) => (await one.json<Lesson>()).id));
    expect(new Set(ids).size).toBe(1);
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(201));
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
  const { client, course, lesson } = await createWriter();
  await copyLesson(lesson.id, maxLessons - 2);
  const [second, refused] = [await addResponse(course.id), await addResponse(course.id)];
  expect([second.status, refused.status]).toEqual([201, 422]);
  expect(await refused.json()).toMatchObject({ code: 'too_many_lessons' });
  const copy = await client.post(`/api/lessons/${lesson.id}/duplicate/`);
  expect(await copy.json()).toMatchObject({ code: 'too_many_lessons' });

  const { id } = await second.json<Lesson>();
  expect((await client.request('DELETE', `/api/lessons/${id}/`)).status).toBe(204);
  expect((await addResponse(course.id)).status).toBe(201);
  const restored = await client.post(`/api/lessons/${id}/restore/`);
  expect(await restored.json()).toMatchObject({ code: 'too_many_lessons' });

  for (let no = 1; no < maxSections; no += 1) {
    await addSection(client, course.id, `Week ${no}`);
  }
  const section = await client.post(`/api/courses/${course.id}/sections/`, { title: 'More' });
  expect(section.status).toBe(422);
  expect(await section.json()).toMatchObject({ code: 'too_many_sections' });

  function addResponse(courseId: string) {
    return client.post(`/api/courses/${courseId}/lessons/`, { title: 'One more' });
  }
});

test('100 parallel moves between two sections leave each lesson once, numbered without gaps', async () => {
  const {
    client,
    course,
    sections,
    lessons: made,
  } = await createOutline({
    One: ['1', '3', '5', '7', '9', '11'],
    Two: ['2', '4', '6', '8', '10', '12'],
  });
  const ids = Object.values(made);
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async (_, no) => {
      const [id, other] = [ids[(no * 5) % 12], ids[(no * 7 + 3) % 12]];
      const section = no % 5 < 2 ? sections['One'] : sections['Two'];
      const input = { section_id: section, before: no % 4 === 0 ? null : other };
      return (await client.post(`/api/lessons/${id}/move/`, input)).status;
    }),
  );

  // The other lesson may have left the section.
  expect(new Set(statuses)).toEqual(new Set([200, 404]));
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
  const made = await createOutline({ One: ['A', 'B'], Two: ['C'] });
  const { One: one, Two: two } = made.sections;
  const { A: a, B: b, C: c } = made.lessons;
  const orders = [];
  for (const [path, input] of [
    [`lessons/${b}`, { section_id: one, before: a }],
    [`lessons/${b}`, { section_id: one, before: b }],
    [`lessons/${b}`, { section_id: one, before: null }],
    [`lessons/${a}`, { section_id: two, before: c }],
    [`sections/${two}`, { before: one }],
    [`sections/${two}`, { before: null }],
  ] as const) {
    const response = await made.client.post(`/api/${path}/move/`, input);
    const titles = titlesIn(await response.json<CourseContent>());
    orders.push(titles.map((section) => section.join(' ')).join(', '));
  }

  expect(orders).toEqual([
    'One B A, Two C',
    'One B A, Two C',
    'One A B, Two C',
    'One B, Two A C',
    'Two A C, One B',
    'One B, Two A C',
  ]);
});

test('nothing moves to another course, before what is not there, or out of the trash', async () => {
  const { client, course, lesson, path } = await createWriter();
  const other = await createWriter();
  const trashed = await addLesson(client, course.id, { title: 'Trashed' });
  await client.request('DELETE', `/api/lessons/${trashed.id}/`);
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
    expect((await client.post(address, input)).status).toBe(404);
  }
  expect(await contentOf(client, course.id)).toEqual(before);
});

test('a section with lessons stays; those in the trash of another move to the next one', async () => {
  const { client, course, lesson, path } = await createWriter();
  const section = `/api/sections/${lesson.section_id}/`;
  const refused = await client.request('DELETE', section);
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ code: 'section_has_lessons' });
  // In the trash, too, if there is no other section.
  await client.request('DELETE', path);
  expect((await client.request('DELETE', section)).status).toBe(422);

  const next = await addSection(client, course.id, 'Next');
  await addSection(client, course.id, 'Last');
  expect((await client.request('DELETE', section)).status).toBe(204);
  const restored = await (await client.post(`${path}restore/`)).json<Lesson>();
  expect(restored.section_id).toBe(next.id);
  expect(titlesIn(await contentOf(client, course.id))).toEqual([
    ['Next', 'Said is enough'],
    ['Last'],
  ]);
});

test('a lesson in the trash is nowhere, closes its gap, and comes back at the end as it was', async () => {
  const { client, course, lesson, path } = await createWriter(documentOf('A text.'));
  await publish(client, lesson);
  await addLesson(client, course.id, { title: 'Second' });
  expect((await client.request('DELETE', path)).status).toBe(204);

  expect(titlesIn(await contentOf(client, course.id))).toEqual([[null, 'Second']]);
  for (const [method, address, input] of [
    ['GET', path],
    ['DELETE', path],
    ['PATCH', path, { minutes: 3 }],
    ['PUT', `${path}draft/`, { title: 'Said', document: documentOf('No.'), based_on: 0 }],
    ['POST', `${path}publish/`, { draft_version: 0 }],
    ['POST', `${path}duplicate/`],
    ['GET', `${path}versions/`],
  ] as const) {
    expect((await client.request(method, address, input)).status).toBe(404);
  }
  expect((await client.post(`${path}restore/`)).status).toBe(200);
  expect(titlesIn(await contentOf(client, course.id))).toEqual([
    [null, 'Second', 'Said is enough'],
  ]);
  expect(await lessonOf(client, lesson.id)).toMatchObject({ state: 'published', versions: 1 });
});

test('a new title is a new draft, and a reading time counts at once', async () => {
  const { client, lesson, path } = await createWriter(documentOf('A text.'));
  await publish(client, lesson);
  const answers = [];
  for (const input of [
    { minutes: 12 },
    { title: 'Said is enough' },
    { title: ' Said ' },
    { minutes: null },
    {},
  ]) {
    const { title, minutes, reading_minutes, state, draft_version } = await (
      await client.request('PATCH', path, input)
    ).json<Lesson>();
    answers.push([title, minutes, reading_minutes, state, draft_version]);
  }

  expect(answers).toEqual([
    ['Said is enough', 12, 12, 'published', 0],
    ['Said is enough', 12, 12, 'published', 0],
    ['Said', 12, 12, 'changed', 1],
    ['Said', null, 1, 'changed', 1],
    ['Said', null, 1, 'changed', 1],
  ]);
});

test('a copy is a draft after its original, with a name in the language of its owner', async () => {
  const { client, course, lesson, path } = await createWriter(documentOf('A text.'));
  await publish(client, lesson);
  const long = await addLesson(client, course.id, { title: 'é'.repeat(120) });
  const copy = await (await client.post(`${path}duplicate/`)).json<Lesson>();
  const headers = { 'Accept-Language': 'fr' };
  await client.post(`/api/lessons/${long.id}/duplicate/`, undefined, { headers });

  expect(copy).toMatchObject({ document: documentOf('A text.'), state: 'draft', draft_version: 0 });
  expect(titlesIn(await contentOf(client, course.id))).toEqual([
    [
      null,
      'Said is enough',
      'Said is enough (copy)',
      'é'.repeat(120),
      `${'é'.repeat(112)} (copie)`,
    ],
  ]);
});
