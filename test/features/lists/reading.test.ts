import { expect, test } from 'vitest';
import { findColumns, ignoredNames, typedIn } from '#features/lists/columns.ts';
import { decodeFile, maxBytes } from '#features/lists/decode-file.ts';
import { readLines } from '#features/lists/read-lines.ts';
import { readTable } from '#features/lists/read-table.ts';
import { PersonPatch } from '#features/places/schema.ts';

/** Who a list names, with the line that each begins in. */
async function peopleIn(text: string) {
  const { rows } = await readTable(text);
  const found = findColumns(rows.map(({ cells }) => cells));
  return readLines(found.hasHeader ? rows.slice(1) : rows, found.kinds).map((entry) =>
    entry.kind === 'person'
      ? [entry.line, entry.person.name, entry.person.email.address]
      : [entry.line, entry.kind === 'fault' ? entry.fault : `like ${entry.of}`],
  );
}

const two = [
  [2, 'Élodie Blanc', 'elodie@example.com'],
  [3, 'Zoë Müller', 'zoe@example.com'],
];

test.each([
  ['commas', 'name,email\nÉlodie Blanc,elodie@example.com\nZoë Müller,zoe@example.com\n'],
  ['semicolons', 'Nom;Courriel\nÉlodie Blanc;elodie@example.com\nZoë Müller;zoe@example.com'],
  ['a mark', '\ufeffname,email\nÉlodie Blanc,elodie@example.com\nZoë Müller,zoe@example.com'],
  ['CRLF', 'name,email\r\nÉlodie Blanc,elodie@example.com\r\nZoë Müller,zoe@example.com\r\n'],
  [
    'first and last names',
    'Prénom;Nom;Email\nÉlodie;Blanc;elodie@example.com\nZoë;Müller;zoe@example.com',
  ],
  [
    'other columns and spaces',
    ' phone , E-MAIL , Name \n1, elodie@example.com ,Élodie Blanc\n2,zoe@example.com, Zoë Müller',
  ],
])('a list with %s is read', async (_, text) => {
  expect(await peopleIn(text)).toEqual(two);
});

test.each([
  [
    'name,first_name,last_name,email',
    'Bo Bell,Bo,,a@example.com\n,Cy,Day,b@example.com',
    'Bo Bell, Cy Day',
  ],
  ['Nom complet;Prénom;Nom;Courriel', 'Anne Durand;Anne;Durand;a@example.com', 'Anne Durand'],
  ['Nom;Nom complet;Courriel', 'Durand;Anne Durand;a@example.com', 'Anne Durand'],
  ['Name,First name,Email', 'Bo Bell,Bo,a@example.com\nAl Bo,Al,b@example.com', 'Bo Bell, Al Bo'],
  ['Name,Last name,Email', 'Bo,Bell,a@example.com', 'Bo Bell'],
  [
    'Nom;Prénom;Adresse de courriel',
    'Martin;Martin;a@example.com\nDurand;Anne;b@example.com',
    'Martin Martin, Anne Durand',
  ],
  ['Student Last,Student First Middle,Email', 'Bell,Bo Q.,a@example.com', 'Bo Q. Bell'],
  ['Student Name,Student ID,Email', '"Bell, Bo",7,a@example.com', 'Bo Bell'],
  ['Student,ID,Section,Email', '    Points Possible,,,\n"Bell, Bo",7,A,a@example.com', 'Bo Bell'],
  ['Name,Email,Email 2', 'Bo Bell,,a@example.com', 'Bo Bell'],
])('names are read from the columns %s', async (header, lines, names) => {
  const people = await peopleIn(`${header}\n${lines}`);
  expect(people.map(([, name]) => name).join(', ')).toBe(names);
});

