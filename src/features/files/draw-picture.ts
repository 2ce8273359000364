import { pictureSizes } from './picture-path.ts';

/** What a picture is for: the cover of a course, or the photo of a person, shown as a circle. */
export type PictureShape = keyof typeof pictureSizes;

/** A picture that was chosen, and what of it is sent. */
export type DrawnPicture = { image: ImageBitmap; part: Part; body: Blob };

/** A rectangle in a picture, in its pixels. */
type Part = { x: number; y: number; width: number; height: number };

/** The longest sides of a preview, in pixels. */
const preview = { width: 960, height: 640 };

/**
 * Draws the middle of a picture in the size of its shape. Where and when it was taken is lost.
 *
 * @throws DOMException for what the browser can't show as a picture, such as Apple's HEIC
 */
export async function drawPicture(file: File, shape: PictureShape): Promise<DrawnPicture> {
  const image = await createImageBitmap(file);
  const part = middleOf(image, shape);
  const canvas = document.createElement('canvas');
  const { width, height } = Object.assign(canvas, pictureSizes[shape]);
  const context = contextOf(canvas);
  // JPEG has no transparency: it would be black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(image, part.x, part.y, part.width, part.height, 0, 0, width, height);
  return { image, part, body: await encode(canvas, true) };
}

/** Shows a whole picture, with what of it is cut off in the dark. */
export function drawPreview(
  canvas: HTMLCanvasElement,
  { image, part }: DrawnPicture,
  shape: PictureShape,
): void {
  const scale = Math.min(1, preview.width / image.width, preview.height / image.height);
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  Object.assign(canvas, { width, height });
  const context = contextOf(canvas);
  context.drawImage(image, 0, 0, width, height);
  const kept = new Path2D();
  if (shape === 'photo') {
    kept.arc(width / 2, height / 2, (part.width * scale) / 2, 0, 2 * Math.PI);
  } else {
    kept.rect(part.x * scale, part.y * scale, part.width * scale, part.height * scale);
  }
  const cut = new Path2D();
  cut.rect(0, 0, width, height);
  cut.addPath(kept);
  context.fillStyle = '#000000a6';
  context.fill(cut, 'evenodd');
}

/** The largest part in the middle of a picture that has the proportions of a shape. */
function middleOf({ width, height }: ImageBitmap, shape: PictureShape): Part {
  const size = pictureSizes[shape];
  const scale = Math.min(width / size.width, height / size.height);
  const part = { width: size.width * scale, height: size.height * scale };
  return { ...part, x: (width - part.width) / 2, y: (height - part.height) / 2 };
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context === null) {
    throw new DOMException('No room to draw', 'InvalidStateError');
  }
  context.imageSmoothingQuality = 'high';
  return context;
}

/**
 * What is drawn, as WebP. Safari writes PNG instead, which is large for photos: those become JPEG.
 *
 * @throws DOMException
 */
export async function encode(canvas: HTMLCanvasElement, isPhoto: boolean): Promise<Blob> {
  const webp = await written(canvas, 'image/webp');
  return webp.type === 'image/webp' || !isPhoto ? webp : await written(canvas, 'image/jpeg');
}

async function written(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  const body = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type, 0.85);
  });
  if (body === null) {
    throw new DOMException('Not drawn', 'EncodingError');
  }
  return body;
}
