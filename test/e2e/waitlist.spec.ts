import type { Page } from '@playwright/test';
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
    await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/${people[0]?.id}/remove/`, {});
    await page.getByRole('link', { name: 'See the waitlist' }).click();
    await expect(
      page.getByRole('heading', { name: 'Every open place has been offered.' }),
    ).toBeVisible();
    await expect(page.locator('ul .person-row')).toContainText([/47\shours left/]);
    for (const path of ['/cohorts', '/']) {
      await page.goto(path);
      await expect(page.getByText('1 of 1 · 2 waiting')).toBeVisible();
    }
  });

  test('offers a place out of turn, adds and removes someone; an offer is withdrawn after asking, and the next person has it at once', async ({
    page,
  }) => {
    const { id, people, emails } = await openFull(page);
    await choose(page, second, 'Offer a place anyway');
    await expect(page.getByText('Place offered.')).toBeVisible();
    const offers = page.locator('ul .person-row');
    await expect(offers).toHaveText([new RegExp(second)]);
    await expect
      .poll(async () => (await mailsTo(emails[1] ?? '')).map(({ subject }) => subject))
      .toContainEqual(expect.stringContaining('A place is free for you in Biology 101'));
    // Only this makes the offered place free.
    await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/${people[0]?.id}/remove/`, {});
    await page.getByRole('button', { name: 'Withdraw' }).click();
    const withdrawal = page.getByRole('dialog', { name: `Withdraw the offer to ${second}?` });
    await expect(withdrawal).toContainText('can’t return without you');
    await withdrawal.getByRole('button', { name: 'Withdraw the offer' }).click();
    await expect(page.getByText('Offer withdrawn.')).toBeVisible();
    await expect(offers).toHaveText([new RegExp(first)]);
    await expect(page.locator('.people')).toBeFocused();

    await choose(page, third, 'Remove');
    const removal = page.getByRole('dialog', { name: `Remove ${third}?` });
    await removal.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('heading', { name: 'No one else is waiting.' })).toBeVisible();
    await choose(page, first, 'Add now');
    await expect(page.getByText('Added to the roster.')).toBeVisible();
    await expect(page.locator('.person-row')).toHaveCount(0);
  });
});

/** A cohort whose only place is taken, and three people who wait. */
async function openFull(page: Page) {
  await signInWith(page, [biology]);
  const taken = [{ name: 'Yuki Tanaka', email: uniqueEmail() }];
  const cohort = await cohortWith(page, taken, { capacity: 1 });
  const waiting = names.map((name) => ({ name, email: uniqueEmail() }));
  await enrollPeople(page, cohort, waiting);
  await openReady(page, `/cohorts/${cohort.id}/waitlist`);
  return { ...cohort, emails: waiting.map(({ email }) => email) };
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More about ${name}` }).click();
  await page.locator('#person-menu').getByRole('button', { name: action }).click();
}
