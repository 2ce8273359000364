/**
 * Limits of the checks in processor seconds at a pace of 1; see scripts/local/processor-time.ts.
 * Raising one takes a commit with a reason. A test that costs more gets the tag `night`, and a small
 * version without it.
 */
export const limits = {
  /** All of `npm test`. */
  whole: 800,
  workerdCase: 2,
  journey: 6,
  /** All cases in a feature's folder of `test/features`: about 250. */
  feature: 25,
} as const;

/** Checks fail above their limit times this: the pace is exact to about 15 %. */
export const tolerance = 4 / 3;
