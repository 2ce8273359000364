import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { type Locale, locales } from '#db/values.ts';
import { i18nFor } from '#i18n/server.ts';
import { languageOf } from '#middleware/language.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { describe } from './describe.ts';
import { knownParameter } from './request.ts';

const formats = ['json', 'yaml'] as const;

const SchemaDocument = z.looseObject({ openapi: z.string() });

/** /api/schema: the OpenAPI document. */
export function schemaOf(api: Hono<HonoEnv>) {
  // Cached: the same for all callers, and many times as expensive as other requests.
  const texts = new Map<string, string>();
  return new Hono<HonoEnv>().get(
    '/',
    describe({
      summary: msg`This document: OpenAPI 3.1, as JSON or YAML, in English or French`,
      answers: { 200: SchemaDocument },
      mediaTypes: ['application/json', 'application/yaml'],
      query: { format: formats, lang: locales },
    }),
    async (c) => {
      const format = knownParameter(formats, 'format', c.req.query('format') ?? 'json');
      const locale: Locale = knownParameter(locales, 'lang', c.req.query('lang') ?? languageOf(c));
      const origin = c.get('env').appOrigin;
      const key = [format, locale, origin].join(' ');
      const text = texts.get(key) ?? (await documentText(api, format, locale, origin));
      texts.set(key, text);
      return c.body(text, 200, { 'Content-Type': `application/${format}; charset=utf-8` });
    },
  );
}

async function documentText(
  api: Hono<HonoEnv>,
  format: (typeof formats)[number],
  locale: Locale,
  origin: string,
): Promise<string> {
  // Loaded on demand, because no other request needs it.
  const { openApiDocument } = await import('#api/openapi/document.ts');
  const json = JSON.stringify(openApiDocument(api.routes, i18nFor(locale), origin));
  if (format === 'json') {
    return json;
  }
  const { stringify } = await import('yaml');
  // Quoted for YAML 1.1 parsers too, which do not read `no` and `2026-01-31` as strings.
  return stringify(JSON.parse(json), { compat: 'yaml-1.1' });
}
