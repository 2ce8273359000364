/**
 * What the checks may cost, in processor seconds, beside the budgets of the product: other work on
 * the machine disturbs them least. Raising one is a commit with a reason. What is dearer has a small
 * twin here and the tag `night`.
 */
export const limits = {
  /** All of `npm test`. */
  whole: 800,
  workerdCase: 2,
  journey: 6,
  /** All cases in a feature's folder of `test/features`: about 250. */
  feature: 25,
} as const;

/**
 * How much of its limit something may take before it is refused: on a busy machine, processes lose
 * what the processor had kept for them, and count up to a third more.
 */
export const tolerance = 4 / 3;
