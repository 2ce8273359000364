import type { Locator, Page } from '@playwright/test';
import { selectedCourse } from './cohorts.ts';
import { openEditor, publishLesson, savedLesson, textOf } from './lessons.ts';
import { askApi, expect, openReady, test } from './support.ts';

test.use({ expectedErrors: [/status of (400|500)|ERR_FAILED/] });

test('an image is drawn smaller, described by keyboard, shown to readers, and asked for once; others are pasted and dropped where they belong', async ({
  page,
}) => {
  const { id } = await openEditor(page, 'Above.', 'Below.');
  await choose(page, 'Image', await picture(page));
  const dialog = page.getByRole('dialog', { name: 'Describe the image' });
  await expect(dialog.getByLabel('Description')).toBeFocused();
  await page.keyboard.type('A desk by the window');
  await page.keyboard.press('Enter');
  const image = textOf(page).getByRole('img', { name: 'A desk by the window' });
  await expect(image).toHaveJSProperty('naturalWidth', 1_600);
  await expect(page.getByRole('region', { name: 'Files being uploaded' })).toBeHidden();
  await image.click();
  await page.keyboard.press('Enter');
  await page.keyboard.type('A desk');
  await page.keyboard.press('Enter');
  for (const [type, target] of [
    ['drop', textOf(page).getByText('Below.')],
    ['paste', textOf(page)],
  ] as const) {
    await give(page, type, target);
    await dialog.getByText('Cancel').click();
  }
  const lesson = await savedLesson(page, id);
  const types = lesson.document.content?.map(({ type }) => type) ?? [];
  expect(types.slice(0, 4)).toEqual(['paragraph', 'image', 'paragraph', 'image']);
  expect(types.filter((type) => type === 'image')).toHaveLength(3);

  await publishLesson(page, lesson);
  await openReady(page, `/lessons/preview/${id}`);
  const shown = page.getByRole('img', { name: 'A desk' });
  await expect(shown).toHaveJSProperty('complete', true);
  await openReady(page, `/lessons/preview/${id}`);
  await expect(shown).toHaveJSProperty('naturalWidth', 1_600);
  const transferred = await shown.evaluate((element: HTMLImageElement) => {
    const [entry] = performance.getEntriesByName(element.src) as PerformanceResourceTiming[];
    return entry?.transferSize;
  });
  expect(transferred).toBe(0);
});

