// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a template is source text.
import type { Mutation } from './all.ts';

const statements = 'src/features/roster-files/import-statements.ts';

function ofImports(
  defense: string,
  find: string,
  replace: string,
  named: RegExp,
  tests = 'features/roster-files/importing',
): Mutation {
  return { defense, file: statements, find, replace, project: 'workerd', tests, named };
}

export const rosterFiles: Mutation[] = [
  {
    defense: '50: no spreadsheet executes an exported cell',
    file: 'src/features/roster-files/table-text.ts',
    find: ': withGuards(cell)',
    replace: ': cell',
    project: 'workerd',
    tests: 'features/roster-files/exporting',
    named: /what a spreadsheet might execute/,
  },
  {
    defense: '50: nor at another delimiter',
    file: 'src/features/roster-files/cells.ts',
    find: String.raw`(?<=(?:^|[,;，；\t|"\r\n])['\s\p{Cf}]*)`,
    replace: String.raw`(?<=^['\s\p{Cf}]*)`,
    project: 'workerd',
    tests: 'features/roster-files/exporting',
    named: /what a spreadsheet might execute/,
  },
  ofImports(
    '50: who wants no invitations is not imported',
    '          AND NOT ${isUnsubscribed(ownerId)})\n',
    ')\n',
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
    'features/roster-files/limits',
  ),
  ofImports(
    '50: a new account brings in as many as it may invite',
    'WHERE has_consented OR strangers <= coalesce(${allowed}, strangers)',
    'WHERE true',
    /a new account brings in/,
    'features/roster-files/limits',
  ),
  ofImports(
    '50: who has enrolled by themselves is no stranger',
    'sql`(p.consented_at IS NOT NULL)`',
    'sql`false`',
    /have enrolled by themselves before/,
    'features/roster-files/limits',
  ),
  {
    defense: '50: a proven account has a limit of strangers for its lists too',
    file: 'src/features/roster-files/import-people.ts',
    find: '[invitationUse(ctx, standing)]',
    replace: 'standing.isProven ? [] : [invitationUse(ctx, standing)]',
    project: 'workerd',
    tests: 'features/roster-files/limits',
    named: /by lists than by hand/,
  },
  {
    defense: '50: no list within its limits is more than D1 takes',
    file: statements,
    find: 'const partLength = 600_000;',
    replace: 'const partLength = 6_000_000;',
    project: 'workerd',
    tests: 'features/roster-files/large-lists',
    named: /fit into what D1 takes/,
  },
  {
    defense: '50: a list counts before it is read',
    file: 'src/features/roster-files/routes.ts',
    find: '    countedList,\n    jsonInput(ImportInput),\n',
    replace: '    jsonInput(ImportInput),\n    countedList,\n',
    project: 'workerd',
    tests: 'features/roster-files/limits',
    named: /counts before it is read/,
  },
];
