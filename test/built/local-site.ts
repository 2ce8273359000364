import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { migrate } from '../../scripts/local/database.ts';
import { appOrigin, ensureSecrets, type LocalSettings } from '../../scripts/local/settings.ts';
import { freePort } from './free-port.ts';
import { createVisitor, type Mail, mailedTo, type Reachable, type Visitor } from './worker.ts';

/** An address and a database on this machine, for workers that a test starts and stops. */
export type LocalSite = Reachable & {
  settings: LocalSettings;
  /** The emails that Resend has accepted. */
  accepted: (Omit<Mail, 'to'> & { to: string })[];
  /** How Resend answers: not at all, or with a failure after a moment. */
  resend: { isSilent: boolean; slowFailures: number };
  databaseFile: () => string;
  createVisitor: (fetch?: Fetch) => Visitor;
  /** Someone with an account, logged in at a worker that runs. */
  signUp: (email: string) => Promise<Visitor>;
};

type Fetch = ReturnType<Reachable['server']['getWorker']>['fetch'];

/** Prepares a site for the tests of a file. The port is free, and the database is migrated. */
export async function serveLocally(): Promise<LocalSite> {
  const settings = {
    appPort: await freePort(),
    googlePort: 4021,
    resendPort: 0,
    stateFolder: mkdtempSync(path.join(os.tmpdir(), 'lectern-local-')),
    limits: { mails_per_ip: [], confirmations_per_ip: [], codes_per_ip: [] },
    sentryDsn: null,
  };
  const accepted: LocalSite['accepted'] = [];
  const resend = { isSilent: false, slowFailures: 0 };
  const serverOf = (fetch: Fetch) => ({ getWorker: () => ({ fetch }) });
  const createLocalVisitor = (fetch = globalThis.fetch as unknown as Fetch) =>
    createVisitor(serverOf(fetch), appOrigin(settings));
  const site: LocalSite = {
    settings,
    origin: appOrigin(settings),
    accepted,
    resend,
    server: serverOf(globalThis.fetch as unknown as Fetch),
    mailsTo: async (address) =>
      accepted.filter(({ to }) => to === address).map((mail) => ({ ...mail, to: [mail.to] })),
    databaseFile: () => {
      const files = globSync(path.join(settings.stateFolder, 'v3/d1/*/*.sqlite'));
      return files.find((name) => !name.endsWith('metadata.sqlite')) ?? '';
    },
    createVisitor: createLocalVisitor,
    signUp: async (email) => {
      const visitor = createLocalVisitor();
      const person = { first_name: 'Ada', last_name: 'Lovelace', email };
      await visitor.post('/api/accounts/auth/signup/', person);
      const token = await mailedTo(site, email, /\/confirm\?token=(\w+)/);
      const confirmed = await visitor.post('/api/accounts/auth/confirm/', { token });
      expect(confirmed.status).toBe(200);
      return visitor;
    },
  };
  let server: HttpServer;

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request)).toString();
      const isFailing = resend.slowFailures > 0;
      resend.slowFailures -= isFailing ? 1 : 0;
      if (isFailing) {
        await new Promise((resolve) => setTimeout(resolve, 300));
      } else {
        accepted.push(JSON.parse(body));
      }
      if (!resend.isSilent) {
        response.writeHead(isFailing ? 500 : 200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ id: crypto.randomUUID() }));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    settings.resendPort = (server.address() as AddressInfo).port;
    ensureSecrets();
    await migrate(settings);
  });

  afterEach(() => {
    accepted.length = 0;
    resend.isSilent = false;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(settings.stateFolder, { recursive: true });
  });

  return site;
}
