import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test.each(globSync('locales/fr/*.po'))('%s has a French translation for every text', (file) => {
  const entries = readFileSync(file, 'utf8').split('\n\n').slice(1);
  const missing = entries.filter((entry) => /^msgstr ""$(?!\n")/m.test(entry));

  expect(missing).toEqual([]);
});

test.each(globSync('locales/fr/*.po'))(
  '%s keeps the placeholders and elements of each English text, in any order',
  (file) => {
    const catalog = readFileSync(file, 'utf8');
    const entries = [...catalog.matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm)];
    const offenders = entries.filter(([, english, french]) => partsOf(english) !== partsOf(french));

    // Everything but the header.
    expect(entries).toHaveLength((catalog.match(/^msgid /gm)?.length ?? 0) - 1);
    expect(offenders.map(([entry]) => entry)).toEqual([]);
  },
);

test.each(globSync('locales/fr/*.po'))('%s keeps together what must not wrap in French', (file) => {
  const texts = [...readFileSync(file, 'utf8').matchAll(/^msgstr "(.+)"$/gm)];
  const offenders = texts.filter(([, french = '']) =>
    // A breaking space, or none, before : ; ? ! » or after «; one after a number;
    // and an email that breaks after its e.
    /[ \p{L})][:;?!»](?=[ <]|$)|«(?!\u00a0)|\d (?!(à|et) )\p{L}|[Ee]-mail/u.test(french),
  );

  expect(offenders.map(([entry]) => entry)).toEqual([]);
});

test('an English text has one French translation, in all catalogs', () => {
  const translations = new Map<string, Set<string>>();
  for (const file of globSync('locales/fr/*.po')) {
    const entries = readFileSync(file, 'utf8').matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm);
    for (const [, english = '', french = ''] of entries) {
      translations.set(english, (translations.get(english) ?? new Set()).add(french));
    }
  }
  const doubled = [...translations].filter(([, french]) => french.size > 1);

  expect(translations.size).toBeGreaterThan(300);
  expect(doubled.map(([english, french]) => [english, ...french])).toEqual([]);
});

test.each(globSync('locales/en/*.po'))('%s is written in plain US English', (file) => {
  const texts = [...readFileSync(file, 'utf8').matchAll(/^msgid "(.+)"$/gm)];
  const avoided =
    /\b(mails?|mailed|mailing|colours?|enrol|cancelled|somebody|nobody|anybody|everybody|anew|whatever|whoever|go on|going on|for good)\b/i;

  expect(texts.map(([, english = '']) => english).filter((text) => avoided.test(text))).toEqual([]);
});

test('user input is never part of a parsed text: values in a `<Trans>` are elements, values in a `<Plural>` are counts', () => {
  const offenders = globSync('src/**/*.tsx').flatMap((file) =>
    plainValuesIn(readFileSync(file, 'utf8')).map((value) => `${file}: ${value}`),
  );

  expect(offenders).toEqual([]);
});

test.each([
  ['const name = course.name;', '<Trans>The course {name}</Trans>'],
  ['', '<Trans>The course {course.name}</Trans>'],
  ['', '<Trans>The course <b>{course.name}</b></Trans>'],
  ['', '<Trans>The course {String(name)}</Trans>'],
  ['', "<Trans id='x'>The course {isNew ? 'new' : name}</Trans>"],
  ['const name = course.name < b;', '<Trans>The course {name}</Trans>'],
  ['const name = <b>{course.name}</b>;\n}\nfunction Other({ name }) {', '<Trans>{name}</Trans>'],
  ['', '<Plural value={count} one="a course" other={others} />'],
])('a value that is not an element is found: %j, %j', (constant, text) => {
  expect(plainValuesIn(`function Page() {\n  ${constant}\n  return ${text};\n}`)).toHaveLength(1);
});

test.each([
  ['const name = <bdi>{course.name}</bdi>;', '<Trans>The course {name}</Trans>'],
  ['const name = (\n    <b>{course.name}</b>);', '<Trans>The course {name}, <b>{name}</b></Trans>'],
  ['const name = course.name && (\n    <b>{course.name}</b>);', '<Trans>The course {name}</Trans>'],
  ['', "<Trans>New here?{' '}<a href={paths.signup}>Sign up</a></Trans>"],
  ['', '<Plural value={count} one="a course" other="# courses" />'],
])('none is found in %j, %j', (constant, text) => {
  expect(plainValuesIn(`function Page() {\n  ${constant}\n  return ${text};\n}`)).toEqual([]);
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
