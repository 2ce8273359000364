import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { type Locale, locales } from '#db/values.ts';
import { i18nFor } from '#i18n/server.ts';
import { AppError } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { describe } from './describe.ts';

const formats = ['json', 'yaml'] as const;

/** /api/schema: what the API is, for machines. */
export function schemaOf(api: Hono<HonoEnv>) {
  return new Hono<HonoEnv>().get(
    '/',
    describe({
      summary: msg`This document: OpenAPI 3.1, as JSON or YAML, in English or French`,
      answers: { 200: z.looseObject({ openapi: z.string() }) },
      mediaTypes: ['application/json', 'application/yaml'],
      query: { format: formats, lang: locales },
    }),
    async (c) => {
      const format = oneOf(formats, 'format', c.req.query('format') ?? 'json');
      const locale: Locale = oneOf(locales, 'lang', c.req.query('lang') ?? c.get('language'));
      // Loaded when somebody asks: no other request has to carry them.
      const { openApiDocument } = await import('./openapi/document.ts');
      const document = openApiDocument(api.routes, i18nFor(locale), c.get('env').appOrigin);
      if (format === 'json') {
        return c.json(document);
      }
      const { stringify } = await import('yaml');
      return c.body(stringify(document, { aliasDuplicateObjects: false }), 200, {
        'Content-Type': 'application/yaml; charset=utf-8',
      });
    },
  );
}

/** @throws AppError `validation_failed` on the parameter */
function oneOf<Value extends string>(known: readonly Value[], name: string, given: string): Value {
  const value = known.find((candidate) => candidate === given);
  if (value === undefined) {
    throw new AppError('validation_failed', { fields: { [name]: ['unknown_value'] } });
  }
  return value;
}