test.each([
  ['Martin Bell, Jr.', true],
  ['Marge Wilson (TA)', true],
  ['Ana/Bea Ruiz', true],
  ['Louis 14', true],
  ['Call 0800 555 0100', false],
  ['evil.biz/a', false],
  ['evil.b1z', false],
  ['Ana 1.1.1.1', false],
  ['//evil', false],
  ['a@b', false],
  ['Ana\u202e(TA)', false],
  ['Ana\u0007', false],
  ['(2)', false],
])(
  'a name can have what names of people have, and nothing that emails link to: %s',
  (name, isName) => {
    expect(PersonPatch.safeParse({ name }).success).toBe(isName);
  },
);

test('a separator that Excel names is used, and its line is no row', async () => {
  expect(await peopleIn('sep=;\r\nname;email\r\nBlanc, Élodie;elodie@example.com')).toEqual([
    [3, 'Élodie Blanc', 'elodie@example.com'],
  ]);
});

test.each([
  ['O’Connor, Liam', 'Liam O’Connor'],
  ['Martin Bell, Jr.', 'Martin Bell, Jr.'],
  ['Okafor, Ben, PhD', 'Ben Okafor, PhD'],
  ['Rahman, Md', 'Md Rahman'],
  ['Marge Wilson, RN', 'Marge Wilson, RN'],
])('a family name before a comma goes behind the given name: %s', (typed, name) => {
  expect(typedIn([typed, 'a@example.com'], ['name', 'email']).name).toBe(name);
});

test('notes are found by their usual names, and columns that stay out are named', () => {
  const rows = [
    ['Name', 'Email', 'Notes', 'Phone', 'Fax'],
    ['Zoë', 'zoe@example.com', 'Vegan', '1', ''],
  ];
  const columns = findColumns(rows);
  expect(columns.kinds[2]).toBe('note');
  expect(ignoredNames(rows, columns)).toEqual(['Phone']);
  const twice = [
    ['Name', 'Email', 'Email 2'],
    ['Zoë', 'zoe@example.com', 'zoe@example.org'],
  ];
  expect(ignoredNames(twice, findColumns(twice))).toEqual(['Email 2']);
});

test('lines are those of the file: line breaks in cells and empty lines count', async () => {
  const text =
    'name,email,note\r\n"Élodie Blanc",elodie@example.com,"two\r\nlines, and ""quotes"""\r\n\r\nZoë,zoe@example.com,\r\nZoë,ZOE@example.com,';
  expect(await peopleIn(text)).toEqual([
    [2, 'Élodie Blanc', 'elodie@example.com'],
    [5, 'Zoë', 'zoe@example.com'],
    [6, 'like 5'],
  ]);
  const { rows } = await readTable(text);
  expect(rows[1]?.cells[2]).toBe('two\nlines, and "quotes"');
});

test('without a header, the only column with addresses is that; a name may stand before it', async () => {
  expect(await peopleIn('Élodie Blanc,elodie@example.com\nZoë Müller,zoe@example.com')).toEqual(
    two.map(([, ...rest], index) => [index + 1, ...rest]),
  );
  expect(await peopleIn('Élodie Blanc <elodie@example.com>\nzoe@example.com')).toEqual([
    [1, 'Élodie Blanc', 'elodie@example.com'],
    [2, 'invalid_name'],
  ]);
});

test('which column is what is not guessed if it is not clear', () => {
  const rows = [['1', 'Élodie', 'elodie@example.com']];
  expect(findColumns(rows)).toMatchObject({
    isClear: false,
    kinds: ['ignored', 'ignored', 'email'],
  });
  expect(findColumns([['Email'], ['elodie@example.com']])).toMatchObject({
    isClear: false,
    hasHeader: true,
  });
});

