import { comingDays, makeCohort, pastDays, runningDays } from './cohorts.ts';
import { biology, chemistry, coverOf, dialogOf, rowOf } from './courses.ts';
import { addPerson } from './enrollments.ts';
import { makeLesson, publishLesson } from './lessons.ts';
import { openRun } from './open-runs.ts';
import { someone } from './people.ts';
import { askApi, expect, openReady, signInWith, test } from './support.ts';

test.describe('the selected course at home', () => {
  test('leads to what comes next: its first lesson if it is evergreen, its first cohort if it has none', async ({
    page,
  }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    const evergreen = page.getByRole('region', { name: 'Chemistry' });
    await expect(evergreen.getByRole('heading', { name: 'Your course is ready' })).toBeVisible();
    await expect(evergreen).toContainText('There are no dates to set.');
    const change = evergreen.getByRole('link', { name: 'Change the course type' });
    await expect(change).toHaveAttribute('href', '/settings#course');
    await evergreen.getByRole('link', { name: 'Write the first lesson' }).click();
    await expect(page).toHaveURL('/lessons');

    await openReady(page);
    await rowOf(page, 'Biology 101').click();
    const cohort = page.getByRole('region', { name: 'Biology 101' });
    await expect(cohort).toContainText('A cohort is one group that takes this course together');
    await cohort.getByRole('link', { name: 'Create a cohort' }).click();
    await expect(page).toHaveURL('/cohorts/new');
  });

  test('leads from lessons to enrollment, and then to the people of an evergreen course', async ({
    page,
  }) => {
    await signInWith(page, [chemistry]);
    const hero = page.getByRole('region', { name: 'Chemistry' });
    const lesson = await makeLesson(page, 'Atoms', 'They are small.');
    await openReady(page);
    await expect(hero).toContainText('Your lesson isn’t published yet.');
    await publishLesson(page, lesson);
    await page.reload();
    await expect(hero.getByRole('link', { name: 'Open enrollment' })).toHaveAttribute(
      'href',
      '/cohorts',
    );

    const run = await openRun(page);
    await page.reload();
    await expect(hero).toContainText('Share the address of your course.');
    const reader = someone(0);
    await addPerson(page, run, reader);
    await page.reload();
    await expect(hero).toContainText(/1 person.*1 person started this week\.1 on their way/);
    // By keyboard to those who are meant.
    await hero.getByRole('link', { name: '1 on their way' }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/cohorts/${run.id}/roster?standing=under_way`);
    const filters = page.getByRole('navigation', { name: 'Status' });
    await expect(filters.locator('[aria-current]')).toHaveText('On their way 1');
    await expect(page.getByRole('main').getByRole('link', { name: reader.name })).toBeVisible();
  });

  test('leads to the cohort that runs or comes next', async ({ page }) => {
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
    await expect(hero).toContainText(/Autumn.*Running.*Week 3 of 6.*0 of 18/);
    await askApi(page, 'POST', `/api/cohorts/${next.id}/archive/`);
    await hero.getByRole('link', { name: 'Open cohort' }).click();

    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Autumn/);
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
});

test.describe('your courses at home', () => {
  test('a single one is followed by a hint on adding more; of many, the first eight and the selected one are shown', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const more = page.getByText('Add a second course whenever you like.');
    await expect(more).toBeVisible();
    await page.getByRole('button', { name: 'New course', exact: true }).click();
    await expect(dialogOf(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'New course', exact: true })).toBeFocused();

    for (let number = 2; number <= 11; number += 1) {
      await askApi(page, 'POST', '/api/courses/', { ...biology, name: `Course ${number}` });
    }
    await openReady(page);
    await expect(more).toHaveCount(0);
    const rows = page.getByRole('region', { name: 'Your courses' }).getByRole('listitem');
    await expect(rows).toHaveCount(9);
    await expect(rows.last()).toHaveText('Course 11CohortSelected');
    await expect(rows.locator('.icon-check')).toHaveCount(1);
    await rowOf(page, 'Course 2').click();
    await expect(coverOf(page, 'Course 2')).toBeVisible();
    await expect(rows).toHaveCount(9);
    await page.getByRole('button', { name: 'Show all courses' }).click();
    await expect(page.getByRole('option')).toHaveCount(11);
  });
});
