const hues = ['teal', 'plum', 'brick', 'moss', 'indigo'] as const;

/** The hue of a course or person, one of five, always the same for an id; see styles/tokens.css. */
export function hueOf(id: string): (typeof hues)[number] {
  const sum = [...id].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return hues[sum % hues.length] ?? hues[0];
}
