import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const catalogs = globSync('locales/fr/*.po').map((file) => ({
  file,
  catalog: readFileSync(file, 'utf8'),
}));

/** Every text: its catalog, its English and its French. */
const texts = catalogs.flatMap(({ file, catalog }) =>
  [...catalog.matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm)].map(([, english = '', french = '']) => ({
    file,
    english,
    french,
  })),
);

test('every text has a French translation, with the same placeholders and elements, in any order', () => {
  for (const { file, catalog } of catalogs) {
    // Everything but the header.
    const count = (catalog.match(/^msgid /gm)?.length ?? 0) - 1;
    expect(
      texts.filter((text) => text.file === file),
      file,
    ).toHaveLength(count);
  }
  expect(texts.filter(({ english, french }) => partsOf(english) !== partsOf(french))).toEqual([]);
});

test('what must not wrap in French is kept together', () => {
  // A breaking space, or none, before : ; ? ! » or after «; one after a number;
  // and an email that breaks after its e.
  const wrapping = /[ \p{L})][:;?!»](?=[ <]|$)|«(?!\u00a0)|\d (?!(à|et) )\p{L}|[Ee]-mail/u;

  expect(texts.filter(({ french }) => wrapping.test(french))).toEqual([]);
});

test('user input is never part of a parsed text: values in a `<Trans>` are elements, values in a `<Plural>` are counts', () => {
  const offenders = globSync('src/**/*.tsx').flatMap((file) =>
    plainValuesIn(readFileSync(file, 'utf8')).map((value) => `${file}: ${value}`),
  );

  expect(offenders).toEqual([]);
});

/** The placeholders and elements of a Lingui text, each once and unordered. */
function partsOf(text = ''): string {
  const parts = text.match(/<\/?\w+\/?>|\{\w+(?=[,}])/g) ?? [];
  return [...new Set(parts)].sort().join(' ');
}

/** Formatted by the platform from a date only. */
const wordsOfIntl = /^timeAgo\(/;

/**
 * What Lingui inserts into a text before it looks for tags: values in `<Trans>`, except constants
 * of the same function that hold elements, and values in `<Plural>`, except its count. Attributes
 * inside a `<Trans>` are not part of the text.
 */
function plainValuesIn(source: string): string[] {
  // A line with nothing but a closing brace ends a function.
  return source.split(/^}$/m).flatMap((component) => {
    const constants = component.matchAll(/const (\w+) = (?:[\w.]+ && )?\(?\s*</g);
    const harmless = [...constants].map(([, name]) => name).concat("' '");
    const texts = component.match(/<Trans\b.*?<\/Trans>/gs) ?? [];
    const plurals = component.match(/<Plural\b.*?\/>/gs) ?? [];
    return [
      ...texts.flatMap((text) => [...text.matchAll(/(?<!=)\{(.*?)\}/gs)]),
      ...plurals.flatMap((plural) => [...plural.matchAll(/\b(?!value\b)\w+=\{(.*?)\}/gs)]),
    ]
      .map(([, value = '']) => value.trim())
      .filter((value) => !harmless.includes(value) && !wordsOfIntl.test(value));
  });
}
