import { describe, expect, test } from 'vitest';
import { type Plan, readSyllabus } from '#features/meetings/read-syllabus.ts';
import { arrange, meetingDays } from '#features/meetings/session-rows.ts';

/** Tuesdays and Thursdays. */
const [from, to] = ['2027-01-12', '2027-04-15'];
const { rows } = arrange({ rows: [], spare: [] }, meetingDays(from, to, [2, 4]));
const plan: Plan = { rows, from, to, today: '2026-11-30', locale: 'en' };

/** Each session as day, title and public line; days without class as those and their reason. */
function read(text: string, more: Partial<Plan> = {}) {
  return readSyllabus(text, { ...plan, ...more }).rows.map(({ days, title, line, isOff, doubt }) =>
    [
      isOff ? `${days[0]}/${days.at(-1)}` : days[0],
      isOff ? 'off' : title,
      line,
      ...(doubt === null ? [] : [doubt]),
    ].join('|'),
  );
}

test.each([
  ['Tue 12 Jan – Topic', 'en'],
  ['Tue, Jan 12: Topic', 'en'],
  ['Tuesday, January 12th, 2027 Topic', 'en'],
  ['Tues. 12 January, 6:30 pm – 8:30 pm: Topic', 'en'],
  ['Jan 12: Topic', 'en'],
  ['Jan. 12 - Topic', 'en'],
  ['2027-01-12 Topic', 'en'],
  ['12/01 Topic', 'en'],
  ['01/12 Topic', 'en'],
  ['1/12/27 Topic', 'en'],
  ['12.01.2027 Topic', 'en'],
  ['• 12 Jan | Topic', 'en'],
  ['Tue 12 Jan – Session 1: Topic', 'en'],
  ['12/01 : Topic', 'fr'],
  ['1/12/2027 Topic', 'fr'],
  ['mardi 12 janvier : Topic', 'fr'],
  ['mar. 12 janv. – Topic', 'fr'],
  ['Mardi 12 janvier 2027, 18h30 : Topic', 'fr'],
  ['12 janvier – séance 1 : Topic', 'fr'],
])(
  '%j, pasted in %s, is on January 12, and what follows without a date on the next day',
  (line, locale) => {
    expect(read(`${line}\nNext`, { locale })).toEqual(['2027-01-12|Topic|', '2027-01-14|Next|']);
  },
);

test.each([
  ['1er mars Topic', '2027-03-01|Topic||otherWeekday'],
  ['mar 2 mars Topic', '2027-03-02|Topic|'],
  ['4 févr. : Topic', '2027-02-04|Topic|'],
  ['15 Dec: Topic', '2026-12-15|Topic||outside'],
  ['Sat 6 Mar – Museum visit', '2027-03-06|Museum visit||otherWeekday'],
  ['Wed 12 Jan – Topic', '2027-01-12|Topic||otherWeekday'],
  ['Feb 30: Topic', '2027-01-12|Feb 30: Topic|'],
  ['Marketing 12 ways', '2027-01-12|Marketing 12 ways|'],
  ['Chapter 12: Novels', '2027-01-12|Chapter 12: Novels|'],
  ['1. Desire', '2027-01-12|Desire|'],
  ['- Mr. Darcy. A hero?', '2027-01-12|Mr. Darcy. A hero?|'],
  ['Breaking news', '2027-01-12|Breaking news|'],
  ['Topic (reading: ch. 1)', '2027-01-12|Topic|reading: ch. 1'],
  ['Topic (Reading: A (2nd ed.))', '2027-01-12|Topic|Reading: A (2nd ed.)'],
  ['Jan 14: Topic. Reading: A (ch. 1)', '2027-01-14|Topic|Reading: A (ch. 1)'],
  ['Jan 14: Sources. Reading: Knaflic, ch. 2', '2027-01-14|Sources|Reading: Knaflic, ch. 2'],
  ['Jan 14: Cleaning in public. Bring a table', '2027-01-14|Cleaning in public|Bring a table'],
  ['Jan 14: Dinner with Prof. Smith', '2027-01-14|Dinner with Prof. Smith|'],
  ['14 janv. : Le récit. Lecture : Genette', '2027-01-14|Le récit|Lecture : Genette'],
  ['Jan 12: \u202eTopic', '2027-01-12|\u202eTopic||characters'],
  [`Jan 12: ${'x'.repeat(121)}`, `2027-01-12|${'x'.repeat(121)}||titleTooLong`],
])('%j is %j', (line, row) => {
  expect(read(line)).toEqual([row]);
});

