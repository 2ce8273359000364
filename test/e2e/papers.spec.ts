import { addPerson } from './enrollments.ts';
import { publishCohort } from './participants.ts';
import { expect, mailsTo, openReady, test, uniqueEmail } from './support.ts';

test('a French spreadsheet comes in line by line, and who removes themselves stays out of the next one', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page, { language: 'fr' });
  const [elodie, francois, known] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
  await addPerson(page, cohort, { name: 'Zoltán Czövek', email: known });
  const lines = [
    'Prénom;Nom;Courriel',
    `Élodie;Brûlé;${elodie}`,
    `François;Noël;${francois}`,
    `Déjà;Connu;${known.toUpperCase()}`,
    `Élodie;Brûlé;${elodie}`,
    'Pierre;Sans adresse;pierre chez example.com',
  ];
  const buffer = Buffer.from(lines.join('\r\n'), 'latin1');
  const row = (line: number) =>
    page.getByRole('row').filter({ has: page.getByRole('cell', { name: `${line}`, exact: true }) });
  const choose = async () => {
    await openReady(page, `/cohorts/${cohort.id}/import`);
    await page
      .getByLabel('Choose a file')
      .setInputFiles({ name: 'liste.csv', mimeType: 'text/csv', buffer });
    await expect(page.getByText(/^Read as Windows-1252/)).toBeVisible();
    await page.getByRole('radio', { name: /^Add now/ }).check();
    await page.getByLabel('These people know that I’m sharing').check();
    await page.getByRole('button', { name: 'Check the list' }).click();
  };
  await choose();
  await expect(page.getByRole('region', { name: '2 people will be added.' })).toBeFocused();
  await expect(page.getByText('2 lines change nothing.')).toBeVisible();
  await expect(page.getByText('1 line has an error and will be skipped.')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(4);
  await expect(row(4)).toContainText('Already on the roster (enrolled)');
  await expect(row(5)).toContainText('The same address as line 2');
  await expect(row(6)).toContainText('This is not an email address');
  expect(await mailsTo(elodie)).toEqual([]);
  await page.getByRole('button', { name: 'Import 2 people' }).click();
  await expect(page.getByRole('listitem').getByText('2 people were added.')).toBeVisible();

  // In their language, everyone reads who added them and how to get out; opening does nothing.
  let link = '';
  await expect(async () => {
    const text = (await mailsTo(elodie)).at(-1)?.text ?? '';
    expect(text).toContain('Ada Lovelace');
    link = /http\S+\/p\/remove\S+/.exec(text)?.[0] ?? '';
    expect(link).not.toBe('');
  }).toPass({ intervals: [100, 250], timeout: 20_000 });
  const visitor = await openBrowser();
  await openReady(visitor, link);
  await openReady(visitor, link);
  await visitor.getByRole('button', { name: 'Me retirer' }).click();
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Vos données sont effacées.');
  await expect(visitor.getByText(elodie)).toHaveCount(0);
  await openReady(visitor, link);
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('This link doesn’t work');

  await page.goto(`/cohorts/${cohort.id}/roster`);
  await expect(page.locator('.person-row [data-name]')).toHaveText([
    'François Noël',
    'Zoltán Czövek',
  ]);
  await choose();
  await expect(row(2)).toContainText('Does not want invitations from you');
  await expect(row(3)).toContainText('Already on the roster (enrolled)');
});
