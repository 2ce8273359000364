/** Encodings of Western Europe in which every file is something: on Windows, on a Mac. */
export type GuessedEncoding = 'windows-1252' | 'macintosh';
export type Encoding = 'utf-8' | 'utf-16' | GuessedEncoding;

/** Whether it is only likely that a text is in this encoding. */
export function isGuess(encoding: Encoding): encoding is GuessedEncoding {
  return encoding === 'windows-1252' || encoding === 'macintosh';
}

/**
 * Decodes a text: by the mark at its beginning; without one as UTF-8, if it is; and else as Mac
 * Roman if more accents then stand where words have them, or as Windows-1252.
 *
 * @param chosen another guess than this one
 * @returns null for what has bytes that no text has
 */
export function decodeText(
  bytes: Uint8Array,
  chosen?: GuessedEncoding,
): { text: string; encoding: Encoding } | null {
  const encoding = encodingOf(bytes, chosen);
  const isBigEndian = encoding === 'utf-16' && bytes[0] === 0xfe;
  // The mark is left out by the decoder.
  const label = encoding === 'utf-16' ? (isBigEndian ? 'utf-16be' : 'utf-16le') : encoding;
  const text = new TextDecoder(label).decode(bytes);
  return text.includes('\0') ? null : { text, encoding };
}

function encodingOf(bytes: Uint8Array, chosen: GuessedEncoding | undefined): Encoding {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return 'utf-16';
  }
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    const inPlace = (one: GuessedEncoding) =>
      new TextDecoder(one).decode(bytes).match(inPlacePattern)?.length ?? 0;
    const isMac = inPlace('macintosh') > inPlace('windows-1252');
    return chosen ?? (isMac ? 'macintosh' : 'windows-1252');
  }
}

/** Accents and quotation marks where words have them: no capital stands behind a small letter. */
const inPlacePattern =
  /(?<!\p{Ll})[À-ÖØ-ÞŒŠŽŸ](?=\p{L})|(?<=\p{Lu})[À-ÖØ-ÞŒŠŽŸ](?!\p{L})|(?<=\p{L})[ß-öø-ÿœšž]|[ß-öø-ÿœšž](?=\p{L})|(?<!\p{L})[‘“](?=\p{L})|(?<=\p{L})(?:’|”(?!\p{L}))/gu;
