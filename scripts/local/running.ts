/** A part of the local setup that has to be stopped. */
export type Running = { close: () => Promise<void> };

/** Stops all parts on Ctrl-C or SIGTERM, and then this process. */
export function closeOnSignal(parts: Running[]): void {
  let isStopping = false;
  const stop = async () => {
    // npm forwards Ctrl-C, which the terminal has already sent here.
    if (isStopping) {
      return;
    }
    isStopping = true;
    await Promise.allSettled(parts.map((part) => part.close()));
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Libraries listen too, and would end the process before its parts have stopped.
    process.removeAllListeners(signal);
    process.on(signal, stop);
  }
}
