/**
 * A name for the middle of a title, in its own direction like in `<bdi>`. The title stays one text,
 * whose parts do not move on their own when its font arrives.
 */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