test('a PDF and a video go up one after the other, though a part fails; the video plays, and a file is deleted after a question', async ({
  page,
}) => {
  const { id } = await openEditor(page);
  const pdf = { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };
  await page.route('**/parts/1/', (route) => route.fulfill({ status: 500, json: {} }), {
    times: 1,
  });
  await choose(page, 'File', pdf, await recording(page));
  const uploads = page.getByRole('region', { name: 'Files being uploaded' });
  await expect(uploads.getByText('Waiting')).toBeVisible();
  await expect(page.getByText('Files are still uploading')).toBeVisible();
  const files = (await savedLesson(page, id)).document.content?.map(({ attrs }) => attrs?.['name']);
  expect(files?.filter((name) => name !== undefined)).toEqual(['plan.pdf', 'clip.webm']);

  await openReady(page, `/lessons/preview/${id}?drafts=1`);
  await expect(page.getByRole('link', { name: 'Open plan.pdf' })).toBeVisible();
  const player = page.locator('video');
  await player.evaluate((video: HTMLVideoElement) => video.play());
  await expect
    .poll(() => player.evaluate(({ currentTime }: HTMLVideoElement) => currentTime))
    .toBeGreaterThan(0);

  await openReady(page, '/lessons/files');
  const row = page.getByRole('listitem').filter({ hasText: 'plan.pdf' });
  await expect(row).toContainText('The kitchen');
  await row.getByRole('button', { name: 'Delete plan.pdf' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete plan.pdf?' });
  await expect(dialog).toContainText('1 lesson uses this file');
  await dialog.getByRole('button', { name: 'Delete file' }).click();
  await expect(row).toHaveCount(0);
  await openReady(page, `/lessons/${id}`);
  await expect(textOf(page)).toContainText('This file is no longer in this course');
});

const moving =
  'UklGRr4AAABXRUJQVlA4WAoAAAACAAAAAQAAAQAAQU5JTQYAAAAAAAAAAABBTk1GRAAAAAAAAAAAAAEAAAEAAMgAAABWUDggLAAAAJABAJ0BKgIAAgACwEwloAJ0ugADmAD+7kMf7mxzi3BX/20P/1of/rQ/6UAAQU5NRkYAAAAAAAAAAAABAAABAADIAAAAVlA4IC4AAACwAQCdASoCAAIAAsBMJaACdAEO/gLsAP74Ryo/9tD//20P//bQ/6jvBskU5IAA';

test('an image that moves stays as it is, and no description is asked for of one that no browser shows', async ({
  page,
}) => {
  await openEditor(page);
  const dialog = page.getByRole('dialog', { name: 'Describe the image' });
  const buffer = Buffer.from('\0\0\0\x20ftypheic');
  await choose(page, 'Image', { name: 'photo.jpg', mimeType: 'image/jpeg', buffer });
  const uploads = page.getByRole('region', { name: 'Files being uploaded' });
  await expect(uploads.getByRole('alert')).toContainText('Save it as JPEG or PNG');
  await expect(dialog).toBeHidden();
  await uploads.getByRole('button', { name: 'Cancel the upload of photo.jpg' }).click();

  const sent = page.waitForRequest(/\/api\/courses\/[^/]+\/files\/$/);
  const given = {
    name: 'wave.webp',
    mimeType: 'image/webp',
    buffer: Buffer.from(moving, 'base64'),
  };
  await choose(page, 'Image', given);
  expect((await sent).postDataJSON()).toMatchObject({ name: given.name, size: 198, width: 2 });
  await expect(dialog.getByLabel('Description')).toBeFocused();
});

test('what can’t be uploaded says why, can be tried again or given up, and an upload whose page is left is canceled', {
  tag: '@night',
}, async ({ page }) => {
  await openEditor(page);
  await page.route('**/files/', (route) => route.abort(), { times: 1 });
  await choose(page, 'File', note('a.txt'));
  const uploads = page.getByRole('region', { name: 'Files being uploaded' });
  await expect(uploads.getByRole('alert')).toContainText('connection');
  await expect(textOf(page).getByText('“a.txt” couldn’t be uploaded.')).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await uploads.getByRole('button', { name: 'Try again' }).click();
  await expect(textOf(page).getByText('a.txt')).toBeVisible();

  await choose(page, 'File', note('a.svg'));
  await expect(uploads.getByRole('alert')).toContainText('but no files of this type');
  await expect(uploads.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await uploads.getByRole('button', { name: 'Cancel the upload of a.svg' }).click();
  await expect(uploads).toBeHidden();
  await expect(textOf(page).getByText('a.svg')).toBeHidden();

  await page.route('**/parts/1/', () => {});
  const asked = page.waitForRequest('**/parts/1/');
  await choose(page, 'File', note('b.txt'));
  await asked;
  page.once('dialog', (dialog) => dialog.accept());
  await page.reload();
  const course = await selectedCourse(page);
  const names = async () =>
    ((await askApi(page, 'GET', `/api/courses/${course.id}/files/`)) as { name: string }[]).map(
      ({ name }) => name,
    );
  await expect.poll(names).toEqual(['a.txt']);
});

type Given = { name: string; mimeType: string; buffer: Buffer };

async function choose(page: Page, tool: 'Image' | 'File', ...files: Given[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('toolbar').getByRole('button', { name: tool, exact: true }).click();
  await (await chooser).setFiles(files);
}

function note(name: string): Given {
  return { name, mimeType: '', buffer: Buffer.from('Nobody asks.') };
}

/** A PNG of 2,000 × 1,000 pixels. */
async function picture(page: Page): Promise<Given> {
  const url = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 2_000, height: 1_000 });
    canvas.getContext('2d')?.fillRect(500, 250, 1_000, 500);
    return canvas.toDataURL();
  });
  const buffer = Buffer.from(url.split(',')[1] ?? '', 'base64');
  return { name: 'desk.png', mimeType: 'image/png', buffer };
}

/** A second of video. */
async function recording(page: Page): Promise<Given> {
  const bytes = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' });
    const chunks: Blob[] = [];
    recorder.ondataavailable = ({ data }) => chunks.push(data);
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start();
    for (let frame = 0; frame < 25; frame += 1) {
      context?.fillRect(frame, frame, 40, 40);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    recorder.stop();
    await stopped;
    return [...new Uint8Array(await new Blob(chunks).arrayBuffer())];
  });
  return { name: 'clip.webm', mimeType: 'video/webm', buffer: Buffer.from(bytes) };
}

/** Pastes or drops an image. */
async function give(page: Page, type: 'paste' | 'drop', target: Locator): Promise<void> {
  const { buffer } = await picture(page);
  await target.evaluate(
    (element, [as, bytes]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], 'desk.png', { type: 'image/png' }));
      const { left, bottom } = element.getBoundingClientRect();
      const options = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        as === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', {
              ...options,
              dataTransfer: data,
              clientX: left + 4,
              clientY: bottom - 4,
            }),
      );
    },
    [type, [...buffer]] as const,
  );
}
