import type { Page } from '@playwright/test';
import { endCohort, enrollLearner, publishLessons, textBlock, videoBlock } from './learners.ts';
import { clientOf, newEmail } from './people.ts';
import { askApi, codeMailedTo, expect, openReady, test } from './support.ts';

const titles = ['What a story can hold', 'Ten minutes at one window', 'Reading it aloud'];

/** An instructor with three lessons, and the link of someone who reads them. */
async function publishCourse(page: Page) {
  await (await clientOf(page)).signUp(newEmail());
  await askApi(page, 'POST', '/api/courses/', { name: 'Short Fiction', course_type: 'cohort' });
  const made = await publishLessons(
    page,
    titles.map((title) => ({ title, content: [textBlock(`All of ${title}`), videoBlock] })),
  );
  const email = newEmail();
  return { ...made, email, ...(await enrollLearner(page, 'Grace Hopper', email)) };
}

/** A browser on a phone that remembers the person of a link. */
async function openCourse(visitor: Page, link: string): Promise<void> {
  await openReady(visitor, link);
  await visitor.getByRole('button', { name: 'Open the course' }).click();
  await expect(visitor.getByText('You’ve done 0 of 3 lessons.')).toBeVisible();
}

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

test('someone reads and watches on a phone from their email to the last lesson, and comes back in between', async ({
  page,
  openBrowser,
}) => {
  const { course, link } = await publishCourse(page);
  const visitor = await openBrowser(phone);
  const asked: string[] = [];
  await visitor.route(/youtube/, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: '<title>Player</title>' });
  });
  await openCourse(visitor, link);
  await visitor.getByRole('link', { name: 'Start: lesson 1' }).click();
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(titles[0] ?? '');
  await expect(visitor.getByText(`All of ${titles[0]}`)).toBeVisible();
  // Nothing of the provider is loaded before the video is played, in the place of its cover.
  const before = await visitor.locator('.video-cover').boundingBox();
  expect(asked).toEqual([]);
  await visitor.getByRole('button', { name: 'Play: Video on YouTube' }).click();
  const player = visitor.locator('iframe');
  await expect(player).toHaveAttribute('title', 'Video on YouTube');
  expect(await player.boundingBox()).toEqual(before);
  await expect
    .poll(() => asked)
    .toEqual(['https://www.youtube-nocookie.com/embed/abcdefghijk?autoplay=1']);
  await visitor.getByRole('button', { name: 'Done, next lesson' }).click();
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(titles[1] ?? '');

  // The next day, in the same browser.
  const later = await visitor.context().newPage();
  await visitor.close();
  await openReady(later, `/learn/${course}`);
  await expect(later.getByText('You’ve done 1 of 3 lessons.')).toBeVisible();
  await later.getByRole('link', { name: 'Continue: lesson 2' }).click();
  await later.getByRole('button', { name: 'Done, next lesson' }).click();
  await later.getByRole('button', { name: 'Done, finish the course' }).click();
  await expect(later.getByText('You’ve done all 3 lessons.')).toBeVisible();

  // By the outline in the sheet, back to what is done.
  await later.getByRole('link', { name: titles[2] ?? '' }).click();
  await expect(later.getByText(/^Done on/)).toBeVisible();
  await later.getByRole('button', { name: 'Lessons' }).click();
  const outline = later.getByRole('navigation', { name: 'Lessons' });
  await expect(outline.getByRole('link', { name: titles[2] ?? '' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await later.keyboard.press('Escape');
  await expect(later.getByRole('button', { name: 'Lessons' })).toBeFocused();
  await later.getByRole('button', { name: 'Mark as not done' }).click();
  await expect(later.getByRole('button', { name: 'Done, finish the course' })).toBeFocused();

  await openReady(page, '/lessons');
  await page.getByRole('button', { name: `More actions, ${titles[0]}` }).click();
  await page.getByRole('button', { name: 'Unpublish', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Unpublish this lesson?' });
  await expect(question).toContainText('People have opened it');
});

test.describe('without a connection', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('a lesson that is marked as done is kept, and sent from another lesson; someone whom a device has forgotten comes back by the code in an email, and is completed once every lesson is done', async ({
    page,
    openBrowser,
  }) => {
    const { course, cohort, ids, email, link } = await publishCourse(page);
    const visitor = await openBrowser(phone);
    await openCourse(visitor, link);
    await openReady(visitor, `/learn/${course}/${ids[0]}`);
    // Only its writes are lost, so that the page can go on.
    await visitor.route('**/api/learning/**', (route) => route.abort());
    await visitor.getByRole('button', { name: 'Done, next lesson' }).click();
    await expect(visitor.getByText('Kept on this device.')).toBeVisible();
    await visitor.reload();
    await expect(visitor.getByText('Kept on this device.')).toBeVisible();

    // Who opens the course on the same phone meanwhile has pressed nothing, and nothing is sent as theirs.
    const other = await enrollLearner(page, 'Ada Lovelace', newEmail());
    await openCourse(visitor, other.link);
    await openReady(visitor, `/learn/${course}/${ids[0]}`);
    await expect(visitor.getByText('Kept on this device.')).toHaveCount(0);
    await visitor.unroute('**/api/learning/**');
    const sent = visitor.waitForResponse('**/api/learning/**');
    await openReady(visitor, `/learn/${course}/${ids[1]}`);
    expect((await sent).status()).toBe(200);
    await expect(visitor.locator('.lesson-head')).toContainText('0 of 3 done');
    await openReady(visitor, link);
    await visitor.getByRole('button', { name: 'Open the course' }).click();
    await expect(visitor.getByText('You’ve done 1 of 3 lessons.')).toBeVisible();
    await openReady(visitor, `/learn/${course}`);
    await visitor.getByRole('button', { name: 'Grace Hopper' }).click();
    await visitor.locator('#account').getByRole('button', { name: 'Forget me' }).click();
    await expect(visitor.getByRole('heading', { name: 'Open your course' })).toBeVisible();
    await openReady(visitor, `/learn/${course}`);
    await expect(visitor.getByText('Short Fiction')).toHaveCount(0);
    await visitor.getByLabel('Email address').fill(email);
    await visitor.getByRole('button', { name: 'Email me a link' }).click();
    await visitor.getByLabel('Six-digit code').fill(await codeMailedTo(email, 2));
    await visitor.getByRole('button', { name: 'Open the course' }).click();
    await expect(visitor.getByText('You’ve done 1 of 3 lessons.')).toBeVisible();

    for (const id of ids) {
      await askApi(visitor, 'PUT', `/api/learning/${course}/lessons/${id}/`, { done: true });
    }
    await endCohort(page, cohort);
    await openReady(page, `/cohorts/${cohort}/roster`);
    await page.locator('[commandfor="complete-learned"][command="show-modal"]').click();
    await page.locator('#complete-learned [type="submit"]').click();
    await expect(page.getByText('Marked as completed.')).toBeVisible();
  });
});
