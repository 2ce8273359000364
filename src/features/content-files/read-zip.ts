import { ImportRefusal, importLimits } from './import-limits.ts';

/** A file that may come in: its path with slashes, and its bytes, which are read when asked for. */
export type ImportEntry = {
  path: string;
  /** As it is said. */
  size: number;
  /**
   * @param limit how many bytes it may have really
   * @throws ImportRefusal if it has more, or can't be read
   */
  read: (limit: number) => Promise<Blob>;
};

const end = { signature: 0x06054b50, length: 22 };
const locator = { signature: 0x07064b50, length: 20 };
const largeEnd = { signature: 0x06064b50, length: 56 };
const head = { signature: 0x02014b50, length: 46 };
const local = { signature: 0x04034b50, length: 30 };
const longestComment = 65_535;
const unknown = 0xffffffff;

/**
 * Lists the files of a zip by the list at its end, without reading the rest. What is inflated is
 * counted, because a zip can say anything about it.
 *
 * @throws ImportRefusal for what is no zip, too large, encrypted, or has paths that lead out of it
 */
export async function readZip(zip: Blob, name: string): Promise<ImportEntry[]> {
  if (zip.size > importLimits.chosen) {
    throw new ImportRefusal('too_large', name);
  }
  const { count, offset, length } = await findDirectory(zip, name);
  if (count > importLimits.entries) {
    throw new ImportRefusal('too_many_files', name);
  }
  if (length > importLimits.directory || offset + length > zip.size) {
    throw new ImportRefusal('broken', name);
  }
  const view = await viewOf(zip, offset, length);
  const entries: ImportEntry[] = [];
  const taken = new Set<string>();
  for (let at = 0; at < view.byteLength; ) {
    if (at + head.length > view.byteLength || view.getUint32(at, true) !== head.signature) {
      throw new ImportRefusal('broken', name);
    }
    const lengths = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const [ofName = 0, ofExtra = 0, ofComment = 0] = lengths;
    const next = at + head.length + ofName + ofExtra + ofComment;
    if (next > view.byteLength || entries.length >= importLimits.entries) {
      throw new ImportRefusal('broken', name);
    }
    const path = pathOf(view, at + head.length, ofName);
    if (path === null) {
      throw new ImportRefusal('unsafe_name', name);
    }
    if ((view.getUint16(at + 8, true) & 0x2041) !== 0) {
      throw new ImportRefusal('encrypted', name);
    }
    // Folders, and what macOS adds.
    if (!path.endsWith('/') && !/^__MACOSX\/|(^|\/)\.[^/]+$/.test(path) && !taken.has(path)) {
      taken.add(path);
      entries.push(entryOf(zip, view, at, path));
    }
    at = next;
  }
  return entries;
}

type Directory = { count: number; offset: number; length: number };

async function findDirectory(zip: Blob, name: string): Promise<Directory> {
  const from = Math.max(0, zip.size - end.length - longestComment - locator.length);
  const view = await viewOf(zip, from, zip.size - from);
  for (let at = view.byteLength - end.length; at >= 0; at -= 1) {
    const isEnd =
      view.getUint32(at, true) === end.signature &&
      at + end.length + view.getUint16(at + 20, true) <= view.byteLength;
    if (isEnd) {
      const [count, length, offset] = [
        view.getUint16(at + 10, true),
        view.getUint32(at + 12, true),
        view.getUint32(at + 16, true),
      ];
      const isLarge = count === 0xffff || length === unknown || offset === unknown;
      const before = at - locator.length;
      return isLarge && before >= 0 && view.getUint32(before, true) === locator.signature
        ? largeDirectory(zip, largeNumber(view, before + 8), name)
        : { count, length, offset };
    }
  }
  throw new ImportRefusal('broken', name);
}

/** As zips have it that were written without knowing how large they become. */
async function largeDirectory(zip: Blob, at: number, name: string): Promise<Directory> {
  const view = await viewOf(zip, at, largeEnd.length);
  if (view.byteLength < largeEnd.length || view.getUint32(0, true) !== largeEnd.signature) {
    throw new ImportRefusal('broken', name);
  }
  return {
    count: largeNumber(view, 32),
    length: largeNumber(view, 40),
    offset: largeNumber(view, 48),
  };
}

function largeNumber(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

async function viewOf(zip: Blob, from: number, length: number): Promise<DataView> {
  return new DataView(await zip.slice(from, from + length).arrayBuffer());
}

/** The path of a file; null if it leads out of the zip, or to a drive. */
function pathOf(view: DataView, at: number, length: number): string | null {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length);
  const path = decoded(bytes).replaceAll('\\', '/').normalize('NFC');
  const isUnsafe =
    path === '' || /^\/|^[a-z]:|\p{Cc}/iu.test(path) || path.split('/').includes('..');
  return isUnsafe ? null : path;
}

/** In UTF-8, as nearly all are written, or in the old way for what is not. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function entryOf(zip: Blob, view: DataView, at: number, path: string): ImportEntry {
  const method = view.getUint16(at + 10, true);
  const packed = view.getUint32(at + 20, true);
  const size = view.getUint32(at + 24, true);
  const offset = view.getUint32(at + 42, true);
  const extra = at + head.length + view.getUint16(at + 28, true);
  const large = largeNumbers(view, extra, view.getUint16(at + 30, true));
  // They are in this order, and only those that are unknown.
  const [ofSize, ofPacked, ofOffset] = [size, packed, offset].map((number) =>
    number === unknown ? (large.shift() ?? number) : number,
  ) as [number, number, number];
  return {
    path,
    size: ofSize,
    read: (limit) => readEntry(zip, { path, method, packed: ofPacked, offset: ofOffset }, limit),
  };
}

/** The numbers of an entry that have no room where they belong. */
function largeNumbers(view: DataView, from: number, length: number): number[] {
  for (let at = from; at + 4 <= from + length; ) {
    const size = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === 1) {
      const count = Math.floor(Math.min(size, from + length - at - 4) / 8);
      return Array.from({ length: count }, (_, no) => largeNumber(view, at + 4 + no * 8));
    }
    at += 4 + size;
  }
  return [];
}

type Place = { path: string; method: number; packed: number; offset: number };

async function readEntry(
  zip: Blob,
  { path, method, packed, offset }: Place,
  limit: number,
): Promise<Blob> {
  const view = await viewOf(zip, offset, local.length);
  if (view.byteLength < local.length || view.getUint32(0, true) !== local.signature) {
    throw new ImportRefusal('broken', path);
  }
  const from = offset + local.length + view.getUint16(26, true) + view.getUint16(28, true);
  if (from + packed > zip.size) {
    throw new ImportRefusal('broken', path);
  }
  const bytes = zip.slice(from, from + packed);
  if (method === 0) {
    if (packed > limit) {
      throw new ImportRefusal('too_large', path);
    }
    // Still where it is: nothing is copied.
    return bytes;
  }
  if (method !== 8) {
    throw new ImportRefusal('method', path);
  }
  return inflated(bytes, path, limit);
}

async function inflated(bytes: Blob, path: string, limit: number): Promise<Blob> {
  let length = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.byteLength;
      if (length > limit) {
        throw new ImportRefusal('bomb', path);
      }
      controller.enqueue(chunk);
    },
  });
  try {
    const stream = bytes.stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return await new Response(stream.pipeThrough(counter)).blob();
  } catch {
    throw new ImportRefusal(length > limit ? 'bomb' : 'broken', path);
  }
}
