import { expect, test } from 'vitest';
import { lessons } from '#db/schema/lessons.ts';
import type { CourseContent, Lesson } from '#features/lessons/schema.ts';
import { maxLessons, maxSections } from '#features/lessons/vocabulary.ts';
import { createSignedInClient, db } from '#support/factories.ts';
import { everything } from '#support/rows.ts';
import {
  addLesson,
  addSection,
  contentOf,
  createAuthor,
  createWriter,
  documentOf,
  lessonOf,
  titlesIn,
} from './support.ts';

test('a course is built by the API alone, and its content comes in order', async () => {
  const { client, course } = await createAuthor();
  const first = await addLesson(client, course.id, { title: 'Scenes' });
  const two = await addSection(client, course.id, 'Week two');
  await addLesson(client, course.id, { title: 'Said is enough' });
  await addLesson(client, course.id, { title: 'Silence' }, `/api/sections/${two.id}/lessons/`);
  const document = documentOf(...Array(300).fill('Nobody asks.'));
  const draft = { title: 'Scenes, again', document, based_on: 0 };
  await client.request('PUT', `/api/lessons/${first.id}/draft/`, draft);
  await client.post(`/api/lessons/${first.id}/publish/`, { draft_version: 1 });

  const content = await contentOf(client, course.id);
  expect(titlesIn(content)).toEqual([
    [null, 'Scenes, again'],
    ['Week two', 'Said is enough', 'Silence'],
  ]);
  expect(content.sections[0]?.lessons[0]).toMatchObject({
    id: first.id,
    state: 'published',
    minutes: null,
    reading_minutes: 3,
    words: 600,
    published_at: expect.any(String),
  });
});

test('another owner’s sections and lessons are not found by any route, and none is changed', async () => {
  const { client, course, lesson, path } = await createWriter(documentOf('Mine.'));
  await client.post(`${path}publish/`, { draft_version: 0 });
  const before = await everything();
  const { client: stranger, user } = await createSignedInClient();
  await stranger.get('/api/health/');
  const section = `/api/sections/${lesson.section_id}/`;
  const title = { title: 'Theirs' };
  const answers = [];
  for (const [method, address, input] of [
    ['GET', `/api/courses/${course.id}/content/`],
    ['POST', `/api/courses/${course.id}/sections/`, title],
    ['POST', `/api/courses/${course.id}/lessons/`, title],
    ['PATCH', section, title],
    ['DELETE', section],
    ['POST', `${section}move/`, { before: null }],
    ['POST', `${section}lessons/`, title],
    ['GET', path],
    ['PATCH', path, title],
    ['DELETE', path],
    ['POST', `${path}publish/`, { draft_version: 0 }],
    ['POST', `${path}unpublish/`],
    ['POST', `${path}restore/`],
    ['POST', `${path}duplicate/`],
    ['POST', `${path}move/`, { section_id: lesson.section_id, before: null }],
  ] as const) {
    answers.push((await stranger.request(method, address, input)).status);
  }

  expect(answers).toEqual(Array(15).fill(404));
  expect(user.id).not.toBe(course.ownerId);
  const after = await everything();
  for (const table of ['sections', 'lessons', 'lesson_versions']) {
    expect(after[table]).toEqual(before[table]);
  }
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
  await fill(course, lesson.section_id, maxLessons - 2);
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
  const { client, course } = await createAuthor();
  const [one, two] = [
    await addSection(client, course.id, 'One'),
    await addSection(client, course.id, 'Two'),
  ];
  const ids: string[] = [];
  for (let no = 1; no <= 12; no += 1) {
    const place = `/api/sections/${no % 2 === 0 ? one.id : two.id}/lessons/`;
    ids.push((await addLesson(client, course.id, { title: `Lesson ${no}` }, place)).id);
  }
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async (_, no) => {
      const [id, other] = [ids[(no * 5) % 12] ?? '', ids[(no * 7 + 3) % 12] ?? ''];
      const section = no % 5 < 2 ? one.id : two.id;
      const input = { section_id: section, before: no % 4 === 0 ? null : other };
      return (await client.post(`/api/lessons/${id}/move/`, input)).status;
    }),
  );

  // The other lesson may have left the section.
  expect(new Set(statuses)).toEqual(new Set([200, 404]));
  const rows = await db.select().from(lessons);
  const own = rows.filter(({ courseId }) => courseId === course.id);
  expect(own.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  for (const section of [one, two]) {
    const positions = own
      .filter(({ sectionId }) => sectionId === section.id)
      .map(({ position }) => position)
      .sort((a, b) => a - b);
    expect(positions).toEqual(positions.map((_, index) => index + 1));
  }
});

test('lessons and sections move before others, or to the end', async () => {
  const { client, course } = await createAuthor();
  const [one, two] = [
    await addSection(client, course.id, 'One'),
    await addSection(client, course.id, 'Two'),
  ];
  const [a, b, c] = [
    await addLesson(client, course.id, { title: 'A' }, `/api/sections/${one.id}/lessons/`),
    await addLesson(client, course.id, { title: 'B' }, `/api/sections/${one.id}/lessons/`),
    await addLesson(client, course.id, { title: 'C' }, `/api/sections/${two.id}/lessons/`),
  ];
  const orders = [];
  for (const [path, input] of [
    [`lessons/${b.id}`, { section_id: one.id, before: a.id }],
    [`lessons/${b.id}`, { section_id: one.id, before: b.id }],
    [`lessons/${b.id}`, { section_id: one.id, before: null }],
    [`lessons/${a.id}`, { section_id: two.id, before: c.id }],
    [`sections/${two.id}`, { before: one.id }],
    [`sections/${two.id}`, { before: null }],
  ] as const) {
    const response = await client.post(`/api/${path}/move/`, input);
    orders.push(titlesIn(await response.json<CourseContent>()));
  }

  expect(orders).toEqual([
    [
      ['One', 'B', 'A'],
      ['Two', 'C'],
    ],
    [
      ['One', 'B', 'A'],
      ['Two', 'C'],
    ],
    [
      ['One', 'A', 'B'],
      ['Two', 'C'],
    ],
    [
      ['One', 'B'],
      ['Two', 'A', 'C'],
    ],
    [
      ['Two', 'A', 'C'],
      ['One', 'B'],
    ],
    [
      ['One', 'B'],
      ['Two', 'A', 'C'],
    ],
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
  await client.post(`${path}publish/`, { draft_version: 0 });
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
  const { client, path } = await createWriter(documentOf('A text.'));
  await client.post(`${path}publish/`, { draft_version: 0 });
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
  const { client, course, path } = await createWriter(documentOf('A text.'));
  await client.post(`${path}publish/`, { draft_version: 0 });
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

/** More lessons, without a request for each. */
async function fill(course: { id: string; ownerId: string }, sectionId: string, count: number) {
  const now = new Date();
  const row = {
    ownerId: course.ownerId,
    courseId: course.id,
    sectionId,
    title: 'One of many',
    document: '{"type":"doc","content":[{"type":"paragraph"}]}',
    words: 0,
    draftAt: now,
    createdAt: now,
    updatedAt: now,
  };
  const numbers = Array.from({ length: count }, (_, no) => no + 2);
  const [first, ...more] = numbers.map((position) =>
    db.insert(lessons).values({ ...row, id: crypto.randomUUID(), position }),
  );
  if (first !== undefined) {
    await db.batch([first, ...more]);
  }
}