test.each([
  ['Weeks 6–7: winter holidays', '2027-02-16/2027-02-25|off|winter holidays'],
  ['Semaine 6 : vacances d’hiver', '2027-02-16/2027-02-18|off|vacances d’hiver'],
  ['Week 6 – No class (winter)', '2027-02-16/2027-02-18|off|winter'],
  ['Feb 16 – 25: winter holidays', '2027-02-16/2027-02-25|off|winter holidays'],
  ['16–25 Feb: winter holidays', '2027-02-16/2027-02-25|off|winter holidays'],
  ['Feb 16 – Mar 4: Spring break', '2027-02-16/2027-03-04|off|Spring break'],
  ['Du 9 au 18 février : vacances d’hiver', '2027-02-09/2027-02-18|off|vacances d’hiver'],
  ['du mardi 9 au jeudi 18 février : vacances', '2027-02-09/2027-02-18|off|vacances'],
  ['Du 16 février au 4 mars : pas de cours', '2027-02-16/2027-03-04|off|'],
  ['From Feb 16 to 25: winter holidays', '2027-02-16/2027-02-25|off|winter holidays'],
  ['- Thu 18 Feb: no class', '2027-02-18/2027-02-18|off|'],
  ['16/02 - 25/02 vacances', '2027-02-16/2027-02-25|off|vacances'],
  ['Thu 18 Feb: no class', '2027-02-18/2027-02-18|off|'],
  ['jeudi 18 février : pas de séance (férié)', '2027-02-18/2027-02-18|off|férié'],
  ['2027-02-16\tNo class: carnival', '2027-02-16/2027-02-16|off|carnival'],
  ['6\t2027-02-16\tNo class', '2027-02-16/2027-02-16|off|'],
])('%j is without class', (line, row) => {
  expect(read(line)).toEqual([row]);
});

test('a syllabus has headings, days, readings and holidays; titles without a day go to the next one', () => {
  const text = [
    'Week 1',
    'Tue 12 Jan – Why stories beat dashboards. Reading: Knaflic, ch. 1',
    'Finding the question',
    'Reading: Knaflic, ch. 2',
    '',
    'Module 2: Data',
    '19 Jan: Sources and sampling',
    'Weeks 3-4: winter holidays',
    'Week 5',
    'Narrative arcs',
    '',
  ].join('\r\n');
  expect(read(text)).toEqual([
    '2027-01-12|Why stories beat dashboards|Reading: Knaflic, ch. 1',
    '2027-01-14|Finding the question|Reading: Knaflic, ch. 2',
    '2027-01-19|Sources and sampling|',
    '2027-01-26/2027-02-04|off|winter holidays',
    '2027-02-09|Narrative arcs|',
  ]);
  expect(readSyllabus(text, plan)).toMatchObject({ headings: 3, empty: 2 });
});

test('weeks with a title and nothing below are sessions', () => {
  expect(read('Week 1: Desire\nReading: Chekhov\nWeek 2: Trouble')).toEqual([
    '2027-01-12|Desire|Reading: Chekhov',
    '2027-01-14|Trouble|',
  ]);
});

test('a date on a line of its own is that of the line below', () => {
  const text = [
    ...['Week 1', 'January 12', 'Opening', '### 14 January', '- Scenes', 'Reading: Chekhov'],
    ...['January 19', 'No class', 'Jan 21, 6:30 pm', 'January 26', 'January 28'],
  ];
  expect(read(text.join('\n'))).toEqual([
    '2027-01-12|Opening|',
    '2027-01-14|Scenes|Reading: Chekhov',
    '2027-01-19/2027-01-19|off|',
    ...['2027-01-21||', '2027-01-26||', '2027-01-28||'],
  ]);
});

