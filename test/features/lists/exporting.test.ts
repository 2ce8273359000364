import { expect, test } from 'vitest';
import { readTable } from '#features/lists/read-table.ts';
import { tableText, withGuards, withoutGuards } from '#lib/csv.ts';
import { dayIn } from '#lib/time/words.ts';
import { createEnrollment } from '#support/factories.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner } from './support.ts';

startFresh();

const dangerous = [
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1+1', '\r=1+1', ' =1+1', '\n=1+1', '\u00a0=1+1'],
  ...['\u200b=1+1', 'a;\u2060=1+1', 'a；=1+1', '＝1+1', '＋1', '－1', '＠SUM(A1)'],
  ...["'=1+1", "''=1+1"],
  ...['"=1+1', "x,'=1+1", 'x\t @SUM(A1)\t+1|-1', 'x"" ""=1+1"', ';=1+1\n";=1+1"\n","=1+1'],
  ...["=cmd|' /C calc'!A0\nsecond line", "x;=cmd|' /C calc'!A0;y", '\n\n\'\n=1+1\r\n"；＝1+1"'],
];

/** What different programs make of a file: cells by each delimiter, with and without quotes. */
function readings(text: string): string[] {
  return [',', ';', '\t', '|'].flatMap((delimiter) => {
    const unquoted = text.split(/[\r\n]/).flatMap((line) => line.split(delimiter));
    const quoted: string[] = [''];
    let isQuoted = false;
    for (const sign of text) {
      if (sign === '"') {
        isQuoted = !isQuoted;
      } else if (!isQuoted && (sign === delimiter || sign === '\n' || sign === '\r')) {
        quoted.push('');
      } else {
        quoted.push(quoted.pop() + sign);
      }
    }
    return [...unquoted, ...unquoted.map((cell) => cell.replaceAll('"', '')), ...quoted];
  });
}

test('what a spreadsheet might execute goes out behind a guard, and comes in again as it was', async () => {
  for (const delimiter of [',', ';']) {
    const text = await tableText(
      dangerous.map((cell) => [cell, 'x']),
      delimiter,
    );
    const { rows } = await readTable(text);
    expect(rows.map(({ cells }) => cells[0])).toEqual(
      // Line ends come in as one kind.
      dangerous.map((cell) => cell.replace(/\r\n?/g, '\n')),
    );
    for (const cell of readings(text)) {
      expect(cell).not.toMatch(/^["\s\p{Cf}]*[=+\-@＝＋－＠]/u);
    }
  }
});

test('what is harmless gets no guard, and guards are put on and taken off quickly', () => {
  for (const cell of ["'t Hooft", "O'Brien", "'", '', 'a=b', '1-2', 'a, b']) {
    expect(withGuards(cell)).toBe(cell);
    expect(withoutGuards(cell)).toBe(cell);
  }
  for (const cell of ["\n'", '\t ', '=', "'", ';=']) {
    const long = cell.repeat(500_000);
    expect(withoutGuards(withGuards(long))).toBe(long);
  }
});

async function createRoster() {
  const owner = await createOwner({
    name: 'Écriture : printemps / été',
    slug: `ecriture-printemps-${crypto.randomUUID().slice(0, 4)}`,
    capacity: 1,
  });
  const { cohort } = owner;
  const at = (time: number) => ({ statusChangedAt: new Date(start - time) });
  const waiting = { status: 'waitlisted' } as const;
  const note = '=HYPERLINK("https://evil.example";=1)\nsecond line';
  const enrolled = await createEnrollment(
    cohort,
    { ...at(2_000), completedAt: new Date(start) },
    { name: 'Élodie Blanc', nameKey: 'a', note },
  );
  const zoe = { name: 'Zoë', nameKey: 'c' };
  const second = await createEnrollment(cohort, { ...at(1_000), ...waiting, queueNo: 9 }, zoe);
  const yann = { name: 'Yann', nameKey: 'b', language: 'fr' } as const;
  const first = await createEnrollment(cohort, { ...at(3_000), ...waiting, queueNo: 4 }, yann);
  return { ...owner, emails: [enrolled, first, second].map(({ person }) => person.email) };
}

test('a roster is a file that spreadsheets read, with all people and where they stand', async () => {
  const { exported, cohort, emails } = await createRoster();
  const response = await exported();

  expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(response.headers.get('Content-Disposition')).toBe(
    `attachment; filename="writing-ecriture-printemps-ete-roster.csv"; filename*=UTF-8''writing-ecriture-printemps-ete-roster.csv`,
  );
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
  // The day in the zone of the cohort.
  const since = (time: number) => dayIn(cohort.timeZone, new Date(start - time));
  const rest = `"${cohort.name}","${cohort.startsOn}","${cohort.endsOn}"`;
  expect(text).toBe(
    [
      '\ufeff"name","email","status","since","queue_position","attended","sessions","completed_at","lessons_done","last_active_at","balance","currency","language","note","question","answer","cohort","starts_on","ends_on"',
      `"Élodie Blanc","${emails[0]}","enrolled","${since(2_000)}","","","","${since(0)}","","","","","en","'=HYPERLINK(""https://evil.example"";'=1)\nsecond line","","",${rest}`,
      `"Yann","${emails[1]}","waitlisted","${since(3_000)}","1","","","","","","","","fr","","","",${rest}`,
      `"Zoë","${emails[2]}","waitlisted","${since(1_000)}","2","","","","","","","","en","","","",${rest}`,
      '',
    ].join('\r\n'),
  );
});

test('the delimiter is that of the language, or the one that is asked for', async () => {
  const { exported } = await createRoster();
  const french = { headers: { 'Accept-Language': 'fr' } };
  const firstLine = async (query: string, options = {}) =>
    (await (await exported(query, options)).text()).split('\r\n')[0];
  expect(await firstLine('', french)).toMatch(/^"name";"email";/);
  expect(await firstLine('?delimiter=,', french)).toMatch(/^"name","email",/);
  expect(await firstLine('?delimiter=;')).toMatch(/^"name";"email";/);
  expect((await exported('?delimiter=x')).status).toBe(400);
});

test('what went out can come in again, and changes nothing', async () => {
  const { exported, importList } = await createRoster();
  for (const query of ['?delimiter=,', '?delimiter=;']) {
    const text = await (await exported(query)).text();
    for (const as of ['invited', 'enrolled']) {
      const { body } = await importList({ text, as, rest: 'waitlist' });
      expect(body.counts).toMatchObject({ lines: 3, people: 0, faulty: 0 });
    }
    expect(await (await exported(query)).text()).toBe(text);
  }
});
