/** What was written to console.error and console.warn in this test. */
export const noise: string[] = [];

/** Hands the noise over, and with it the duty to look at it. */
export function takeNoise(): string[] {
  return noise.splice(0);
}
