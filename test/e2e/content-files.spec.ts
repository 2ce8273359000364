import { readFile } from 'node:fs/promises';
import type { Page, Route } from '@playwright/test';
import type { Course } from '#features/courses/schema.ts';
import type { CourseContent } from '#features/lessons/schema.ts';
import { courseNames } from './people.ts';
import { biology } from './settings.ts';
import { askApi, expect, openReady, signInWith, test } from './support.ts';

/** One pixel that browsers can draw. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const scenes = [
  '# Scenes',
  'A **bold** word.',
  '![A gate](gate.png)',
  '- One\n- Two',
  '[How to](https://youtu.be/aaaaaaaaaaa)',
  'For ~~90~~ 80, **one\\\ntwo**. See [how it ends](10%20Endings.md) and [the film](film.mp4).',
].join('\n\n');

test('lessons are imported from files by keyboard, and a course comes back from its download as it was, byte for byte', async ({
  page,
}) => {
  // As browsers are that can't save while they read.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await signInWith(page, [biology]);
  await openReady(page, '/lessons');
  await page.getByRole('link', { name: 'Import lessons' }).press('Enter');
  const chooser = page.getByLabel('Choose files');
  await chooser.setInputFiles([
    { name: '10 Endings.md', mimeType: 'text/markdown', buffer: Buffer.from('The end.') },
    { name: '2 Scenes.md', mimeType: 'text/markdown', buffer: Buffer.from(scenes) },
    { name: 'gate.png', mimeType: 'image/png', buffer: png },
    { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<p>Hello</p>') },
    { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('\0\0\0\x18ftypisom') },
    { name: 'film.vtt', mimeType: 'text/vtt', buffer: Buffer.from('WEBVTT\n') },
  ]);
  await expect(page.getByText('gate.png (1 kB)')).toBeVisible();
  await expect(page.getByText('page.html: lessons can’t have files of this type')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Import lessons' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Go to the lessons' })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('.outline-title')).toHaveText(['Scenes', '10 Endings']);

  const [course] = (await askApi(page, 'GET', '/api/courses/')) as Course[];
  const path = `/api/courses/${course?.id}/`;
  const { sections } = (await askApi(page, 'GET', `${path}content/`)) as CourseContent;
  const [section] = sections;
  await askApi(page, 'PATCH', `/api/sections/${section?.id}/`, { release_days: 7 });
  await askApi(page, 'PATCH', `/api/lessons/${section?.lessons[1]?.id}/`, { minutes: 9 });
  await askApi(page, 'POST', `${path}sections/`, { title: 'The end: soon' });
  await openReady(page, '/lessons');
  const zip = await download(page);
  for (const name of ['01-lessons/01-scenes.md', '02-the-end-soon/section.md', 'files/film.vtt']) {
    expect(zip.toString('latin1')).toContain(name);
  }

  const other = { name: courseNames[1], course_type: 'cohort' };
  await askApi(page, 'POST', '/api/courses/', other);
  await openReady(page, '/lessons/import');
  await chooser.setInputFiles({ name: 'course.zip', mimeType: 'application/zip', buffer: zip });
  await expect(page.getByText('Left out')).toHaveCount(0);
  await page.getByRole('button', { name: 'Import lessons' }).click();
  await page.getByRole('link', { name: 'Go to the lessons' }).click();
  await expect(page.locator('.outline-title')).toHaveText(['Scenes', '10 Endings']);
  expect((await download(page)).equals(zip)).toBe(true);
  await page.locator('.outline-title').first().click();
  const editor = page.locator('.lesson-editor [contenteditable="true"]');
  await expect(editor.locator('p strong')).toHaveText(['bold', 'onetwo']);
  await expect(editor.locator('li')).toHaveText(['One', 'Two']);
  const image = editor.getByRole('img', { name: 'A gate' });
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1);
  await page.getByRole('link', { name: 'Preview' }).click();
  await page.getByRole('link', { name: 'how it ends' }).click();
  await expect(page.getByRole('heading', { name: '10 Endings' })).toBeVisible();
});

test('a damaged zip is refused with a message, and a failed import continues where it stopped', {
  tag: '@night',
}, async ({ page }) => {
  await signInWith(page, [biology]);
  await openReady(page, '/lessons/import');
  const chooser = page.getByLabel('Choose files');
  const zip = (buffer: Buffer) => ({ name: 'a.zip', mimeType: 'application/zip', buffer });
  await chooser.setInputFiles(zip(Buffer.from('PK nothing')));
  await expect(page.getByRole('alert')).toContainText('“a.zip” can’t be opened');

  await chooser.setInputFiles([
    { name: 'Doors.md', mimeType: 'text/markdown', buffer: Buffer.from('![A door](door.png)') },
    { name: 'door.png', mimeType: 'image/png', buffer: Buffer.from('no image') },
  ]);
  await page.getByRole('button', { name: 'Import lessons' }).click();
  await expect(page.getByRole('alert')).toContainText('“door.png” couldn’t be uploaded.');
  await page.getByRole('button', { name: 'Import without this file' }).click();
  await expect(page.getByRole('link', { name: 'Go to the lessons' })).toBeVisible();
  await openReady(page, '/lessons/import');

  const uploads = countUploads(page);
  await page.route('**/imports/', (route) => {
    const { dry_run: isDry } = route.request().postDataJSON();
    return isDry ? route.fallback() : route.abort();
  });
  await chooser.setInputFiles([
    { name: 'Scenes.md', mimeType: 'text/markdown', buffer: Buffer.from(scenes) },
    { name: 'gate.png', mimeType: 'image/png', buffer: png },
  ]);
  const seesProgress = async (route: Route) => {
    await expect(page.getByRole('progressbar')).toBeVisible();
    await route.fallback();
  };
  await page.route('**/parts/1/', seesProgress, { times: 1 });
  await page.getByRole('button', { name: 'Import lessons' }).click();
  await expect(page.getByText('1 of 1 images and files are uploaded.')).toBeVisible();
  await page.unroute('**/imports/');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'Go to the lessons' }).click();
  await expect(page.locator('.outline-title')).toHaveText(['Doors', 'Scenes']);
  expect(uploads()).toBe(1);

  // As browsers do that can save while they read, into a folder of their own.
  await page.evaluate(() =>
    Object.assign(window, {
      showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) =>
        (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
    }),
  );
  await page.locator('[popovertarget="lessons-menu"]').click();
  await page.getByRole('button', { name: 'Download as Markdown' }).click();
  await page.route('**/files/**/gate.*', (route) => route.abort());
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText(/“gate\..+” couldn’t be downloaded/);
  await page.getByRole('button', { name: 'Download without this file' }).click();
  await expect(page.getByText('Lessons downloaded.').first()).toBeVisible();
  const size = await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    const handle = await folder.getFileHandle('biology-101.zip');
    return (await handle.getFile()).size;
  });
  expect(size).toBeGreaterThan(500);
});

async function download(page: Page): Promise<Buffer> {
  await page.locator('[popovertarget="lessons-menu"]').press('Enter');
  await page.getByRole('button', { name: 'Download as Markdown' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download', exact: true }).press('Enter');
  const zip = await readFile(await (await saved).path());
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  return zip;
}

/** How many uploads the page begins. */
function countUploads(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    count += /\/courses\/[^/]+\/files\/$/.test(request.url()) ? 1 : 0;
  });
  return () => count;
}

test.use({ expectedErrors: [/ERR_FAILED/] });
