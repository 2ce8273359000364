import { expect, test } from 'vitest';
import { schemaOfMigrations } from '../migrated-schema.ts';

const schemaFile = '../../docs/schema.sql';

test('docs/schema.sql has the tables, indexes and triggers of all migrations: `npm run schema` writes it', async () => {
  const schema = schemaOfMigrations("tbl_name, type <> 'table', type, name");

  await expect(schema.map((sql) => `${sql};\n`).join('\n')).toMatchFileSnapshot(schemaFile);
});
