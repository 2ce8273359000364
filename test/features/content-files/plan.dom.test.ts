import { makeZip } from 'client-zip';
import { expect, test } from 'vitest';
import { uniqueNames } from '#features/content-files/file-names.ts';
import { ImportRefusal, importLimits } from '#features/content-files/import-limits.ts';
import {
  readMarkdownLesson,
  writeMarkdownLesson,
} from '#features/content-files/markdown-lesson.ts';
import { planImport } from '#features/content-files/plan-import.ts';
import { blockTexts } from '#features/documents/document-text.ts';
import { readDocument } from '#features/documents/read-document.ts';
import { publicCourses } from './public-courses.ts';
import { deflatedZeros, type Zipped, zipOf } from './zips.ts';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47]);

function plan(...files: File[]) {
  return planImport(files, () => undefined, new AbortController().signal);
}

/** A zip with these files, by their paths. */
function zipWith(files: Record<string, Zipped['data']>): Promise<File> {
  return zipOf(Object.entries(files).map(([name, data]) => ({ name, data })));
}

async function planZip(files: Record<string, Zipped['data']>) {
  return plan(await zipWith(files));
}

/** With one file that is not as others are. */
async function planOdd(file: Zipped) {
  return plan(await zipOf([file]));
}

/** The titles of lessons by those of their sections. */
function titlesOf({ sections }: Awaited<ReturnType<typeof plan>>) {
  return sections.map(({ title, lessons }) => [title, ...lessons.map((lesson) => lesson.title)]);
}

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof ImportRefusal ? error.problem : String(error);
}

const ids = Array.from({ length: 9 }, (_, no) => String(no).repeat(32));

test('a Notion export becomes sections, with the order of the links and without ids in names', async () => {
  const [course, one, two, scenes, said, ten] = ids;
  const [inCourse, inWeek] = [`My course ${course}`, `My course ${course}/Week one ${one}`];
  const inner = await zipWith({
    [`${inCourse}.md`]: `# My course\n\n[Week one](My%20course%20${course}/Week%20one%20${one}.md)\n\n[Week (2)](My%20course%20${course}/Week%20(2)%20${two}.md)\n`,
    [`${inCourse}/Week (2) ${two}.md`]: '# Week (2)\n\n<aside>\n💡 Read this first.\n\n</aside>\n',
    [`${inCourse}/Week (2) ${two}/Said ${said}.md`]: '# Said\n\nIs enough.',
    [`${inWeek}.md`]: `# Week one\n\n- [10 Endings](Week%20one%20${one}/10%20Endings%20${ten}.md)\n- [Scenes](Week%20one%20${one}/Scenes%20${scenes}.md)\n`,
    [`${inWeek}/Scenes ${scenes}.md`]:
      '# Scenes\n\nLook:\n\n![A gate](Scenes/caf%C3%A9%20(1).png)\n\n[Sheet.pdf](Scenes/Sheet.pdf)\n',
    [`${inWeek}/Scenes/café (1).png`]: png,
    [`${inWeek}/Scenes/Sheet.pdf`]: '%PDF-1.7',
    [`${inWeek}/Scenes/unused.png`]: png,
    [`${inWeek}/10 Endings ${ten}.md`]: 'No heading.',
    'index.html': '<p>Hello</p>',
  });

  const planned = await planZip({ 'ExportBlock-1-Part-1.zip': inner });

  expect(titlesOf(planned)).toEqual([
    ['Week one', '10 Endings', 'Scenes'],
    ['Week (2)', 'Week (2)', 'Said'],
  ]);
  expect(planned.files.map(({ name, size }) => [name, size])).toEqual([
    ['café (1).png', 4],
    ['Sheet.pdf', 8],
  ]);
  expect(planned.leftOut.map(({ path, reason }) => [path.split('/').at(-1), reason])).toEqual([
    [`My course ${course}.md`, 'list'],
    [`Week one ${one}.md`, 'list'],
    ['unused.png', 'unused'],
    ['index.html', 'type'],
  ]);
  const [week, second] = planned.sections;
  expect(week?.lessons[1]?.document.content).toMatchObject([
    { type: 'paragraph' },
    { type: 'image', attrs: { file: planned.files[0]?.key, alt: 'A gate' } },
    { type: 'file', attrs: { file: planned.files[1]?.key, name: 'Sheet.pdf' } },
  ]);
  expect(second?.lessons.map(({ document }) => blockTexts(document))).toEqual([
    ['💡 Read this first.'],
    ['Is enough.'],
  ]);
});

