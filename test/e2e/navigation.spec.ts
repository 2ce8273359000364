import { comingDays, makeCohort } from './cohorts.ts';
import { requestsTo } from './failures.ts';
import { holdPage, placeOf, title } from './navigation.ts';
import { biology } from './settings.ts';
import { expect, holdScripts, openReady, signInWith, test } from './support.ts';

test.describe('a page that cannot be shown in the same document', () => {
  // React renders the page again if its address has changed before it is hydrated.
  test.use({
    expectedErrors: [/React error #418|status of (404|503)|Failed to fetch dynamically imported/],
  });

  test('is loaded as a document of its own: without data from the server, without its script, or after a step back before the scripts are there', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.route('**/RSC/R/payments.txt*', (route) => route.fulfill({ status: 503 }));
    await placeOf(page, 'Payments').click();
    await expect(page).toHaveURL('/payments');
    await expect(title(page)).toHaveText('Payments');

    await openReady(page, '/cohorts');
    await page.route('**/assets/settings-*.js', (route) => route.fulfill({ status: 404 }), {
      times: 1,
    });
    const loaded = page.waitForEvent('domcontentloaded');
    await placeOf(page, 'Settings').click();
    await loaded;
    await expect(page).toHaveURL('/settings');
    await expect(title(page)).toHaveText('Settings');

    await openReady(page);
    await placeOf(page, 'Cohorts').click();
    await expect(title(page)).toHaveText('Cohorts');
    const release = await holdScripts(page, '**/assets/visits-*.js');
    await page.reload();
    await page.evaluate(() => window.history.back());
    await expect(page).toHaveURL('/');
    release();
    await expect(title(page)).toHaveText('Welcome, Ada');
  });
});

test('a link is current at once while its page is on its way, with a bar, until another takes its place; the page is fetched once, ahead of the click, again after a change, and not for people who save data', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await signInWith(page, [biology]);
  const { id } = await makeCohort(page, { name: 'Winter', ...comingDays });
  await openReady(page, `/cohorts/${id}`);
  const release = await holdPage(page, 'payments');
  await placeOf(page, 'Payments').click();
  const current = page.getByRole('complementary').locator('[aria-current="page"]');
  await expect(current).toHaveText('Payments');
  await expect(page).toHaveURL(`/cohorts/${id}`);
  const bar = page.locator('.moving');
  const timing = await bar.evaluate((element) => element.getAnimations()[0]?.effect?.getTiming());
  expect(timing).toMatchObject({ delay: 150, fill: 'both' });
  await expect(bar).not.toHaveCSS('opacity', '0');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await bar.evaluate(animatedPropertiesOf)).toEqual(['opacity']);

  const releaseSchedule = await holdPage(page, `cohorts/${id}/schedule`);
  const sections = page.getByRole('navigation', { name: 'Sections of this cohort' });
  await sections.getByRole('link', { name: 'Schedule' }).click();
  await expect(sections.locator('[aria-current="page"]')).toHaveText('Schedule');
  release();
  await expect(page).toHaveURL(`/cohorts/${id}`);
  releaseSchedule();
  await expect(page).toHaveURL(`/cohorts/${id}/schedule`);
  await expect(bar).toHaveCount(0);
  await expect(current).toHaveText('Cohorts');
  await page.goBack();
  await expect(page).toHaveURL(`/cohorts/${id}`);

  await openReady(page, '/');
  for (const [name, approach] of [
    ['Cohorts', () => placeOf(page, 'Cohorts').hover()],
    [
      'Settings',
      () =>
        placeOf(page, 'Settings').dispatchEvent('pointerdown', {
          isPrimary: true,
          pointerType: 'touch',
        }),
    ],
  ] as const) {
    const path = `/RSC/R/${name.toLowerCase()}.txt`;
    const requests = requestsTo(page, path);
    const fetched = page.waitForResponse(`**${path}*`);
    const { pathname } = new URL(page.url());
    await approach();
    await fetched;
    await expect(page).toHaveURL(pathname);
    await placeOf(page, name).click();
    await expect(title(page)).toHaveText(name);
    expect(requests).toHaveLength(1);
  }

  // A link that the pointer leaves at once is not fetched.
  const passed = requestsTo(page, '/RSC/R/cohorts.txt');
  await placeOf(page, 'Cohorts').evaluate((link) => {
    for (const target of [link, document.body]) {
      target.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    }
  });
  const fetched = page.waitForResponse('**/RSC/R/_root.txt*');
  await placeOf(page, 'Home').hover();
  await fetched;
  expect(passed).toEqual([]);
  await page.getByLabel('First name').fill('Augusta');
  await page.getByLabel('First name').press('Enter');
  await expect(page.getByText('Profile saved.')).toBeVisible();
  await placeOf(page, 'Home').press('Enter');
  await expect(title(page)).toHaveText('Welcome, Augusta');

  await page.addInitScript(() => {
    Object.defineProperty(window.navigator, 'connection', { value: { saveData: true } });
  });
  await page.clock.install();
  await openReady(page, '/');
  const requests = requestsTo(page, '/RSC/R/cohorts.txt');
  await placeOf(page, 'Cohorts').hover();
  await page.clock.runFor(1_000);
  // Sent after what would have been fetched.
  await page.evaluate(() => fetch('/api/health/'));
  expect(requests).toEqual([]);
});

/** The properties that the animations of an element change. */
function animatedPropertiesOf(element: Element): string[] {
  const keyframes = element
    .getAnimations()
    .flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes());
  const isTiming = (name: string) =>
    ['offset', 'computedOffset', 'easing', 'composite'].includes(name);
  return [...new Set(keyframes.flatMap(Object.keys))].filter((name) => !isTiming(name));
}
