import type { Page } from '@playwright/test';
import { dayFromToday, makeCohort, runningDays } from './cohorts.ts';
import { addPerson, cohortWith, requestPlaces } from './enrollments.ts';
import { biology, section } from './settings.ts';
import {
  askApi,
  expect,
  holdScripts,
  mailsTo,
  openReady,
  signInWith,
  test,
  uniqueEmail,
} from './support.ts';

const [ana, elodie, zoltan] = ['Ana Fernández', 'Élodie Brûlé', 'Zoltán Czövek'];

test.use({ expectedErrors: [/status of 4(00|22)/] });

test('someone is added, who then has an email with the link to their page; when it is full, people are added anyway, put on the waitlist, or invited', async ({
  page,
}) => {
  const { id } = await openRoster(page, [], { capacity: 2 });
  await expect(page.getByRole('heading', { name: 'No one yet.' })).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Add someone' });
  const add = dialog.getByRole('button', { name: 'Add someone' });
  const fillIn = async (name: string, email = uniqueEmail()) => {
    await page.getByRole('button', { name: 'Add someone' }).first().click();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Email address').fill(email);
    return email;
  };
  await fillIn('');
  await add.click();
  await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription('Name is required');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const email = await fillIn(ana);
  await dialog.getByLabel('Language of their emails').selectOption('Français');
  await add.click();
  await expect(page.getByText('Added to the roster.')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, ana)).toContainText(email);
  await expect.poll(() => subjectsTo(email)).toEqual([expect.stringContaining('Biology 101')]);

  // The cohort fills meanwhile.
  await fillIn(zoltan);
  await addPerson(page, { id }, { name: 'Yuki Tanaka', email: uniqueEmail() });
  await add.click();
  await expect(dialog.getByRole('alert')).toContainText('All 2 places are taken.');
  await expect(dialog.getByLabel('Name')).toHaveValue(zoltan);
  await dialog.getByRole('radio', { name: /Add anyway \(3 of 2\)/ }).check();
  await add.click();
  await expect(rowOf(page, zoltan)).toContainText('Over capacity');
  const waiting = await fillIn(elodie);
  await dialog.getByRole('radio', { name: /^Add to the waitlist/ }).check();
  await add.click();
  await expect(page.getByText('Put on the waitlist.', { exact: true })).toBeVisible();
  await expect.poll(async () => (await mailsTo(waiting)).length).toBe(1);
  await fillIn('Eve Orr');
  await dialog.getByRole('radio', { name: /^Invite/ }).check();
  await add.click();
  await expect(page.getByText('Invitation sent.')).toBeVisible();
  await expect(rowOf(page, 'Eve Orr')).toContainText('Invited');
});

