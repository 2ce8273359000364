import type { Page } from '@playwright/test';
import { enrollPeople } from './enrollments.ts';
import { publishCohort } from './participants.ts';
import { askApi, expect, openReady, test, uniqueEmail } from './support.ts';

const [ana, bob, eve, zoe, max] = ['Ana Ek', 'Bob Ito', 'Eve Orr', 'Zoe Ash', 'Max Urs'] as const;

test('people who ask are ticked, let in and turned down, and ticks outlast other changes', async ({
  page,
}) => {
  const { id } = await openAsking(page, [ana, bob, eve, zoe, max], { capacity: 3 });
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
  await box(ana).focus();
  await page.keyboard.press('Space');
  await box(zoe).check();
  await expect(page.getByRole('status').filter({ hasText: '2 selected' })).toHaveCount(1);
  const approve = page.getByRole('button', { name: 'Approve 2 people' });
  await expect(approve).toBeVisible();

  const one = page.getByRole('listitem').filter({ hasText: eve });
  await expect(one.getByRole('button', { name: 'Approve' })).toHaveAccessibleDescription(eve);
  await one.getByRole('button', { name: 'Approve' }).press('Enter');
  await expect(page.getByText('Approved.')).toBeVisible();
  await expect(box(eve)).toHaveCount(0);
  // The row is gone with its button, but the list is still there.
  await expect(page.locator('.people')).toBeFocused();
  await expect(box(ana)).toBeChecked();
  await expect(box(zoe)).toBeChecked();
  await expect(box(bob)).not.toBeChecked();

  await approve.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Approve 2 requests?' });
  await expect(dialog.getByRole('listitem')).toHaveText([
    new RegExp(`^${ana}`),
    new RegExp(`^${zoe}`),
  ]);
  await expect(dialog).toContainText('They all get a place');
  await dialog.getByRole('button', { name: 'Approve 2 people' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('checkbox')).toHaveCount(2);
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
  expect(await statuses(page, id, 'enrolled')).toEqual([ana, eve, zoe]);

  await box(max).check();
  await page.getByRole('button', { name: 'Turn 1 person down' }).click();
  const refusal = page.getByRole('dialog', { name: 'Turn 1 person down?' });
  await refusal.getByRole('button', { name: 'Turn 1 person down' }).click();
  await expect(page.getByText('Turned down.', { exact: true })).toBeVisible();
  expect(await statuses(page, id, 'refused')).toEqual([max]);
  expect(await statuses(page, id, 'applied')).toEqual([bob]);
  // A single request has buttons of its own.
  await expect(page.getByRole('checkbox')).toHaveCount(0);
});

/** The list of these people, who ask for a place. */
async function openAsking(page: Page, names: readonly string[], values: object) {
  const cohort = await publishCohort(page, { join_mode: 'approval', ...values });
  const people = names.map((name) => ({ name, email: uniqueEmail() }));
  await enrollPeople(page, cohort, people);
  await openReady(page, `/cohorts/${cohort.id}/roster?status=applied`);
  return { id: cohort.id, emails: people.map(({ email }) => email) };
}

async function statuses(page: Page, id: string, status: string): Promise<string[]> {
  const path = `/api/cohorts/${id}/enrollments/?status=${status}`;
  const { items } = (await askApi(page, 'GET', path)) as { items: { name: string }[] };
  return items.map(({ name }) => name);
}
