import type { Page } from '@playwright/test';
import { comingDays, makeCohort, pastDays, runningDays } from './cohorts.ts';
import {
  biology,
  type Course,
  chemistry,
  coverOf,
  dialogOf,
  physics,
  rowOf,
  selectedOnServer,
  slowDown,
  triggerOf,
  watchCalls,
} from './courses.ts';
import { longCourseName } from './people.ts';
import { askApi, expect, openReady, signInWith, test } from './support.ts';

test.describe('the selected course at home', () => {
  test('an evergreen course leads to its settings', async ({ page }) => {
    await signInWith(page, [chemistry]);
    await openReady(page);
    const hero = page.getByRole('region', { name: 'Chemistry' });
    await expect(hero.getByRole('heading', { name: 'Your course is ready' })).toBeVisible();
    await expect(hero).toContainText('Evergreen course');
    await expect(hero).toContainText('There are no dates to set.');
    await expect(hero.getByRole('link', { name: 'Change the course type' })).toHaveAttribute(
      'href',
      '/settings#course',
    );
    await hero.getByRole('link', { name: 'Open course settings' }).click();

    await expect(page).toHaveURL('/settings#course');
  });

  test('a cohort course without a cohort leads to its first one', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const hero = page.getByRole('region', { name: 'Biology 101' });
    await expect(hero).toContainText('Cohort course');
    await expect(hero).toContainText('A cohort is one group that takes this course together');
    await expect(page.getByRole('main').locator('.button-primary')).toHaveCount(1);
    await hero.getByRole('link', { name: 'Create a cohort' }).click();

    await expect(page).toHaveURL('/cohorts/new');
  });

  test('a cohort course leads to the cohort that runs or comes next', async ({ page }) => {
    await signInWith(page, [biology]);
    await makeCohort(page, { name: 'Over', ...pastDays }, 'publish');
    await makeCohort(page, { name: 'Idea', ...runningDays });
    const next = await makeCohort(page, { name: 'Winter', ...comingDays }, 'publish');
    await openReady(page);
    const hero = page.getByRole('region', { name: 'Biology 101' });
    await expect(hero.getByRole('heading', { name: 'Winter' })).toBeVisible();
    await expect(hero).toContainText('Enrolling');
    await makeCohort(page, { name: 'Autumn', ...runningDays, capacity: 18 }, 'publish');
    await page.reload();
    await expect(hero).toContainText(/Autumn.*Running.*Vancouver.*Week 3 of 6.*0 of 18/);
    await askApi(page, 'POST', `/api/cohorts/${next.id}/archive/`);
    await hero.getByRole('link', { name: 'Open cohort' }).click();

    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Autumn/);
  });

  test('a name that is too long for its cover ends in an ellipsis after six lines', async ({
    page,
  }) => {
    await signInWith(page, [{ name: longCourseName, course_type: 'evergreen' }]);
    await openReady(page);
    const title = coverOf(page, longCourseName);
    const { lines, isCut } = await title.evaluate((heading) => ({
      lines: heading.clientHeight / Number.parseFloat(getComputedStyle(heading).lineHeight),
      isCut: heading.scrollHeight > heading.clientHeight,
    }));

    expect(Math.round(lines)).toBe(6);
    expect(isCut).toBe(true);
    await expect(title).toHaveCSS('font-size', '24px');
    await title.hover();
    await expect(page.getByRole('tooltip')).toHaveText(longCourseName);
  });
});

test.describe('dates at home', () => {
  // On the other side of the date line.
  test.use({ timezoneId: 'Pacific/Kiritimati' });

  test('are those of the reader’s clock and zone, and midnight passes', async ({ page }) => {
    await page.clock.install({ time: new Date('2026-11-24T09:59:00Z') });
    await signInWith(page, [biology]);
    await page.route('/', async (route) => {
      const answer = await route.fetch();
      const html = (await answer.text()).replaceAll(
        /20\d\d-\d\d-\d\dT[\d:.]+Z/g,
        '2026-11-24T07:41:00.000Z',
      );
      await route.fulfill({ response: answer, body: html });
    });
    await openReady(page);
    await expect(page.getByText('Tuesday, November 24')).toBeVisible();
    await expect(page.getByText('Today, 9:41 PM')).toBeVisible();

    await page.clock.setFixedTime(new Date('2026-11-24T10:01:00Z'));
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(page.getByText('Wednesday, November 25')).toBeVisible();
    await expect(page.getByText('November 24, 2026 at 9:41 PM')).toBeVisible();
  });

  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false });

    test('have a time zone, or are left out', async ({ page }) => {
      await signInWith(page, [biology]);
      await page.goto('/');

      await expect(page.locator('.facts')).toContainText(/Created\w+ \d+, \d{4} at .+ UTC/);
      await expect(page.locator('.page-head')).toHaveText('Welcome, Ada');
    });
  });
});

