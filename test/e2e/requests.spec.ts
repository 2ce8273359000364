import type { Page } from '@playwright/test';
import { openMoreActions } from './cohorts.ts';
import { enrollPeople } from './enrollments.ts';
import { linkTo, publishCohort } from './participants.ts';
import { askApi, expect, openReady, rest, test, uniqueEmail } from './support.ts';

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

test('boxes fit beside names on a narrow screen, and are large enough for fingers', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openAsking(page, [ana, 'Wolfeschlegelsteinhausenbergerdorff Ångström'], {});
  await page.getByRole('checkbox').first().check();
  await rest(page);
  const sizes = await page.locator('.tick').evaluateAll((labels) =>
    labels.map((label) => {
      const { left, width, height } = label.getBoundingClientRect();
      return { left, width, height };
    }),
  );
  expect(sizes).toHaveLength(2);
  for (const { left, width, height } of sizes) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  }
  const widest = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(widest).toBeLessThanOrEqual(320);
});

test('in an archived cohort, both sides read that nothing is decided', async ({ page }) => {
  const { id, emails } = await openAsking(page, [ana, bob], {});
  await page.goto(`/cohorts/${id}`);
  await openMoreActions(page);
  await page.getByRole('button', { name: 'Archive cohort' }).click();
  await expect(page.locator('#state')).toHaveText('This cohort is archived.');

  await openReady(page, `/cohorts/${id}/roster?status=applied`);
  await expect(page.getByText('2 people have asked to join. You decide.')).toContainText(
    'Take the cohort out of the archive first',
  );
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Turn all down' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await expect(dialog.getByRole('checkbox')).toHaveCount(0);

  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('This cohort is archived, so no emails go out.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add someone' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Import a list' })).toHaveCount(0);
  await page.goto(`/cohorts/${id}/import`);
  await expect(page.getByText('To add people, take it out of the archive first.')).toBeVisible();

  await openReady(page, await linkTo('/p/', emails[0] ?? '', 2));
  await expect(page.locator('.place-sentence')).toHaveText('This cohort has ended.');
  await expect(page.getByText('We’ll email you')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Withdraw my request' }).first()).toBeVisible();
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
