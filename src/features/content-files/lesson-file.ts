/** A lesson as a file: what stands before its text, and the text in Markdown. */
export type LessonFile = {
  title: string | null;
  /** Of the section that it is in; null without a heading, undefined if the file does not say. */
  section?: string | null;
  minutes: number | null;
  markdown: string;
};

/** A file of Markdown with a front matter, whose texts are YAML and JSON alike. */
export function writeLessonFile(
  { title, section, minutes, markdown }: LessonFile,
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

/** Reads such a file, and those of others: of a front matter only what lessons have. */
export function readLessonFile(text: string): LessonFile {
  const source = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const [whole = '', matter = ''] =
    /^---\n([\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(source) ?? [];
  const fields = Object.fromEntries(
    [...matter.matchAll(/^(title|section|minutes):[ \t]*(.*)$/gim)].map(
      ([, name = '', value = '']) => [name.toLowerCase(), scalar(value.trim())],
    ),
  );
  const minutes = Number(fields['minutes']);
  return {
    title: fields['title'] || null,
    ...(fields['section'] !== undefined && { section: fields['section'] || null }),
    minutes: Number.isInteger(minutes) && minutes >= 1 && minutes <= 600 ? minutes : null,
    markdown: source.slice(whole.length),
  };
}

/** A text of YAML: quoted, or plain. */
function scalar(value: string): string {
  if (value.startsWith('"')) {
    try {
      return String(JSON.parse(value));
    } catch {
      return value.slice(1).replace(/"$/, '');
    }
  }
  return /^'.*'$/.test(value) ? value.slice(1, -1).replaceAll("''", "'") : value;
}
