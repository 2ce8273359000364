import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

export type Ask = {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
};

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

export type Client = {
  ask: (ask: Ask) => Promise<Answer>;
  /**
   * Sends a request on a connection of its own, and closes it after this time.
   */
  hangUp: (ask: Ask, afterMs: number) => Promise<void>;
  close: () => void;
};

/** The number of parallel requests. */
const connections = 8;

/**
 * The headers a browser and Cloudflare send with every request; without compression, because
 * workerd's own work is measured.
 */
const commonHeaders = {
  host: 'lectern.test',
  accept: '*/*',
  'accept-encoding': 'identity',
  'accept-language': 'en',
  'cf-visitor': '{"scheme":"https"}',
  'cf-connecting-ip': '192.0.2.1',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0',
};

/** Sends one request to a worker. */
export async function askOnce(address: URL, ask: Ask): Promise<Answer> {
  const client = createClient(address);
  try {
    return await client.ask(ask);
  } finally {
    client.close();
  }
}

/**
 * Sends requests as fast as they are answered, over connections that stay open: workerd closes idle
 * ones.
 *
 * @param next the next request, or null to stop
 * @returns how many answers arrived, and in what time
 * @throws Error for any status but 200
 */
export async function load(
  address: URL,
  next: () => Ask | null,
): Promise<{ requests: number; milliseconds: number }> {
  const client = createClient(address);
  const begin = performance.now();
  let requests = 0;
  try {
    await Promise.all(
      Array.from({ length: connections }, async () => {
        for (let ask = next(); ask !== null; ask = next()) {
          const { status } = await client.ask(ask);
          if (status !== 200) {
            throw new Error(`${ask.method ?? 'GET'} ${ask.path} answered ${status}.`);
          }
          requests += 1;
        }
      }),
    );
  } finally {
    client.close();
  }
  return { requests, milliseconds: performance.now() - begin };
}

/** Sends requests to a worker over connections that stay open. */
export function createClient(address: URL): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    ask: ({ path, method = 'GET', headers, body }) =>
      new Promise((resolve, reject) => {
        const sent = request(
          new URL(path, address),
          { agent, method, headers: { ...commonHeaders, ...headers } },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk) => chunks.push(chunk));
            response.once('error', reject);
            response.once('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                body: Buffer.concat(chunks).toString(),
              }),
            );
          },
        );
        sent.once('error', reject);
        sent.end(body);
      }),
    async hangUp({ path, method = 'GET', headers, body }, afterMs) {
      const sent = request(new URL(path, address), {
        agent: false,
        method,
        headers: { ...commonHeaders, ...headers },
      });
      // An earlier answer, or the end of the connection, does not matter.
      sent.on('error', () => {});
      sent.end(body);
      await once(sent, 'finish');
      await wait(afterMs);
      sent.destroy();
    },
    close: () => agent.destroy(),
  };
}
