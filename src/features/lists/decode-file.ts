/** The largest list. */
export const maxBytes = 1024 * 1024;

type Encoding = 'utf-8' | 'utf-16' | 'windows-1252';

type Decoded =
  | { kind: 'text'; text: string; encoding: Encoding }
  | { kind: 'too_large' }
  | { kind: 'not_text' };

/**
 * Decodes a list from a file: by the mark at its beginning; without one as UTF-8, if it is; and
 * else as Windows-1252, which Excel writes in Western Europe and in which every file is something.
 */
export async function decodeFile(file: Blob): Promise<Decoded> {
  // In UTF-16, a letter may have twice the bytes of UTF-8.
  if (file.size > 2 * maxBytes) {
    return { kind: 'too_large' };
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const decoded = textOf(bytes);
  if (decoded.text.includes('\0')) {
    return { kind: 'not_text' };
  }
  return new TextEncoder().encode(decoded.text).byteLength > maxBytes
    ? { kind: 'too_large' }
    : { kind: 'text', ...decoded };
}

function textOf(bytes: Uint8Array): { text: string; encoding: Encoding } {
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
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}
