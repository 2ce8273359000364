import 'server-only';
import * as z from 'zod/mini';
import type { Locale } from '#db/values.ts';
import { answer, PersonPatch } from '#features/places/schema.ts';
import type { ParsedEmail } from '#lib/email-address.ts';
import type { ValidationCode } from '#vocabulary.ts';
import { type ColumnKind, type Typed, typedIn } from './columns.ts';
import type { Row } from './read-table.ts';
import type { Fault } from './schema.ts';

/** A person as a line of a list names them. */
export type ListedPerson = {
  name: string;
  email: ParsedEmail;
  /** Null where the list does not say; then it is that of the cohort. */
  language: Locale | null;
  note: string | null;
  answer: string | null;
};

/** A line of a list, as far as the list itself says whether it can be imported. */
export type ListLine = { line: number; cells: string[]; typed: Typed } & (
  | { kind: 'person'; person: ListedPerson }
  | { kind: 'fault'; fault: Fault; code: ValidationCode | null }
  /** The same address as an earlier line. */
  | { kind: 'duplicate'; of: number }
);

const languages: [Locale, RegExp][] = [
  ['en', /^(?:en|english|anglais)$/i],
  ['fr', /^(?:fr|french|fran[cç]ais)$/i],
];

/** In the order in which they are said: a line has one fault. */
const fieldFaults = [
  ['email', 'invalid_email'],
  ['name', 'invalid_name'],
  ['note', 'invalid_note'],
  ['answer', 'invalid_answer'],
] as const;

const Listed = z.extend(PersonPatch, { answer });

/** Judges the rows of a list, each by itself and beside those before it. */
export function readLines(rows: readonly Row[], kinds: readonly ColumnKind[]): ListLine[] {
  const lines = new Map<string, number>();
  return rows.flatMap((row): ListLine | [] => {
    const typed = typedIn(row.cells, kinds);
    // The second line of a gradebook of Canvas, in every language.
    if (typed.name === 'Points Possible' && typed.email === '') {
      return [];
    }
    const common = { line: row.line, cells: row.cells, typed };
    if (row.isBroken) {
      return { ...common, kind: 'fault', fault: 'broken', code: null };
    }
    const { language: typedLanguage, ...fields } = typed;
    const parsed = Listed.safeParse(fields);
    if (!parsed.success) {
      const { issues } = parsed.error;
      const [field, fault] =
        fieldFaults.find(([one]) => issues.some(({ path }) => path[0] === one)) ?? fieldFaults[0];
      const code = issues.find(({ path }) => path[0] === field)?.message as ValidationCode;
      return { ...common, kind: 'fault', fault, code };
    }
    const person = parsed.data as Omit<ListedPerson, 'language'>;
    const of = lines.get(person.email.canonical);
    if (of !== undefined) {
      return { ...common, kind: 'duplicate', of };
    }
    lines.set(person.email.canonical, row.line);
    const [language] = languages.find(([, names]) => names.test(typedLanguage)) ?? [null];
    return { ...common, kind: 'person', person: { ...person, language } };
  });
}
