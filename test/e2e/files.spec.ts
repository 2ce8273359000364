import type { Locator, Page } from '@playwright/test';
import type { Lesson } from '#features/lessons/schema.ts';
import { makeLesson, publishLesson } from './lessons.ts';
import { biology } from './settings.ts';
import { askApi, expect, openReady, signInWith, test } from './support.ts';

test.use({ expectedErrors: [/status of (400|500)|ERR_FAILED/] });

test('an image is drawn smaller, described, shown to readers, and asked for once', async ({
  page,
}) => {
  const { id } = await openEditor(page);
  await choose(page, 'Image', await picture(page));
  const dialog = page.getByRole('dialog', { name: 'Describe the image' });
  await expect(dialog.getByLabel('Description')).toBeFocused();
  await page.keyboard.type('A desk by the window');
  await page.keyboard.press('Enter');
  const image = text(page).getByRole('img', { name: 'A desk by the window' });
  await expect(image).toHaveJSProperty('naturalWidth', 1_600);
  await expect(page.getByRole('region', { name: 'Files being uploaded' })).toBeHidden();
  // By keyboard alone: the image, its dialog, and another description.
  await image.click();
  await page.keyboard.press('Enter');
  await page.keyboard.type('A desk');
  await page.keyboard.press('Enter');

  await publishLesson(page, await stored(page, id));
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

test('a PDF and a video go up one after the other, though a part fails, and the video plays', async ({
  page,
}) => {
  const { id } = await openEditor(page);
  const pdf = { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };
  await page.route('**/parts/1/', (route) => route.fulfill({ status: 500, json: {} }), {
    times: 1,
  });
  await choose(page, 'File', pdf, await recording(page));
  const uploads = page.getByRole('region', { name: 'Files being uploaded' });
  await expect(uploads.getByText('clip.webm')).toBeVisible();
  await expect(uploads.getByText('Waiting')).toBeVisible();
  await expect(page.getByText('Files are still uploading')).toBeVisible();
  const files = (await stored(page, id)).document.content?.map(({ attrs }) => attrs?.['name']);
  expect(files?.filter((name) => name !== undefined)).toEqual(['plan.pdf', 'clip.webm']);

  await openReady(page, `/lessons/preview/${id}?drafts=1`);
  await expect(page.getByRole('link', { name: 'Open plan.pdf' })).toBeVisible();
  const time = await page.locator('video').evaluate(async (video: HTMLVideoElement) => {
    await video.play();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return video.currentTime;
  });
  expect(time).toBeGreaterThan(0);
});

test('what can’t be uploaded says why, can be tried again or given up, and leaving asks first', async ({
  page,
}) => {
  await openEditor(page);
  await page.route('**/files/', (route) => route.abort(), { times: 1 });
  await choose(page, 'File', note('a.txt'));
  const uploads = page.getByRole('region', { name: 'Files being uploaded' });
  await expect(uploads.getByRole('alert')).toContainText('connection');
  await expect(text(page).getByText('“a.txt” couldn’t be uploaded.')).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  const leave = page.getByRole('dialog');
  await expect(leave).toBeVisible();
  await page.keyboard.press('Escape');
  await uploads.getByRole('button', { name: 'Try again' }).click();
  await expect(text(page).getByText('a.txt')).toBeVisible();

  await choose(page, 'File', note('a.svg'));
  await expect(uploads.getByRole('alert')).toContainText('but no files of this type');
  await expect(uploads.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await uploads.getByRole('button', { name: 'Cancel the upload of a.svg' }).click();
  await expect(uploads).toBeHidden();
  await expect(text(page).getByText('a.svg')).toBeHidden();
});

test('images are pasted and dropped where they belong', async ({ page }) => {
  const { id } = await openEditor(page, 'Above.', 'Below.');
  for (const [type, target] of [
    ['paste', text(page)],
    ['drop', text(page).getByText('Below.')],
  ] as const) {
    await give(page, type, target);
    await page.getByRole('dialog', { name: 'Describe the image' }).getByText('Cancel').click();
  }
  await expect(text(page).locator('.lesson-image')).toHaveCount(2);
  const { document } = await stored(page, id);
  expect(document.content?.map(({ type }) => type).slice(0, 4)).toEqual([
    'paragraph',
    'image',
    'paragraph',
    'image',
  ]);
});

test('the files of a course are listed with their lessons, and deleted after a question', async ({
  page,
}) => {
  const { id } = await openEditor(page);
  await choose(page, 'File', note('a.txt'));
  await stored(page, id);
  await openReady(page, '/lessons/files');
  await expect(page.getByRole('listitem').filter({ hasText: 'a.txt' })).toContainText(
    'The kitchen',
  );
  await page.getByRole('button', { name: 'Delete a.txt' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete a.txt?' });
  await expect(dialog).toContainText('1 lesson uses this file');
  await dialog.getByRole('button', { name: 'Delete file' }).click();
  await expect(page.getByRole('heading', { name: 'No files yet' })).toBeVisible();
  await openReady(page, `/lessons/${id}`);
  await expect(text(page)).toContainText('This file is no longer in this course');
});

test('an upload whose page is left is canceled; one that no browser has canceled can be deleted', async ({
  page,
}) => {
  await openEditor(page);
  await page.route('**/parts/1/', () => {});
  const asked = page.waitForRequest('**/parts/1/');
  await choose(page, 'File', note('a.txt'));
  const files = new URL('../../../', (await asked).url()).pathname;
  page.once('dialog', (dialog) => dialog.accept());
  await page.reload();
  await expect(async () => {
    await openReady(page, '/lessons/files');
    await expect(page.getByRole('heading', { name: 'No files yet' })).toBeVisible({ timeout: 500 });
  }).toPass();

  await askApi(page, 'POST', files, { name: 'b.txt', content_type: 'text/plain', size: 12 });
  await openReady(page, '/lessons/files');
  const row = page.getByRole('listitem').filter({ hasText: 'b.txt' });
  await expect(row).toContainText('Not finished');
  await expect(row.getByRole('link')).toBeHidden();
  await page.getByRole('button', { name: 'Delete b.txt' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete file' }).click();
  await expect(page.getByRole('heading', { name: 'No files yet' })).toBeVisible();
});

type Given = { name: string; mimeType: string; buffer: Buffer };

async function openEditor(page: Page, ...paragraphs: string[]): Promise<Lesson> {
  await signInWith(page, [biology]);
  const lesson = await makeLesson(page, 'The kitchen', ...paragraphs);
  await openReady(page, `/lessons/${lesson.id}`);
  await text(page).locator('p').first().click();
  return lesson;
}

function text(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Text of the lesson' });
}

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

/** The lesson as the server has it, after its uploads and a save. */
async function stored(page: Page, id: string): Promise<Lesson> {
  await expect(page.getByRole('region', { name: 'Files being uploaded' })).toBeHidden();
  await page.keyboard.press('Control+s');
  await expect(page.locator('.save-line')).toContainText('Saved');
  return (await askApi(page, 'GET', `/api/lessons/${id}/`)) as Lesson;
}