test('the menu of someone opens before the scripts are there and by keyboard, marks who has completed a cohort, and removes people, telling them or not', async ({
  page,
}) => {
  const [told, untold] = [uniqueEmail(), uniqueEmail()];
  const people = [
    { name: ana, email: told },
    { name: elodie, email: untold },
    { name: zoltan, email: uniqueEmail(), as: 'invited' as const },
  ];
  const { id } = await openRoster(page, people, runningDays);
  const menu = page.locator('#person-menu');
  const release = await holdScripts(page);
  await page.goto(`/cohorts/${id}/roster`, { waitUntil: 'commit' });
  await page.getByRole('button', { name: `More about ${zoltan}` }).click();
  await expect(menu).toHaveText('One moment…');
  release();
  await expect(menu.getByRole('link', { name: 'Details' })).toBeVisible();
  await menu.getByRole('button', { name: 'Add now' }).click();
  await expect(page.getByText('Added to the roster.')).toBeVisible();
  await expect(rowOf(page, zoltan)).not.toContainText('Invited');

  await rowOf(page, ana).getByRole('button').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('m');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('button', { name: 'Mark as left…' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('button', { name: 'Mark as completed' })).toBeFocused();
  await page.keyboard.press('Enter');
  // The cohort still runs.
  await page
    .getByRole('dialog', { name: `Mark ${ana} as completed before the end?` })
    .getByRole('button', { name: 'Mark as completed' })
    .click();
  await expect(page.getByText('Marked as completed.')).toBeVisible();
  await choose(page, ana, 'Undo “completed”');
  await expect(rowOf(page, ana)).not.toContainText('Completed');

  const dialog = page.getByRole('dialog', { name: `Remove ${elodie}?` });
  await choose(page, elodie, 'Remove');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(rowOf(page, elodie).getByRole('button')).toBeFocused();
  await choose(page, elodie, 'Remove');
  await dialog.getByLabel(`Tell ${elodie} by email`).uncheck();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(rowOf(page, elodie)).toBeHidden();
  await choose(page, ana, 'Remove');
  const other = page.getByRole('dialog', { name: `Remove ${ana}?` });
  await expect(other.getByLabel(`Tell ${ana} by email`)).toBeChecked();
  await other.getByRole('button', { name: 'Remove' }).click();
  const removal = expect.stringMatching(/^You’re no longer enrolled in/);
  await expect.poll(() => subjectsTo(told)).toContainEqual(removal);
  expect(await subjectsTo(untold)).not.toContainEqual(removal);
  await page.getByRole('link', { name: 'Removed 2' }).click();
  await expect(rowOf(page, elodie)).toBeVisible();
});

test.describe('with people who have not confirmed', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

  test('adds them, also when it is full, or puts them on the waitlist; finds people by a part of the name, and copies addresses', {
    tag: '@night',
  }, async ({ page }) => {
    const emails = [uniqueEmail(), uniqueEmail()];
    const cohort = await openRoster(page, [{ name: ana, email: emails[0] ?? '' }], {
      capacity: 1,
    });
    await requestPlaces(page, cohort, [
      { name: elodie, email: emails[1] ?? '' },
      { name: zoltan, email: uniqueEmail() },
    ]);
    await page.reload();
    await page.getByText('2 people have not confirmed yet').click();
    const request = (name: string) => page.locator('.requests li').filter({ hasText: name });
    await request(elodie).getByRole('button', { name: 'Add anyway (2 of 1)' }).click();
    await expect(page.getByText('1 person has not confirmed yet')).toBeVisible();
    await expect(rowOf(page, elodie)).toContainText('Over capacity');
    await request(zoltan).getByRole('button', { name: 'Add to the waitlist' }).click();
    await expect(page.locator('.requests')).toBeHidden();

    await page.getByRole('button', { name: 'Import or export' }).click();
    await page.getByRole('button', { name: 'Copy addresses' }).click();
    await expect(page.getByText('Addresses copied.')).toBeVisible();
    const copied = await page.evaluate(() => window.navigator.clipboard.readText());
    expect(copied).toBe(emails.join(', '));
    await page.getByRole('button', { name: 'Import or export' }).click();
    const exporting = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download for Excel' }).click();
    expect((await exporting).suggestedFilename()).toMatch(/-winter-roster\.csv$/);

    await page.getByLabel('Find by name or email').fill('elod');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/cohorts/${cohort.id}/roster?q=elod`);
    await expect(page.locator('.person-row [data-name]')).toHaveText([elodie]);
    // The menu opens below its button where there is room, also if there is more above it.
    const button = rowOf(page, elodie).getByRole('button', { name: `More about ${elodie}` });
    const bottom = async () => {
      const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
      return y + height;
    };
    await page.setViewportSize({ width: 1280, height: (await bottom()) + 300 });
    await button.click();
    const menu = page.locator('#person-menu');
    await expect(menu.getByRole('link', { name: 'Details' })).toBeVisible();
    const above = async () => ((await menu.boundingBox())?.y ?? 0) - (await bottom());
    await expect.poll(above).toBeGreaterThanOrEqual(0);
  });
});

test('people who owe are marked as paid together; one is marked as left, once it is said what happens to the money, also of someone who has left', async ({
  page,
}) => {
  const names = [ana, elodie, zoltan];
  const { id, people } = await openRoster(
    page,
    names.map((name) => ({ name, email: uniqueEmail() })),
    { price_minor: 24_000, currency: 'USD' },
  );
  const payment = { kind: 'payment', enrollments: [people[0]?.id], amount_minor: 10_000 };
  const how = { method: 'cash', received_on: dayFromToday(0) };
  await askApi(page, 'POST', `/api/cohorts/${id}/ledger/`, { ...payment, ...how });
  await openReady(page, `/cohorts/${id}/roster?status=owing`);
  await rowOf(page, elodie).getByRole('checkbox').check();
  await rowOf(page, zoltan).getByRole('checkbox').check();
  await expect(page.getByRole('link', { name: 'Write to 2 people' })).toBeVisible();
  await page.locator('.selection-bar').getByRole('button', { name: 'Mark as paid' }).click();
  const paying = page.getByRole('dialog', { name: 'Mark as paid' });
  await expect(paying).toContainText(`${elodie}, ${zoltan}`);
  await paying.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(page.locator('.person-row [data-name]')).toHaveText([ana]);

  await expect(rowOf(page, ana)).toContainText('Owes $140');
  await choose(page, ana, 'Mark as left…');
  const dialog = page.getByRole('dialog', { name: `Mark ${ana} as left?` });
  const submit = dialog.getByRole('button', { name: 'Mark as left' });
  await expect(submit).toBeDisabled();
  await dialog.getByText('Waive the rest, $140').click();
  await dialog.getByLabel('Private note, optional').fill('A new job');
  await submit.click();
  await expect(page.getByText('Marked as left.')).toBeVisible();
  await page.goto(`/cohorts/${id}/roster/${people[0]?.id}`);
  await expect(page.getByText('A new job')).toBeVisible();
  // Of who left otherwise, the money is still to be decided.
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/${people[1]?.id}/remove/`, {});
  await openReady(page, `/cohorts/${id}/roster/${people[1]?.id}`);
  await page.getByRole('button', { name: 'Left: refund, waive or keep?' }).click();
  const settling = page.getByRole('dialog', { name: `What should happen to ${elodie}’s account?` });
  await settling.getByText('Refund $240').click();
  await settling.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
});

test('someone on the roster has a page with what is kept and what has happened, which changes, downloads and erases them; someone is moved to another cohort; if that has filled meanwhile, over its capacity or not at all', async ({
  page,
}) => {
  const [first, taken, moved] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
  const { id, people } = await openRoster(page, [
    { name: ana, email: first },
    { name: zoltan, email: taken, as: 'invited' },
  ]);
  const happened = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  await page.getByRole('link', { name: ana }).click();
  await expect(page.getByRole('heading', { name: ana })).toBeVisible();
  await expect(happened(`You added ${ana}`)).toBeVisible();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ana Lucía');
  await page.getByLabel('Email address').fill(taken);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByLabel('Email address')).toHaveAccessibleDescription(
    /Someone else in your cohorts has this email address/,
  );
  await page.getByLabel('Email address').fill(moved);
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Sits in front.');
  // Changed elsewhere since the page was opened, and not here: it stays.
  await askApi(page, 'PATCH', `/api/people/${people[0]?.person_id}/`, { language: 'fr' });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Person saved.')).toBeVisible();
  expect(
    await askApi(page, 'GET', `/api/cohorts/${id}/enrollments/${people[0]?.id}/`),
  ).toMatchObject({
    person: { name: 'Ana Lucía', email: moved, note: 'Sits in front.', language: 'fr' },
  });
  await expect.poll(async () => (await mailsTo(moved)).length).toBe(1);
  const act = async (action: string) => {
    await page.getByRole('button', { name: 'More about Ana Lucía' }).click();
    await page.locator('#person-actions').getByRole('button', { name: action }).click();
  };
  await act('Reset personal link');
  await expect(page.getByText('New link sent.')).toBeVisible();
  await act('Send the link again');
  await expect(page.getByText('Link sent.', { exact: true })).toBeVisible();
  await expect.poll(async () => (await mailsTo(moved)).length).toBe(3);
  await act('Remove');
  const removal = page.getByRole('dialog', { name: 'Remove Ana Lucía?' });
  await removal.getByRole('button', { name: 'Remove' }).click();
  await expect(happened('You removed')).toBeVisible();
  await act('Add now');
  await expect(page.getByText(/^Enrolled since/)).toBeVisible();

  const summer = { name: 'Summer', starts_on: dayFromToday(150), ends_on: dayFromToday(190) };
  const next = await makeCohort(page, { ...summer, capacity: 1 }, 'publish');
  await makeCohort(page, { name: 'Spring', ...runningDays }, 'publish');
  const own = `roster/${people[0]?.id}`;
  const form = section(page, 'Another cohort');
  await openReady(page, `/cohorts/${id}/${own}`);
  await form.getByLabel('Cohort').selectOption({ value: next.id });
  await form.getByRole('checkbox').uncheck();
  await addPerson(page, next, { name: elodie, email: uniqueEmail() });
  await form.getByRole('button', { name: 'Move' }).click();
  await expect(form.getByRole('alert')).toContainText('The only place is taken.');
  await expect(form.getByRole('checkbox')).not.toBeChecked();
  await openReady(page, `/cohorts/${id}/${own}`);
  await form.getByLabel('Cohort').selectOption({ value: next.id });
  await form.getByRole('button', { name: 'Move anyway (2 of 1)' }).click();
  await page.waitForURL(`/cohorts/${next.id}/${own}`);
  await expect(page.getByText('You moved Ana Lucía here from Winter')).toBeVisible();
  await expect(page.getByText('Over capacity')).toBeVisible();

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the data' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^person-\d{4}-\d\d-\d\d\.json$/);
  await page.getByRole('button', { name: 'Erase this person' }).click();
  const erasure = page.getByRole('dialog', { name: 'Erase this person?' });
  await erasure.getByRole('button', { name: 'Erase', exact: true }).click();
  await expect(page).toHaveURL(`/cohorts/${next.id}/roster`);
  await expect(page.getByText('Person erased.')).toBeVisible();
  await expect(page.locator('.person-row')).toHaveCount(1);
});

async function openRoster(
  page: Page,
  ...values: Parameters<typeof cohortWith> extends [Page, ...infer Rest] ? Rest : never
) {
  await signInWith(page, [biology]);
  const cohort = await cohortWith(page, ...values);
  await openReady(page, `/cohorts/${cohort.id}/roster`);
  return cohort;
}

async function subjectsTo(email: string): Promise<string[]> {
  return (await mailsTo(email)).map(({ subject }) => subject);
}

function rowOf(page: Page, name: string) {
  return page.locator('.person-row').filter({ hasText: name });
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await rowOf(page, name)
    .getByRole('button', { name: `More about ${name}` })
    .click();
  await page.locator('#person-menu').getByRole('button', { name: action }).click();
}