test('what was downloaded comes in as it was, with titles, days, minutes, captions and an empty section', async () => {
  const lesson = (no: number) => {
    const [title, section] = [`Leçon “${no}”: été`, 'Semaine un : été'];
    const releaseDays = 7;
    return writeMarkdownLesson({ title, section, releaseDays, minutes: no, markdown: 'Oui.\n' });
  };
  const other = { title: '中文', section: null, releaseDays: null, minutes: null };
  const empty = { ...other, title: null, section: 'Fin', releaseDays: 0, markdown: '' };
  const video = '[Gate](../files/gate.mp4)\n';
  const markdown = '![](../files/a%20b.png)\n';
  const planned = await planZip({
    'README.txt': 'The lessons of a course',
    '01-semaine-un/01-lecon.md': lesson(1),
    '01-semaine-un/02-lecon.md': lesson(2),
    '01-semaine-un/10-lecon.md': lesson(10),
    '02-lessons/01-a.md': writeMarkdownLesson({ ...other, markdown: `${markdown}\n${video}` }),
    '03-fin/section.md': writeMarkdownLesson(empty),
    'files/a b.png': png,
    'files/gate.mp4': png,
    'files/gate.vtt': 'WEBVTT',
  });

  expect(titlesOf(planned)).toEqual([
    ['Semaine un : été', 'Leçon “1”: été', 'Leçon “2”: été', 'Leçon “10”: été'],
    [null, '中文'],
    ['Fin'],
  ]);
  expect(planned.sections.map(({ releaseDays }) => releaseDays)).toEqual([7, null, 0]);
  expect(planned.sections[0]?.lessons.map(({ minutes }) => minutes)).toEqual([1, 2, 10]);
  expect(planned.files.map(({ name }) => name)).toEqual(['a b.png', 'gate.mp4', 'gate.vtt']);
  expect(planned.leftOut).toEqual([]);
});

test('a lesson finds its images by any name they can have, and says which ones are missing', async () => {
  const text =
    '![](<images/shot #1.png>)\n\n![](<a%20b.png>)\n\n![](100%25.png)\n\n![](no.png)\n\n![](https://a.test/b.png)';
  const names = ['shot #1.png', 'a b.png', '100%.png'];
  const images = names.map((name) => new File([png], name));

  const planned = await plan(new File([text], '01.md'), ...images);

  expect(planned.files.map(({ name }) => name)).toEqual(names);
  expect(planned.leftOut).toEqual([
    { path: 'no.png', reason: 'missing' },
    { path: 'https://a.test/b.png', reason: 'missing' },
  ]);
  const other = await zipWith({ '01.md': 'Another' });
  expect(await problemOf(plan(new File([text], '01.md'), other))).toBe('same_names');
});

test('pages stay where the links of a Notion page say, and what is hidden is left out', async () => {
  const planned = await planZip({
    'Course.md': '[Intro](Course/Intro.md)\n\n[W](Course/W.md)\n\n[Out](Course/Out.md)',
    'Course/W.md': '[One](W/One.md)',
    'Course/W/One.md': 'One',
    'Course/Out.md': 'Out',
    './Course/Intro.md': 'Intro',
    './.trash/Old.md': 'Old',
  });

  expect(titlesOf(planned)).toEqual([
    [null, 'Intro'],
    ['W', 'One'],
    [null, 'Out'],
  ]);
});

test('a download that was unpacked and zipped again in a folder is still one', async () => {
  const planned = await planZip({
    'course/README.txt': 'The lessons',
    'course/01-week/01-a.md': '[Notes](../files/notes.md)',
    'course/files/notes.md': 'Notes',
  });

  expect(titlesOf(planned)).toEqual([['01 week', '01-a']]);
  expect(planned.files.map(({ name }) => name)).toEqual(['notes.md']);
});

test('Markdown files without a zip are lessons of one section, “2” before “10”', async () => {
  const names = ['10 Endings.md', '2 Scenes.md', '1 Said.md'];

  const planned = await plan(...names.map((name) => new File(['Text'], name)));

  expect(titlesOf(planned)).toEqual([[null, '1 Said', '2 Scenes', '10 Endings']]);
});

