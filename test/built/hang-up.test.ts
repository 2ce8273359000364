import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrate } from '../../scripts/local/database.ts';
import type { Running } from '../../scripts/local/running.ts';
import { appOrigin, ensureSecrets } from '../../scripts/local/settings.ts';
import { startBuiltWorker } from '../../scripts/local/worker.ts';
import { freePort } from './free-port.ts';

type Mail = { to: string; text: string };

const settings = {
  appPort: await freePort(),
  googlePort: 4020,
  resendPort: 0,
  stateFolder: mkdtempSync(path.join(os.tmpdir(), 'lectern-hang-up-')),
  limits: {},
  sentryDsn: null,
};

let worker: Running;
let resend: Server;
let accepted: Mail[] = [];
/** How many of Resend's next answers are slow failures. */
let slowFailures = 0;

beforeAll(async () => {
  resend = createServer(async (request, response) => {
    const body = await Array.fromAsync(request);
    const isFailing = slowFailures > 0;
    slowFailures -= isFailing ? 1 : 0;
    if (isFailing) {
      await new Promise((resolve) => setTimeout(resolve, 300));
    } else {
      accepted.push(JSON.parse(Buffer.concat(body).toString()));
    }
    response.writeHead(isFailing ? 500 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ id: 'a-mail' }));
  });
  await new Promise<void>((resolve) => resend.listen(0, '127.0.0.1', resolve));
  settings.resendPort = (resend.address() as AddressInfo).port;
  ensureSecrets();
  await migrate(settings);
  worker = await startBuiltWorker(settings);
});

afterAll(async () => {
  await worker.close();
  resend.close();
  rmSync(settings.stateFolder, { recursive: true });
});

test('a login completes even if the browser disconnects in the middle', async () => {
  const email = 'ada@example.com';
  const person = { first_name: 'Ada', last_name: 'Lovelace', email };
  await (await send('/api/accounts/auth/signup/', person)).answer;
  const [, token] = /token=(\w+)/.exec(accepted[0]?.text ?? '') ?? [];
  await (await send('/api/accounts/auth/confirm/', { token })).answer;
  accepted = [];
  slowFailures = 1;
  const { hangUp } = await send('/api/accounts/auth/login/', { email });
  await vi.waitFor(() => expect(slowFailures).toBe(0), 20_000);
  hangUp();

  await vi.waitFor(() => expect(accepted.map(({ to }) => to)).toEqual([email]), 20_000);
});

/** Posts as our own page does, over a socket that can be closed. */
async function send(address: string, input: unknown) {
  const origin = appOrigin(settings);
  const health = await fetch(`${origin}/api/health/`);
  const [, csrf = ''] = /csrftoken=([^;]+)/.exec(health.headers.get('Set-Cookie') ?? '') ?? [];
  const body = JSON.stringify(input);
  const socket = connect(settings.appPort, 'localhost');
  const answer = new Promise<void>((resolve) => {
    socket.once('data', () => {
      socket.end();
      resolve();
    });
    // `hangUp` resets the connection.
    socket.on('error', () => {});
  });
  socket.write(
    [
      `POST ${address} HTTP/1.1`,
      `Host: ${new URL(origin).host}`,
      `Origin: ${origin}`,
      `Cookie: csrftoken=${csrf}`,
      `X-CSRFToken: ${csrf}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
  return { answer, hangUp: () => socket.resetAndDestroy() };
}
