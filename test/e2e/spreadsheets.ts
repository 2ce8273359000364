import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { quietEnv } from '../../scripts/local/settings.ts';
import { createCohort, signUpPerson, startBuiltWorker, type Visitor } from '../built/worker.ts';

/** Opens the file of a roster in LibreOffice, which executes nothing of what people typed. */

const soffice = '/usr/bin/soffice';

export const hasSpreadsheet = existsSync(soffice);

export const howToGetSpreadsheet =
  'The file of a roster is opened in LibreOffice: `apt-get install libreoffice-calc-nogui`.';

/** Each would be a formula if it were not escaped. */
const dangerous = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(1;1)',
  '=HYPERLINK("https://example.com";"Grades")',
  "=cmd|' /C calc'!A0",
  '\t=1+1',
  '＝1+1',
  'One line;"and\n=1+1',
  "x,=cmd|' /C calc'!A0;=1+1\t=1+1",
];

if (import.meta.main) {
  await main();
}

async function main(): Promise<void> {
  Object.assign(process.env, quietEnv);
  const built = await startBuiltWorker();
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-spreadsheets-'));
  try {
    // The control: LibreOffice does find formulas in a file that is not escaped.
    assert.deepEqual(openWith(folder, 'control', '=1+1\n', ',').formulas, ['of:=1+1']);

    const ada = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
    const owner = await signUpPerson(built, { ...ada, courseName: 'Fiction' });
    const cohort = await createCohort(owner);
    for (const [index, note] of dangerous.entries()) {
      await addPerson(owner, cohort.id, `a${index}@example.com`, note);
    }
    for (const [name, delimiter] of [
      ['commas', ','],
      ['semicolons', ';'],
    ] as const) {
      const query = new URLSearchParams({ delimiter });
      const response = await owner.request(`/api/cohorts/${cohort.id}/roster.csv?${query}`);
      assert.equal(response.status, 200);
      const { formulas, rows } = openWith(folder, name, await response.text(), delimiter);
      assert.deepEqual(formulas, []);
      // The first line names the columns.
      assert.equal(rows, dangerous.length + 1);
      console.log(`  ${name}: ${rows} rows in LibreOffice, no formula`);
    }
  } finally {
    await built.close();
    rmSync(folder, { recursive: true });
  }
}

/** Someone with a note by their instructor. */
async function addPerson(owner: Visitor, id: string, email: string, note: string): Promise<void> {
  const person = { as: 'enrolled', name: 'Grace Hopper', email, language: 'en' };
  const added = await owner.post(`/api/cohorts/${id}/enrollments/`, person);
  assert.equal(added.status, 201);
  const { person_id: personId } = (await added.json()) as { person_id: string };
  const changed = await owner.send('PATCH', `/api/people/${personId}/`, { note });
  assert.equal(changed.status, 200);
}

/** What LibreOffice makes of a file: its formulas, and how many rows it fills. */
function openWith(folder: string, name: string, text: string, delimiter: string) {
  const file = path.join(folder, `${name}.csv`);
  writeFileSync(file, text);
  execFileSync(soffice, [
    `-env:UserInstallation=file://${folder}/profile`,
    '--headless',
    // Delimiter, quotation mark, UTF-8, first line; formulas are evaluated as when opened by hand.
    `--infilter=CSV:${delimiter.charCodeAt(0)},34,76,1,,0,false,true,false,false,false,-1,true`,
    '--convert-to',
    'fods',
    '--outdir',
    folder,
    file,
  ]);
  const sheet = readFileSync(path.join(folder, `${name}.fods`), 'utf8');
  const formulas = [...sheet.matchAll(/table:formula="([^"]*)"/g)].map(([, formula]) => formula);
  const cells = /<table:table table:name="\w+"[\s\S]*<\/table:table>/.exec(sheet)?.[0] ?? '';
  const rows = cells.match(/<table:table-row(?:(?!<\/table:table-row>)[\s\S])*<text:p/g) ?? [];
  return { formulas, rows: rows.length };
}
