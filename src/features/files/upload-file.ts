import { type ApiFailure, callApi, sendBytes } from '#client/call-api.ts';
import { encode } from './draw-picture.ts';
import { typeOfName } from './file-types.ts';
import { firstBytesOf, isFreeOfMetadata, mayBeAnimated } from './first-bytes.ts';
import type { ShownFile } from './schema.ts';

/** Why a file could not be uploaded, as `callApi` gives it. */
export class UploadFailure extends Error {
  override readonly name = 'UploadFailure';
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    super('An upload failed');
    this.failure = failure;
  }
}

/** That a browser can't show an image, such as a photo in Apple's own format. */
export class UnreadableImage extends Error {
  override readonly name = 'UnreadableImage';
}

type Uploading = {
  courseId: string;
  file: File;
  /** Called with how many bytes of how many have been sent. */
  onProgress: (sent: number, size: number) => void;
  signal: AbortSignal;
};

/** How often a part is sent again, and how long the first wait is, in milliseconds. */
const retries = { count: 3, wait: 1_000 };

/**
 * Uploads a file to a course, images drawn smaller, in parts that are each sent again if they don't
 * arrive. What was sent of a file that fails, is canceled or loses its page is deleted.
 *
 * @throws UploadFailure; UnreadableImage; what `signal` was aborted with
 */
export async function uploadFile({
  courseId,
  file,
  onProgress,
  signal,
}: Uploading): Promise<ShownFile> {
  const { body, name, type, width, height } = await prepare(file);
  signal.throwIfAborted();
  onProgress(0, body.size);
  const path = `/api/courses/${courseId}/files/` as const;
  const begun = await callApi(path, {
    input: { name, content_type: type, size: body.size, width, height },
  });
  if (!begun.ok) {
    throw new UploadFailure(begun);
  }
  const own = `${path}${begun.data.id}/` as const;
  const { parts, part_size: size } = begun.data;
  const cancel = () => void callApi(own, { method: 'DELETE', keepalive: true });
  const leave = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) {
      cancel();
    }
  };
  window.addEventListener('pagehide', leave);
  try {
    for (let at = 0; at < parts; at += 1) {
      const part = body.slice(at * size, (at + 1) * size);
      await again(signal, () =>
        sendBytes(`${own}parts/${at + 1}/`, part, signal, (sent) =>
          onProgress(at * size + sent, body.size),
        ),
      );
    }
    const { data } = await again(signal, () => callApi(`${own}complete/` as const));
    return data;
  } catch (error) {
    cancel();
    throw error;
  } finally {
    window.removeEventListener('pagehide', leave);
  }
}

/** Repeats what the network or the server has failed at, each time after a longer wait. */
async function again<Result extends { ok: true; data: unknown } | ApiFailure>(
  signal: AbortSignal,
  send: () => Promise<Result>,
): Promise<Result & { ok: true }> {
  for (let no = 0; ; no += 1) {
    signal.throwIfAborted();
    const result = await send();
    if (result.ok) {
      return result as Result & { ok: true };
    }
    const { status } = result;
    if (no === retries.count || (status !== null && status < 500 && status !== 400)) {
      signal.throwIfAborted();
      throw new UploadFailure(result);
    }
    await new Promise((resolve) => setTimeout(resolve, retries.wait * 2 ** no));
  }
}

type Prepared = {
  body: Blob;
  name: string;
  type: string;
  width: number | null;
  height: number | null;
};

/** The longest side of an image, in pixels. */
const longestSide = 1_600;

/** A file as it is sent: what a lesson can't have, the server refuses with words. */
async function prepare(file: File): Promise<Prepared> {
  const type = typeOfName(file.name) ?? file.type;
  // Without characters that are not seen, which the server refuses in names.
  const name = file.name
    .normalize()
    .replace(/\p{Cf}/gu, '')
    .slice(-120);
  if (!type.startsWith('image/') || type === 'image/svg+xml') {
    return { body: file, name, type, width: null, height: null };
  }
  const image = await createImageBitmap(file).catch(() => {
    throw new UnreadableImage('A browser could not read an image');
  });
  const { width, height } = image;
  const bytes = await firstBytesOf(file);
  try {
    // Redrawing would freeze an animated image and degrade one that was already processed.
    const isSmall = Math.max(width, height) <= longestSide && file.size <= 20_000 + width * height;
    return mayBeAnimated(type, bytes) || (isSmall && isFreeOfMetadata(type, bytes, file.size))
      ? { body: file, name, type, width, height }
      : await drawn(image, name, type);
  } finally {
    image.close();
  }
}

/**
 * An image redrawn at most as large as lessons show it. Metadata such as location and time is
 * dropped.
 */
async function drawn(image: ImageBitmap, name: string, type: string): Promise<Prepared> {
  const scale = Math.min(1, longestSide / Math.max(image.width, image.height));
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height);
  const body = await encode(canvas, type === 'image/jpeg').catch(() => {
    throw new UnreadableImage('A browser could not draw an image');
  });
  const ending = body.type.slice('image/'.length).replace('jpeg', 'jpg');
  const stem = name.replace(/\.[^.]*$/, '').slice(0, 110);
  return { body, name: `${stem}.${ending}`, type: body.type, width, height };
}
