import { fileTypes } from './file-types.ts';

/** How many bytes of a file are looked at. */
export const firstByteCount = 1_024;

export async function firstBytesOf(file: Blob): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, firstByteCount).arrayBuffer());
}

/** Whether the first bytes of a file are those of an image that a course can have, of any type. */
export function isImage(bytes: Uint8Array): boolean {
  return Object.entries(fileTypes).some(
    ([type, { group }]) => group === 'image' && isOfType(type, bytes),
  );
}

/** Whether an image is animated, or is a GIF, whose first bytes don't say it. */
export function mayBeAnimated(contentType: string, bytes: Uint8Array): boolean {
  const text = String.fromCharCode(...bytes);
  switch (isOfType(contentType, bytes) && contentType) {
    case 'image/gif':
      return true;
    case 'image/png':
      return text.includes('acTL');
    case 'image/webp':
      return text.startsWith('VP8X', 12) && (text.charCodeAt(20) & 2) !== 0;
    case 'image/avif':
      return text.startsWith('ftypavis', 4);
    default:
      return false;
  }
}

/**
 * Whether an image of so many bytes is a WebP without metadata such as where it was taken, as
 * browsers encode one.
 */
export function isFreeOfMetadata(contentType: string, bytes: Uint8Array, size: number): boolean {
  const text = String.fromCharCode(...bytes);
  if (contentType !== 'image/webp' || !isOfType(contentType, bytes) || bytes.length < 21) {
    return false;
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(16, true);
  // One chunk is all of it, or the flags of several say that there is none.
  return /^VP8[ L]/.test(text.slice(12))
    ? 20 + length + (length % 2) === size
    : text.startsWith('VP8X', 12) && (text.charCodeAt(20) & 12) === 0;
}

/**
 * Whether the first bytes of a file are those of its type. What has none of its own, such as plain
 * text, must not be binary. None of them is ever opened by a browser as anything else: see
 * answer-file.ts.
 */
export function isOfType(contentType: string, bytes: Uint8Array): boolean {
  // A character a byte; decoders of Latin text change some.
  const text = String.fromCharCode(...bytes);
  const brand = text.startsWith('ftyp', 4) ? text.slice(8, 12) : null;
  switch (contentType) {
    case 'image/png':
      return text.startsWith('\x89PNG\r\n\x1a\n');
    case 'image/jpeg':
      return text.startsWith('\xff\xd8\xff');
    case 'image/webp':
      return text.startsWith('RIFF') && text.startsWith('WEBP', 8);
    case 'image/gif':
      return /^GIF8[79]a/.test(text);
    case 'image/avif':
      return brand !== null && /^avi[fs]$/.test(brand);
    case 'audio/mpeg':
      return text.startsWith('ID3') || /^\xff[\xe2-\xff]/.test(text);
    case 'audio/mp4':
    case 'video/mp4':
      return brand !== null && !/^(avi[fs]|hei[cxms]|hev[cx]|mif1|qt {2})$/.test(brand);
    case 'video/webm':
      return text.startsWith('\x1a\x45\xdf\xa3');
    case 'application/pdf':
      // Readers accept something before it.
      return text.includes('%PDF-');
    case 'text/vtt':
      return /^(\xef\xbb\xbf)?WEBVTT/.test(text);
    case 'text/csv':
    case 'text/plain':
    case 'text/markdown':
      // UTF-16 has a mark, and every second byte of its English is empty.
      return /^(\xff\xfe|\xfe\xff)/.test(text) || !text.includes('\0');
    default:
      // Office documents are archives. An empty one begins differently.
      return text.startsWith('PK\x03\x04') || text.startsWith('PK\x05\x06');
  }
}