test('texts are read as UTF-8, UTF-16 or by a guess that is told, and what is no text is left out', async () => {
  const utf16 = Uint8Array.from([0xff, 0xfe, 0xe9, 0, 0x74, 0, 0xe9, 0]);
  const latin = Uint8Array.from([0xe9, 0x74, 0xe9]);
  const bytes = Uint8Array.from([0xe9, 0, 0, 0xe9]);

  const planned = await planZip({ 'a.md': utf16, 'b.md': latin, 'c.md': bytes });

  expect(planned.sections[0]?.lessons.map(({ document }) => blockTexts(document))).toEqual([
    ['été'],
    ['été'],
  ]);
  expect(planned.guessed).toEqual(['b.md']);
  expect(planned.leftOut).toEqual([{ path: 'c.md', reason: 'not_text' }]);
});

test.each([
  ["---\ntitle: 'It''s said'\ntags: [a]\nminutes: 7\n---\n", "It's said", 7],
  ['--- \nTitle: A # note\nminutes: 900\n...\n', 'A', null],
  ['---\ntitle: >-\n  In two\n  lines\n---\n', 'In two lines', null],
  ['---\ntitle: null\n---\n', null, null],
])('front matter from other tools is read: %j', (matter, title, minutes) => {
  const source = `\ufeff${matter}Text`.replaceAll('\n', '\r\n');

  expect(readMarkdownLesson(source)).toMatchObject({ title, minutes, markdown: 'Text' });
});

test('a text between two lines is no front matter', () => {
  const markdown = '---\nIntro text\n\nmore\n\n---\n\nrest';

  expect(readMarkdownLesson(markdown)).toMatchObject({ title: null, minutes: null, markdown });
});

/** Bytes that go into the zip unchanged, while its options say how to unpack them. */
const packed = {
  name: 'a.md',
  data: Uint8Array.from([0xff, 0xff, 0xff, 0xff]),
  passThrough: true,
  uncompressedSize: 4,
  crc32: 0,
};

const tooMany = importLimits.entries + 2;

/** A zip of empty files, with names that are at least so long. */
async function zipOfMany(count: number, length: number): Promise<File> {
  const nameOf = (no: number) => `${String(no).padStart(length, 'a')}.md`;
  const files = Array.from({ length: count }, (_, no) => ({ name: nameOf(no), input: '' }));
  return new File([await new Response(makeZip(files)).blob()], 'a.zip');
}

/** With other names in each. */
function twoZips(): Promise<File[]> {
  return Promise.all([4, 5].map((length) => zipOfMany(tooMany / 2, length)));
}

async function halfZip(): Promise<File> {
  return new File([(await zipWith({ 'a.md': 'abc' })).slice(20)], 'a.zip');
}

const unsafe = (name: string) => planZip({ [name]: 'a' });
const encrypted = { name: 'a.md', data: 'a', password: 'secret' };

test.each<[string, string, () => Promise<unknown>]>([
  ['a path that leads out', 'unsafe_name', () => unsafe('../a.md')],
  ['a path that leads out by backslashes', 'unsafe_name', () => unsafe('a\\..\\..\\b.md')],
  ['an absolute path', 'unsafe_name', () => unsafe('/etc/a.md')],
  ['the name of a drive', 'unsafe_name', () => unsafe('C:\\a.md')],
  ['an encrypted file', 'encrypted', () => planOdd(encrypted)],
  [
    'another method',
    'unsupported_compression',
    () => planOdd({ ...packed, compressionMethod: 99 }),
  ],
  ['what is no zip', 'broken', () => plan(new File(['PK nothing'], 'a.zip'))],
  ['half a zip', 'broken', async () => plan(await halfZip())],
  ['a list too long for memory', 'broken', async () => plan(await zipOfMany(4_500, 1_000))],
  ['bytes that do not inflate', 'broken', () => planOdd({ ...packed, compressionMethod: 8 })],
  ['a zip without lessons', 'no_lessons', () => planZip({ 'a.html': 'a' })],
  ['a zip of too many files', 'too_many_files', async () => plan(await zipOfMany(tooMany, 1))],
  ['too many files in two zips', 'too_many_files', async () => plan(...(await twoZips()))],
])('%s is refused', async (_, problem, work) => {
  expect(await problemOf(work())).toBe(problem);
});

