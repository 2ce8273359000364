import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createCompiledCatalog } from '@lingui/cli/api';
import type { Messages } from '@lingui/core';
import { formatter } from '@lingui/format-po';
import { RolldownMagicString } from 'rolldown';
import type { Plugin } from 'vite';
import { locales } from '../src/db/values.ts';

const root = path.join(import.meta.dirname, '..');
const sourceFiles = path.join(root, 'src', path.sep);

/** The ids of Lingui's macros, as they are in the built code. */
const ids = /(["'`])([\w+/-]{6})\1/g;

/**
 * Each module brings its own texts, in both languages: so a page loads those that it can show, and
 * no module can be without its texts. They stand before its code, as one call of `addTexts`.
 *
 * @param isServer whether an environment of the build translates
 */
export function textsWithCode(isServer: (environment: string) => boolean): Plugin {
  let catalogs = readCatalogs();
  return {
    name: 'texts-with-code',
    // After the macros have become ids.
    enforce: 'post',
    applyToEnvironment: ({ name }) => isServer(name),
    async transform(code, id) {
      const [file = ''] = id.split('?');
      if (!file.startsWith(sourceFiles)) {
        return null;
      }
      const known = await catalogs;
      const used = [...new Set([...code.matchAll(ids)].map(([, , text = '']) => text))].filter(
        (text) => known.texts.en.has(text),
      );
      if (used.length === 0) {
        return null;
      }
      for (const po of known.files) {
        this.addWatchFile(po);
      }
      const inEach = locales.map((locale) => compiled(locale, used, known));
      const texts = Object.fromEntries(used.map((text) => [text, inEach.map((one) => one[text])]));
      // With the first character, so that the source map says which module the texts are of.
      const add = `import{addTexts}from'#i18n/server.ts';addTexts(${JSON.stringify(texts)});${code[0]}`;
      const whole = new RolldownMagicString(code).update(0, 1, add);
      const map = whole.generateMap({ source: id, hires: 'boundary' });
      return { code: whole.toString(), map: map.toString() };
    },
    watchChange(id) {
      if (id.endsWith('.po')) {
        catalogs = readCatalogs();
      }
    },
  };
}

type Catalogs = { texts: Record<(typeof locales)[number], Map<string, string>>; files: string[] };

async function readCatalogs(): Promise<Catalogs> {
  const format = formatter({ lineNumbers: false });
  const catalogs: Catalogs = { texts: { en: new Map(), fr: new Map() }, files: [] };
  for (const locale of locales) {
    for (const filename of globSync(path.join(root, `locales/${locale}/*.po`))) {
      catalogs.files.push(filename);
      const context = { locale, sourceLocale: 'en', filename };
      const messages = await format.parse(readFileSync(filename, 'utf8'), context);
      for (const [id, { translation, message }] of Object.entries(messages)) {
        catalogs.texts[locale].set(id, translation || (message ?? ''));
      }
    }
  }
  return catalogs;
}

/** @throws Error for a text that cannot be compiled */
function compiled(locale: (typeof locales)[number], used: string[], { texts }: Catalogs): Messages {
  const messages = Object.fromEntries(used.map((id) => [id, texts[locale].get(id) ?? '']));
  const { source, errors } = createCompiledCatalog(locale, messages, { namespace: 'json' });
  for (const { error } of errors) {
    throw error;
  }
  return JSON.parse(source).messages;
}
