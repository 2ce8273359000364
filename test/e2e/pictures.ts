import type { Page } from '@playwright/test';

/** A PNG, blue above and red below. */
export async function drawPng(page: Page, width: number, height: number) {
  const base64 = await page.evaluate(
    ([width, height]) => {
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width, height });
      const context = canvas.getContext('2d');
      for (const [index, color] of ['blue', 'red'].entries()) {
        Object.assign(context ?? {}, { fillStyle: color });
        context?.fillRect(0, (index * height) / 2, width, height / 2);
      }
      return canvas.toDataURL().split(',')[1] ?? '';
    },
    [width, height] as const,
  );
  return { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') };
}
