import { vi } from 'vitest';

/**
 * Makes the timeouts of external requests 20 times shorter for the rest of a test. Other tests show
 * that the real ones are kept.
 */
export function hurry(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 20));
}
