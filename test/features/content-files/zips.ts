/** A file of a zip that a test makes, with what can be wrong about it. */
export type Zipped = {
  name: string;
  data: string | Uint8Array<ArrayBuffer>;
  /** Stored as it is, or with a method that no one knows. */
  method?: 0 | 8 | 99;
  flags?: number;
  /** As it is said. */
  size?: number;
};

/** Writes a zip as others do: inflated files, and a list of them at the end. */
export async function zipOf(files: Zipped[], name = 'course.zip'): Promise<File> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name: path, data, method = 8, flags = 0x800, size } of files) {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
    const packed = method === 8 ? await deflated(bytes) : bytes;
    const ofName = new TextEncoder().encode(path);
    const shared = [
      ...u16(20, flags, method, 0, 0),
      ...u32(0, packed.length, size ?? bytes.length),
      ...u16(ofName.length, 0),
    ];
    const local = Uint8Array.from([...u32(0x04034b50), ...shared]);
    directory.push(
      Uint8Array.from([
        ...[...u32(0x02014b50), ...u16(20), ...shared],
        ...[...u16(0, 0, 0), ...u32(0, offset)],
        ...ofName,
      ]),
    );
    parts.push(local, ofName, packed);
    offset += local.length + ofName.length + packed.length;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Uint8Array.from([
    ...u32(0x06054b50),
    ...u16(0, 0, files.length, files.length),
    ...u32(length, offset),
    ...u16(0),
  ]);
  return new File([...parts, ...directory, end], name);
}

/** What becomes gigabytes of zeros, without ever being them here. */
export async function deflated(
  bytes: Uint8Array<ArrayBuffer>,
  times = 1,
): Promise<Uint8Array<ArrayBuffer>> {
  let left = times;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      left -= 1;
      if (left < 0) {
        controller.close();
      } else {
        controller.enqueue(bytes);
      }
    },
  });
  const packed = stream.pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

function u16(...numbers: number[]): number[] {
  return numbers.flatMap((number) => [number & 0xff, (number >> 8) & 0xff]);
}

function u32(...numbers: number[]): number[] {
  return numbers.flatMap((number) => [0, 8, 16, 24].map((shift) => (number >>> shift) & 0xff));
}
