import { is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';

const modules = import.meta.glob<object>('../../src/db/schema/*.ts', { eager: true });

/** Every table. */
export const tables: SQLiteTable[] = Object.values(modules)
  .flatMap((exported) => Object.values(exported))
  .filter((value) => is(value, SQLiteTable));
