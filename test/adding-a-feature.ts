import { readFileSync } from 'node:fs';

/** What docs/adding-a-feature.md says about one file: its content, changes, or its French texts. */
export type Step = { file: string; language: string; block: string };

/** Every code block of the page that is headed by the name of its file, in order. */
export function readSteps(): Step[] {
  const page = readFileSync('docs/adding-a-feature.md', 'utf8');
  const blocks = page.matchAll(/^`(\S+)`\n```(\w+)\n(.*?)^```$/gms);
  return [...blocks].map(([, file = '', language = '', block = '']) => ({ file, language, block }));
}

/**
 * The content of a file after its step.
 *
 * @param source the file before; null if there is none
 * @throws Error if the step does not fit
 */
export function afterStep({ file, language, block }: Step, source: string | null): string {
  if (language !== 'diff' && language !== 'po') {
    if (source !== null) {
      throw new Error(`${file} exists, and the page has all of it`);
    }
    return block;
  }
  const changes = language === 'diff' ? changesOf(block) : translationsOf(block);
  return changes.reduce((text, { before, after }) => {
    if (text.split(before).length !== 2) {
      throw new Error(`${file} does not have exactly once:\n${before}`);
    }
    return text.replace(before, () => after);
  }, source ?? '');
}

type Change = { before: string; after: string };

function changesOf(diff: string): Change[] {
  return diff.split('@@\n').map((hunk) => {
    const lines = hunk.split('\n').slice(0, -1);
    const without = (sign: string) =>
      lines
        .filter((line) => !line.startsWith(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    return { before: without('+'), after: without('-') };
  });
}

function translationsOf(catalog: string): Change[] {
  return catalog
    .trim()
    .split(/\n(?=msgid)/)
    .map((entry) => ({
      before: `${entry.replace(/^msgstr .*/m, 'msgstr ""')}\n`,
      after: `${entry}\n`,
    }));
}
