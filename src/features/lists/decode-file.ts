/** The largest list. */
export const maxBytes = 1024 * 1024;

/** Encodings of Excel in Western Europe, in which every file is something: on Windows, on a Mac. */
export type GuessedEncoding = 'windows-1252' | 'macintosh';
export type Encoding = 'utf-8' | 'utf-16' | GuessedEncoding;

type Decoded =
  | { kind: 'text'; text: string; encoding: Encoding }
  | { kind: 'too_large' }
  | { kind: 'not_text' };

/**
 * Decodes a list from a file: by the mark at its beginning; without one as UTF-8, if it is; and
 * else as Mac Roman if more accents then stand where words have them, or as Windows-1252.
 *
 * @param chosen another guess than this one
 */
export async function decodeFile(file: Blob, chosen?: GuessedEncoding): Promise<Decoded> {
  // In UTF-16, a letter may have twice the bytes of UTF-8.
  if (file.size > 2 * maxBytes) {
    return { kind: 'too_large' };
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const decoded = textOf(bytes, chosen);
  if (decoded.text.includes('\0')) {
    return { kind: 'not_text' };
  }
  return new TextEncoder().encode(decoded.text).byteLength > maxBytes
    ? { kind: 'too_large' }
    : { kind: 'text', ...decoded };
}

function textOf(bytes: Uint8Array, chosen?: GuessedEncoding): { text: string; encoding: Encoding } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) {
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf-16' };
  }
  if (first === 0xfe && second === 0xff) {
    return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'utf-16' };
  }
  try {
    // The mark of UTF-8 is left out by the decoder.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    const textIn = (encoding: GuessedEncoding) => new TextDecoder(encoding).decode(bytes);
    const inPlace = (one: GuessedEncoding) => textIn(one).match(inPlacePattern)?.length ?? 0;
    const isMac = inPlace('macintosh') > inPlace('windows-1252');
    const encoding = chosen ?? (isMac ? 'macintosh' : 'windows-1252');
    return { text: textIn(encoding), encoding };
  }
}

/** Accents and quotation marks where words have them: no capital stands behind a small letter. */
const inPlacePattern =
  /(?<!\p{Ll})[À-ÖØ-ÞŒŠŽŸ](?=\p{L})|(?<=\p{Lu})[À-ÖØ-ÞŒŠŽŸ](?!\p{L})|(?<=\p{L})[ß-öø-ÿœšž]|[ß-öø-ÿœšž](?=\p{L})|(?<!\p{L})[‘“](?=\p{L})|(?<=\p{L})(?:’|”(?!\p{L}))/gu;
