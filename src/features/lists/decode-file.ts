import { decodeText, type Encoding, type GuessedEncoding } from '#lib/decode-text.ts';

/** The largest list. */
export const maxBytes = 1024 * 1024;

type Decoded =
  | { kind: 'text'; text: string; encoding: Encoding }
  | { kind: 'too_large' }
  | { kind: 'not_text' };

/**
 * Decodes a list from a file.
 *
 * @param chosen another encoding than the guess
 */
export async function decodeFile(file: Blob, chosen?: GuessedEncoding): Promise<Decoded> {
  // In UTF-16, a letter may have twice the bytes of UTF-8.
  if (file.size > 2 * maxBytes) {
    return { kind: 'too_large' };
  }
  const decoded = decodeText(new Uint8Array(await file.arrayBuffer()), chosen);
  if (decoded === null) {
    return { kind: 'not_text' };
  }
  return new TextEncoder().encode(decoded.text).byteLength > maxBytes
    ? { kind: 'too_large' }
    : { kind: 'text', ...decoded };
}
