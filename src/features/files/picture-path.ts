/** Where everyone can read a picture, by its key in R2, which begins with `pictures/`. */
export function picturePath(key: string): string {
  return `/${key}`;
}

/** The types of pictures: what canvases draw, and what other sites show. */
export const pictureTypes: readonly string[] = ['image/webp', 'image/jpeg', 'image/png'];

/** The sizes in pixels at which pictures are drawn; what is sent in another one is cut. */
export const pictureSizes = {
  cover: { width: 1_600, height: 840 },
  photo: { width: 512, height: 512 },
} as const;
