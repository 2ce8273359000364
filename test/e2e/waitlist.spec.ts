import type { Page } from '@playwright/test';
import { comingDays, openMoreActions } from './cohorts.ts';
import { cohortWith, enrollPeople } from './enrollments.ts';
import { biology } from './settings.ts';
import { askApi, expect, mailsTo, openReady, signInWith, test, uniqueEmail } from './support.ts';

const names = ['Ana Fernández', 'Tomás Ó Súilleabháin', 'Sørine Kjær'] as const;
const [first, second, third] = names;

test.describe('the waitlist', () => {
  test('says why no one is offered a place, who is next, and who was offered one', async ({
    page,
  }) => {
    const { id, people } = await openFull(page);
    await expect(page.getByRole('heading', { name: 'No place is free.' })).toBeVisible();
    await expect(page.getByText(`The next free place is offered to ${first}`)).toBeVisible();
    await expect(page.locator('ol .person-row')).toHaveText(
      names.map((name, index) => new RegExp(`^${index + 1}.*${name}`)),
    );
    await page.goto(`/cohorts/${id}`);
    await expect(page.locator('#state')).toHaveText(
      'The only place is taken. 3 people are waiting.',
    );
    await expect(page.locator('.activity')).toContainText(`${third} joined the waitlist`);
    await page.getByRole('link', { name: 'See the waitlist' }).click();
    await page.waitForURL(`/cohorts/${id}/waitlist`);
    await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/${people[0]?.id}/remove/`, {});
    await page.reload();

    await expect(
      page.getByRole('heading', { name: 'Every free place has been offered to someone.' }),
    ).toBeVisible();
    await expect(page.locator('ul .person-row')).toContainText([/47\shours left/]);
    await page.goto('/cohorts');
    await expect(page.getByText('1 of 1 · 2 waiting')).toBeVisible();
    await page.goto('/');
    await expect(page.getByText('1 of 1 · 2 waiting')).toBeVisible();
  });

  test('offers a place out of turn, adds someone anyway, and removes someone', async ({ page }) => {
    const { emails } = await openFull(page);
    await choose(page, second, 'Offer a place anyway');
    await expect(page.getByText('Place offered.')).toBeVisible();
    await expect(page.locator('ul .person-row')).toContainText([second]);
    await expect
      .poll(async () => (await mailsTo(emails[1] ?? '')).map(({ subject }) => subject))
      .toContainEqual(expect.stringContaining('A place is free for you in Winter'));
    await choose(page, third, 'Add anyway (3 of 1)');
    await expect(page.getByText('Added to the roster.')).toBeVisible();
    await choose(page, first, 'Remove');
    const dialog = page.getByRole('dialog', { name: `Remove ${first}?` });
    await dialog.getByRole('button', { name: 'Remove' }).click();

    await expect(page.getByRole('heading', { name: 'No one else is waiting.' })).toBeVisible();
  });
});

test.describe('an offer on the waitlist', () => {
  test('is withdrawn after asking, and the next person has it at once', async ({ page }) => {
    const { id, people } = await openFull(page);
    await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/${people[0]?.id}/remove/`, {});
    await openReady(page, `/cohorts/${id}/waitlist`);
    const offers = page.locator('ul .person-row');
    await expect(offers).toHaveText([new RegExp(first)]);
    await page.getByRole('button', { name: 'Withdraw' }).click();
    const dialog = page.getByRole('dialog', { name: `Withdraw the offer to ${first}?` });
    await expect(dialog).toContainText('can’t return without you');
    await dialog.getByRole('button', { name: 'Withdraw the offer' }).click();

    await expect(page.getByText('Offer withdrawn.')).toBeVisible();
    await expect(offers).toHaveText([new RegExp(second)]);
    await expect(page.locator('.people')).toBeFocused();
    await page.goto(`/cohorts/${id}`);
    await expect(page.locator('.activity')).toContainText(`You withdrew the offer to ${first}`);
  });
});

test.describe('people of a cohort', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('are told of a move and of the trash, as their instructor chooses', async ({ page }) => {
    const email = uniqueEmail();
    await signInWith(page, [biology]);
    const person = { name: first, email };
    const { id } = await cohortWith(page, [person], {
      starts_on: '2027-03-01',
      ends_on: '2027-04-09',
    });
    await openReady(page, `/cohorts/${id}/move`);
    await page.getByLabel('First day').fill('2027-03-08');
    await page.getByLabel('Note in that email').fill('The room is being painted.');
    await page.getByRole('button', { name: 'Show all dates' }).click();
    await page.getByRole('button', { name: 'Move the cohort' }).click();
    await page.waitForURL(`/cohorts/${id}`);
    await expect.poll(async () => (await mailsTo(email)).length).toBe(2);
    expect((await mailsTo(email)).at(-1)?.text).toContain('The room is being painted.');
    await openMoreActions(page);
    await page.getByRole('button', { name: 'Move to the trash' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move this cohort to the trash?' });
    await expect(dialog).toContainText('1 person who is enrolled, waiting or invited.');
    await dialog.getByLabel('Note in that email').fill('x'.repeat(501));
    await dialog.getByRole('button', { name: 'Move to the trash' }).click();
    await expect(dialog.getByLabel('Note in that email')).toHaveAccessibleDescription(
      /Note must be at most 500 characters/,
    );
    await dialog.getByLabel('Tell the people concerned by email').uncheck();
    await dialog.getByLabel('Note in that email').fill('');
    await dialog.getByRole('button', { name: 'Move to the trash' }).click();

    await expect(page.locator('#state')).toHaveText('This cohort is in the trash.');
    expect(await mailsTo(email)).toHaveLength(2);
  });

  test('are counted before their course or the account is deleted', async ({ page }) => {
    await signInWith(page, [biology]);
    await cohortWith(page, [{ name: first, email: uniqueEmail() }]);
    await openReady(page, '/settings');

    await expect(page.locator('#delete-course')).toContainText('1 person is in the cohorts');
    await expect(page.locator('#delete-account')).toContainText(
      '1 person who takes part will be notified by email.',
    );
  });
});

/** A cohort whose only place is taken, and three people who wait. */
async function openFull(page: Page) {
  await signInWith(page, [biology]);
  const cohort = await cohortWith(page, [{ name: 'Yuki Tanaka', email: uniqueEmail() }], {
    ...comingDays,
    capacity: 1,
  });
  const waiting = names.map((name) => ({ name, email: uniqueEmail() }));
  await enrollPeople(page, cohort, waiting);
  await openReady(page, `/cohorts/${cohort.id}/waitlist`);
  return { ...cohort, emails: waiting.map(({ email }) => email) };
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More about ${name}` }).click();
  await page.locator('#person-menu').getByRole('button', { name: action }).click();
}
