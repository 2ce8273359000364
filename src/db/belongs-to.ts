import { type AnySQLiteColumn, foreignKey } from 'drizzle-orm/sqlite-core';

type OwnerAndId = [AnySQLiteColumn, AnySQLiteColumn];

/** A reference to a row of the same owner, with which the row is deleted. */
export function belongsTo(name: string, columns: OwnerAndId, foreignColumns: OwnerAndId) {
  return foreignKey({ name, columns, foreignColumns }).onDelete('cascade');
}
