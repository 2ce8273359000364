import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Ports that nothing listens on, so that other runs on this machine are not in the way. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** Starts something, with a second try if that fails: another process may have taken its port. */
export async function startWithRetry<Started>(start: () => Promise<Started>): Promise<Started> {
  try {
    return await start();
  } catch {
    return start();
  }
}
