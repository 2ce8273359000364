import { type AnySQLiteColumn, foreignKey, text } from 'drizzle-orm/sqlite-core';
import { users } from './schema/users.ts';

/** A column with the id of an account, with which the row goes. */
export function ofUser(name: 'user_id' | 'owner_id') {
  return text(name).references(() => users.id, { onDelete: 'cascade' });
}

/**
 * Makes a row go with what it belongs to, which has the same owner.
 *
 * @param columns the owner of the row, and the id of what it belongs to
 */
export function goesWith(
  name: string,
  columns: [AnySQLiteColumn, AnySQLiteColumn],
  { ownerId, id }: { ownerId: AnySQLiteColumn; id: AnySQLiteColumn },
) {
  return foreignKey({ name, columns, foreignColumns: [ownerId, id] }).onDelete('cascade');
}
