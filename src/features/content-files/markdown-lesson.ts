import { parse } from 'yaml';
import { maxReleaseDays } from '#features/lessons/release-days.ts';

/** A lesson as a file: what stands before its text, and the text in Markdown. */
export type MarkdownLesson = {
  /** Null for the file of a section without lessons. */
  title: string | null;
  /** Of the section that it is in; null without a heading, undefined if the file does not say. */
  section?: string | null;
  /** After how many days its section opens. */
  releaseDays: number | null;
  minutes: number | null;
  markdown: string;
  /** Where it stands among the others, as other tools write it. */
  order: number | null;
};

/** Writes Markdown with front matter; its strings are JSON, which is also YAML. */
export function writeMarkdownLesson(lesson: Omit<MarkdownLesson, 'order'>): string {
  const { title, section, releaseDays, minutes, markdown } = lesson;
  const lines = [
    ...(title === null ? [] : [`title: ${JSON.stringify(title)}`]),
    ...(section === undefined ? [] : [`section: ${JSON.stringify(section ?? '')}`]),
    ...(releaseDays === null ? [] : [`release_days: ${releaseDays}`]),
    ...(minutes === null ? [] : [`minutes: ${minutes}`]),
  ];
  return `---\n${lines.join('\n')}\n---\n\n${markdown}`;
}

/**
 * Reads such a file, or one from elsewhere. What only looks like front matter is text.
 */
export function readMarkdownLesson(text: string): MarkdownLesson {
  const source = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const [whole = '', yaml = ''] =
    /^---[ \t]*\n([\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(source) ?? [];
  const matter = readFields(yaml);
  const fields = matter ?? {};
  const { title, section, minutes, release_days: days } = fields;
  const [order] = ['weight', 'nav_order', 'sidebar_position', 'order'].flatMap((name) =>
    typeof fields[name] === 'number' ? [fields[name]] : [],
  );
  return {
    title: asText(title) || null,
    ...(section !== undefined && { section: asText(section) || null }),
    releaseDays: isWhole(days, 0, maxReleaseDays) ? days : null,
    minutes: isWhole(minutes, 1, 600) ? minutes : null,
    markdown: matter !== null ? source.slice(whole.length) : source,
    order: order ?? null,
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

/** As lessons and sections take them. */
function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}
