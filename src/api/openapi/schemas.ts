import 'server-only';
import type { I18n } from '@lingui/core';
import * as z from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import { addTexts, type Catalog } from '#i18n/server.ts';
import type { FieldDoc, SchemaDocs } from '#lib/schema-docs.ts';

export type JsonSchema = Record<string, unknown>;

/** The schemas of a document; each named schema is defined once and referenced. */
export type Schemas = {
  components: Record<string, JsonSchema>;
  ofInput: (schema: $ZodType) => JsonSchema;
  /** The schema of a response body; it allows no other properties. */
  ofAnswer: (schema: $ZodType) => JsonSchema;
};

/** The descriptions in each feature's schema-docs.ts. */
const docs = Object.values(
  import.meta.glob<{ named?: Record<string, SchemaDocs>; unnamed?: SchemaDocs[] }>(
    '../../features/*/schema-docs.ts',
    { eager: true },
  ),
);

addTexts({
  en: import.meta.glob<Catalog>('../../../locales/en/documentation.po', { eager: true }),
  fr: import.meta.glob<Catalog>('../../../locales/fr/documentation.po', { eager: true }),
});

/** Keyed by the property's schema instance, which belongs to one object only. */
const fields = new Map<$ZodType, FieldDoc>();
for (const { named = {}, unnamed = [] } of docs) {
  for (const { schema, fields: ofSchema } of [...Object.values(named), ...unnamed]) {
    for (const [name, field] of Object.entries(ofSchema)) {
      noteField(schema._zod.def.shape[name], field);
    }
  }
}

const modules = import.meta.glob<Record<string, unknown>>('../../features/**/schema.ts', {
  eager: true,
});
// An object is named like its export, unless it has registered a name itself.
for (const [name, schema] of Object.values(modules).flatMap((module) => Object.entries(module))) {
  if (schema instanceof z.core.$ZodObject) {
    z.globalRegistry.add(schema, { id: name, ...z.globalRegistry.get(schema) });
  }
}

/** Zod also visits the schema that a property's schema wraps. */
function noteField(schema: $ZodType | undefined, field: FieldDoc | undefined): void {
  if (schema !== undefined && field !== undefined) {
    fields.set(schema, field);
    const { innerType, in: input, out }: Wrapper = schema._zod.def;
    for (const inner of [schema._zod.parent, innerType, input, out]) {
      noteField(inner, field);
    }
  }
}

type Wrapper = { type: string; innerType?: $ZodType; in?: $ZodType; out?: $ZodType };

export function createSchemas(i18n: I18n): Schemas {
  const components: Record<string, JsonSchema> = {};

  function convert(schema: $ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...converted
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema, path }) => {
        if (path.at(-2) === 'properties') {
          const field = fields.get(zodSchema);
          Object.assign(
            jsonSchema,
            field && { description: i18n._(field.description) },
            io === 'input' && field?.rules,
          );
        }
      },
    });
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
