import { expect, type Page } from '@playwright/test';
import type { Upload } from '#features/files/schema.ts';
import type { CourseContent, Lesson } from '#features/lessons/schema.ts';
import { dayFromToday, makeCohort, runningDays, selectedCourse, slugOf } from './cohorts.ts';
import { addPerson, requestPlace } from './enrollments.ts';
import { endCohort, enrollLearner, publishLessons, textBlock, videoBlock } from './learners.ts';
import { makeLesson, publishLesson, saveElsewhere } from './lessons.ts';
import { makeEvergreen, makeRun, openRun } from './open-runs.ts';
import { makeOutline } from './outlines.ts';
import { courseNames, mailedPart, makeCourse, partAfter, peopleNames, someone } from './people.ts';
import { drawPng } from './pictures.ts';
import { toAccount } from './settings.ts';
import { askApi, untilReady } from './support.ts';
import { type Made, show, type View, viewsOf } from './view.ts';

const [one = '', two = '', three = '', four = ''] = courseNames;

const ownerWithout = viewsOf('the owner of a course without lessons', makeCourse);

const author = viewsOf('the author of lessons', async (page) => {
  await makeShownOutline(page);
  return { files: await makeLessonWithFiles(page), lesson: await makeWritten(page) };
});

const learner = viewsOf('someone who reads lessons', makeLearner);

/** Lessons of an evergreen course. */
const before = viewsOf('the owner of an evergreen course before its enrollment', makeEvergreen);

const ownerOfEmpty = viewsOf('the owner of an open run without people', async (page) => {
  const made = await makeRun(page, { price_minor: 6_000, currency: 'EUR' });
  return { run: made.id, slug: slugOf(made), confirm: await requestPlace(page, made, someone(0)) };
});

const run = viewsOf('the owner of an open run with people', makeFullRun);

const editor = '.lesson-editor [contenteditable="true"]';

/** Lessons where they are written and read, and the open runs of evergreen courses. */
export const lessonViews: View[] = [
  ownerWithout('lessons-empty', '/lessons'),
  ownerWithout('lessons-import', '/lessons/import'),
  ownerWithout('lessons-import-preview', '/lessons/import', {
    isExample: true,
    act: chooseFiles,
    until: '.import-files',
  }),
  ownerWithout('lessons-trash-empty', '/lessons/trash'),
  ownerWithout('files-empty', '/lessons/files'),
  author('lessons', '/lessons', { isExample: true }),
  author('lessons-found', '/lessons/search?q=a'),
  author('lessons-trash', '/lessons/trash', { isExample: true }),
  author('files', '/lessons/files', { isExample: true }),
  author('lesson-files-written', '/lessons/[files]', { until: `${editor} img[src]` }),
  author('lesson-files-read', '/lessons/preview/[files]'),
  author('lesson-files-uploading', '/lessons/[files]', {
    isOverlay: true,
    act: startUploads,
    until: '.uploads progress',
  }),
  author('writing', '/lessons/[lesson]', { until: editor }),
  author('writing-minutes', '/lessons/[lesson]', {
    isOverlay: true,
    act: show('#lesson-minutes'),
  }),
  author('writing-kept', '/lessons/[lesson]', {
    movesLate: true,
    before: keepText,
    until: '.kept-text',
  }),
  author('writing-conflict', '/lessons/[lesson]', {
    isExample: true,
    isOverlay: true,
    act: saveAfterOthers,
    until: '.conflict[open]',
  }),
  author('writing-logout', '/lessons/[lesson]', {
    isOverlay: true,
    before: keepText,
    act: show('#kept-texts'),
  }),
  author('versions', '/lessons/[lesson]/versions'),
  author('version-changes', '/lessons/[lesson]/versions?show=changes', { until: '.changes ins' }),
  learner('learner-courses', '/learn', { before: open }),
  learner('learner-course', '/learn/[course]', { before: open }),
  learner('learner-lesson', '/learn/[course]/[second]', { before: open }),
  learner('learner-lesson-done', '/learn/[course]/[first]', { before: open }),
  learner('learner-sheet', '/learn/[course]/[second]', {
    before: open,
    isExample: true,
    isOverlay: true,
    maxWidth: 1023,
    presses: ['.lesson-head [popovertarget="outline"]'],
  }),
  learner('learner-all', '/learn/[course]/all', { before: open }),
  learner('learner-search', '/learn/[course]/search?q=watercolors', { before: open }),
  learner('learner-closed', '/learn/[course]/[course]', { before: open, isFailure: true }),
  learner('public-outline', '/c/[slug]', { isLoggedOut: true }),
  learner('person-lessons', '/cohorts/[cohort]/roster/[enrollment]'),
  learner('preview-course', '/lessons/preview'),
  learner('preview-lesson', '/lessons/preview/[second]'),
  learner('roster-learned', '/cohorts/[over]/roster'),
  before('enrollment-before', '/cohorts'),
  before('home-lessons', '/'),
  before('run-preview-before', '/cohorts/preview'),
  ownerOfEmpty('enrollment-nobody', '/cohorts'),
  ownerOfEmpty('home-nobody', '/'),
  ownerOfEmpty('run-preview', '/cohorts/[run]/preview'),
  ownerOfEmpty('run-public', '/c/[slug]', { isLoggedOut: true }),
  ownerOfEmpty('run-confirm', '/p/confirm?[confirm]'),
  run('enrollment', '/cohorts'),
  run('enrollment-settings', '/cohorts/[run]/settings'),
  run('run-people', '/cohorts/[run]/roster'),
  // No one is.
  run('run-stuck', '/cohorts/[run]/roster?standing=stuck'),
  run('run-roster-person', '/cohorts/[run]/roster/[enrollment]'),
  run('home-people', '/'),
  run('lessons-evergreen', '/lessons'),
  run('run-person', '/p/[link]'),
  run('run-certificate', '/p/certificate?token=[link]&place=[place]'),
  run('learner-later', '/learn/[course]', { before: open }),
  run('learner-later-lesson', '/learn/[course]/[first]', { before: open }),
  run('learner-later-closed', '/learn/[course]/[second]', { before: open, isFailure: true }),
  run('learner-certificate', '/learn/[course]/attestation', { before: open }),
  run('preview-day', '/lessons/preview?day=7'),
  run('preview-later', '/lessons/preview/[second]?day=0'),
];

