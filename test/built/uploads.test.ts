import { readdirSync, rmSync, statSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { askOnce } from '../../bench/client.ts';
import { benchedWorker, benchSettings, visitHome, write } from '../../bench/lectern.ts';
import { ada, addPerson, createTables, type SignedIn } from '../../bench/people.ts';
import { startWorkerd, type Workerd } from '../../bench/workerd.ts';

const partSize = 8 * 1024 * 1024;
const settings = benchSettings();

afterAll(() => rmSync(settings.stateFolder, { recursive: true }));

test('a part goes on to R2 while it comes in, without being held, and nothing is left of it if the worker dies then', {
  timeout: 180_000,
}, async () => {
  const first = await start();
  const database = await first.miniflare.getD1Database('DB', 'lectern');
  await createTables(database);
  const person = await visitHome(first, await addPerson(database, ada));
  const address = await first.addressOf('lectern');
  const inspector = await first.inspect('lectern');
  const path = `/api/courses/${person.courseIds[0]}/files/`;
  const input = { name: 'a.mp4', content_type: 'video/mp4', size: 2 * partSize };
  const { body } = await askOnce(address, write(person, 'POST', path, input));
  const before = await inspector.collect();
  const arrived = partSize - 1_000_000;
  const sent = sendSome(address, person, `${path}${JSON.parse(body).id}/parts/1/`, arrived);
  await vi.waitUntil(() => storedBytes() > arrived / 2, { timeout: 120_000, interval: 100 });
  const during = await inspector.collect();
  expect((during.bytes - before.bytes) / arrived).toBeLessThan(0.125);
  inspector.close();
  await first.close();
  sent.destroy();

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

/** Sends the first bytes of a whole part, and waits with the others. */
function sendSome(address: URL, person: SignedIn, to: string, bytes: number): ClientRequest {
  const { headers, path } = write(person, 'PUT', to);
  const sent = request(new URL(path, address), {
    method: 'PUT',
    headers: {
      ...headers,
      host: 'lectern.test',
      'cf-connecting-ip': '192.0.2.1',
      'content-length': String(partSize),
    },
  });
  // The worker dies before it answers.
  sent.on('error', () => {});
  sent.write(Buffer.alloc(bytes, 1));
  return sent;
}

/** How many bytes the local R2 has written to the disk. */
function storedBytes(): number {
  const folder = path.join(settings.stateFolder, 'v3', 'r2');
  return readdirSync(folder, { recursive: true })
    .map((name) => statSync(path.join(folder, String(name)), { throwIfNoEntry: false }))
    .reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
}
