import type { Page } from '@playwright/test';
import { runningDays } from './cohorts.ts';
import { cohortWith } from './enrollments.ts';
import { addMeetings } from './meetings.ts';
import { linkTo } from './participants.ts';
import { biology } from './settings.ts';
import { askApi, expect, openReady, signInWith, test, uniqueEmail } from './support.ts';

test.describe('the session of now, on a phone', () => {
  // Without a connection, requests fail in the console.
  test.use({
    viewport: { width: 390, height: 844 },
    expectedErrors: [/ERR_INTERNET_DISCONNECTED|404/],
  });

  test('leads on the overview; presses without a connection are kept and sent later', async ({
    page,
    context,
  }) => {
    const { id, meeting } = await teachNow(page, ['Ada', 'Bea', 'Cleo']);
    const stored = async () => {
      const path = `/api/cohorts/${id}/meetings/${meeting}/marks/`;
      const { marks } = (await askApi(page, 'GET', path)) as { marks: { is_present: boolean }[] };
      return marks.map(({ is_present: isPresent }) => isPresent).sort();
    };
    await openReady(page, `/cohorts/${id}`);
    await expect(page.getByRole('link', { name: 'Join session' })).toBeVisible();
    const press = (name: string) => page.getByRole('button', { name, exact: true });
    const before = await press('Bea: Present').boundingBox();
    await press('Ada: Present').click();
    await expect.poll(stored).toEqual([true]);

    await context.setOffline(true);
    await press('Bea: Present').click();
    await press('Cleo: Absent').click();
    await expect(page.getByText('No connection. 2 marks will be sent later.')).toBeVisible();
    await expect(page.getByText('2 present, 1 absent')).toBeVisible();
    expect((await press('Bea: Present').boundingBox())?.width).toBe(before?.width);
    // Back online, but someone else has logged in.
    await page.route('**/marks/', (route) => route.fulfill({ status: 404, json: {} }));
    const refused = page.waitForResponse('**/marks/');
    await context.setOffline(false);
    await refused;
    await page.unroute('**/marks/');
    // What another account has kept here is neither shown nor sent.
    await page.evaluate(() => {
      for (const [key, marks] of Object.entries(localStorage)) {
        const [kind, , session] = key.split(':');
        if (kind === 'attendance') {
          const flipped = marks.replace(/true|false/g, (mark: string) => String(mark === 'false'));
          localStorage.setItem(`attendance:another:${session}`, flipped);
        }
      }
    });
    // The page is closed before they are sent.
    await page.goto('about:blank');
    await openReady(page, `/cohorts/${id}`);
    await expect.poll(stored).toEqual([false, true, true]);
    await expect(press('Cleo: Absent')).toHaveAttribute('aria-pressed', 'true');

    await press('Cleo: Absent').click();
    await expect.poll(stored).toEqual([true, true]);
    await page.getByRole('button', { name: 'Mark 1 as present' }).click();
    await expect.poll(stored).toEqual([true, true, true]);
  });
});

test('marks in the table count at once; who attended enough is completed and has a certificate to print', async ({
  page,
}) => {
  const email = uniqueEmail();
  const { id } = await teachNow(page, ['Ada', 'Bea'], email);
  await openReady(page, `/cohorts/${id}/attendance`);
  const mark = page.getByRole('button', { name: /^Ada, .*: / });
  await mark.first().click();
  await expect(mark.first()).toHaveAccessibleName(/: present$/);
  await mark.last().click();
  await mark.last().click();
  await expect(mark.last()).toHaveAccessibleName(/: absent$/);
  await openReady(page, `/cohorts/${id}/roster`);
  await page.locator('.people').getByRole('link', { name: 'Ada' }).click();
  await page.getByRole('link', { name: 'See attendance' }).click();
  await expect(page.getByRole('row', { name: /^\w*Ada/ })).toContainText('1 of 1');
  // One sheet of paper: nothing before it, and nothing after.
  expect((await page.pdf({ preferCSSPageSize: true })).toString('latin1')).toMatch(/\/Count 1\b/);

  await expect(page.getByRole('button', { name: /^Complete/ })).toBeDisabled();
  await page.getByLabel('At least').selectOption('1');
  await page.getByLabel('Complete them now, before the last day').check();
  await page.getByRole('button', { name: 'Complete 1 person' }).click();
  await expect(page.getByText('Marked as completed.')).toBeVisible();

  await page.goto(await linkTo('/p/', email));
  await page.getByRole('link', { name: 'See my certificate' }).click();
  const certificate = page.locator('.certificate');
  // Not the one that is still to come.
  await expect(certificate).toContainText(/Attended so far.*1 of 1 live sessions/);
  await expect(certificate).toContainText('Biology');
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await page.getByRole('button', { name: 'Print or save as PDF' }).click();
  await expect(page.locator('[data-printed]')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(certificate).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden();
});

/** A cohort of which one session was last week, one runs and one comes. */
async function teachNow(page: Page, names: string[], email = uniqueEmail()) {
  await signInWith(page, [biology]);
  const people = names.map((name, index) => ({
    name,
    email: index === 0 ? email : uniqueEmail(),
  }));
  const cohort = await cohortWith(page, people, { ...runningDays, time_zone: 'Africa/Abidjan' });
  // A session of an hour and a half, in a zone whose clocks show UTC.
  const begin = new Date(Date.now() - 7 * 24 * 60 * 60_000 - 11 * 60_000);
  const meetings = await addMeetings(page, cohort, {
    title: 'Reading aloud',
    starts_local: begin.toISOString().slice(0, 16),
    join_url: 'https://meet.example/room',
    count: 3,
  });
  return { ...cohort, meeting: meetings[1]?.id ?? '' };
}
