import {
  BlobReader,
  BlobWriter,
  ERR_ENCRYPTED_CENTRAL_DIRECTORY,
  ERR_INVALID_UNCOMPRESSED_SIZE,
  ERR_UNSAFE_FILENAME,
  ERR_UNSUPPORTED_COMPRESSION,
  type FileEntry,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-custom.js';
import { type ImportProblem, ImportRefusal, importLimits } from './import-limits.ts';

/** A file that may be imported: its path with slashes, and its bytes, which are read when asked for. */
export type ImportEntry = {
  path: string;
  /** In bytes, as the zip says. */
  size: number;
  /**
   * @param limit the most bytes that it may really have
   * @throws ImportRefusal if it has more, or can't be read
   */
  read: (limit: number) => Promise<Blob>;
};

/** Refuses to load a long list of files into memory: a zip says itself how long its list is. */
class LimitedReader extends BlobReader {
  override async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    if (length > importLimits.directory) {
      throw new RangeError('The list of a zip is too long');
    }
    return super.readUint8Array(offset, length);
  }
}

/**
 * Lists the files of a zip by the list at its end, without reading the rest.
 *
 * @throws ImportRefusal for what is no zip, too large, encrypted, or has paths that lead out of it
 */
export async function readZip(zip: Blob, name: string): Promise<ImportEntry[]> {
  if (zip.size > importLimits.chosen) {
    throw new ImportRefusal('too_large', name);
  }
  const reader = new ZipReader(new LimitedReader(zip), { useWebWorkers: false });
  const entries: ImportEntry[] = [];
  const taken = new Set<string>();
  let count = 0;
  try {
    for await (const entry of reader.getEntriesGenerator({ normalizeFilename: safePath })) {
      count += 1;
      if (count > importLimits.entries) {
        throw new ImportRefusal('too_many_files', name);
      }
      if (entry.encrypted) {
        throw new ImportRefusal('encrypted', name);
      }
      const path = entry.filename;
      // What is hidden, and what macOS adds, is left out.
      if (!entry.directory && !/^__MACOSX\/|(^|\/)\.[^/]/.test(path) && !taken.has(path)) {
        taken.add(path);
        entries.push({
          path,
          size: entry.uncompressedSize,
          read: (limit) => unpack(zip, entry, limit),
        });
      }
    }
  } catch (error) {
    throw refusalOf(error, name);
  }
  return entries;
}

function safePath(name: string): string {
  return name
    .replaceAll('\\', '/')
    .replace(/\p{Cc}/gu, '')
    .replace(/^(\.\/)+/, '')
    .normalize('NFC');
}

/** Unpacks a file, but stops as soon as it becomes larger than the zip says. */
async function unpack(zip: Blob, entry: FileEntry, limit: number): Promise<Blob> {
  if (entry.uncompressedSize > limit) {
    throw new ImportRefusal('too_large', entry.filename);
  }
  try {
    return entry.compressionMethod === 0
      ? await storedBytes(zip, entry)
      : await entry.getData(new BlobWriter());
  } catch (error) {
    throw refusalOf(error, entry.filename);
  }
}

/** The bytes of a file that is not compressed: a slice of the zip, so that no video is copied. */
async function storedBytes(zip: Blob, { offset, compressedSize: size }: FileEntry): Promise<Blob> {
  const lengths = new DataView(await zip.slice(offset + 26, offset + 30).arrayBuffer());
  const start = offset + 30 + lengths.getUint16(0, true) + lengths.getUint16(2, true);
  const bytes = zip.slice(start, start + size);
  if (bytes.size !== size) {
    throw new RangeError('A zip ends within a file');
  }
  return bytes;
}

const problems: Record<string, ImportProblem> = {
  [ERR_UNSAFE_FILENAME]: 'unsafe_name',
  [ERR_ENCRYPTED_CENTRAL_DIRECTORY]: 'encrypted',
  [ERR_UNSUPPORTED_COMPRESSION]: 'unsupported_compression',
  [ERR_INVALID_UNCOMPRESSED_SIZE]: 'bomb',
};

function refusalOf(error: unknown, at: string): ImportRefusal {
  if (error instanceof ImportRefusal) {
    return error;
  }
  return new ImportRefusal((error instanceof Error && problems[error.message]) || 'broken', at);
}
