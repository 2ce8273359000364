import { vi } from 'vitest';

/**
 * For the rest of a test the far side of the network is given up on 20 times as soon. That people
 * wait as long as is said, and not longer, is shown by tests without this.
 */
export function hurry(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 20));
}
