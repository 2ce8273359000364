import { vi } from 'vitest';
import { type Envelope, eventsIn, parseEnvelope } from './envelopes.ts';

export const dsn = 'https://a1b2c3@sentry.test/42';

type Answer =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'unreachable'
  | 'silent';

/**
 * Stands in for Sentry, and keeps what it receives. Other URLs go to the previous fake; without one
 * they are an error. Undone after each test by `vi.restoreAllMocks`.
 */
export function fakeSentry(answer: Answer = { status: 200 }) {
  const requests: { url: string; headers: Headers; redirect: string }[] = [];
  const envelopes: Envelope[] = [];
  const before = vi.isMockFunction(globalThis.fetch)
    ? vi.mocked(globalThis.fetch).getMockImplementation()
    : undefined;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).host !== 'sentry.test') {
      if (before === undefined) {
        throw new Error(`No request may go to ${request.url}`);
      }
      return before(input, init);
    }
    const { url, headers, redirect } = request;
    requests.push({ url, headers, redirect });
    envelopes.push(await parseEnvelope(new Uint8Array(await request.arrayBuffer())));
    if (answer === 'unreachable') {
      throw new TypeError('Network connection lost.');
    }
    if (answer === 'silent') {
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    }
    return new Response(answer.body ?? '{}', {
      status: answer.status,
      headers: answer.headers ?? {},
    });
  });
  return {
    requests,
    envelopes,
    events: () => eventsIn(envelopes),
    /** Everything that was sent, as text. */
    text: () => envelopes.map(({ text }) => text).join('\n'),
  };
}
