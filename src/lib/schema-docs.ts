import type { MessageDescriptor } from '@lingui/core';
import type { $ZodObject, $ZodType } from 'zod/v4/core';

/** The description of a property, and the rules that Zod cannot convert to JSON Schema. */
export type FieldDoc = { description: MessageDescriptor; rules?: Record<string, unknown> };

/** The docs of an object's properties, by name. */
export type SchemaDocs = { schema: $ZodObject; fields: Record<string, FieldDoc | undefined> };

/** Documents a schema for /api/schema/. Properties whose names explain themselves are left out. */
export function describeFields<Item>(
  schema: $ZodType<Item>,
  fields: { [Name in keyof Item]?: FieldDoc },
): SchemaDocs {
  // A schema whose output is an object with these names is an object schema.
  return { schema: schema as $ZodType as $ZodObject, fields };
}
