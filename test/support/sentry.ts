import { type Envelope, eventsIn, parseEnvelope } from './envelopes.ts';
import { fakeService, noConnection, type Signal, silence } from './far-side.ts';

export const dsn = 'https://a1b2c3@sentry.test/42';

type Answer =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'unreachable'
  | 'silent';

/** Stands in for Sentry, and keeps what it receives. */
export function fakeSentry(answer: Answer = { status: 200 }) {
  const requests: { url: string; headers: Headers; redirect: string }[] = [];
  const envelopes: Envelope[] = [];
  async function receive(request: Request, signal: Signal) {
    const { url, headers, redirect } = request;
    requests.push({ url, headers, redirect });
    envelopes.push(await parseEnvelope(new Uint8Array(await request.arrayBuffer())));
    if (answer === 'unreachable') {
      return noConnection();
    }
    if (answer === 'silent') {
      return silence(signal);
    }
    const { status, headers: own = {}, body = '{}' } = answer;
    return new Response(body, { status, headers: own });
  }
  fakeService(({ host }) => host === 'sentry.test', receive);
  return {
    requests,
    envelopes,
    events: () => eventsIn(envelopes),
    /** Everything that was sent, as text. */
    text: () => envelopes.map(({ text }) => text).join('\n'),
  };
}
