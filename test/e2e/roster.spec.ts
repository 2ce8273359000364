import type { Page } from '@playwright/test';
import { runningDays } from './cohorts.ts';
import { addPerson, cohortWith, enrollPeople, requestPlaces } from './enrollments.ts';
import { biology } from './settings.ts';
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

test.describe('the roster', () => {
  test('adds someone, who then has an email with the way to their page', async ({ page }) => {
    const { id } = await openRoster(page, []);
    await expect(page.getByRole('heading', { name: 'No one yet.' })).toBeVisible();
    await page.getByRole('button', { name: 'Add someone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add someone' });
    await dialog.getByRole('button', { name: 'Add someone' }).click();
    await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription('Name is required');
    const email = uniqueEmail();
    await dialog.getByLabel('Name').fill(ana);
    await dialog.getByLabel('Email address').fill(email);
    await dialog.getByLabel('Language of their emails').selectOption('Français');
    await dialog.getByRole('button', { name: 'Add someone' }).click();

    await expect(page.getByText('Added to the roster.')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(rowOf(page, ana)).toContainText(email);
    await expect(page.getByRole('link', { name: 'Roster 1' })).toHaveAttribute(
      'aria-current',
      'page',
    );
    await expect.poll(async () => (await mailsTo(email)).length).toBe(1);
    const people = await askApi(page, 'GET', `/api/cohorts/${id}/enrollments/`);
    expect(people).toMatchObject({ items: [{ name: ana, status: 'enrolled' }] });
  });

  test.describe('of a cohort that fills meanwhile', () => {
    test.use({ expectedErrors: [/status of 422/] });

    test('says so, keeps what was typed, and lets someone in over its capacity', async ({
      page,
    }) => {
      const cohort = await openRoster(page, [], { capacity: 1 });
      await page.getByRole('button', { name: 'Add someone' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add someone' });
      await dialog.getByLabel('Name').fill(zoltan);
      await dialog.getByLabel('Email address').fill(uniqueEmail());
      await addPerson(page, cohort, { name: ana, email: uniqueEmail() });
      await dialog.getByRole('button', { name: 'Add someone' }).click();
      await expect(dialog.getByRole('alert')).toContainText('The only place is taken.');
      await expect(dialog.getByLabel('Name')).toHaveValue(zoltan);
      await dialog.getByRole('radio', { name: /Add anyway \(2 of 1\)/ }).check();
      await dialog.getByRole('button', { name: 'Add someone' }).click();

      await expect(rowOf(page, zoltan)).toContainText('Over capacity');
    });
  });

  test('puts someone on the waitlist of a full cohort', async ({ page }) => {
    const email = uniqueEmail();
    const { id } = await openRoster(page, [{ name: ana, email: uniqueEmail() }], { capacity: 1 });
    await page.getByRole('button', { name: 'Add someone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add someone' });
    await expect(dialog.getByText('The only place is taken.')).toBeVisible();
    await dialog.getByLabel('Name').fill(zoltan);
    await dialog.getByLabel('Email address').fill(email);
    await dialog.getByRole('radio', { name: /^Add to the waitlist/ }).check();
    await dialog.getByRole('button', { name: 'Add someone' }).click();
    await expect(page.getByText('Put on the waitlist.', { exact: true })).toBeVisible();

    await page.goto(`/cohorts/${id}/waitlist`);
    await expect(page.locator('.person-row')).toContainText(zoltan);
    await page.goto(`/cohorts/${id}`);
    await expect(page.getByText(`You put ${zoltan} on the waitlist`)).toBeVisible();
    await expect.poll(async () => (await mailsTo(email)).length).toBe(1);
  });

  test('invites someone, whom the menu can add at once', async ({ page }) => {
    const { id } = await openRoster(page, [{ name: ana, email: uniqueEmail() }]);
    await page.getByRole('button', { name: 'Add someone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add someone' });
    await dialog.getByLabel('Name').fill(zoltan);
    await dialog.getByLabel('Email address').fill(uniqueEmail());
    await dialog.getByRole('radio', { name: /^Invite/ }).check();
    await dialog.getByRole('button', { name: 'Add someone' }).click();
    await expect(page.getByText('Invitation sent.')).toBeVisible();
    await expect(rowOf(page, zoltan)).toContainText('Invited');
    await page.goto(`/cohorts/${id}`);
    await expect(page.getByRole('region', { name: 'Next emails' })).toContainText(
      'Reminder of an invitation',
    );
    await openReady(page, `/cohorts/${id}/roster`);
    await choose(page, zoltan, 'Add now');

    await expect(page.getByText('Added to the roster.')).toBeVisible();
    await expect(rowOf(page, zoltan)).not.toContainText('Invited');
  });

  for (const isFocused of [true, false]) {
    const [button, outcome] = isFocused
      ? ['its button', 'is filled']
      : ['a button that is not focused', 'closes'];
    test(`has a menu that, opened before scripts are there by ${button}, ${outcome} then`, async ({
      page,
    }) => {
      const { id } = await openRoster(page, [{ name: ana, email: uniqueEmail() }]);
      const release = await holdScripts(page);
      await page.goto(`/cohorts/${id}/roster`, { waitUntil: 'commit' });
      const menu = page.locator('#person-menu');
      await page.getByRole('button', { name: `More about ${ana}` }).click();
      await expect(menu).toHaveText('One moment…');
      if (!isFocused) {
        // As in browsers where clicks do not focus buttons.
        await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      }
      release();
      if (isFocused) {
        await expect(menu.getByRole('link', { name: 'Details' })).toBeVisible();
        // Its keys have a script of their own.
        await expect(async () => {
          await page.keyboard.press('Home');
          await expect(menu.getByRole('link', { name: 'Details' })).toBeFocused({ timeout: 500 });
        }).toPass();
      } else {
        await expect(menu).toBeHidden();
      }
    });
  }

  test('removes people, telling them or not, and gives the focus back', async ({ page }) => {
    const [told, untold] = [uniqueEmail(), uniqueEmail()];
    await openRoster(page, [
      { name: ana, email: told },
      { name: elodie, email: untold },
    ]);
    const dialog = page.getByRole('dialog', { name: `Remove ${elodie}?` });
    await choose(page, elodie, 'Remove');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(rowOf(page, elodie).getByRole('button')).toBeFocused();
    await choose(page, elodie, 'Remove');
    await dialog.getByLabel(`Tell ${elodie} by email`).uncheck();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Removed.')).toBeVisible();
    await expect(rowOf(page, elodie)).toBeHidden();
    await choose(page, ana, 'Remove');
    const other = page.getByRole('dialog', { name: `Remove ${ana}?` });
    await expect(other.getByLabel(`Tell ${ana} by email`)).toBeChecked();
    await other.getByRole('button', { name: 'Remove' }).click();

    const removal = 'You were removed: Winter';
    await expect.poll(() => subjectsOf(told)).toContain(removal);
    expect(await subjectsOf(untold)).not.toContain(removal);
    await page.getByRole('link', { name: 'Removed 2' }).click();
    await expect(rowOf(page, elodie)).toBeVisible();
  });

  test('marks who has completed a cohort, and takes it back, with the keyboard', async ({
    page,
  }) => {
    await openRoster(page, [{ name: ana, email: uniqueEmail() }], runningDays);
    for (const [action, toast] of [
      ['Mark as completed', 'Marked as completed.'],
      ['Undo “completed”', 'No longer marked as completed.'],
    ] as const) {
      await rowOf(page, ana).getByRole('button').focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('m');
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowUp');
      await expect(page.getByRole('button', { name: action })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.getByText(toast)).toBeVisible();
    }
    await expect(rowOf(page, ana)).not.toContainText('Completed');
  });

  test('finds people by a part of the name or address, and by status, in its address', async ({
    page,
  }) => {
    const { id } = await openRoster(page, [
      { name: ana, email: uniqueEmail() },
      { name: elodie, email: uniqueEmail() },
      { name: zoltan, email: uniqueEmail(), as: 'invited' },
    ]);
    await page.getByLabel('Find by name or email').fill('elod');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/cohorts/${id}/roster?q=elod`);
    await expect(namesIn(page)).toHaveText([elodie]);
    await page.getByRole('link', { name: 'Invited 1' }).click();
    await expect(page).toHaveURL(`/cohorts/${id}/roster?status=invited&q=elod`);
    await expect(page.getByText('No one found.')).toBeVisible();
    await page.goBack();
    await expect(page.getByLabel('Find by name or email')).toHaveValue('elod');
    await expect(namesIn(page)).toHaveText([elodie]);
    await page.goto(`/cohorts/${id}/roster?status=invited`);
    await expect(namesIn(page)).toHaveText([zoltan]);
  });

  test.describe('with addresses', () => {
    test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

    test('copies those of everyone who is enrolled, and adds someone who has not confirmed', async ({
      page,
    }) => {
      const emails = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
      const cohort = await openRoster(page, [
        { name: ana, email: emails[0] ?? '' },
        { name: elodie, email: uniqueEmail(), as: 'invited' },
      ]);
      const requested = [
        { name: zoltan, email: emails[1] ?? '' },
        { name: 'Yuki Tanaka', email: emails[2] ?? '' },
      ];
      await requestPlaces(page, cohort, requested);
      await page.reload();
      await page.getByText('2 people have not confirmed yet').click();
      const requests = page.getByRole('listitem').filter({ hasText: zoltan });
      await requests.getByRole('button', { name: 'Add' }).click();
      await expect(page.getByText('1 person has not confirmed yet')).toBeVisible();
      await expect(rowOf(page, zoltan)).toBeVisible();
      await page.getByRole('button', { name: 'Import or export' }).click();
      await page.getByRole('button', { name: 'Copy addresses' }).click();

      await expect(page.getByText('Addresses copied.')).toBeVisible();
      const copied = await page.evaluate(() => window.navigator.clipboard.readText());
      expect(copied).toBe(`${emails[0]}, ${emails[1]}`);
    });
  });

  test('adds someone who has not confirmed although all is full, or puts them on the waitlist', async ({
    page,
  }) => {
    const cohort = await openRoster(page, [{ name: ana, email: uniqueEmail() }], { capacity: 1 });
    const requested = [elodie, zoltan].map((name) => ({ name, email: uniqueEmail() }));
    await requestPlaces(page, cohort, requested);
    await page.reload();
    await page.getByText('2 people have not confirmed yet').click();
    const request = (name: string) => page.locator('.requests li').filter({ hasText: name });
    await request(elodie).getByRole('button', { name: 'Add anyway (2 of 1)' }).click();
    await expect(rowOf(page, elodie)).toContainText('Over capacity');
    await request(zoltan).getByRole('button', { name: 'Add to the waitlist' }).click();

    await expect(page.getByText('Put on the waitlist.')).toBeVisible();
    await expect(page.locator('.requests')).toBeHidden();
  });

  test.describe('without scripts, on a phone', () => {
    test.use({ viewport: { width: 320, height: 640 } });

    test('searches and filters, and nothing is cut off', async ({ page, openBrowser }) => {
      const { id } = await openRoster(page, [{ name: ana, email: uniqueEmail() }]);
      const still = await openBrowser({ javaScriptEnabled: false });
      await still.context().addCookies(await page.context().cookies());
      await still.goto(`/cohorts/${id}/roster`);
      await still.getByLabel('Find by name or email').fill('nobody');
      await still.keyboard.press('Enter');
      await expect(still.getByText('No one found.')).toBeVisible();
      await still.getByRole('link', { name: 'Enrolled' }).click();

      await expect(still).toHaveURL(`/cohorts/${id}/roster?status=enrolled&q=nobody`);
      const width = await still.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(320);
    });
  });

  test('shows many people of one domain who came within an hour, and removes them all', async ({
    page,
  }) => {
    const cohort = await openRoster(page, [{ name: ana, email: uniqueEmail() }]);
    const people = Array.from({ length: 8 }, () => ({ name: zoltan, email: uniqueEmail() }));
    await enrollPeople(page, cohort, people);
    await page.reload();
    const notice = page.locator('.burst');
    await expect(notice).toContainText('8 people from example.com enrolled within an hour.');
    await notice.getByRole('button', { name: 'Remove all' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove 8 people?' });
    await expect(dialog.getByRole('listitem')).toHaveCount(8);
    await dialog.getByRole('button', { name: 'Remove all' }).click();

    await expect(dialog).toBeHidden();
    await expect(notice).toBeHidden();
    await expect(page.locator('.person-row')).toHaveCount(1);
  });
});

test.describe('someone on the roster', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('has a page with what is kept and what has happened, which changes them', async ({
    page,
  }) => {
    const [first, taken, moved] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
    const { id, people } = await openRoster(page, [
      { name: ana, email: first },
      { name: zoltan, email: taken, as: 'invited' },
    ]);
    const of = `/api/cohorts/${id}/enrollments/${people[0]?.id}/`;
    await page.getByRole('link', { name: ana }).click();
    await expect(page.getByRole('heading', { name: ana })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: `You added ${ana}` })).toBeVisible();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ana Lucía');
    await page.getByLabel('Email address').fill(taken);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByLabel('Email address')).toHaveAccessibleDescription(
      /Someone else in your cohorts has this email address/,
    );
    await page.getByLabel('Email address').fill(moved);
    await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Sits in front.');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Person saved.')).toBeVisible();
    expect(await askApi(page, 'GET', of)).toMatchObject({
      person: { name: 'Ana Lucía', email: moved, note: 'Sits in front.' },
    });
    await expect.poll(async () => (await mailsTo(moved)).length).toBe(1);
    await page.getByRole('button', { name: 'Revoke all links and send a new one' }).click();
    await expect(page.getByText('New link sent.')).toBeVisible();
    await page.getByRole('button', { name: 'Send the link again' }).click();
    await expect(page.getByText('Link sent.', { exact: true })).toBeVisible();
    await expect.poll(async () => (await mailsTo(moved)).length).toBe(3);
    await page.getByRole('button', { name: 'Remove' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Remove Ana Lucía?' });
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'You removed' })).toBeVisible();
    await page.getByRole('button', { name: 'Add now' }).click();

    await expect(page.getByText(/^Enrolled since/)).toBeVisible();
  });

  test.describe('of someone else', () => {
    test.use({ expectedErrors: [/status of 404/] });

    test('is not found', async ({ page, openBrowser }) => {
      const { id, people } = await openRoster(page, [{ name: ana, email: uniqueEmail() }]);
      const stranger = await openBrowser();
      await signInWith(stranger, [biology]);
      for (const path of ['roster', `roster/${people[0]?.id}`, 'roster/nobody', 'waitlist']) {
        const response = await stranger.goto(`/cohorts/${id}/${path}`);
        expect(response?.status()).toBe(404);
        expect(await response?.text()).not.toContain(ana);
      }
      const nobody = await page.goto(`/cohorts/${id}/roster/nobody`);
      expect(nobody?.status()).toBe(404);
    });
  });
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

async function subjectsOf(email: string): Promise<string[]> {
  return (await mailsTo(email)).map(({ subject }) => subject);
}

function rowOf(page: Page, name: string) {
  return page.locator('.person-row').filter({ hasText: name });
}

function namesIn(page: Page) {
  return page.locator('.person-row [data-name]');
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await rowOf(page, name)
    .getByRole('button', { name: `More about ${name}` })
    .click();
  await page.locator('#person-menu').getByRole('button', { name: action }).click();
}
