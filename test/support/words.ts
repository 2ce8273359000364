/** Splits a text at its spaces, to write many short values in few lines. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
