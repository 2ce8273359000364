import { vi } from 'vitest';

/**
 * Makes the timeouts of external requests, and the waits before another attempt, 20 times shorter
 * for the rest of a test. Other tests show that the real ones are kept.
 */
export function hurry(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 20));
  const { setTimeout: later } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((then: () => void, ms = 0, ...given: []) =>
    later(then, ms / 20, ...given)) as typeof setTimeout);
}
