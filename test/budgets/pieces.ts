import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves one document of another server in pieces; all other answers pass through. */
export type Pieces = {
  origin: string;
  /** Sends the next piece of the document; false if there is none left. */
  sendNext: () => boolean;
  close: () => Promise<void>;
};

/** Headers that describe the body as the other server sends it. */
const ofTheBody = ['content-encoding', 'content-length', 'transfer-encoding', 'connection'];

/** The document's first piece is sent at once, each of the others by `sendNext`. */
export async function serveInPieces(target: string): Promise<Pieces> {
  let rest: string[] = [];
  let page: ServerResponse | null = null;
  const server = createServer(async ({ url = '/', headers }, response) => {
    const { cookie = '', accept = '' } = headers;
    const answer = await fetch(target + url, { headers: { cookie, accept }, redirect: 'manual' });
    for (const [name, value] of answer.headers) {
      if (!ofTheBody.includes(name)) {
        response.setHeader(name, value);
      }
    }
    response.statusCode = answer.status;
    if (headers['sec-fetch-dest'] !== 'document') {
      response.end(Buffer.from(await answer.arrayBuffer()));
      return;
    }
    const [first = '', ...others] = piecesOf(await answer.text());
    rest = others;
    page = response;
    response.write(first);
  });
  server.listen(0, 'localhost');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    sendNext: () => {
      const [next, ...others] = rest;
      rest = others;
      if (next === undefined) {
        page?.end();
        return false;
      }
      page?.write(next);
      return true;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * The document, divided wherever an element of the body begins or ends. Scripts and drawings stay
 * in one piece, because their parts have no layout of their own.
 */
export function piecesOf(html: string): string[] {
  const bodyAt = html.indexOf('<body');
  const whole = /<(script|style|svg)\b.*?<\/\1>|<\/?[a-z][^>]*>/gs;
  const pieces = [html.slice(0, bodyAt)];
  let from = bodyAt;
  for (const { 0: tag, index } of html.slice(bodyAt).matchAll(whole)) {
    const at = bodyAt + index;
    const cut = tag.startsWith('</') ? at + tag.length : at;
    if (cut > from) {
      pieces.push(html.slice(from, cut));
      from = cut;
    }
  }
  return [...pieces, html.slice(from)].filter((piece) => piece !== '');
}
