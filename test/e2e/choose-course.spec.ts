import {
  biology,
  type Course,
  chemistry,
  coverOf,
  openList,
  physics,
  rowOf,
  selectCourse,
  selectedOnServer,
  slowDown,
  triggerOf,
  watchCalls,
} from './courses.ts';
import { dialogCalled } from './failures.ts';
import { holdPage } from './navigation.ts';
import { askApi, expect, openReady, signInWith, test } from './support.ts';

test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|status of 404/] });

test('choosing a course is visible before any answer, and of two quick choices the last one stays; then the page and the list are current; one that fails is undone: Retry chooses it after all, and one that was deleted meanwhile leaves the list', async ({
  page,
}) => {
  await signInWith(page, [biology, chemistry]);
  await openReady(page, '/cohorts');
  await expect(page.getByRole('main').getByText('Not open yet')).toBeVisible();
  const [first, second] = (await askApi(page, 'GET', '/api/courses/')) as Course[];
  await askApi(page, 'POST', '/api/courses/', physics);
  await askApi(page, 'POST', `/api/courses/${second?.id}/select/`);
  const calls = watchCalls(page);
  const released = Promise.withResolvers<void>();
  await page.route('**/select/', (route) => released.promise.then(() => route.continue()), {
    times: 1,
  });
  await selectCourse(page, 'Biology 101');
  await expect(triggerOf(page, 'Biology 101')).toBeVisible();
  await expect(triggerOf(page)).toHaveAttribute('aria-busy', 'true');
  released.resolve();
  await slowDown(page, 500);
  await selectCourse(page, 'Chemistry');
  await selectCourse(page, 'Biology 101');
  await expect(triggerOf(page)).toHaveAttribute('aria-busy', 'false');
  await expect(triggerOf(page, 'Biology 101')).toBeFocused();
  await expect(page.getByRole('main').getByText('No cohorts yet.')).toBeVisible();
  await expect(page).toHaveURL('/cohorts');
  expect(calls).toEqual(
    [first, second, first].map((course) => `POST /api/courses/${course?.id}/select/`),
  );
  expect(await selectedOnServer(page)).toEqual(['Biology 101']);
  await slowDown(page, 0);
  await openList(page);
  await expect(page.getByRole('option')).toHaveText([
    'Biology 101Cohort',
    'ChemistryEvergreen',
    'PhysicsEvergreen',
  ]);
  await expect(page.getByRole('option', { selected: true })).toHaveText('Biology 101Cohort');

  await openReady(page);
  await page.route('**/select/', (route) => route.abort('internetdisconnected'));
  await selectCourse(page, 'Physics');
  const lost = dialogCalled(page, 'Network Error');
  await expect(lost).toBeVisible();
  await expect(page.locator('.course-trigger')).toContainText('Biology 101');
  await lost.getByRole('button', { name: 'Close' }).click();
  await expect(triggerOf(page, 'Biology 101')).toBeFocused();
  await rowOf(page, 'Chemistry').click();
  await expect(lost).toBeVisible();
  await expect(page.locator('.course-rows [aria-current]')).toContainText('Biology 101');
  await page.unroute('**/select/');
  await lost.getByRole('button', { name: 'Retry' }).click();
  await expect(triggerOf(page, 'Chemistry')).toBeVisible();
  await expect(coverOf(page, 'Chemistry')).toBeVisible();
  expect(await selectedOnServer(page)).toEqual(['Chemistry']);

  await askApi(page, 'DELETE', `/api/courses/${first?.id}/`);
  const release = await holdPage(page, '_root');
  await rowOf(page, 'Biology 101').click();
  const gone = dialogCalled(page, 'Not Found');
  await expect(gone).toContainText('We couldn’t find that. It may have been deleted.');
  await expect(gone.getByRole('button')).toHaveText(['Copy', 'Close']);
  await expect(page.locator('.course-trigger')).toContainText('Chemistry');
  await expect(page.locator('.course-trigger')).toHaveAttribute('aria-busy', 'true');
  await gone.getByRole('button', { name: 'Close' }).click();
  release();
  await expect(triggerOf(page)).toHaveAttribute('aria-busy', 'false');
  await openList(page);
  await expect(page.getByRole('option')).toHaveText(['ChemistryEvergreen', 'PhysicsEvergreen']);
});
