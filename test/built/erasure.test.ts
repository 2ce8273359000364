import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../scripts/local/database.ts';
import { appOrigin, ensureSecrets } from '../../scripts/local/settings.ts';
import { startBuiltWorker } from '../../scripts/local/worker.ts';
import { freePort } from './free-port.ts';
import { createCohort, createVisitor, type Mail, type Reachable, signUpPerson } from './worker.ts';

const settings = {
  appPort: await freePort(),
  googlePort: 4021,
  resendPort: 0,
  stateFolder: mkdtempSync(path.join(os.tmpdir(), 'lectern-erasure-')),
  limits: { mails_per_ip: [], confirmations_per_ip: [], codes_per_ip: [] },
  sentryDsn: null,
};

const accepted: (Omit<Mail, 'to'> & { to: string })[] = [];
let resend: Server;

beforeAll(async () => {
  resend = createServer(async (request, response) => {
    accepted.push(JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()));
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ id: crypto.randomUUID() }));
  });
  await new Promise<void>((resolve) => resend.listen(0, '127.0.0.1', resolve));
  settings.resendPort = (resend.address() as AddressInfo).port;
  ensureSecrets();
  await migrate(settings);
});

afterAll(() => {
  resend.closeAllConnections();
  resend.close();
  rmSync(settings.stateFolder, { recursive: true });
});

/** How often the words occur in the files of the database, in any spelling. */
function wordsIn(words: string[]): number {
  const files = globSync(path.join(settings.stateFolder, 'v3/d1/**/*.sqlite*'));
  const texts = files.map((file) => readFileSync(file).toString('latin1').toLowerCase());
  return words.reduce((sum, word) => sum + texts.join('').split(word).length - 1, 0);
}

function databaseFile(): string {
  const [file = ''] = globSync(path.join(settings.stateFolder, 'v3/d1/*/*.sqlite')).filter(
    (name) => !name.endsWith('metadata.sqlite'),
  );
  return file;
}

test('the files of the database have nothing of someone who was erased', async () => {
  const worker = await startBuiltWorker(settings);
  const site = {
    origin: appOrigin(settings),
    server: { getWorker: () => ({ fetch: globalThis.fetch }) },
    mailsTo: async (address: string) => accepted.filter(({ to }) => to === address),
  } as unknown as Reachable;
  const ada = await signUpPerson(site, {
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    courseName: 'Writing',
  });
  const cohorts = [await createCohort(ada), await createCohort(ada)];
  const email = 'zoltan.quixote@example.com';
  const words = ['zoltan', 'quixote'];
  for (const { id } of cohorts) {
    const input = { as: 'enrolled', name: 'Zoltan Quixote', email, language: 'en' };
    expect((await ada.post(`/api/cohorts/${id}/enrollments/`, input)).status).toBe(201);
  }
  const visitor = createVisitor(site.server, site.origin);
  const link = await inMail(email, /\/p\/([0-9a-f.-]{100,})/);
  await visitor.post('/api/participation/data-link/', { link });
  const token = await inMail(email, /\/p\/data\?token=([\w.-]+)/);
  expect(wordsIn(words)).toBeGreaterThan(0);
  const erased = await visitor.post('/api/participation/erase/', { token });
  expect(erased.status).toBe(204);
  await worker.close();

  // SQLite overwrites freed pages only later. So does D1, which also keeps a history of 30 days.
  // What remains there is in no table, so a file with the rows alone has none of it.
  const database = new DatabaseSync(databaseFile());
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.exec('VACUUM');
  database.close();
  expect(wordsIn(words)).toBe(0);
  expect(wordsIn(['ada@example.com'])).toBeGreaterThan(0);
});

/** What a pattern finds in an email, which may arrive after the answer to its request. */
async function inMail(address: string, pattern: RegExp): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    for (const mail of accepted.filter(({ to }) => to === address)) {
      const [, found] = pattern.exec(mail.text) ?? [];
      if (found !== undefined) {
        return found;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('There is no such email.');
}
