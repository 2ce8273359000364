import 'server-only';
import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import { ErrorBody } from '#api/error-body.ts';
import { AccountExport } from '#features/accounts/export-account.ts';
import { Account, AccountInput, AccountPatch } from '#features/accounts/schema.ts';
import {
  Confirmed,
  ConfirmInput,
  GoogleStarted,
  LoginInput,
  MailSent,
  Session,
  SignUpInput,
  Undone,
} from '#features/auth/schema.ts';
import { Course, CourseInput, CoursePatch } from '#features/courses/schema.ts';

export type JsonSchema = Record<string, unknown>;

/** The schemas of a document, each under its name once, whoever refers to it. */
export type Schemas = {
  components: Record<string, JsonSchema>;
  /** What may be sent. */
  ofInput: (schema: $ZodType) => JsonSchema;
  /** What is answered: every field that there is, and no other. */
  ofAnswer: (schema: $ZodType) => JsonSchema;
};

/** Shapes with a name of their own, which clients made from the document will call them by. */
const named: Record<string, $ZodType> = {
  Account,
  AccountExport,
  AccountInput,
  AccountPatch,
  Confirmed,
  ConfirmInput,
  Course,
  CourseInput,
  CoursePatch,
  Error: ErrorBody,
  GoogleStarted,
  LoginInput,
  MailSent,
  Session,
  SignUpInput,
  Undone,
};

/** What the fields mean, and those of their rules that JSON Schema cannot learn from a function. */
const fields: Record<string, { description: MessageDescriptor; rules?: JsonSchema }> = {
  first_name: { description: msg`2 to 49 characters`, rules: { minLength: 2, maxLength: 49 } },
  last_name: { description: msg`2 to 49 characters`, rules: { minLength: 2, maxLength: 49 } },
  name: {
    description: msg`The name of the course, 3 to 254 characters`,
    rules: { minLength: 3, maxLength: 254 },
  },
  email: { description: msg`An email address, in any spelling`, rules: { format: 'email' } },
  pending_email: { description: msg`An address that waits for the click on its link` },
  language: { description: msg`The language that mails are written in` },
  avatar: { description: msg`The address of a picture; without one, show initials` },
  course_type: {
    description: msg`evergreen: self-paced, students start at any time. cohort: a group with fixed start and end dates`,
  },
  is_selected: { description: msg`Exactly one course is, as soon as there is one` },
  is_current: { description: msg`Whether it is the session that asks` },
  token: { description: msg`The token in the mailed link`, rules: { type: 'string' } },
  redirect_to: { description: msg`The page to go on to` },
  outcome: {
    description: msg`stopped: the change will not happen. restored: the account has its former address again, and all of its sessions have ended`,
  },
  redirect_url: { description: msg`Where the browser is to go` },
  code: { description: msg`What went wrong; never changes, so decide by it` },
  message: { description: msg`The same in words, for people` },
  errors: { description: msg`All messages of fields, flat` },
  fields: { description: msg`What is wrong with each field, by its name` },
  request_id: { description: msg`Leads to the log of the request` },
};

export function createSchemas(i18n: I18n): Schemas {
  const ids = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) {
    ids.add(schema, { id });
  }
  const components: Record<string, JsonSchema> = {};

  function convert(schema: $ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...converted
    } = z.toJSONSchema(schema, {
      io,
      metadata: ids,
      unrepresentable: 'any',
      override: ({ jsonSchema, path }) => {
        const [parent, name = ''] = path.slice(-2);
        if (parent === 'properties' && Object.hasOwn(fields, name)) {
          describeField(jsonSchema, String(name), io);
        }
      },
    });
    for (const [name, definition] of Object.entries($defs)) {
      components[name] = pointToComponents(definition);
    }
    return pointToComponents(converted);
  }

  function describeField(jsonSchema: JsonSchema, name: string, io: 'input' | 'output') {
    const { description, rules } = fields[name] ?? {};
    Object.assign(
      jsonSchema,
      description && { description: i18n._(description) },
      io === 'input' && rules,
    );
  }

  return {
    components,
    ofInput: (schema) => convert(schema, 'input'),
    ofAnswer: (schema) => convert(schema, 'output'),
  };
}

/** Zod puts definitions beside the schema, OpenAPI in one place for all. */
function pointToComponents(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
