import 'server-only';
import * as z from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';

export type JsonSchema = Record<string, unknown>;

/** The schemas of a document; each named schema is defined once and referenced. */
export type Schemas = {
  components: Record<string, JsonSchema>;
  ofInput: (schema: $ZodType) => JsonSchema;
  /** The schema of a response body; it allows no other properties. */
  ofAnswer: (schema: $ZodType) => JsonSchema;
};

const modules = import.meta.glob<Record<string, unknown>>('../../features/**/schema.ts', {
  eager: true,
});
// An object is named like its export, unless it has registered a name itself.
for (const [name, schema] of Object.values(modules).flatMap((module) => Object.entries(module))) {
  if (schema instanceof z.core.$ZodObject) {
    z.globalRegistry.add(schema, { id: name, ...z.globalRegistry.get(schema) });
  }
}

export function createSchemas(): Schemas {
  const components: Record<string, JsonSchema> = {};

  function convert(schema: $ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...converted
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    for (const [name, definition] of Object.entries($defs)) {
      components[name] = pointToComponents(definition);
    }
    return pointToComponents(converted);
  }

  return {
    components,
    ofInput: (schema) => convert(schema, 'input'),
    ofAnswer: (schema) => convert(schema, 'output'),
  };
}

/** Zod keeps definitions in each schema, OpenAPI in one section for all. */
function pointToComponents(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
