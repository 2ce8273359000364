import { nameKeyOf } from '#lib/text.ts';

/** The names of columns in both languages, as far as `keyOf` keeps them. */
const columnNames = {
  name: 'name fullname displayname participant student studentname nom nomparticipant nomcomplet nometprenom nomprenom prenometnom prenomnom',
  first_name: 'first firstname givenname studentfirst studentfirstmiddle prenom prenomparticipant',
  last_name: 'last lastname surname familyname studentlast nomdefamille',
  email:
    'email emailaddress mail studentemail courriel adresseemail adressemail adressecourriel adressedecourriel',
  language: 'language langue',
  note: 'note notes comment comments remark remarks remarque remarques commentaire commentaires',
  answer: 'answer answers reponse reponses',
  ignored: '',
};

/** What a column of a list says about people. */
export type ColumnKind = keyof typeof columnNames;
// A constant has no other keys.
export const columnKinds = Object.keys(columnNames) as ColumnKind[];

/** The names of columns that are only a part of a name where the other part has a column. */
const shortKeys = ['name', 'nom', 'nomparticipant'];

function kindOf(name: string): ColumnKind {
  return (
    columnKinds.find((kind) => columnNames[kind].split(' ').includes(keyOf(name))) ?? 'ignored'
  );
}

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
  const named = first.map(kindOf);
  const hasHeader = !hasAddress(first) && named.some((kind) => kind !== 'ignored');
  if (hasHeader) {
    const kinds = withPartsOfNames(named, rows);
    return { kinds, hasHeader, isClear: saysWho(kinds) };
  }
  const width = Math.max(...rows.map((row) => row.length));
  const addressed = Array.from({ length: width }, (_, index) => index).filter((index) =>
    rows.some((row) => row[index]?.includes('@')),
  );
  const [email] = addressed;
  const isClear = addressed.length === 1 && width <= 2;
  const other = width === 2 && isClear ? 'name' : 'ignored';
  const kinds = Array.from({ length: width }, (_, index) => (index === email ? 'email' : other));
  return { kinds, hasHeader: false, isClear };
}

/** The columns as they were chosen. A first row without any address names them. */
export function chosenColumns(rows: readonly string[][], kinds: ColumnKind[]): ListColumns {
  return { kinds, hasHeader: !hasAddress(rows[0] ?? []), isClear: true };
}

/** Whether columns say who people are and where to write to them. */
export function saysWho(kinds: readonly ColumnKind[]): boolean {
  return kinds.includes('email') && (kinds.includes('name') || kinds.includes('first_name'));
}

function hasAddress(row: readonly string[]): boolean {
  return row.some((cell) => cell.includes('@'));
}

/**
 * “Name” and « Nom » are what is missing beside first or last names alone, unless they repeat those
 * in most rows; and the family name beside a column that is the whole name.
 */
function withPartsOfNames(named: ColumnKind[], rows: readonly string[][]): ColumnKind[] {
  const [names = [], ...people] = rows;
  const isShort = (kind: ColumnKind, index: number) =>
    kind === 'name' && shortKeys.includes(keyOf(names[index] ?? ''));
  const hasWhole = named.some((kind, index) => kind === 'name' && !isShort(kind, index));
  const [hasFirst, hasLast] = [named.includes('first_name'), named.includes('last_name')];
  const given = hasFirst ? 'first_name' : 'last_name';
  const repeated = people.filter((row) => {
    const name = nameKeyOf(cellOf(row, named, 'name'));
    const part = nameKeyOf(cellOf(row, named, given));
    return part !== '' && name !== part && ` ${name} `.includes(` ${part} `);
  });
  const isPart = hasWhole || (hasFirst !== hasLast && repeated.length * 2 <= people.length);
  const part = hasFirst || hasWhole ? 'last_name' : 'first_name';
  return named.map((kind, index) => (isPart && isShort(kind, index) ? part : kind));
}

/** What a row has of this kind. Of columns that say the same, the first that has something counts. */
function cellOf(row: readonly string[], kinds: readonly ColumnKind[], kind: ColumnKind): string {
  const index = kinds.findIndex((one, at) => one === kind && (row[at] ?? '').trim() !== '');
  return (row[index] ?? '').trim();
}

/** The names of columns with something that is not imported. */
export function ignoredNames(rows: readonly string[][], columns: ListColumns): string[] {
  const { kinds, hasHeader } = columns;
  const [names = [], ...people] = hasHeader ? rows : [];
  return names.filter((name, index) => {
    const kind = kinds[index] ?? 'ignored';
    const lost = people.filter((cells) => {
      const cell = (cells[index] ?? '').trim();
      return cell !== '' && (kind === 'ignored' || cell !== cellOf(cells, kinds, kind));
    });
    return name.trim() !== '' && lost.length > 0;
  });
}

/** What a row says about a person, by the columns. */
export type Typed = Record<'name' | 'email' | 'language' | 'note' | 'answer', string>;

/** A name and an address in one cell, as email programs copy them. */
const mailboxPattern = /^([^<>]*)<([^<>]+)>$/;

/** A name as registrars write it, family name first: `O'Connor, Liam` and `Okafor, Ben, PhD`. */
const familyFirstPattern = /^([^,]+),\s*([^,\s][^,]*)(,[^,]+)?$/;
/** What stands behind a comma in other names. Degrees have capitals: Md and Ma are names. */
const suffixPattern =
  /^(?:[JjSs][Rr]|I{2,3}|IV|[Pp][Hh]\.?\s?[Dd]|M\.?D|M\.?A|MBA|MPH|[BM]Sc|CPA|RN|JD|[Ee][Ss][Qq])\.?$/;

function givenNameFirst(name: string): string {
  const [, family, given = '', suffix = ''] = familyFirstPattern.exec(name) ?? [];
  return family === undefined || suffixPattern.test(given) ? name : `${given} ${family}${suffix}`;
}

/** Reads a person from a row. The whole name counts, or else first and last name together. */
export function typedIn(row: readonly string[], kinds: readonly ColumnKind[]): Typed {
  const at = (kind: ColumnKind) => cellOf(row, kinds, kind);
  const [, before = '', address] = mailboxPattern.exec(at('email')) ?? [];
  const parts = [at('first_name'), at('last_name')].filter((part) => part !== '').join(' ');
  return {
    name: givenNameFirst(at('name')) || parts || givenNameFirst(before.replaceAll('"', '').trim()),
    email: address ?? at('email'),
    language: at('language'),
    note: at('note'),
    answer: at('answer'),
  };
}