/** Reads as the person of the link. */
async function open(page: Page, { link = '' }: Made): Promise<void> {
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  await page.request.post('/api/participation/open/', { data: { link }, headers });
}

/** Lessons in every state, which people in two cohorts can read. */
async function makeShownOutline(page: Page): Promise<void> {
  await makeCourse(page);
  const lessons = [one, two, three, four];
  const ids = await makeOutline(page, { [two]: lessons, [three]: [] }, true);
  await askApi(page, 'PATCH', `/api/lessons/${ids[one]}/`, { title: `${one}!` });
  await askApi(page, 'DELETE', `/api/lessons/${ids[two]}/`);
  await makeOutline(page, { [four]: lessons });
  const opens_local = `${dayFromToday(9)}T18:30`;
  const [section, hidden] = [await setRule(page, three, 7), await setRule(page, four, 14)];
  for (const index of [0, 1]) {
    const name = courseNames[index] ?? '';
    const cohort = await makeCohort(page, { name, ...runningDays }, 'publish');
    await addPerson(page, cohort, someone(index));
    const path = `/api/cohorts/${cohort.id}/sections`;
    await askApi(page, 'PUT', `${path}/${section}/`, { mode: 'date', opens_local });
    await askApi(page, 'PUT', `${path}/${hidden}/`, { mode: 'hidden' });
  }
}

/** Lets the section with this title open after so many days, and returns its id. */
async function setRule(page: Page, title: string, release_days: number): Promise<string> {
  const course = await selectedCourse(page);
  const content = await askApi(page, 'GET', `/api/courses/${course.id}/content/`);
  const { id = '' } =
    (content as CourseContent).sections.find((section) => section.title === title) ?? {};
  await askApi(page, 'PATCH', `/api/sections/${id}/`, { release_days });
  return id;
}

/** A published lesson with an image, one that is gone, and a file of each kind. */
async function makeLessonWithFiles(page: Page): Promise<string> {
  const size = { width: 900, height: 500 };
  const { buffer } = await drawPng(page, size.width, size.height);
  const image = await upload(page, 'png', 'image/png', buffer, size);
  const others = [
    await upload(page, 'pdf', 'application/pdf', pdf),
    await upload(page, 'mp3', 'audio/mpeg', Buffer.from('ID3')),
    await upload(page, 'mp4', 'video/mp4', Buffer.from('\0\0\0\x18ftypisom')),
  ];
  await upload(page, 'vtt', 'text/vtt', Buffer.from('WEBVTT'));
  const content = [
    textBlock(one),
    { type: 'image', attrs: { file: image.key, alt: one } },
    { type: 'image', attrs: { file: '0000000000', alt: '' } },
    ...others.map(({ key }) => ({ type: 'file', attrs: { file: key, name: one } })),
    { type: 'paragraph' },
  ];
  const { ids } = await publishLessons(page, [{ title: one, content }]);
  return ids[0] ?? '';
}

const pdf = Buffer.from('%PDF-1.7');

/** A file of the selected course that has arrived, by the API. */
async function upload(
  page: Page,
  ending: string,
  type: string,
  bytes: Buffer,
  size: object = {},
): Promise<Upload> {
  const { id } = await selectedCourse(page);
  const path = `/api/courses/${id}/files/`;
  const input = { name: `${one}.${ending}`, content_type: type, size: bytes.length, ...size };
  const file = (await askApi(page, 'POST', path, input)) as Upload;
  await askApi(page, 'PUT', `${path}${file.id}/parts/1/`, bytes);
  await askApi(page, 'POST', `${path}${file.id}/complete/`);
  return file;
}

