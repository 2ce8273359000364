import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { runScript } from '../../scripts/local/plain-failure.ts';
import { ensureSecrets } from '../../scripts/local/settings.ts';
import { build } from '../../scripts/local/steps.ts';

/** The files a build needs. */
export const parts = [
  'lingui.config.ts',
  'locales',
  'migrations',
  'package.json',
  'public',
  'scripts',
  'src',
  'tsconfig.json',
  'waku.config.ts',
  'wrangler.toml',
];

/** From a to z. */
const accented = 'áƀčďéƒǧĥíĵķĺɱñóƥǫŕšţúṽŵẋýž';

if (import.meta.main) {
  const [, , folder] = process.argv;
  if (folder === undefined) {
    throw new Error('Name the folder to make.');
  }
  makePseudoProject(folder);
  process.chdir(folder);
  await runScript(build);
}

/**
 * A copy of the project with a pseudo-language instead of French: text in plain letters does not
 * come from a catalog.
 */
function makePseudoProject(copy: string): void {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const part of parts) {
    cpSync(part, path.join(copy, part), { recursive: true });
  }
  // The same secrets everywhere, because views.ts signs with them.
  ensureSecrets();
  cpSync('.dev.vars', path.join(copy, '.dev.vars'));
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
  for (const file of globSync(path.join(copy, 'locales/fr/*.po'))) {
    writeFileSync(file, pseudoCatalog(readFileSync(file, 'utf8')));
  }
}

/** A catalog whose translations are generated from its msgids. */
export function pseudoCatalog(po: string): string {
  return po.replace(/^msgid ((?:".*"\n)+)msgstr (?:".*"(?:\n|$))+/gm, (entry, quoted: string) => {
    const lines: string[] = quoted.trim().split('\n');
    const message = lines.map((line) => JSON.parse(line)).join('');
    // The entry without a msgid is the header.
    return message === ''
      ? entry
      : `msgid ${quoted}msgstr ${JSON.stringify(pseudoText(message))}\n`;
  });
}

/** A message in the pseudo-language. */
export function pseudoText(message: string): string {
  return `[${translate(message)}]`;
}

/**
 * Every letter gets an accent and every third one is doubled. Tags and arguments stay, but not the
 * texts in the braces of an argument: `count, plural, one {…} other {…}`.
 */
function translate(message: string, isArgument = false): string {
  let result = '';
  let letters = 0;
  for (let at = 0; at < message.length; at += 1) {
    const [tag] = /^<\/?\w+\/?>/.exec(message.slice(at)) ?? [];
    if (tag !== undefined) {
      result += tag;
      at += tag.length - 1;
      continue;
    }
    const character = message[at] ?? '';
    if (character === '{') {
      const end = closingBrace(message, at);
      result += `{${translate(message.slice(at + 1, end), !isArgument)}}`;
      at = end;
      continue;
    }
    const index = character.toLowerCase().charCodeAt(0) - 97;
    const lower = isArgument ? undefined : accented[index];
    if (lower === undefined) {
      result += character;
      continue;
    }
    const letter = character === character.toLowerCase() ? lower : lower.toUpperCase();
    letters += 1;
    result += letters % 3 === 0 ? letter + lower : letter;
  }
  return result;
}

/** The index of the brace that closes the one at `open`. */
function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    depth += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0;
    if (depth === 0) {
      return at;
    }
  }
  throw new Error(`A brace is never closed in: ${text}`);
}
