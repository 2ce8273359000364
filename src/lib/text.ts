/** Characters as people count them in a limit: code points, so that an emoji or a rare letter counts once. */
export function characterCount(text: string): number {
  return [...text].length;
}
