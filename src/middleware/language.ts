import 'server-only';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { parseAccept } from 'hono/utils/accept';
import { defaultLocale, type Locale, locales } from '#db/values.ts';
import { hasTooManyCookies } from './cookies.ts';
import { kindOf } from './path-kinds.ts';
import type { HonoEnv } from './request-context.ts';

/** Enough for dozens of languages. */
const acceptLanguageLength = 255;

/**
 * The language of the request: the one in its address, the one chosen in this browser, or the first
 * supported one that the browser asks for. Determined on first use, so that a flood is refused
 * before headers are parsed.
 */
export function languageOf(c: Context<HonoEnv>): Locale {
  const language =
    c.get('language') ??
    addressedLanguage(c.req.url) ??
    chosenLanguage(c) ??
    askedLanguage(c) ??
    defaultLocale;
  c.set('language', language);
  return language;
}

/**
 * The language in the address of a cohort's page or preview, or of its payload, which has it in
 * `query`.
 */
export function addressedLanguage(url: string): Locale | undefined {
  // Most have no parameters, and each request asks.
  if (!url.includes('?')) {
    return undefined;
  }
  const { pathname, searchParams } = new URL(url);
  if (!kindOf(pathname).hasLanguage) {
    return undefined;
  }
  const query = new URLSearchParams(searchParams.get('query') ?? '');
  return localeOf(searchParams.get('lang') ?? query.get('lang') ?? '');
}

function chosenLanguage(c: Context<HonoEnv>): Locale | undefined {
  return hasTooManyCookies(c) ? undefined : localeOf(getCookie(c, 'language') ?? '');
}

function askedLanguage(c: Context<HonoEnv>): Locale | undefined {
  const header = c.req.header('Accept-Language') ?? '';
  return parseAccept(header.slice(0, acceptLanguageLength))
    .filter(({ q }) => q > 0)
    .map(({ type }) => localeOf(type))
    .find((locale) => locale !== undefined);
}

/** `fr`, `FR` and `fr-CA` are French. */
function localeOf(tag: string): Locale | undefined {
  const [language] = tag.trim().toLowerCase().split('-', 1);
  return locales.find((locale) => locale === language);
}
