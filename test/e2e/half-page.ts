import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves another server, but holds back the rest of its first document. */
export type HalfPage = {
  origin: string;
  /** Sends the rest of the document. */
  sendRest: () => void;
  close: () => Promise<void>;
};

/** Sends the first document up to the end of the form that contains this text. */
export async function serveHalfPage(target: string, inForm: string): Promise<HalfPage> {
  const sent = Promise.withResolvers<void>();
  let isFirst = true;

  async function answer(from: IncomingMessage, response: ServerResponse): Promise<void> {
    const isDocument = isFirst && from.headers['sec-fetch-dest'] === 'document';
    isFirst &&= !isDocument;
    const { 'accept-encoding': _, ...headers } = from.headers;
    const { host } = new URL(target);
    const passed = request(target + from.url, {
      method: from.method,
      headers: { ...headers, host, ...(headers.origin && { origin: target }) },
    });
    from.pipe(passed);
    const answered = await new Promise<IncomingMessage>((resolve) =>
      passed.on('response', resolve),
    );
    response.writeHead(answered.statusCode ?? 500, answered.headers);
    if (!isDocument) {
      answered.pipe(response);
      return;
    }
    const html = Buffer.concat(await answered.toArray()).toString();
    const end = html.indexOf('</form>', html.indexOf(inForm)) + '</form>'.length;
    response.write(html.slice(0, end));
    await sent.promise;
    response.end(html.slice(end));
  }

  const server = createServer((from, response) => void answer(from, response));
  server.listen(0, 'localhost');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    sendRest: sent.resolve,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