test('every line has its own fault', async () => {
  const long = 'x'.repeat(501);
  const text = [
    'name,email,note',
    'Élodie,elodie@example,',
    ',elodie@example.com,',
    'See evil.biz,elodie@example.com,',
    `Élodie,elodie@example.com,${long}`,
    'Élodie,elodie@example.com,',
    '"Zoë,zoe@example.com,',
  ].join('\n');
  expect(await peopleIn(text)).toEqual([
    [2, 'invalid_email'],
    [3, 'invalid_name'],
    [4, 'invalid_name'],
    [5, 'invalid_note'],
    [6, 'Élodie', 'elodie@example.com'],
    [7, 'broken'],
  ]);
});

test('a list that is empty is refused', async () => {
  for (const text of [' \n\n,\n', 'sep=;\n']) {
    await expect(readTable(text)).rejects.toMatchObject({ code: 'import_empty' });
  }
});

test('a cell with a name and an address is read quickly, however long it is', () => {
  const cell = `a${' '.repeat(500_000)}b`;
  expect(typedIn([cell], ['email']).email).toBe(cell);
});

const utf16 = (text: string, isBig: boolean) =>
  [...`\ufeff${text}`].flatMap((letter) => {
    const [high, low] = [letter.charCodeAt(0) >> 8, letter.charCodeAt(0) & 255];
    return isBig ? [high, low] : [low, high];
  });

test.each([
  ['utf-8', [...new TextEncoder().encode('name\nÉlodie')]],
  ['utf-8', [0xef, 0xbb, 0xbf, ...new TextEncoder().encode('name\nÉlodie')]],
  ['utf-16', utf16('name\nÉlodie', false)],
  ['utf-16', utf16('name\nÉlodie', true)],
  ['windows-1252', [...'name\nÉlodie'].map((letter) => letter.charCodeAt(0))],
])('a file in %s is read as it was typed: %j', async (encoding, bytes) => {
  expect(await decodeFile(new Blob([new Uint8Array(bytes)]))).toEqual({
    kind: 'text',
    encoding,
    text: 'name\nÉlodie',
  });
});

/** What these bytes beyond ASCII are among, as a program of a Mac writes them. */
const macBytes = { é: 0x8e, è: 0x8f, ü: 0x9f, ç: 0x8d, ñ: 0x96, É: 0x83, '’': 0xd5 };
const windowsBytes = {
  é: 0xe9,
  Ž: 0x8e,
  ž: 0x9e,
  '’': 0x92,
  '–': 0x96,
  '“': 0x93,
  '”': 0x94,
  '€': 0x80,
};

test.each([
  ['macintosh', macBytes, 'name\nRené Müller\nFrançois\nÉva Muñoz'],
  ['macintosh', macBytes, 'name\nHélène O’Brien'],
  ['windows-1252', windowsBytes, 'name\nRené O’Brien'],
  ['windows-1252', windowsBytes, 'name,note\nLiam O’Brien,“Ask” – €50'],
  ['windows-1252', windowsBytes, 'name\nŽižek'],
])(
  'a file without a mark that is not UTF-8 is read as %s where more accents then stand in words',
  async (encoding, byteOf, text) => {
    const codes = [...text].map(
      (sign) => byteOf[sign as keyof typeof byteOf] ?? sign.charCodeAt(0),
    );
    const file = new Blob([new Uint8Array(codes)]);
    expect(await decodeFile(file)).toEqual({ kind: 'text', encoding, text });
    // The other one can be chosen.
    const other = encoding === 'macintosh' ? 'windows-1252' : 'macintosh';
    const chosen = await decodeFile(file, other);
    expect(chosen).toMatchObject({ kind: 'text', encoding: other });
    expect(chosen).not.toMatchObject({ text });
  },
);

test.each([
  ['a text', 'a'.repeat(maxBytes + 1)],
  ['any file', 'a'.repeat(2 * maxBytes + 1)],
])('%s is too large above its limit', async (_what, text) => {
  expect(await decodeFile(new Blob([text]))).toEqual({ kind: 'too_large' });
  expect((await decodeFile(new Blob([text.slice(0, maxBytes)]))).kind).toBe('text');
});
