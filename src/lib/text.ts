/** Characters as people count them in a limit: code points, so that an emoji or a rare letter counts once. */
export function characterCount(text: string): number {
  return [...text].length;
}

/** The same for all texts that look alike, whatever their spaces and accents are made of. */
export function asItLooks(text: string): string {
  const seen = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return seen.normalize('NFC').replace(/\s+/g, ' ').trim();
}
