/** A part of the local set-up that must be ended. */
export type Running = { close: () => Promise<void> };

/** Ends all parts at Ctrl-C or when told to stop, and then this process. */
export function closeOnSignal(parts: Running[]): void {
  const stop = async () => {
    await Promise.allSettled(parts.map((part) => part.close()));
    process.exit(0);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}
