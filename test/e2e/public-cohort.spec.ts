import { comingDays, dayFromToday } from './cohorts.ts';
import { addMeetings } from './meetings.ts';
import { publishCohort } from './participants.ts';
import { expect, openReady, test } from './support.ts';

test('on a phone in another zone, the public page of a cohort has the reader’s times, which move nothing, and a bar with the price that leads to the form', async ({
  page,
  openBrowser,
}) => {
  const price = { price_minor: 24_000, currency: 'EUR', early_price_minor: 20_000 };
  const cohort = await publishCohort(page, {
    ...price,
    early_until_local: dayFromToday(20),
    refund_note: 'Up to a week before.\n'.repeat(20),
  });
  const evening = { title: 'Reading aloud', starts_local: `${comingDays.starts_on}T18:00` };
  await addMeetings(page, cohort, { ...evening, count: 3 });
  const phone = { viewport: { width: 390, height: 700 }, timezoneId: 'Europe/Paris' };
  const [visitor, quiet] = [
    await openBrowser(phone),
    await openBrowser({ ...phone, javaScriptEnabled: false }),
  ];
  await openReady(visitor, cohort.public_url);
  await quiet.goto(cohort.public_url);
  const heightsOn = (reader: typeof page) =>
    reader
      .locator('.your-time')
      .evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().height));
  await expect(visitor.locator('.your-time').filter({ hasText: 'Paris' })).toHaveText(
    /[12]:15\s–\s[23]:45\sPM/,
  );
  await expect(
    visitor.locator('.your-time').filter({ hasText: /at \d+:15.PM your time/ }),
  ).toContainText('midnight in Kathmandu');
  expect(await heightsOn(visitor)).toEqual(await heightsOn(quiet));

  const bar = visitor.locator('.price-bar');
  await expect(bar).toContainText(/^€200 Regular price €240/);
  await bar.getByRole('link', { name: 'Enroll' }).click();
  await expect(visitor.locator('#enroll h2')).toBeInViewport();
  await expect(bar).toBeHidden();
  await visitor.evaluate(() => window.scrollTo(0, 0));
  await expect(bar).toBeVisible();
  await quiet.locator('.price-bar').getByRole('link', { name: 'Enroll' }).click();
  await expect(quiet.locator('#enroll h2')).toBeInViewport();
});
