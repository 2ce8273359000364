import { expect, test } from 'vitest';
import { textOf } from '#features/documents/render-document.ts';
import { searchDrafts } from '#features/lessons/search-drafts.ts';
import { readQuery, searchLessons } from '#features/lessons/search-lessons.ts';
import { readAs } from '#support/context.ts';
import { addLesson, addSection, createAuthor, documentOf, save } from './support.ts';

const lesson = (text: string, title = 'Rooms') => ({ id: '1', title, section: null, text });

test.each([
  ['élodie', 'Élodie', 'élodie'],
  ['Hier, Élodie est venue.', 'elodie', 'Élodie'],
  ['E\u0301lodie', 'elodie', 'E\u0301lodie'],
  ['Son cœur bat', 'coeur', 'cœur'],
  ['l’été', "L'ETE", 'l’été'],
  ['Straße', 'strasse', 'Straße'],
  ['ΛΌΓΟΣ', 'λόγος', 'ΛΌΓΟΣ'],
  [`${'é '.repeat(249)}a${'✓'.repeat(3)}b`, 'a✓✓✓b', 'a✓✓✓b'],
  ['a 👩‍🏫 b', '👩‍🏫', '👩‍🏫'],
  ['1 < 2', '<', '<'],
  ['„Ja“, « oui » et ”yes”', '" oui "', '« oui »'],
  ['20\u202f000 –\u00a0 30', '20 000 - 30', '20 000 – 30'],
  ['co\u00adope\u200bra\u2011tion', 'coopera-tion', 'co\u00adope\u200bra\u2011tion'],
  ['a “b”', 'a\u00a0 "\u200bb"', 'a “b”'],
  ['東京で', '京', '京'],
])('in “%s”, “%s” is found as “%s”', (text, query, found) => {
  expect(searchLessons([lesson(text)], query)).toMatchObject([{ inText: { found } }]);
});

test('what is found stands among the words around it, and a title is shown whole', () => {
  const [found] = searchLessons(
    [lesson(`${'before '.repeat(50)}HERE ${'after '.repeat(50)}`, 'Here and there')],
    'here',
  );
  expect(found?.inText?.before).toMatch(/^…(before ){11}$/);
  expect(found?.inText?.after).toMatch(/^( after){13}…$/);
  expect(found?.inTitle).toEqual({ before: '', found: 'Here', after: ' and there' });
  expect(searchLessons([lesson('Nothing.')], 'here')).toEqual([]);
});

test('a query that is too short finds nothing, and a long one is cut', () => {
  expect(readQuery('q=+a+')).toEqual({ typedQuery: 'a', query: '' });
  expect(readQuery('q=a%E2%80%8B').query).toBe('');
  expect(['字', 'か', '가', 'œ'].map((one) => readQuery(`q=${one}`).query).join('')).toBe(
    '字か가œ',
  );
  expect(readQuery(`q=${'x'.repeat(200)}`).query).toHaveLength(100);
});

test('HTML that learners read is searched by its words', () => {
  expect(
    textOf(
      '<p>One <strong>w</strong>ord &lt; two</p><div data-file="k" data-title="plan.pdf"></div>',
    ),
  ).toBe(' One word < two plan.pdf');
});

test('an instructor finds drafts of the selected course in their order, and no others', async () => {
  const { client, course, user } = await createAuthor();
  const other = await createAuthor();
  await addLesson(other.client, other.course.id, { document: documentOf('A lamp.') });
  const section = await addSection(client, course.id, 'Opening');
  const place = `/api/sections/${section.id}/lessons/`;
  const first = await addLesson(client, course.id, { document: documentOf('A lamp.') }, place);
  const trashed = await addLesson(client, course.id, { title: 'Lamps' }, place);
  await addLesson(client, course.id, { title: 'The lamp' }, place);
  await client.request('DELETE', `/api/lessons/${trashed.id}/`);
  await client.post(`/api/courses/${course.id}/select/`);
  const search = async (query: string) =>
    (await readAs(user.id, searchDrafts(query))).map(({ title }) => title);
  expect(await search('LAMP')).toEqual(['Said is enough', 'The lamp']);
  await save(client, first.id, 'A door.', 0);
  expect(await search('lamp')).toEqual(['The lamp']);
  expect(await search('')).toEqual([]);
});
