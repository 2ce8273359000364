import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { askOnce } from '../../bench/client.ts';
import { benchedWorker, visitHome, write } from '../../bench/lectern.ts';
import { ada, addPerson, createTables, type SignedIn } from '../../bench/people.ts';
import { startWorkerd, type Workerd } from '../../bench/workerd.ts';

const partSize = 8 * 1024 * 1024;
const stateFolder = mkdtempSync(path.join(os.tmpdir(), 'lectern-uploads-'));
const settings = {
  appPort: 0,
  googlePort: 0,
  resendPort: 0,
  stateFolder,
  limits: {},
  sentryDsn: null,
};

afterAll(() => rmSync(stateFolder, { recursive: true }));

test('a part streams through the worker without being held, and an upload that it died in leaves nothing', {
  timeout: 180_000,
}, async () => {
  const first = await start();
  const database = await first.miniflare.getD1Database('DB', 'lectern');
  await createTables(database);
  const person = await visitHome(first, await addPerson(database, ada));
  const address = await first.addressOf('lectern');
  const inspector = await first.inspect('lectern');
  const upload = await begin(address, person);

  // Once, so that everything that stays is loaded.
  expect(await ended(part(address, person, upload, partSize))).toBe(200);
  const before = await inspector.collect();
  const held = part(address, person, upload, partSize / 2);
  await wait(2_000);
  const during = await inspector.collect();
  // What has arrived of the part has gone on to R2 already.
  expect((during.bytes - before.bytes) / partSize).toBeLessThan(0.125);
  held.end(Buffer.alloc(partSize / 2, 1));
  expect(await statusOf(held)).toBe(200);

  const lost = part(address, person, upload, partSize / 2);
  lost.on('error', () => {});
  await wait(500);
  inspector.close();
  await first.close();

  const second = await start();
  const rows = await second.miniflare.getD1Database('DB', 'lectern');
  const bucket = await second.miniflare.getR2Bucket('FILES', 'lectern');
  const worker = await second.miniflare.getWorker('lectern');
  await rows.exec('UPDATE files SET created_at = created_at - 86400001');
  await worker.scheduled({ cron: '17 * * * *' });
  for (const table of ['files', 'objects_gone']) {
    expect(await rows.prepare(`SELECT * FROM ${table}`).first()).toBeNull();
  }
  expect((await bucket.list()).objects).toEqual([]);
  await second.close();
});

function start(): Promise<Workerd> {
  return startWorkerd(settings, [benchedWorker(settings)], { isInspected: true });
}

/** The path of the upload of a file of two parts. */
async function begin(address: URL, person: SignedIn): Promise<string> {
  const path = `/api/courses/${person.courseIds[0]}/files/`;
  const input = { name: 'a.mp4', content_type: 'video/mp4', size: 2 * partSize };
  const { status, body } = await askOnce(address, write(person, 'POST', path, input));
  expect(status).toBe(201);
  return `${path}${JSON.parse(body).id}/`;
}

/** Sends the first bytes of a whole part, and waits with the others. */
function part(address: URL, person: SignedIn, upload: string, bytes: number): ClientRequest {
  const { headers, path } = write(person, 'PUT', `${upload}parts/1/`);
  const sent = request(new URL(path, address), {
    method: 'PUT',
    headers: {
      ...headers,
      host: 'lectern.test',
      'cf-connecting-ip': '192.0.2.1',
      'content-type': 'application/octet-stream',
      'content-length': String(partSize),
    },
  });
  sent.write(Buffer.alloc(bytes, 1));
  return sent;
}

function ended(sent: ClientRequest): Promise<number | undefined> {
  sent.end();
  return statusOf(sent);
}

async function statusOf(sent: ClientRequest): Promise<number | undefined> {
  // What the event has.
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