test.describe('your courses at home', () => {
  test('have their types, and one is marked as selected by a check and a word', async ({
    page,
  }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    const rows = page.getByRole('region', { name: 'Your courses' }).getByRole('listitem');

    await expect(rows).toHaveText(['Biology 101Cohort', 'ChemistryEvergreenSelected']);
    await expect(rows.locator('.icon-check')).toHaveCount(1);
    await expect(rowOf(page, 'Chemistry')).toHaveAttribute('aria-current', 'true');
    await expect(page.getByText('Add a second course whenever you like.')).toHaveCount(0);
  });

  test('on a phone, only the check is seen and the word is read out', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    const mark = rowOf(page, 'Chemistry').locator('.icon-check');

    await expect(rowOf(page, 'Chemistry')).toHaveAccessibleName(/Selected$/);
    // As wide as its icon.
    await expect.poll(async () => (await mark.boundingBox())?.width).toBe(20);
  });

  test('one alone is followed by a word on adding more', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);

    await expect(page.getByText('Add a second course whenever you like.')).toBeVisible();
    await page.getByRole('button', { name: 'New course', exact: true }).click();
    await expect(dialogOf(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'New course', exact: true })).toBeFocused();
  });

  test('a click selects one: at once in the rows and the sidebar, then on the cover', async ({
    page,
  }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    const courses = (await askApi(page, 'GET', '/api/courses/')) as Course[];
    const calls = watchCalls(page);
    await slowDown(page, 2500);
    await rowOf(page, 'Biology 101').click();

    await expect(rowOf(page, 'Biology 101')).toContainText('Selected', { timeout: 1000 });
    await expect(triggerOf(page, 'Biology 101')).toHaveAttribute('aria-busy', 'true');
    await expect(rowOf(page, 'Chemistry')).not.toContainText('Selected');
    expect(calls.answered).toBe(0);
    await expect(coverOf(page, 'Biology 101')).toBeVisible();
    await expect(rowOf(page, 'Biology 101')).toBeFocused();
    expect(calls.sent).toEqual([`POST /api/courses/${courses[0]?.id}/select/`]);
    expect(await selectedOnServer(page)).toEqual(['Biology 101']);
  });

  test('the selected one can be clicked, and nothing happens', async ({ page }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    const calls = watchCalls(page);
    await rowOf(page, 'Chemistry').click();
    await rowOf(page, 'Biology 101').click();
    await expect(coverOf(page, 'Biology 101')).toBeVisible();

    expect(calls.sent).toHaveLength(1);
  });

  test('the first eight are shown and the selected one, and the selector has all', async ({
    page,
  }) => {
    const courses = Array.from({ length: 11 }, (_, index) => ({
      name: `Course ${index + 1}`,
      course_type: 'cohort' as const,
    }));
    await signInWith(page, courses);
    await openReady(page);
    const rows = page.getByRole('region', { name: 'Your courses' }).getByRole('listitem');
    await expect(rows).toHaveCount(9);
    await expect(rows.last()).toContainText('Course 11');
    await rowOf(page, 'Course 2').click();
    await expect(coverOf(page, 'Course 2')).toBeVisible();
    await expect(rows).toHaveCount(9);
    await page.getByRole('button', { name: 'Show all courses' }).click();

    await expect(page.getByRole('option')).toHaveCount(11);
    await expect(page.getByRole('searchbox', { name: 'Find a course' })).toBeFocused();
  });

  test.describe('without a connection', () => {
    test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

    test('a choice is undone with the error dialog, and can be retried there', async ({
      page,
      context,
    }) => {
      await signInWith(page, [biology, physics]);
      await openReady(page);
      await context.setOffline(true);
      await rowOf(page, 'Biology 101').click();
      const failure = page.getByRole('dialog', { name: 'Network Error' });
      await expect(failure).toBeVisible();
      await expect(selectedRow(page)).toContainText('Physics');
      await context.setOffline(false);
      await failure.getByRole('button', { name: 'Retry' }).click();

      await expect(coverOf(page, 'Biology 101')).toBeVisible();
      await expect(selectedRow(page)).toContainText('Biology 101');
      expect(await selectedOnServer(page)).toEqual(['Biology 101']);
    });
  });
});

function selectedRow(page: Page) {
  return page.locator('.course-rows [aria-current]');
}
