import type { Page } from '@playwright/test';
import { comingDays, dayFromToday, makeCohort } from './cohorts.ts';
import { biology } from './settings.ts';
import { expect, openReady, signInWith, test } from './support.ts';

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

  test('says everything to someone without an account, in one column in large letters, in the language of its address', async ({
    page,
    openBrowser,
  }) => {
    await signInWith(page, [biology]);
    const url = await publish(page, {});
    const visitor = await openBrowser();
    await visitor.goto(url);
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Biology 101');
    await expect(visitor.getByText('Winter')).toBeVisible();
    await expect(visitor.getByText('with Ada Lovelace')).toBeVisible();
    await expect(visitor.locator('.public-facts')).toContainText(/Room 4.*Kathmandu/);
    await expect(visitor.locator('.public-box .price')).toHaveText('€240');
    await expect(visitor.locator('.public-description')).toHaveText(/First line\.\s+Second line\./);
    await expect(visitor.getByText('20 of 20 places left')).toBeVisible();
    await expect(visitor.getByText(/^Enrollment closes/)).toBeVisible();
    await expect(visitor.getByText('Ada Lovelace has terms for taking part.')).toBeVisible();
    await expect(visitor.getByRole('link', { name: 'terms for taking part' })).toHaveAttribute(
      'href',
      'https://example.com/terms',
    );
    await expect(visitor.locator('.your-time')).toHaveText(
      /^Enrollment closes on .+ at \d+:15.PM your time \(midnight in Kathmandu\)\.$/,
    );
    await visitor.setViewportSize({ width: 1280, height: 800 });
    const widths = () =>
      visitor
        .locator('.public-main > *')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width));
    const [text = 0, box = 0] = await widths();
    expect(text).toBeGreaterThan(0);
    expect(text + box).toBeLessThan(1280);
    await visitor.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    const [largeText, largeBox] = await widths();
    expect(largeText).toBeGreaterThan(0);
    expect(largeText).toBe(largeBox);
    await visitor.getByRole('link', { name: 'Français' }).click();

    await expect(visitor).toHaveURL(`${url}?lang=fr`);
    await expect(visitor.locator('html')).toHaveAttribute('lang', 'fr');
    await expect(visitor.getByText('Il reste 20 places sur 20')).toBeVisible();
    expect(await visitor.context().cookies()).toEqual([]);
  });

  test('says when enrollment opens in both time zones, and nothing moves; where no one can enroll, it says why and leads to the other dates', async ({
    page,
    openBrowser,
  }) => {
    await signInWith(page, [biology]);
    const opening = await publish(page, { enrollment_opens_local: `${dayFromToday(20)}T18:00` });
    await openReady(page, opening);
    const line = page.locator('.your-time');
    await expect(line).toHaveText(
      /^Enrollment opens on .+ at [12]:15.PM your time \(6:00.PM in Kathmandu\)\.$/,
    );
    const { height } = (await line.boundingBox()) ?? { height: 0 };
    const quiet = await openBrowser({ javaScriptEnabled: false });
    await quiet.goto(opening);
    await expect(quiet.locator('.your-time')).toHaveText(/^Enrollment opens on .+ at 6:00.PM\.$/);
    expect((await quiet.locator('.your-time').boundingBox())?.height).toBe(height);

    await page.goto(await publish(page, { enrollment_closes_local: dayFromToday(-2) }));
    await expect(page.getByText('Enrollment has ended.')).toBeVisible();
    await publish(page, { name: 'Summer' });
    await page.goto(await publish(page, { join_mode: 'invitation' }));
    await expect(page.getByText('This cohort is by invitation.')).toBeVisible();
    await page.getByRole('link', { name: 'Other dates of Biology 101' }).click();
    await expect(page.getByRole('link', { name: /Summer/ })).toBeVisible();
  });

  test('on a phone, a bar with the price leads to the form, and is gone while that is in view', async ({
    page,
    openBrowser,
  }) => {
    await signInWith(page, [biology]);
    const early = { early_price_minor: 20_000, early_until_local: dayFromToday(20) };
    const url = await publish(page, { ...early, refund_note: 'Up to a week before.\n'.repeat(20) });
    const phone = { viewport: { width: 390, height: 700 } };
    const visitor = await openBrowser(phone);
    await openReady(visitor, url);
    const bar = visitor.locator('.price-bar');
    await expect(bar).toContainText(/^€200 Regular price €240/);
    await bar.getByRole('link', { name: 'Enroll' }).click();
    await expect(visitor.getByRole('heading', { level: 2 }).last()).toBeInViewport();
    await expect(bar).toBeHidden();
    await visitor.evaluate(() => window.scrollTo(0, 0));
    await expect(bar).toBeVisible();

    const quiet = await openBrowser({ ...phone, javaScriptEnabled: false });
    await quiet.goto(url);
    await quiet.locator('.price-bar').getByRole('link', { name: 'Enroll' }).click();
    await expect(quiet.locator('#enroll h2')).toBeInViewport();
    await openReady(visitor, await publish(page, { enrollment_closes_local: dayFromToday(-2) }));
    await expect(visitor.locator('.price-bar')).toHaveCount(0);
  });
});

async function publish(page: Page, values: object): Promise<string> {
  return (await makeCohort(page, { ...details, ...values }, 'publish')).public_url;
}
