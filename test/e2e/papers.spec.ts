import { publishCohort } from './participants.ts';
import { expect, mailsTo, openReady, test, uniqueEmail } from './support.ts';

test('people of a list read who added them; people who remove themselves stay out of the next one', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page, { language: 'fr' });
  const [elodie, francois] = [uniqueEmail(), uniqueEmail()];
  const lines = ['Prénom;Nom;Courriel', `Élodie;Brûlé;${elodie}`, `François;Noël;${francois}`];
  const row = (line: number) =>
    page.getByRole('row').filter({ has: page.getByRole('cell', { name: `${line}`, exact: true }) });
  const choose = async () => {
    await openReady(page, `/cohorts/${cohort.id}/import`);
    await page.getByLabel('Choose a file').setInputFiles({
      name: 'list.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\n')),
    });
    await expect(page.getByLabel('Or paste the lines')).toHaveValue(lines.join('\n'));
    await page.getByRole('radio', { name: /^Add now/ }).check();
    await page.getByLabel('I’ve told these people').check();
    await page.getByRole('button', { name: 'Preview import' }).click();
  };
  await choose();
  await expect(page.getByRole('region', { name: '2 people will be added.' })).toBeFocused();
  expect(await mailsTo(elodie)).toEqual([]);
  await page.getByRole('button', { name: 'Import 2 people' }).click();
  await expect(page.getByRole('listitem').getByText('2 people were added.')).toBeVisible();

  // Everyone reads in their language who added them. Opening the link removes no one.
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
  await expect(page.locator('.person-row [data-name]')).toHaveText(['François Noël']);
  await choose();
  await expect(row(2)).toContainText('Does not want invitations from you');
  await expect(row(3)).toContainText('Already on the roster (enrolled)');
});
