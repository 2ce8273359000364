import { vi } from 'vitest';

export type Signal = AbortSignal | null | undefined;

/**
 * Answers requests to a service on the far side of the network. Other URLs go to the previous fake;
 * without one they are an error. Undone after each test by `vi.restoreAllMocks`.
 */
export function fakeService(
  isOfService: (url: URL) => boolean,
  answer: (request: Request, signal: Signal) => Response | Promise<Response>,
): void {
  const previous = vi.isMockFunction(globalThis.fetch)
    ? vi.mocked(globalThis.fetch).getMockImplementation()
    : undefined;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    if (isOfService(new URL(request.url))) {
      return answer(request, init?.signal);
    }
    if (previous === undefined) {
      throw new Error(`No request may go to ${request.url}`);
    }
    return previous(input, init);
  });
}

/** No answer: the request ends when its caller hangs up. */
export function silence(signal: Signal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

/** What `fetch` throws where there is no connection. */
export function noConnection(): Promise<never> {
  return Promise.reject(new TypeError('Network connection lost.'));
}
