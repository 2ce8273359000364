// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a template is source text.
import type { Mutation } from './all.ts';

const statements = 'src/features/roster-files/import-statements.ts';

function ofImports(defense: string, find: string, replace: string, named: RegExp): Mutation {
  const tests = 'features/roster-files/importing';
  return { defense, file: statements, find, replace, project: 'workerd', tests, named };
}

export const rosterFiles: Mutation[] = [
  {
    defense: '50: no spreadsheet executes an exported cell',
    file: 'src/features/roster-files/table-text.ts',
    find: 'escapeFormulae: guarded',
    replace: 'escapeFormulae: true',
    project: 'workerd',
    tests: 'features/roster-files/exporting',
    named: /what a spreadsheet might execute/,
  },
  ofImports(
    '50: who wants no invitations is not imported',
    '          AND NOT ${isUnsubscribed(ownerId)}\n',
    '',
    /removed, want no invitations or whose address bounces/,
  ),
  ofImports(
    '50: more people than places are asked about',
    'WHERE ${fits} AND',
    'WHERE true AND',
    /more people than places/,
  ),
  ofImports(
    '50: who has an enrollment is no newcomer',
    ': sql`e.id IS NULL`',
    ': sql`true`',
    /a new account brings in/,
  ),
  ofImports(
    '50: a new account brings in as many as it may invite',
    'LIMIT coalesce(${allowed}, -1)',
    'LIMIT -1',
    /a new account brings in/,
  ),
];
