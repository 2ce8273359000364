import type { Locator } from '@playwright/test';
import { comingDays, makeCohort } from './cohorts.ts';
import { drawPng } from './pictures.ts';
import { biology, openSettings, section } from './settings.ts';
import { expect, test } from './support.ts';

test.use({ expectedErrors: [/status of 503/] });

test('a picture of a course is chosen by keyboard, drawn smaller without what is cut off, shown on the public page, and removed; a photo is dropped on the profile', async ({
  page,
  openBrowser,
}) => {
  await openSettings(page, [biology]);
  const form = section(page, 'Picture');
  const field = form.getByLabel('Choose a picture');
  await field.setInputFiles({ ...heic, buffer: Buffer.from('\0\0\0\x20ftypheic') });
  await expect(form.getByRole('alert')).toHaveText(/^Your browser can’t open this picture/);
  const phone = await drawPng(page, 3_000, 4_000);
  await field.setInputFiles(phone);
  await expect(form.getByRole('alert')).toBeEmpty();
  const sent = page.waitForRequest((request) => request.url().endsWith('/picture/'));
  await expect(form.getByRole('img', { name: 'Preview' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect((await sent).headers()['content-type']).toBe('image/webp');
  await expect(page.getByText('Picture saved.')).toBeVisible();
  await expect(field).toBeFocused();

  const visitor = await openBrowser();
  const { public_url: url } = await makeCohort(page, { name: 'Winter', ...comingDays }, 'publish');
  await visitor.goto(url);
  const picture = visitor.locator('.course-picture');
  expect(await sizeOf(picture)).toEqual([1_600, 840]);
  // The middle of what was chosen, whose upper half was blue and whose lower half red.
  expect(await colorsOf(picture)).toEqual(['blue', 'red']);
  const tag = visitor.locator('meta[property="og:image"]');
  const shared = (await tag.getAttribute('content')) ?? '';
  expect(shared).toBe(await picture.evaluate((image: HTMLImageElement) => image.src));
  const stored = (await visitor.request.get(shared, { maxRetries: 1 })).headers();
  expect(Number(stored['content-length'])).toBeLessThan(phone.buffer.length);
  await form.getByRole('button', { name: 'Remove picture' }).click();
  await expect(page.getByText('Picture removed.')).toBeVisible();
  await expect(field).toBeFocused();
  await expect(form.locator('.cover')).toHaveText('Biology 101');

  const profile = section(page, 'Profile').locator('.picture-form');
  const { buffer } = await drawPng(page, 40, 30);
  await profile.evaluate((target, base64) => {
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    data.items.add(new File([bytes], 'me.png', { type: 'image/png' }));
    target.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
  }, buffer.toString('base64'));
  // A failure keeps it for another try.
  const json = { code: 'files_unavailable', message: 'Please try again in a moment.' };
  await page.route('/api/accounts/photo/', (route) => route.fulfill({ status: 503, json }), {
    times: 1,
  });
  await profile.getByRole('button', { name: 'Use this photo' }).click();
  await expect(profile.getByRole('alert')).toHaveText(json.message);
  await profile.getByRole('button', { name: 'Use this photo' }).click();
  await expect(page.getByText('Photo saved.')).toBeVisible();
  const account = page.getByRole('button', { name: /^Your account\b/ });
  expect(await sizeOf(account.locator('.avatar img'))).toEqual([512, 512]);
  await profile.getByRole('button', { name: 'Remove photo' }).click();
  await expect(profile.locator('.avatar')).toHaveText('AL');
});

/** What phones of Apple make, and only its browsers can open. */
const heic = { name: 'photo.heic', mimeType: 'image/heic' };

/** The size of a picture that has loaded, in its pixels. */
async function sizeOf(image: Locator): Promise<number[]> {
  await expect
    .poll(() => image.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth))
    .toBeGreaterThan(0);
  return image.evaluate(({ naturalWidth, naturalHeight }: HTMLImageElement) => [
    naturalWidth,
    naturalHeight,
  ]);
}

/** Which color is at its top and at its bottom. */
function colorsOf(image: Locator): Promise<string[]> {
  return image.evaluate((one: HTMLImageElement) => {
    const canvas = document.createElement('canvas');
    const { width, height } = Object.assign(canvas, { width: 1_600, height: 840 });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context?.drawImage(one, 0, 0);
    return [10, height - 10].map((y) => {
      const [red = 0, , blue = 0] = context?.getImageData(width / 2, y, 1, 1).data ?? [];
      return red > blue ? 'red' : 'blue';
    });
  });
}
