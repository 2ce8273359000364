/** A failure that is told in one sentence, without a stack: what went wrong and what to do about it. */
export class PlainFailure extends Error {}

/** Runs a script: says a PlainFailure in its one sentence and ends with a non-zero exit. */
export async function runScript(script: () => Promise<void>): Promise<void> {
  try {
    await script();
  } catch (error) {
    console.error(error instanceof PlainFailure ? error.message : error);
    process.exit(1);
  }
}
