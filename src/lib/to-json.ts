import type * as z from 'zod/mini';

type CamelCase<Name> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** A row with the fields of an API item, by the names of its columns. */
export type RowOf<Item> = {
  [Name in keyof Item as CamelCase<Name>]: Item[Name] | Date | Extract<null, Item[Name]>;
};

/** Picks only the fields of a schema from a row; dates become ISO strings. */
export function toJson<Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape>,
  row: RowOf<z.infer<z.ZodMiniObject<Shape>>>,
): z.infer<z.ZodMiniObject<Shape>> {
  const values: Record<string, unknown> = row;
  const item: Record<string, unknown> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = values[camelCase(name)];
    item[name] = value instanceof Date ? value.toISOString() : value;
  }
  // The row has a column for each name.
  return item as z.infer<z.ZodMiniObject<Shape>>;
}

/** The fields of an API item by the names of their columns, without those that are not given. */
export function fromJson<Item extends object>(
  item: Item,
): { [Name in keyof Item as CamelCase<Name>]: Exclude<Item[Name], undefined> } {
  const fields = Object.entries(item)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [camelCase(name), value]);
  // The names are those of the type.
  return Object.fromEntries(fields) as ReturnType<typeof fromJson<Item>>;
}

/** The columns of fields of an API item. */
export function columnsOf<Name extends string>(names: readonly Name[]): CamelCase<Name>[] {
  // The names are those of the type.
  return names.map(camelCase) as CamelCase<Name>[];
}

/** Some columns of a row. */
export function pick<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]) {
  // The names are those of the type.
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;
}

/** A list asks for the same few names again and again. */
const camelCased = new Map<string, string>();

/** @param name one of those that a schema declares */
function camelCase(name: string): string {
  const cased =
    camelCased.get(name) ?? name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  camelCased.set(name, cased);
  return cased;
}
