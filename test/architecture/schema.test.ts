import { globSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';

const schemaFile = '../../docs/schema.sql';

test('docs/schema.sql has the tables, indexes and triggers of all migrations: `npm run schema` writes it', async () => {
  const database = new DatabaseSync(':memory:');
  for (const file of globSync('migrations/*.sql').toSorted()) {
    database.exec(readFileSync(file, 'utf8'));
  }
  const made = database
    .prepare(
      `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
        ORDER BY tbl_name, type <> 'table', type, name`,
    )
    .all();
  const schema = made.map(({ sql }) => `${sql};\n`).join('\n');

  await expect(schema).toMatchFileSnapshot(schemaFile);
});
