/** The words of a text: many short values, read at a glance. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
