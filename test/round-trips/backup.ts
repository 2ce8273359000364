import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

/** A database in two files, as docs/deploying.md says to write them: the schema and the rows. */
type Backup = { schema: string[]; rows: string[] };

const isOurs = "name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'";

/** @param hasTriggersFirst whether triggers are made with their tables, or once the rows are there */
export async function backUp(hasTriggersFirst: boolean): Promise<Backup> {
  const { results: parts } = await env.DB.prepare(
    `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND ${isOurs} ORDER BY rowid`,
  ).all<{ type: string; name: string; sql: string }>();
  const tables = parts.filter(({ type }) => type === 'table');
  const found = await env.DB.batch<Record<string, unknown>>(
    tables.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`)),
  );
  const rows = tables.flatMap(({ name }, index) =>
    (found[index]?.results ?? []).map((row) => {
      const columns = Object.keys(row).map((column) => `"${column}"`);
      const values = Object.values(row).map(literal);
      return `INSERT INTO "${name}" (${columns.join(', ')}) VALUES (${values.join(', ')})`;
    }),
  );
  const isEarly = ({ type }: { type: string }) => hasTriggersFirst || type !== 'trigger';
  const late = parts.filter((part) => !isEarly(part)).map(({ sql }) => sql);
  return { schema: parts.filter(isEarly).map(({ sql }) => sql), rows: [...rows, ...late] };
}

function literal(value: unknown): string {
  if (value === null || typeof value === 'number') {
    return String(value);
  }
  if (typeof value === 'string') {
    return `'${value.replaceAll("'", "''")}'`;
  }
  throw new Error('No column has anything else.');
}

/** Empties the database, and makes it from a backup. */
export async function restore({ schema, rows }: Backup): Promise<void> {
  await reset();
  await env.DB.batch(schema.map((statement) => env.DB.prepare(statement)));
  // As the file begins: rows may come before those that they refer to.
  const statements = ['PRAGMA defer_foreign_keys = true', ...rows];
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
}
