import {
  BlobReader,
  BlobWriter,
  ZipWriter,
  type ZipWriterAddDataOptions,
} from '@zip.js/zip.js/lib/zip-core-custom.js';

/** A file of a zip that a test makes, with what can be wrong about it. */
export type Zipped = ZipWriterAddDataOptions & {
  name: string;
  data: string | Uint8Array<ArrayBuffer> | Blob;
};

/** Writes a zip, of deflated files unless their options say otherwise. */
export async function zipOf(files: Zipped[], name = 'course.zip'): Promise<File> {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  for (const { name: path, data, ...options } of files) {
    await writer.add(path, new BlobReader(new Blob([data])), options);
  }
  return new File([await writer.close()], name);
}

/** Deflated zeros, made from a stream so that they are never all in memory. */
export async function deflatedZeros(megabytes: number): Promise<Blob> {
  let left = megabytes;
  const zeros = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      left -= 1;
      if (left < 0) {
        controller.close();
      } else {
        controller.enqueue(new Uint8Array(1_000_000));
      }
    },
  });
  return new Response(zeros.pipeThrough(new CompressionStream('deflate-raw'))).blob();
}
