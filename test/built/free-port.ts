import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port that nothing listens on, so that other runs on this machine are not in the way. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts something, with a second try if that fails: another process may have taken its port. */
export async function startWithRetry<Started>(start: () => Promise<Started>): Promise<Started> {
  try {
    return await start();
  } catch {
    return start();
  }
}
