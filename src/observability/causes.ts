/** An error and what caused it, outermost first. */
export function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  // Ten is beyond any real chain; a cycle must not hang the worker.
  for (
    let current = error;
    current instanceof Error && chain.length < 10;
    current = current.cause
  ) {
    chain.push(current);
  }
  return chain;
}
