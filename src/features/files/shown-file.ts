import type { ShownFile } from './schema.ts';

/** The files of a text by their keys. */
export type ShownFiles = ReadonlyMap<string, ShownFile>;

/** Files by their keys. */
export function byKey(files: readonly ShownFile[]): ShownFiles {
  return new Map(files.map((file) => [file.key, file]));
}

/** The name of a file without its ending: captions have it in common with their video. */
export function stemOf({ name }: Pick<ShownFile, 'name'>): string {
  return name.replace(/\.[^.]+$/, '').toLowerCase();
}

/** The size of a file in words, such as “2.4 MB”. */
export function sizeWords(bytes: number, locale: string): string {
  const [unit, divisor] =
    bytes >= 1e9
      ? (['gigabyte', 1e9] as const)
      : bytes >= 1e6
        ? (['megabyte', 1e6] as const)
        : (['kilobyte', 1e3] as const);
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: unit === 'kilobyte' ? 0 : 1,
  });
  return format.format(Math.max(bytes / divisor, unit === 'kilobyte' ? 1 : 0));
}
