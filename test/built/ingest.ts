import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import {
  type Envelope,
  eventsIn,
  type Frame,
  parseEnvelope,
  type ReportedEvent,
} from '#support/envelopes.ts';

/** Stands in for Sentry: keeps what it receives, raw and parsed. */
export async function startIngest(port = 0) {
  const requests: { url: string; headers: Record<string, unknown>; bytes: Buffer }[] = [];
  const envelopes: Envelope[] = [];
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await Array.fromAsync(request));
    requests.push({ url: request.url ?? '', headers: request.headers, bytes });
    envelopes.push(await parseEnvelope(bytes));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":"1"}');
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: actual } = server.address() as AddressInfo;
  return {
    dsn: `http://a1b2c3@127.0.0.1:${actual}/42`,
    requests,
    envelopes,
    events: () => eventsIn(envelopes),
    items: (type: string) =>
      envelopes.flatMap(({ items }) => items).filter((item) => item.type === type),
    /** Everything received, decompressed. */
    text: () => envelopes.map(({ text }) => text).join('\n'),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

export type Ingest = Awaited<ReturnType<typeof startIngest>>;

/**
 * Resolves the stack of an event to our sources, innermost frame first: `src/cron.ts:12`.
 *
 * @param folder the origin of the event, under dist/source-maps: `public` or `server`
 */
export function placesIn(event: ReportedEvent, folder: 'public' | 'server'): string[] {
  return event.exception.values
    .flatMap(({ stacktrace }) => stacktrace?.frames.toReversed() ?? [])
    .flatMap((frame) => clientNetworkOf(frame, folder));
}

function clientNetworkOf({ filename, lineno, colno }: Frame, folder: string): string[] {
  const [, asset = ''] =
    /((?:ssr\/)?assets\/[\w.-]+\.js|(?:index|build)\.js)$/.exec(filename) ?? [];
  const file = path.join('dist/source-maps', folder, `${asset}.map`);
  try {
    const { source, line } = originalPositionFor(new TraceMap(readFileSync(file, 'utf8')), {
      line: lineno,
      column: colno - 1,
    });
    const [, ours] = /(?:^|\/)(src\/.+)$/.exec(source ?? '') ?? [];
    return ours === undefined || source?.includes('node_modules') ? [] : [`${ours}:${line}`];
  } catch {
    return [];
  }
}
