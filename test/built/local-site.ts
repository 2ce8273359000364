import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { migrate } from '../../scripts/local/database.ts';
import { appOrigin, ensureSecrets, type LocalSettings } from '../../scripts/local/settings.ts';
import { freePorts } from './free-port.ts';
import { createVisitor, type Mail, mailedTo, type Reachable, type Visitor } from './worker.ts';

type Fetch = ReturnType<Reachable['server']['getWorker']>['fetch'];

const ownFetch = globalThis.fetch as unknown as Fetch;
const serverOf = (fetch: Fetch) => ({ getWorker: () => ({ fetch }) });

/** A browser at an address on this machine. */
export function visitorAt(address: string, fetch = ownFetch): Visitor {
  return createVisitor(serverOf(fetch), address);
}

/**
 * An address and a database on this machine, for the workers that the tests of a file start and
 * stop. The port is free, and the database is migrated.
 */
export async function createLocalSite() {
  const [appPort = 0, googlePort = 0] = await freePorts(2);
  const settings: LocalSettings = {
    appPort,
    googlePort,
    resendPort: 0,
    stripePort: 0,
    stateFolder: mkdtempSync(path.join(os.tmpdir(), 'lectern-local-')),
    limits: {},
    sentryDsn: null,
  };
  /** The emails that Resend has accepted. */
  const accepted: (Omit<Mail, 'to'> & { to: string })[] = [];
  /** How Resend answers: not at all, or with a failure when what this is called with is called. */
  const resend = { isSilent: false, failNext: null as ((fail: () => void) => void) | null };
  const createLocalVisitor = (fetch?: Fetch) => visitorAt(appOrigin(settings), fetch);
  const site = {
    settings,
    origin: appOrigin(settings),
    accepted,
    resend,
    server: serverOf(ownFetch),
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
      const { failNext } = resend;
      resend.failNext = null;
      if (failNext === null) {
        accepted.push(JSON.parse(body));
      } else {
        await new Promise<void>(failNext);
      }
      if (!resend.isSilent) {
        response.writeHead(failNext === null ? 200 : 500, { 'Content-Type': 'application/json' });
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
