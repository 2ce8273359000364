import type { Page } from '@playwright/test';
import { comingDays, dayFromToday, makeCohort } from './cohorts.ts';
import { biology } from './settings.ts';
import { askApi, expect, openReady, signInWith, test } from './support.ts';

const details = {
  name: 'Winter',
  ...comingDays,
  time_zone: 'Asia/Kathmandu',
  description: 'First line.\nSecond line.',
  place: 'Room 4',
  capacity: 20,
  price_minor: 24_000,
  currency: 'EUR',
  terms_url: 'https://example.com/terms',
};

test.describe('the public page of a cohort', () => {
  test.use({ timezoneId: 'Europe/Paris' });

  test('says everything to someone without an account, in the language of its address', async ({
    page,
    openBrowser,
  }) => {
    const url = await publish(page, {});
    const visitor = await openBrowser();
    await visitor.goto(url);
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Biology 101');
    await expect(visitor.getByText('Winter')).toBeVisible();
    await expect(visitor.getByText('with Ada Lovelace')).toBeVisible();
    await expect(visitor.locator('.public-facts')).toContainText(/Kathmandu.*Room 4.*€240/);
    await expect(visitor.locator('.public-description')).toHaveText(/First line\.\s+Second line\./);
    await expect(visitor.getByText('20 places left')).toBeVisible();
    await expect(visitor.getByText('Enrollment is open until the first day.')).toBeVisible();
    await expect(visitor.getByText('Ada Lovelace has terms for taking part.')).toBeVisible();
    await expect(visitor.getByRole('link', { name: 'terms for taking part' })).toHaveAttribute(
      'href',
      'https://example.com/terms',
    );
    await expect(visitor.locator('.your-time')).toHaveText(/, your time$/);
    await visitor.getByRole('link', { name: 'Français' }).click();

    await expect(visitor).toHaveURL(`${url}?lang=fr`);
    await expect(visitor.locator('html')).toHaveAttribute('lang', 'fr');
    await expect(visitor.getByText('20 places restantes')).toBeVisible();
    expect(await visitor.context().cookies()).toEqual([]);
  });

  test('says when enrollment opens by both clocks, and nothing moves', async ({
    page,
    openBrowser,
  }) => {
    const day = dayFromToday(20);
    const url = await publish(page, { enrollment_opens_local: `${day}T18:00` });
    const visitor = await openBrowser({ timezoneId: 'Europe/Paris' });
    await openReady(visitor, url);
    const line = visitor.locator('.your-time');

    await expect(visitor.getByText(/^Enrollment opens on .+ at 6:00.PM\.$/)).toBeVisible();
    await expect(line).toHaveText(/^.+ at [12]:15.PM, your time$/);
    const { height } = (await line.boundingBox()) ?? { height: 0 };
    const quiet = await openBrowser({ javaScriptEnabled: false });
    await quiet.goto(url);
    await expect(quiet.locator('.your-time')).toHaveText('');
    expect((await quiet.locator('.your-time').boundingBox())?.height).toBe(height);
  });

  for (const [state, values, text] of [
    ['by invitation', { join_mode: 'invitation' }, 'This cohort is by invitation.'],
    ['closed', { enrollment_closes_local: dayFromToday(-2) }, 'Enrollment has ended.'],
  ] as const) {
    test(`says that it is ${state}`, async ({ page }) => {
      await page.goto(await publish(page, values));
      await expect(page.getByText(text)).toBeVisible();
    });
  }

  test('says that an archived one has ended', async ({ page }) => {
    await signInWith(page, [biology]);
    const { public_url: url } = await makeCohort(page, details, 'publish', 'archive');
    await page.goto(url);
    await expect(page.getByText('This cohort has ended.')).toBeVisible();
  });

  test('is previewed by its owner while it is a draft', async ({ page }) => {
    await signInWith(page, [biology]);
    const { id } = await makeCohort(page, details);
    await page.goto(`/cohorts/${id}`);
    await page.getByRole('link', { name: 'Preview' }).click();

    await expect(page.getByText('This is a preview. Only you can see it.')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Biology 101');
    await expect(page.getByText('Enrollment is open until the first day.')).toBeVisible();
    await page.getByRole('link', { name: 'Français' }).click();
    await expect(page.getByText('Cet aperçu n’est visible que par vous.')).toBeVisible();
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('link', { name: 'Back to the cohort' }).click();
    await expect(page).toHaveURL(`/cohorts/${id}`);
  });

  test.describe('that is unknown, a draft or in the trash', () => {
    test.use({ expectedErrors: [/status of 404/] });

    test('is the same as one that never was', async ({ page, openBrowser }) => {
      await signInWith(page, [biology]);
      const draft = await makeCohort(page, details);
      const trashed = await makeCohort(page, details, 'publish', 'trash');
      const visitor = await openBrowser();
      const pages: string[] = [];
      for (const { public_url: url } of [draft, trashed, { public_url: '/c/never-was' }]) {
        const response = await visitor.goto(url);
        expect(response?.status()).toBe(404);
        expect(response?.headers()['cache-control']).toBe('no-store');
        pages.push(await visitor.locator('body').innerText());
      }
      expect(new Set(pages).size).toBe(1);
    });
  });
});

async function publish(page: Page, values: object): Promise<string> {
  await signInWith(page, [biology]);
  const { id, public_url: url } = await makeCohort(page, { ...details, ...values }, 'publish');
  expect(await askApi(page, 'GET', `/api/cohorts/${id}/`)).toMatchObject({ public_url: url });
  return url;
}
