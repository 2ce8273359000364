import { parse } from 'yaml';

/** A lesson as a file: what stands before its text, and the text in Markdown. */
export type MarkdownLesson = {
  title: string | null;
  /** Of the section that it is in; null without a heading, undefined if the file does not say. */
  section?: string | null;
  minutes: number | null;
  markdown: string;
};

/** Writes Markdown with front matter; its strings are JSON, which is also YAML. */
export function writeMarkdownLesson(
  { title, section, minutes, markdown }: MarkdownLesson,
  isDraft: boolean,
): string {
  const lines = [
    `title: ${JSON.stringify(title)}`,
    ...(section === undefined ? [] : [`section: ${JSON.stringify(section ?? '')}`]),
    ...(minutes === null ? [] : [`minutes: ${minutes}`]),
    ...(isDraft ? ['draft: true'] : []),
  ];
  return `---\n${lines.join('\n')}\n---\n\n${markdown}`;
}

/**
 * Reads such a file, or one from elsewhere, of whose front matter only title, section and minutes
 * count. What only looks like front matter is text.
 */
export function readMarkdownLesson(text: string): MarkdownLesson {
  const source = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const [whole = '', yaml = ''] =
    /^---[ \t]*\n([\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(source) ?? [];
  const fields = readFields(yaml);
  if (fields === null) {
    return { title: null, minutes: null, markdown: source };
  }
  const { title, section, minutes } = fields;
  return {
    title: asText(title) || null,
    ...(section !== undefined && { section: asText(section) || null }),
    minutes: isMinutes(minutes) ? minutes : null,
    markdown: source.slice(whole.length),
  };
}

type Fields = Record<string, unknown>;

/** Null for what are no fields. */
function readFields(yaml: string): Fields | null {
  try {
    const value: unknown = parse(yaml, { uniqueKeys: false, logLevel: 'error' });
    return value === null || (typeof value === 'object' && !Array.isArray(value))
      ? Object.fromEntries(
          Object.entries(value ?? {}).map(([name, field]) => [name.toLowerCase(), field]),
        )
      : null;
  } catch {
    return null;
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** As lessons take them. */
function isMinutes(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 600;
}
