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

type Fetch = ReturnType<Reachable['server']['getWorker']>['fetch'];

/**
 * An address and a database on this machine, for the workers that the tests of a file start and
 * stop. The port is free, and the database is migrated.
 */
export async function createLocalSite() {
  const settings: LocalSettings = {
    appPort: await freePort(),
    googlePort: 4021,
    resendPort: 0,
    stripePort: 0,
    stateFolder: mkdtempSync(path.join(os.tmpdir(), 'lectern-local-')),
    limits: {},
    sentryDsn: null,
  };
  /** The emails that Resend has accepted. */
  const accepted: (Omit<Mail, 'to'> & { to: string })[] = [];
  /** How Resend answers: not at all, or with a failure after a moment. */
  const resend = { isSilent: false, slowFailures: 0 };
  const serverOf = (fetch: Fetch) => ({ getWorker: () => ({ fetch }) });
  const createLocalVisitor = (fetch = globalThis.fetch as unknown as Fetch) =>
    createVisitor(serverOf(fetch), appOrigin(settings));
  const site = {
    settings,
    origin: appOrigin(settings),
    accepted,
    resend,
    server: serverOf(globalThis.fetch as unknown as Fetch),
    mailsTo: async (address: string) =>
      accepted.filter(({ to }) => to === address).map((mail) => ({ ...mail, to: [mail.to] })),
    databaseFile: () => {
      const files = globSync(path.join(settings.stateFolder, 'v3/d1/*/*.sqlite'));
      return files.find((name) => !name.endsWith('metadata.sqlite')) ?? '';
    },
    createVisitor: createLocalVisitor,
    /** Creates an account on a running worker. Returns its browser, which is logged in. */
    signUp: async (email: string): Promise<Visitor> => {
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
