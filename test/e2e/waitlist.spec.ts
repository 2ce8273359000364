import type { Page } from '@playwright/test';
import { enrollPeople } from './enrollments.ts';
import { addPerson, publishCohort } from './participants.ts';
import { askApi, expect, mailsTo, openReady, test, uniqueEmail } from './support.ts';

const names = ['Ana Fernández', 'Tomás Ó Súilleabháin', 'Sørine Kjær'] as const;
const [first, second, third] = names;

test('of a waitlist, someone is offered a place out of turn; the offer is withdrawn after a question, the next person has it at once, and others are added and removed', async ({
  page,
}) => {
  const { id, public_url } = await publishCohort(page, { capacity: 1 });
  const { enrollmentId } = await addPerson(page, { id });
  const waiting = names.map((name) => ({ name, email: uniqueEmail() }));
  await enrollPeople(page, { public_url }, waiting);
  await openReady(page, `/cohorts/${id}/waitlist`);
  await expect(page.getByRole('heading', { name: 'No place is free.' })).toBeVisible();
  await expect(page.getByText(`The next free place is offered to ${first}`)).toBeVisible();
  await expect(page.locator('ol .person-row')).toHaveText(
    names.map((name, index) => new RegExp(`^${index + 1}.*${name}`)),
  );
  await choose(page, second, 'Offer a place anyway');
  await expect(page.getByText('Place offered.')).toBeVisible();
  const offers = page.locator('ul .person-row');
  await expect(offers).toHaveText([new RegExp(second)]);
  await expect
    .poll(async () => (await mailsTo(waiting[1]?.email ?? '')).map(({ subject }) => subject))
    .toContainEqual(expect.stringContaining('A place is free for you in Biology 101'));
  // Only this makes the offered place free.
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/${enrollmentId}/remove/`, {});
  await page.getByRole('button', { name: 'Withdraw' }).click();
  const withdrawal = page.getByRole('dialog', { name: `Withdraw the offer to ${second}?` });
  await expect(withdrawal).toContainText('can’t return without you');
  await withdrawal.getByRole('button', { name: 'Withdraw the offer' }).click();
  await expect(page.getByText('Offer withdrawn.')).toBeVisible();
  await expect(offers).toHaveText([new RegExp(first)]);
  await expect(offers).toContainText([/47\shours left/]);
  await expect(page.locator('.people')).toBeFocused();

  await choose(page, third, 'Remove');
  const removal = page.getByRole('dialog', { name: `Remove ${third}?` });
  await removal.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('heading', { name: 'No one else is waiting.' })).toBeVisible();
  await choose(page, first, 'Add now');
  await expect(page.getByText('Added to the roster.')).toBeVisible();
  await expect(page.locator('.person-row')).toHaveCount(0);
});

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More about ${name}` }).click();
  await page.locator('#person-menu').getByRole('button', { name: action }).click();
}