// At night as many as fit into what a text may have.
const megabytes = import.meta.env.EVERY_CASE ? 600 : 60;

test(`a zip that unpacks to ${megabytes} MB of zeros is refused, even if it lies about that`, async () => {
  const data = await deflatedZeros(megabytes);
  const bomb = { name: 'a.md', data, passThrough: true, compressionMethod: 8, crc32: 0 };
  expect(data.size).toBeLessThan(importLimits.text);

  const problemAt = (uncompressedSize: number) => problemOf(planOdd({ ...bomb, uncompressedSize }));
  expect(await problemAt(megabytes * 1_000_000)).toBe('too_large');
  expect(await problemAt(10)).toBe('bomb');
});

test('zips in zips are opened once and no deeper', async () => {
  const wrap = (file: File) => zipWith({ 'in.zip': file });
  const one = await wrap(await zipWith({ 'a.md': 'Text' }));

  expect(titlesOf(await plan(one))).toEqual([[null, 'a']]);
  expect(await problemOf(plan(await wrap(one)))).toBe('nested');
});

test('a zip of 3 GB is refused by its size, without being read', async () => {
  const huge = Object.defineProperty(new File([], 'huge.zip'), 'size', { value: 3_000_000_000 });
  const reads: string[] = [];
  huge.slice = () => {
    reads.push('slice');
    return new Blob();
  };

  expect(await problemOf(plan(huge))).toBe('too_large_together');
  expect(reads).toEqual([]);
});

test('names of files are safe on all systems and each is there once', () => {
  const nameOf = uniqueNames();

  for (const [name, safe] of [
    ['a.png', 'a.png'],
    ['A.PNG', 'A (2).PNG'],
    ['con.txt', '_con.txt'],
    ['a/b:c?.pdf', 'a_b_c_.pdf'],
    ['x. ', 'x'],
    ['.png', '_.png'],
    ['.a.png', '_.a.png'],
    ['a#%.png', 'a__.png'],
    [`${'é'.repeat(300)}.jpg`, `${'é'.repeat(80)}.jpg`],
  ] as const) {
    expect(nameOf(name)).toBe(safe);
  }
});

test.each<[string, Record<string, string>, unknown[]]>([
  [
    'numbers in names, not that of their links',
    {
      '1 Welcome.md': '[Next](2%20Week%20one.md)',
      '2 Week one.md': '[Back](1%20Welcome.md)',
      '3 Week two.md': '[Last](4%20Last.md)',
      '4 Last.md': 'Last',
    },
    [[null, '1 Welcome', '2 Week one', '3 Week two', '4 Last']],
  ],
  [
    'numbers, with what has none behind them and the page of the folder first',
    {
      'README.md': '# A course\n\nWelcome. [Six](episodes/06-six.md)',
      'episodes/04-four.md': '# Four',
      'episodes/05-five.md': '[Before](04-four.md)',
      'episodes/06-six.md': '# Six',
      'episodes/setup.md': '# Setup',
    },
    [
      [null, 'A course'],
      ['Episodes', 'Four', '05-five', 'Six', 'Setup'],
    ],
  ],
  [
    'the weights that pages have in their front matter',
    {
      'b.md': '---\ntitle: First\nweight: 1\n---\n',
      'a.md': '---\ntitle: Second\nnav_order: 2\n---\n',
    },
    [[null, 'First', 'Second']],
  ],
  [
    'a summary where names say nothing',
    {
      'SUMMARY.md': '# Summary\n\n- [Why](why.md)\n- [How](how.md)\n',
      'how.md': 'How',
      'why.md': 'Why',
    },
    [[null, 'why', 'how']],
  ],
])('lessons come in the order of %s', async (_, files, titles) => {
  expect(titlesOf(await planZip(files))).toEqual(titles);
});

