import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as proxyRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, createGzip } from 'node:zlib';

type Worker = {
  /** Where it listens. */
  address: URL;
  /** What it takes itself to be reached at. */
  origin: string;
};

/** Hands a request on to the worker, which takes it for one to its own origin, and packs the answer as it comes. */
export function pass(request: IncomingMessage, response: ServerResponse, worker: Worker): void {
  const { origin } = request.headers;
  const upstream = proxyRequest(
    new URL(request.url ?? '/', worker.address),
    {
      method: request.method,
      headers: {
        ...request.headers,
        host: new URL(worker.origin).host,
        ...(origin !== undefined && { origin: worker.origin }),
        'accept-encoding': 'identity',
      },
    },
    (answer) => {
      const { 'content-length': _, 'content-encoding': __, ...headers } = answer.headers;
      sendPacked(response, answer.statusCode ?? 502, headers, answer);
    },
  );
  upstream.on('error', () => response.destroy());
  request.pipe(upstream);
}

/** Packs what it sends, as Cloudflare does in production and nothing does here. */
export function sendPacked(
  response: ServerResponse,
  status: number,
  headers: NodeJS.Dict<string | string[]>,
  body: NodeJS.ReadableStream | Buffer[],
): void {
  const type = String(headers['content-type'] ?? '');
  const isPackable = /^text\/|javascript|json|svg|manifest/.test(type);
  response.writeHead(status, { ...headers, ...(isPackable && { 'content-encoding': 'gzip' }) });
  // Whatever has come is sent on at once: a page may come in pieces.
  const packed = isPackable ? createGzip({ level: 6, flush: constants.Z_SYNC_FLUSH }) : null;
  packed?.pipe(response);
  const target = packed ?? response;
  if (Array.isArray(body)) {
    target.end(body[0]);
  } else {
    body.pipe(target);
  }
}

/** On loopback, at any port that is free. */
export async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<Server> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