/** A published lesson with changes, and a version of it. */
async function makeWritten(page: Page): Promise<string> {
  const lesson = await makeLesson(page, one, ...peopleNames);
  await publishLesson(page, lesson);
  await saveElsewhere(page, lesson, ...peopleNames, two);
  return lesson.id;
}

/**
 * A course with lessons of everything that texts can have, of which one is done; and someone who
 * has done all in a cohort that is over, and is not marked as completed yet.
 */
async function makeLearner(page: Page): Promise<Made> {
  await makeCourse(page);
  const content = [
    textBlock(`${one}. ${two}. ${three}.`),
    textBlock(two, { type: 'heading', attrs: { level: 2 } }),
    { type: 'bulletList', content: [{ type: 'listItem', content: [textBlock(three)] }] },
    videoBlock,
    { type: 'blockquote', content: [textBlock(one)] },
    {
      type: 'table',
      content: [
        { type: 'tableRow', content: [{ type: 'tableHeader', content: [textBlock(two)] }] },
        { type: 'tableRow', content: [{ type: 'tableCell', content: [textBlock(three)] }] },
      ],
    },
    textBlock(three, { type: 'codeBlock' }),
  ];
  const { course, ids } = await publishLessons(
    page,
    courseNames.map((title) => ({ title, content })),
  );
  const does = async (lessons: string[]) => {
    const { link, ...place } = await enrollLearner(page, peopleNames[1] ?? '');
    const part = partAfter('/p/', link);
    await open(page, { link: part });
    for (const id of lessons) {
      await askApi(page, 'PUT', `/api/learning/${course}/lessons/${id}/`, { done: true });
    }
    return { ...place, link: part };
  };
  const { cohort: over } = await does(ids);
  await endCohort(page, over);
  const [first = '', second = ''] = ids;
  return { ...(await does([first])), over, course, first, second };
}

/**
 * A full run of a course with a lesson at once and one after a week, with people of whom one has
 * completed it.
 */
async function makeFullRun(page: Page): Promise<Made> {
  await askApi(page, 'POST', '/api/courses/', { name: one, course_type: 'evergreen' });
  const lessons = await makeOutline(page, { [three]: [three], [two]: [two] }, true);
  await setRule(page, two, 7);
  const { id } = await openRun(page);
  const settings = { capacity: 3, price_minor: 6_000, currency: 'EUR', access_days: 90 };
  await askApi(page, 'PATCH', `/api/cohorts/${id}/`, settings);
  const { id: enrollment } = await addPerson(page, { id }, someone(0));
  await addPerson(page, { id }, someone(1));
  const person = someone(1);
  const { id: place } = await addPerson(page, { id }, person);
  const own = `/api/cohorts/${id}/enrollments/${place}/`;
  await askApi(page, 'POST', `${own}complete/`, { before_end: true });
  const link = await mailedPart(page, person.email, '/p/');
  const { id: course } = await selectedCourse(page);
  const [first = '', second = ''] = [lessons[three], lessons[two]];
  return { run: id, enrollment, place, link, course, first, second };
}

async function chooseFiles(page: Page): Promise<void> {
  await untilReady(page);
  const text = Buffer.from(`![${one}](${one}.png)\n\n![](${two}.png)`);
  await page.locator('#import-files').setInputFiles([
    { name: `${one}.md`, mimeType: 'text/markdown', buffer: text },
    { name: `${one}.png`, mimeType: 'image/png', buffer: (await drawPng(page, 2, 2)).buffer },
  ]);
}

/** Uploads that do not end. */
async function startUploads(page: Page): Promise<void> {
  await page.locator(editor).waitFor();
  await page.route('**/parts/**', () => undefined);
  const mimeType = 'application/pdf';
  const files = courseNames.map((name) => ({ name: `${name}.pdf`, mimeType, buffer: pdf }));
  await page.locator('.lesson-editor input[type="file"]').setInputFiles(files);
}

/** As if this browser could not send a text. */
async function keepText(page: Page, { lesson = '' }: Made): Promise<void> {
  const { document } = (await askApi(page, 'GET', `/api/lessons/${lesson}/`)) as Lesson;
  const { id: viewerId } = await toAccount(page);
  const content = { title: two, document };
  const kept = { viewerId, version: 1, at: Date.now(), words: 312, content };
  await page.addInitScript(([key, text]) => window.localStorage.setItem(key, text), [
    `lesson:${lesson}:view`,
    JSON.stringify(kept),
  ] as const);
}

/** Saves after another tab has saved. */
async function saveAfterOthers(page: Page, { lesson = '' }: Made): Promise<void> {
  await expect(page.locator(editor)).toBeVisible();
  // Another text each time.
  await saveElsewhere(page, { id: lesson, title: one }, two, `${Date.now()}`);
  await page.locator('.writing-title textarea').press('End');
  await page.locator('.writing-title textarea').press('Space');
  await page.keyboard.press('Control+s');
}
