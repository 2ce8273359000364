/** The length of a text in code points, so that an emoji or a rare letter counts once. */
export function characterCount(text: string): number {
  return [...text].length;
}

/** Normalizes spaces, accents and invisible characters, so that texts that look alike are equal. */
export function visibleText(text: string): string {
  const seen = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return seen.normalize('NFC').replace(/\s+/g, ' ').trim();
}
