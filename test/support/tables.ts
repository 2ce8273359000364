import { is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';

const modules = import.meta.glob<object>(
  ['../../src/db/schema/*.ts', '../../src/features/*/table.ts'],
  { eager: true },
);

/** Every table, wherever its file is. */
export const tables: SQLiteTable[] = Object.values(modules)
  .flatMap((exported) => Object.values(exported))
  .filter((value) => is(value, SQLiteTable));
