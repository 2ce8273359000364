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
  /** The address it listens on. */
  address: URL;
  /** The origin it is reached at. */
  origin: string;
};

/**
 * Forwards a request to the worker as one to its own origin, and compresses the answer while
 * streaming.
 */
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
    (answer) => sendPacked(response, answer),
  );
  upstream.on('error', () => response.destroy());
  request.pipe(upstream);
}

/** Compresses an answer as Cloudflare does in production. */
function sendPacked(response: ServerResponse, answer: IncomingMessage): void {
  const { 'content-length': _, 'content-encoding': __, ...headers } = answer.headers;
  const isPackable = /^text\/|javascript|json|svg|manifest/.test(headers['content-type'] ?? '');
  const encoding = isPackable && { 'content-encoding': 'gzip' };
  response.writeHead(answer.statusCode ?? 502, { ...headers, ...encoding });
  if (isPackable) {
    // Each chunk is sent immediately: a page may be streamed.
    answer.pipe(createGzip({ level: 6, flush: constants.Z_SYNC_FLUSH })).pipe(response);
  } else {
    answer.pipe(response);
  }
}

/** On loopback, on a free port. */
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