test('files are found by root paths, backslash paths, note names and web addresses', async () => {
  const markdown = [
    ...['![Root](/images/plan.png)', '![](images\\map.png)', '![[gate.png|300]]'],
    ...['![](https://cdn.test/x/images/tower.png)', '![No](https://cdn.test/other/none.png)'],
    ...[
      'See [[b#part|the next]] and [[sheet.pdf]]. %%Nobody reads this.%%',
      '`[[code]]`',
      'x<sup>2</sup> and $a\\,b_1$',
    ],
    ...['> [!tip] Remember\n> Well', '![](images/a.svg) [gone](gone.md) [out](../out.md#x)'],
  ];
  const planned = await planZip({
    'images/plan.png': png,
    'images/map.png': png,
    'notes/gate.png': png,
    'images/tower.png': png,
    'images/a.svg': '<svg/>',
    'files/sheet.pdf': '%PDF-1.7',
    'a.md': markdown.join('\n\n'),
    'b.md': 'B',
  });

  const [first, second] = planned.sections[0]?.lessons ?? [];
  expect(planned.files.map(({ name }) => name)).toEqual([
    ...['plan.png', 'map.png', 'gate.png', 'tower.png', 'sheet.pdf'],
  ]);
  expect(first && blockTexts(first.document)).toEqual([
    ...[
      'Root',
      '',
      '',
      '',
      'No',
      'See the next and sheet.pdf. ',
      'sheet.pdf',
      '[[code]]',
      'x² and $a\\,b_1$',
    ],
    ...['Remember\nWell', ' gone out'],
  ]);
  expect(JSON.stringify(first?.document)).toContain(`lesson:${second?.key}`);
  expect(planned.leftOut).toEqual([
    { path: 'https://cdn.test/other/none.png', reason: 'missing' },
    { path: 'gone.md', reason: 'missing_link' },
    { path: '../out.md#x', reason: 'missing_link' },
    { path: 'images/a.svg', reason: 'svg' },
  ]);
});

test('code keeps what looks like the signs of notes, wherever it stands', async () => {
  const code = 'if [[ -f file ]]; then\n  %%time\n  $a_1$\nfi';
  const inList = code.replaceAll('\n', '\n   ');
  const planned = await planZip({ 'a.md': `1. Run:\n\n   \`\`\`bash\n   ${inList}\n   \`\`\`\n` });

  const [lesson] = planned.sections[0]?.lessons ?? [];
  expect(lesson && blockTexts(lesson.document)).toEqual(['Run:', code]);
  expect(planned.leftOut).toEqual([]);
});

test('images that stand in a text itself come in', async () => {
  const address = `data:image/png;base64,${btoa(String.fromCharCode(...png))}`;
  const planned = await planZip({ 'a.md': `![A gate][i]\n\n[i]: <${address}>` });

  expect(planned.files.map(({ name, size }) => [name, size])).toEqual([['image-1.png', 4]]);
  expect(planned.leftOut).toEqual([]);
});

test('hostile texts are read in time', { timeout: 20_000 }, async () => {
  const texts = {
    deep: `${'> '.repeat(20_000)}a`,
    emphasis: `${'> '.repeat(61)}${'*a* '.repeat(20_000)}`,
    spaces: `<div>\na${' '.repeat(400_000)}b\n</div>`,
    table: `${'|a'.repeat(2_000)}|\n${'|-'.repeat(2_000)}|\n${'a\n'.repeat(2_000)}`,
    path: `[x](${'a/'.repeat(100_000)}b.md)`,
    brackets: '['.repeat(10_000),
    tags: '<a'.repeat(100_000),
    breaks: `<p>${'<br>'.repeat(50_000)}<img src="a.png"></p>`,
  };
  for (const [name, text] of Object.entries(texts)) {
    const planned = await planZip({ 'README.md': text, [`${name}.md`]: 'Text', 'a.png': png });
    expect(planned.sections.length).toBeGreaterThan(0);
  }
});

test.each(Object.entries(publicCourses))('a course of %s comes in', async (_, course) => {
  const planned = await planZip(course.files);

  expect(titlesOf(planned)).toEqual(course.outline);
  expect(planned.files.map(({ name }) => name)).toEqual(course.images);
  expect(planned.leftOut.map(({ path, reason }) => [path, reason])).toEqual(course.leftOut);
  const json = JSON.stringify(planned.sections);
  expect(json.match(/"lesson:/g) ?? []).toHaveLength(course.links);
  // Placeholders are all that is left of signs of HTML.
  expect(json.match(/<[^>]*>/g) ?? []).toEqual(json.includes('<name>') ? ['<name>', '<bend>'] : []);
  for (const { document } of planned.sections.flatMap(({ lessons }) => lessons)) {
    expect(readDocument(document)).toHaveProperty('json');
  }
});
