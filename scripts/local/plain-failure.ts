/**
 * An expected failure, reported in one sentence without a stack: what went wrong and how to fix it.
 */
export class PlainFailure extends Error {}

/** Runs a script: prints a PlainFailure's message and exits with non-zero. */
export async function runScript(script: () => Promise<void>): Promise<void> {
  try {
    await script();
  } catch (error) {
    console.error(error instanceof PlainFailure ? error.message : error);
    process.exit(1);
  }
}
