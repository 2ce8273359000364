import { readFile } from 'node:fs/promises';
import { addPerson } from './enrollments.ts';
import { linkTo, publishCohort } from './participants.ts';
import { expect, mailsTo, openReady, test, uniqueEmail } from './support.ts';

/** First and last names with letters, quotation marks and hyphens of Windows-1252. */
const names = [
  ['Élodie', 'Brûlé'],
  ['François', 'Noël'],
  ['Inès', 'Façade'],
  ['Zoé', 'L’Heureux'],
  ['Jérôme', 'Gœthals'],
  ['Maëlle', 'Ÿves'],
  ['Anaïs', 'Saint-Exupéry'],
  ['Benoît', 'Châtelain'],
  ['Cédric', 'Dupré'],
  ['Daphné', 'Evêque'],
  ['Rémi', 'Fréchette'],
  ['Gaël', 'Hénault'],
  ['Hélène', 'Îlot'],
  ['Loïc', 'Jacquard'],
  ['Noémie', 'Krüger'],
  ['Odéon', 'Müller'],
];

/** The latest email to an address that contains a text, once there is one. */
async function mailWith(email: string, text: string): Promise<string> {
  let found = '';
  await expect(async () => {
    found = (await mailsTo(email)).findLast((mail) => mail.text.includes(text))?.text ?? '';
    expect(found).not.toBe('');
  }).toPass({ intervals: [100, 250], timeout: 20_000 });
  return found;
}

function linkIn(text: string, page: string): string {
  return new RegExp(`http\\S+/p/${page}\\S+`).exec(text)?.[0] ?? '';
}

test('a spreadsheet of twenty people comes in, and they see, take and erase what is theirs', async ({
  page,
  openBrowser,
}) => {
  test.setTimeout(120_000);
  const cohort = await publishCohort(page, { language: 'fr' });
  const known = [
    { name: 'Zoltán Czövek', email: uniqueEmail() },
    { name: 'Ada Byron', email: uniqueEmail() },
  ];
  for (const person of known) {
    await addPerson(page, cohort, person);
  }
  const people = names.map(([first = '', last = '']) => ({ first, last, email: uniqueEmail() }));
  const [elodie, francois, ines] = people;
  if (!(elodie && francois && ines)) {
    throw new Error();
  }
  const lines = [
    'Prénom;Nom;Courriel',
    ...people.map(({ first, last, email }) => `${first};${last};${email}`),
    ...known.map(({ email }) => `Déjà;Connu;${email.toUpperCase()}`),
    `Élodie;Brûlé;${elodie.email}`,
    'Pierre;Sans adresse;pierre chez example.com',
  ];
  expect(lines).toHaveLength(21);
  const buffer = Buffer.from([...lines.join('\r\n')].map(windows1252));
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
  const row = (line: number) =>
    page.getByRole('row').filter({ has: page.getByRole('cell', { name: `${line}`, exact: true }) });
  await expect(page.getByRole('region', { name: '16 people will be added.' })).toBeFocused();
  await expect(page.getByText('3 lines change nothing.')).toBeVisible();
  await expect(page.getByText('1 line has an error and will be skipped.')).toBeVisible();
  await expect(row(18)).toContainText('Already on the roster (enrolled)');
  await expect(row(19)).toContainText('Already on the roster (enrolled)');
  await expect(row(20)).toContainText('The same address as line 2');
  await expect(row(21)).toContainText('This is not an email address');
  expect(await mailsTo(elodie.email)).toEqual([]);
  await page.getByRole('button', { name: 'Import 16 people' }).click();
  await expect(page.getByRole('listitem').getByText('16 people were added.')).toBeVisible();

  // In their language, everyone reads who added them, from where, and how to get out.
  for (const { first, email } of people) {
    const text = await mailWith(email, 'Ada Lovelace');
    expect(text).toContain(first);
    expect(text).toContain('liste');
    expect(linkIn(text, 'remove')).not.toBe('');
  }
  expect(await mailsTo(known[0]?.email ?? '')).toHaveLength(1);

  const removing = await openBrowser();
  await openReady(removing, linkIn(await mailWith(elodie.email, '/p/remove'), 'remove'));
  await removing.getByRole('button', { name: 'Me retirer' }).click();
  await expect(removing.getByText('Vos données sont effacées.')).toBeVisible();

  const taking = await openBrowser();
  await openData(taking, francois.email);
  const downloading = taking.waitForEvent('download');
  await taking.getByRole('button', { name: 'Télécharger mes données' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(JSON.parse(file)).toMatchObject({
    instructor: { name: 'Ada Lovelace' },
    person: { name: 'François Noël', email: francois.email, source: 'imported' },
    enrollments: [{ cohort_name: 'Winter', status: 'enrolled' }],
  });
  expect(file).not.toContain(ines.email);

  const erasing = await openBrowser();
  await openData(erasing, ines.email);
  await erasing.getByRole('button', { name: 'Effacer mes données' }).click();
  const dialog = erasing.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Effacer mes données' }).click();
  await expect(erasing.getByRole('heading', { name: 'Vos données sont effacées.' })).toBeFocused();

  // The owner sees that two are gone and sixteen remain, but not who is gone.
  await page.goto(`/cohorts/${cohort.id}`);
  await expect(page.getByText('A participant erased their data')).toHaveCount(2);
  for (const path of ['', '/roster', '/emails', '/roster?status=left', '/roster?status=removed']) {
    await page.goto(`/cohorts/${cohort.id}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const seen = await page.content();
    for (const gone of [elodie, ines]) {
      expect(seen).not.toContain(gone.email);
      expect(seen).not.toContain(gone.last);
    }
  }
  await page.goto(`/cohorts/${cohort.id}/roster`);
  await expect(page.locator('.person-row')).toHaveCount(16);
  await expect(page.getByRole('link', { name: 'François Noël' })).toBeVisible();

  // The same file again: someone who removed themselves gets no email, though the list has them.
  await choose();
  await expect(row(2)).toContainText('Does not want invitations from you');
  await expect(row(3)).toContainText('Already on the roster (enrolled)');
  await expect(
    page
      .getByRole('button', { name: 'Import one person' })
      .or(page.getByRole('button', { name: 'Import 1 person' })),
  ).toBeVisible();
});

/** The byte of a letter as Windows writes it. */
function windows1252(letter: string): number {
  const special: Record<string, number> = { '’': 0x92, œ: 0x9c, Ÿ: 0x9f };
  return special[letter] ?? letter.charCodeAt(0);
}

/** The page of someone's data, by the link that they have emailed to themselves. */
async function openData(page: Parameters<typeof openReady>[0], email: string): Promise<void> {
  const own = (await mailWith(email, 'Ada Lovelace')).match(/http\S+\/p\/[0-9a-f]{8}-\S+/)?.[0];
  await openReady(page, own ?? (await linkTo('/p/', email)));
  await page.getByText('Vos données').first().click();
  await page.getByRole('button', { name: 'M’envoyer le lien' }).click();
  await openReady(page, linkIn(await mailWith(email, '/p/data'), 'data'));
}
