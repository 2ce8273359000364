import { readFile } from 'node:fs/promises';
import { cohortWith } from './enrollments.ts';
import { linkTo } from './participants.ts';
import { biology } from './settings.ts';
import { expect, mailsTo, openReady, signInWith, test, uniqueEmail } from './support.ts';

test('a list from a French spreadsheet is checked, imported and downloaded again, and a picture is not taken for one; with more people than places, it is asked about; people who remove themselves stay out of the next one', async ({
  page,
  openBrowser,
}) => {
  const [known, first, second] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
  await signInWith(page, [biology]);
  const people = [{ name: 'Zoltán Czövek', email: known }];
  const cohort = await cohortWith(page, people, { capacity: 2, language: 'fr' });
  await openReady(page, `/cohorts/${cohort.id}/import`);
  const lines = [
    'Prénom;Nom;Courriel',
    `Élodie;Brûlé;${first}`,
    `Zoltán;Czövek;${known}`,
    `François;Noël;${second}`,
    `Élodie;Brûlé;${first.toUpperCase()}`,
    'Inès;Façade;personne',
  ];
  const file = page.getByLabel('Choose a file');
  const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
  await file.setInputFiles({ name: 'list.csv', mimeType: 'image/png', buffer: picture });
  await expect(page.getByText('This is not a text file.')).toBeVisible();
  await expect(page.getByLabel('Or paste the lines')).toHaveValue('');
  const buffer = Buffer.from(lines.join('\r\n'), 'latin1');
  await file.setInputFiles({ name: 'liste.csv', mimeType: 'text/csv', buffer });
  const typed = page.getByLabel('Or paste the lines');
  await expect(typed).toHaveValue(/François;Noël/);
  const encoding = page.getByLabel('File encoding');
  await encoding.selectOption('Mac Roman');
  await expect(typed).toHaveValue(/FranÁois;NoÎl/);
  const check = page.getByRole('button', { name: 'Preview import' });
  await check.click();
  await expect(page.getByText(/^Names to be saved: .*FranÁois NoÎl/)).toBeVisible();
  await encoding.selectOption('Windows (Western European)');
  await check.click();

  await expect(page.getByRole('region', { name: '2 people will be invited.' })).toBeFocused();
  await expect(page.getByText(/^Names to be saved: .*François Noël/)).toBeVisible();
  expect(await mailsTo(first)).toEqual([]);
  const row = (line: number) =>
    page.getByRole('row').filter({ has: page.getByRole('cell', { name: `${line}`, exact: true }) });
  await expect(row(3)).toContainText('Already on the roster (enrolled)');
  await expect(row(5)).toContainText('The same address as line 2');
  await expect(row(6)).toContainText('This is not an email address');
  const faults = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the lines with errors' }).click();
  expect(await readFile(await (await faults).path(), 'utf8')).toBe(
    '\ufeff"Prénom";"Nom";"Courriel";"what is wrong"\r\n"Inès";"Façade";"personne";"This is not an email address"\r\n',
  );

  await page.getByRole('button', { name: 'Import 2 people' }).click();
  const informed = page.getByLabel('I’ve told these people');
  await expect(informed).toHaveAccessibleDescription(/^Please confirm/);
  // Under the label, which stays where it was.
  const edge = async (text: string) => (await page.getByText(text).boundingBox())?.x;
  expect(await edge('I’ve told these people')).toBe(await edge('Please confirm that you’ve'));
  await informed.check();
  await page.getByRole('button', { name: 'Import 2 people' }).click();
  await expect(page.getByRole('row').filter({ hasText: first }).first()).toContainText('Invited');
  await expect(page.getByLabel('Or paste the lines')).toHaveCount(0);
  await page.getByRole('link', { name: 'Go to the roster' }).click();
  await page.getByRole('button', { name: 'Import or export' }).click();
  const exported = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download for Excel' }).click();
  const text = await readFile(await (await exported).path(), 'utf8');
  expect(text).toContain(`"Élodie Brûlé","${first}","invited",`);

  const [third, fourth] = [uniqueEmail(), uniqueEmail()];
  const pasteAndCheck = async (lines: string) => {
    await page.goto(`/cohorts/${cohort.id}/import`);
    await page.getByLabel('Or paste the lines').fill(lines);
    await page.getByRole('radio', { name: /^Add now/ }).check();
    await check.click();
  };
  await pasteAndCheck(`7,Ana,${third}\n8,Bea,${fourth}`);
  await page.getByLabel('Ana · Bea').selectOption('Full name');
  await check.click();
  await expect(page.getByText(/^Only one place is free/).first()).toBeVisible();
  await page.getByRole('radio', { name: /^Put the rest on the waitlist/ }).check();
  await check.click();
  await informed.check();
  await page.getByRole('button', { name: 'Import 2 people' }).click();

  await expect(page.getByText('1 person was put on the waitlist.')).toBeVisible();

  // Everyone reads in their language who added them. Opening the link removes no one.
  const link = await linkTo('/p/remove', third);
  expect((await mailsTo(third)).at(-1)?.text).toContain('Ada Lovelace');
  const visitor = await openBrowser();
  const title = visitor.getByRole('heading', { level: 1 });
  await openReady(visitor, link);
  await openReady(visitor, link);
  await visitor.getByRole('button', { name: 'Me retirer' }).click();
  await expect(title).toHaveText('Vos données sont effacées.');
  await expect(visitor.getByText(third)).toHaveCount(0);
  await openReady(visitor, link);
  await expect(title).toHaveText('This link doesn’t work');
  await pasteAndCheck(`Name,Email,City\nAna,${third},Lyon\nBea,${fourth},`);
  await expect(row(2)).toContainText('Does not want invitations from you');
  await expect(row(3)).toContainText('Already on the roster');
  const left = page.getByText(/^This column won’t be imported: .*City/);
  await expect(left).toBeVisible();
  await page.getByText('What’s in each column?').click();
  await page.getByLabel('City · Lyon').selectOption('Note');
  await expect(left).toHaveCount(0);
  await check.click();
  await expect(row(2)).toContainText('Does not want invitations from you');
  await expect(left).toHaveCount(0);
});
