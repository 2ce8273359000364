import { nameKeyOf } from '#lib/text.ts';

export const columnKinds = [
  'name',
  'first_name',
  'last_name',
  'email',
  'language',
  'note',
  'ignored',
] as const;
/** What a column of a list says about people. */
export type ColumnKind = (typeof columnKinds)[number];

/** The names of columns in both languages, as far as `keyOf` keeps them. */
const columnNames: [ColumnKind, string][] = [
  ['name', 'name fullname participant nom nomcomplet nometprenom prenometnom'],
  ['first_name', 'firstname givenname prenom'],
  ['last_name', 'lastname surname familyname nomdefamille'],
  ['email', 'email emailaddress mail courriel adresseemail adressemail adressecourriel'],
  ['language', 'language langue'],
  [
    'note',
    'note notes comment comments remark remarks remarque remarques commentaire commentaires',
  ],
];

const kindsByName = new Map(
  columnNames.flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)),
);

function keyOf(name: string): string {
  return nameKeyOf(name).replace(/[^a-z]/g, '');
}

/** What the columns of a list are, as far as the list says so itself. */
export type ListColumns = {
  kinds: ColumnKind[];
  /** Whether the first row names the columns, and is no person. */
  hasHeader: boolean;
  /** Whether it is clear which columns have the names and the addresses. */
  isClear: boolean;
};

/**
 * Finds out which column is what: by the names in the first row or, without any, by the only column
 * with addresses.
 */
export function findColumns(rows: readonly string[][]): ListColumns {
  const [first = []] = rows;
  const named = first.map((cell) => kindsByName.get(keyOf(cell)) ?? 'ignored');
  const hasHeader = !hasAddress(first) && named.some((kind) => kind !== 'ignored');
  if (hasHeader) {
    const kinds = withoutSecond(named);
    return { kinds, hasHeader, isClear: saysWho(kinds) };
  }
  const width = Math.max(...rows.map((row) => row.length));
  const addressed = Array.from({ length: width }, (_, index) => index).filter((index) =>
    rows.some((row) => row[index]?.includes('@')),
  );
  const [email] = addressed;
  const isClear = addressed.length === 1 && width <= 2;
  const kinds = Array.from({ length: width }, (_, index): ColumnKind => {
    if (index === email) {
      return 'email';
    }
    return width === 2 && isClear ? 'name' : 'ignored';
  });
  return { kinds, hasHeader: false, isClear };
}

/** The columns as they were chosen. A first row without any address names them. */
export function chosenColumns(rows: readonly string[][], kinds: ColumnKind[]): ListColumns {
  const hasHeader = !hasAddress(rows[0] ?? []);
  return { kinds: withoutSecond(kinds), hasHeader, isClear: true };
}

/** Whether columns say who people are and where to write to them. */
export function saysWho(kinds: readonly ColumnKind[]): boolean {
  return kinds.includes('email') && (kinds.includes('name') || kinds.includes('first_name'));
}

function hasAddress(row: readonly string[]): boolean {
  return row.some((cell) => cell.includes('@'));
}

/** Of columns that say the same, the first counts. */
function withoutSecond(kinds: ColumnKind[]): ColumnKind[] {
  return kinds.map((kind, index) => (kinds.indexOf(kind) === index ? kind : 'ignored'));
}

/** The names of columns that have something in them and are not imported. */
export function ignoredNames(
  rows: readonly string[][],
  { kinds, hasHeader }: ListColumns,
): string[] {
  const [names = [], ...people] = hasHeader ? rows : [];
  return names.filter(
    (name, index) =>
      (kinds[index] ?? 'ignored') === 'ignored' &&
      name.trim() !== '' &&
      people.some((cells) => (cells[index] ?? '').trim() !== ''),
  );
}

/** What a row says about a person, by the columns. */
export type Typed = { name: string; email: string; language: string; note: string };

/** A name and an address in one cell, as email programs copy them. */
const mailboxPattern = /^([^<>]*)<([^<>]+)>$/;

/** A name as registrars write it, family name first: `O'Connor, Liam`. */
const familyFirstPattern = /^([^,]+),\s*([^,]+)$/;
/** What stands behind a comma in other names. */
const suffixPattern = /^(?:[js]r|i{2,3}|iv|ph\.?\s?d|m\.?d|m\.?a|esq)\.?$/i;

function givenNameFirst(name: string): string {
  const [, family, given = ''] = familyFirstPattern.exec(name) ?? [];
  return family === undefined || suffixPattern.test(given) ? name : `${given} ${family}`;
}

/** Reads a person from a row. Where first and last names have columns, they are put together. */
export function typedIn(row: readonly string[], kinds: readonly ColumnKind[]): Typed {
  const at = (kind: ColumnKind) => (row[kinds.indexOf(kind)] ?? '').trim();
  const [name, firstName, lastName] = [at('name'), at('first_name'), at('last_name')];
  // Beside a first name, « nom » is the last one.
  const whole = kinds.includes('first_name') ? [firstName, lastName || name] : [name, lastName];
  const named = whole.filter((part) => part !== '').join(' ');
  const [, before = '', address] = mailboxPattern.exec(at('email')) ?? [];
  return {
    name: givenNameFirst(named === '' ? before.replaceAll('"', '').trim() : named),
    email: address ?? at('email'),
    language: at('language'),
    note: at('note'),
  };
}
