import type { MessageDescriptor } from '@lingui/core';
import type { $ZodObject, $ZodType } from 'zod/v4/core';

/** What a property means, and those of its rules that JSON Schema cannot learn from a function. */
export type FieldDoc = { description: MessageDescriptor; rules?: Record<string, unknown> };

/** What is said of the properties of an object, by name; null where the name says all there is. */
export type SchemaDocs = { schema: $ZodObject; fields: Record<string, FieldDoc | null> };

/** Documents a schema for /api/schema/. A property that is left out does not compile. */
export function describeFields<Item>(
  schema: $ZodType<Item>,
  fields: { [Name in keyof Item]-?: FieldDoc | null },
): SchemaDocs {
  // What comes out as an object with these names is the schema of one.
  return { schema: schema as $ZodType as $ZodObject, fields };
}
