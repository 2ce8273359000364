import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test.each(globSync('locales/fr/*.po'))('%s has every text in French', (file) => {
  const entries = readFileSync(file, 'utf8').split('\n\n').slice(1);
  const missing = entries.filter((entry) => /^msgstr ""$(?!\n")/m.test(entry));

  expect(missing).toEqual([]);
});

test.each(globSync('locales/fr/*.po'))(
  '%s has the values and the elements that each text has in English, in whatever order',
  (file) => {
    const catalog = readFileSync(file, 'utf8');
    const entries = [...catalog.matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm)];
    const offenders = entries.filter(([, english, french]) => partsOf(english) !== partsOf(french));

    // All but the head.
    expect(entries).toHaveLength((catalog.match(/^msgid /gm)?.length ?? 0) - 1);
    expect(offenders.map(([entry]) => entry)).toEqual([]);
  },
);

test('typed text is no part of a text that is parsed: values of a `<Trans>` are elements, and of a `<Plural>` counts', () => {
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
])('a value that is no element is found: %j, %j', (constant, text) => {
  expect(plainValuesIn(`function Page() {\n  ${constant}\n  return ${text};\n}`)).toHaveLength(1);
});

test.each([
  ['const name = <bdi>{course.name}</bdi>;', '<Trans>The course {name}</Trans>'],
  ['const name = (\n    <b>{course.name}</b>);', '<Trans>The course {name}, <b>{name}</b></Trans>'],
  ['const name = course.name && (\n    <b>{course.name}</b>);', '<Trans>The course {name}</Trans>'],
  ['', "<Trans>New here?{' '}<a href={paths.signup}>Sign up</a></Trans>"],
  ['', '<Plural value={count} one="a course" other="# courses" />'],
])('and there is none in %j, %j', (constant, text) => {
  expect(plainValuesIn(`function Page() {\n  ${constant}\n  return ${text};\n}`)).toEqual([]);
});

/** The values and the elements of a text of Lingui, each once and in no order. */
function partsOf(text = ''): string {
  const parts = text.match(/<\/?\w+\/?>|\{\w+(?=[,}])/g) ?? [];
  return [...new Set(parts)].sort().join(' ');
}

/** Made of a date alone, by a formatter of the platform. */
const wordsOfIntl = /^timeAgo\(/;

/**
 * What Lingui puts into a text before it looks for tags: values of `<Trans>`, but for the constants
 * of the same function that hold elements, and those of `<Plural>`, but for its count. What stands
 * in an attribute within a `<Trans>` is no part of the text.
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
