import type { DocumentNode } from './document.ts';

/** As long as words usually are, in scripts that don't separate them. */
const unseparated =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]{1,2}|[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]{1,4}/gu;

/**
 * How many words a text has, about. `Intl.Segmenter` would take long for a lesson, and browsers
 * disagree about what it finds.
 */
export function wordCount(text: string): number {
  const separated = text.replace(unseparated, ' x ');
  return separated.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu)?.length ?? 0;
}

/** The plain text of each block that has one, in reading order; of others what they are called. */
export function blockTexts(document: DocumentNode): string[] {
  const { type, attrs = {}, content = [] } = document;
  if (type === 'video') {
    return [String(attrs['title'] || attrs['src'])];
  }
  if (type === 'image' || type === 'file') {
    return [String(attrs['alt'] ?? attrs['name'])];
  }
  if (content.some((child) => child.type === 'text' || child.type === 'hardBreak')) {
    return [content.map((child) => child.text ?? '\n').join('')];
  }
  return content.flatMap(blockTexts);
}

/** How many words a document has. */
export function countWords(document: DocumentNode): number {
  return wordCount(blockTexts(document).join('\n'));
}

/** Whether a document has neither a text nor anything else to see. */
export function isBlank({ type, text = '', content = [] }: DocumentNode): boolean {
  const isShown = type === 'video' || type === 'image' || type === 'file' || text.trim() !== '';
  return !isShown && content.every(isBlank);
}
