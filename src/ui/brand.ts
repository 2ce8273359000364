/** The lines of the product's mark, an open book on a lectern, in a box of 32 × 32. */
export const markOutline =
  'M16 9C13 6.5 9 5.5 4 6v12c5-.5 9 .5 12 3 3-2.5 7-3.5 12-3V6c-5-.5-9 .5-12 3Zm0 0v19m-5 0h10';

/** The rules on its two pages, for where it is large. */
export const markRules =
  'M6.5 8.7c2.9-.1 5.2.5 7.2 1.9M6.5 11.2c2.9-.1 5.2.5 7.2 1.9M6.5 13.7c1.6 0 3 .2 4.3.7M25.5 8.7c-2.9-.1-5.2.5-7.2 1.9m7.2.6c-2.9-.1-5.2.5-7.2 1.9m7.2.6c-2.9-.1-5.2.5-7.2 1.9';

const hues = ['teal', 'plum', 'brick', 'moss', 'indigo'] as const;

/** The hue of a course or person, one of five, always the same for an id; see styles/tokens.css. */
export function hueOf(id: string): (typeof hues)[number] {
  const sum = [...id].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return hues[sum % hues.length] ?? hues[0];
}

/** The next hue, for someone who stands beside a person of this one. */
export function hueBeside(hue: (typeof hues)[number]): (typeof hues)[number] {
  return hues[(hues.indexOf(hue) + 1) % hues.length] ?? hues[0];
}
