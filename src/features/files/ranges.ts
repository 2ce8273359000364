/** The bytes of a file that a client asks for. */
export type ByteRange = { offset: number; length: number };

/**
 * The one range that the header `Range` asks for. R2 could read the header, but answers what lies
 * beyond the end with the whole file.
 *
 * @param size of the file, in bytes
 * @returns null for the whole file, as for several ranges and for nonsense
 */
export function rangeIn(header: string | null, size: number): ByteRange | 'beyond' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') {
    return null;
  }
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'beyond' : { offset: size - length, length };
  }
  const offset = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (offset >= size) {
    return 'beyond';
  }
  return last !== '' && Number(last) < offset ? null : { offset, length: end - offset + 1 };
}
