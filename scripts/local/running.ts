/** A part of the local set-up that must be ended. */
export type Running = { close: () => Promise<void> };

/** Ends all parts at Ctrl-C or when told to stop, and then this process. */
export function closeOnSignal(parts: Running[]): void {
  let isStopping = false;
  const stop = async () => {
    // npm hands Ctrl-C on to us, who have it from the terminal already.
    if (isStopping) {
      return;
    }
    isStopping = true;
    await Promise.allSettled(parts.map((part) => part.close()));
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Libraries listen too, and would end the process before its parts have ended.
    process.removeAllListeners(signal);
    process.on(signal, stop);
  }
}
