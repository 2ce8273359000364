import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { addPerson, linkTo, publishCohort } from './participants.ts';
import { expect, mailsTo, openReady, test } from './support.ts';

test('someone takes their data, ends all links to their page, gives another address, and erases everything', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page);
  const grace = await addPerson(page, cohort);
  const visitor = await openBrowser();
  const title = visitor.getByRole('heading', { level: 1 });
  const checkEmail = visitor.getByRole('status').filter({ hasText: 'Check your email' });
  await openReady(visitor, grace.link);
  await visitor.getByText('Your data').click();
  await visitor.getByRole('button', { name: 'Email me the link' }).click();
  await expect(checkEmail).toBeFocused();
  await openReady(visitor, await linkTo('/p/data?', grace.email));
  await expect(visitor).toHaveURL('/p/data');
  const downloading = visitor.waitForEvent('download');
  await visitor.getByRole('button', { name: 'Download my data' }).click();
  const file = readFileSync(await (await downloading).path(), 'utf8');
  expect(JSON.parse(file)).toMatchObject({
    person: { email: grace.email },
    enrollments: [{ cohort_name: 'Winter', status: 'enrolled' }],
  });

  // Their link may have reached others.
  await visitor.getByRole('button', { name: 'Create a new link' }).click();
  await expect(
    visitor.getByRole('heading', { name: 'Your new link is on its way.' }),
  ).toBeFocused();
  await expect(visitor.getByRole('button', { name: 'Erase my data' })).toHaveCount(0);
  await visitor.goto(grace.link);
  await expect(title).toHaveText('This link doesn’t work');
  await openReady(visitor, await linkTo('/p/', grace.email, 3));
  await expect(title).toContainText('Hello');

  await openData(visitor, grace.email);
  const fresh = `new-${grace.email}`;
  await visitor.getByLabel('New email address').fill(fresh);
  await visitor.getByRole('button', { name: 'Confirm the new address' }).click();
  await expect(checkEmail).toBeFocused();
  await openReady(visitor, await linkTo('/p/address?', fresh));
  await visitor.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(visitor).toHaveURL(new RegExp(`/p/${grace.link.split('/p/')[1]?.split('.')[0]}\\.`));
  // The link has changed with the address.
  await openReady(visitor, await linkTo('/p/', fresh, 2));
  await openData(visitor, fresh);
  await visitor.getByRole('button', { name: 'Erase my data' }).click();
  const dialog = visitor.getByRole('dialog', { name: 'Erase your data?' });
  await dialog.getByRole('button', { name: 'Erase my data' }).click();
  await expect(visitor.getByRole('heading', { name: 'Your data is erased.' })).toBeFocused();
  await expect(visitor.getByRole('button', { name: 'Download my data' })).toHaveCount(0);

  await page.goto(`/cohorts/${cohort.id}`);
  await expect(page.getByText('A participant erased their data')).toBeVisible();
  await page.goto(`/cohorts/${cohort.id}/roster`);
  await expect(page.getByText('No one yet.')).toBeVisible();
});

test('recordings mask everything about participants, and no attribute names them', async ({
  page,
}) => {
  const price = { price_minor: 24_000, currency: 'EUR' };
  const cohort = await publishCohort(page, { capacity: 1, ...price });
  const { enrollmentId, email } = await addPerson(page, cohort, { name: 'Xylo Quark' });
  const ofCohort = ['', '/roster', `/roster/${enrollmentId}`, '/waitlist'];
  const pages = [
    ...ofCohort.map((path) => `/cohorts/${cohort.id}${path}`),
    `/payments?cohort=${cohort.id}`,
    `/payments/${cohort.id}/${enrollmentId}`,
  ];
  for (const path of pages) {
    await openReady(page, path);
    const menu = page.getByRole('button', { name: 'More about Xylo Quark' });
    if (await menu.isVisible()) {
      await menu.click();
      await page.getByRole('button', { name: 'Remove' }).click();
      await expect(page.getByRole('dialog', { name: 'Remove Xylo Quark?' })).toBeVisible();
    }
    const found = await page.evaluate(
      (words) => {
        const isNamed = (text: string | null) =>
          words.some((word) => text?.toLowerCase().includes(word));
        const bare = [document.title].filter(isNamed);
        let masked = 0;
        for (const element of document.body.querySelectorAll('*:not(script)')) {
          const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === 3);
          if (texts.some(({ textContent }) => isNamed(textContent))) {
            if (element.closest('[data-sentry-mask]') === null) {
              bare.push(element.outerHTML);
            }
            masked += 1;
          }
          for (const { name, value } of element.attributes) {
            // The SDK masks the values of inputs.
            if (name !== 'value' && isNamed(value)) {
              bare.push(`${name}="${value}"`);
            }
          }
        }
        return { bare, masked };
      },
      ['xylo', 'quark', email.split('@')[0] ?? ''],
    );
    expect(found.bare, path).toEqual([]);
    expect(found.masked > 0, path).toBe(!path.endsWith('/waitlist'));
  }
});

/** Opens someone's data from their own page, by a new link in an email. */
async function openData(visitor: Page, email: string): Promise<void> {
  const before = (await mailsTo(email)).length;
  await visitor.getByText('Your data').click();
  await visitor.getByRole('button', { name: 'Email me the link' }).click();
  await expect.poll(async () => (await mailsTo(email)).length).toBe(before + 1);
  await openReady(visitor, await linkTo('/p/data?', email));
}