test.each([
  'Opening\nNo class: snow\nScenes',
  'Date\tTopic\n12/01\tOpening\n\tNo class: snow\n\tScenes',
  '1\t12/01\tOpening\n2\t\tNo class: snow\n3\t19/01\tScenes',
])('%j is without class on the next day between', (text) => {
  const without = '2027-01-14/2027-01-14|off|snow';
  expect(read(text)).toEqual(['2027-01-12|Opening|', without, '2027-01-19|Scenes|']);
});

describe('columns of a spreadsheet', () => {
  const table =
    'Week\tDate\tTopic\tReading\n1\t12/01\tDesire\t"Chekhov,\n""Gusev"""\n2\t14/01\tTrouble\t';

  test('are days, titles and public lines, with quotes around line breaks', () => {
    expect(readSyllabus(table, plan)).toMatchObject({
      roles: ['none', 'day', 'title', 'line'],
      headings: 1,
    });
    expect(read(table)).toEqual(['2027-01-12|Desire|Chekhov, "Gusev"', '2027-01-14|Trouble|']);
  });

  test.each([
    'Module 1\tOpening\tCh 1\nModule 1\tScenes\tCh 2',
    'Module 1\tOpening\tCh 1\n\tScenes\tCh 2',
    '\tModule 1: Data\t\n\tOpening\tCh 1\n\tScenes\tCh 2',
  ])('are left out if they only have headings: %j', (text) => {
    expect(read(text)).toEqual(['2027-01-12|Opening|Ch 1', '2027-01-14|Scenes|Ch 2']);
  });

  test('keep a row with a heading before its title', () => {
    expect(read('Week 1: Data\tChekhov\n\tGogol')).toEqual([
      ...['2027-01-12|Week 1: Data|Chekhov', '2027-01-14||Gogol'],
    ]);
  });

  test('are what someone says that they are', () => {
    const chosen = readSyllabus(table, plan, ['none', 'none', 'line', 'title']);
    expect(chosen.rows).toMatchObject([
      { days: ['2027-01-12'], title: 'Chekhov, "Gusev"', line: 'Desire' },
      { days: ['2027-01-14'], title: '', line: 'Trouble' },
    ]);
  });

  test('may be two, of which the first also has the day', () => {
    expect(read('Desire\tChekhov\n\tGogol\nJan 19: Form\t')).toEqual([
      '2027-01-12|Desire|Chekhov',
      '2027-01-14||Gogol',
      '2027-01-19|Form|',
    ]);
  });
});

test('an undated row between dated ones is on the next free day, wherever the text was pasted', () => {
  const at = { key: '2027-01-19', column: 'title' as const };
  expect(read('12/01\tA\n\tB\n21/01\tC', { at })).toEqual([
    ...['2027-01-12|A|', '2027-01-14|B|', '2027-01-21|C|'],
  ]);
});

test('a list goes on from where it was pasted, past days off, and beyond the last day by the same weekdays', () => {
  const off = rows.map((row) => ({ ...row, isOff: row.day === '2027-04-13' }));
  const at = { key: '2027-04-08', column: 'line' as const };
  expect(read('One\nTwo\nThree', { rows: off, at })).toEqual([
    '2027-04-08||One',
    '2027-04-15||Two',
    '2027-04-20||Three|outside',
  ]);
});

test('without a plan, dates are taken as they are, and other lines are a week apart', () => {
  const blank = { rows: [], from: '', to: '' };
  expect(read('12 Jan: One\nTwo', blank)).toEqual(['2027-01-12|One|', '2027-01-19|Two|']);
  expect(read('One', { rows: [], to: '' })).toEqual(['2027-01-12|One|']);
  expect(read('One', blank)).toEqual(['|One||undated']);
});
