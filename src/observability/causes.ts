/** An error and its causes, outermost first. */
export function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  // No real chain is longer than ten; a cycle must not hang the worker.
  for (
    let current = error;
    current instanceof Error && chain.length < 10;
    current = current.cause
  ) {
    chain.push(current);
  }
  return chain;
}
