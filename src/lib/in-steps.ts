import { mayWriteMore } from './requests-left.ts';

/** The next run of the clock does the rest. */
const timeLimitMs = 60 * 1000;

/**
 * Does what is due step by step, as long as a run of the clock may.
 *
 * @param step returns whether it has found all that was left
 * @returns whether everything is done
 */
export async function inSteps(
  ctx: Parameters<typeof mayWriteMore>[0] & { now: () => Date },
  step: (now: number) => Promise<boolean>,
): Promise<boolean> {
  const start = ctx.now().getTime();
  let isDone = false;
  while (!isDone && mayWriteMore(ctx) && ctx.now().getTime() - start < timeLimitMs) {
    isDone = await step(ctx.now().getTime());
  }
  return isDone;
}
