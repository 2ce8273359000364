import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { build } from 'vite';
import { runCommand } from '../../scripts/local/command.ts';
import { migrate } from '../../scripts/local/database.ts';
import { PlainFailure } from '../../scripts/local/plain-failure.ts';
import { appOrigin, ensureSecrets } from '../../scripts/local/settings.ts';
import { requireBuild } from '../../scripts/local/steps.ts';
import { builtWorker } from '../../scripts/local/worker.ts';
import { listen, pass, portOf, sendPacked } from '../../test/e2e/packed.ts';

export const twinFolder = path.join(import.meta.dirname, '../single-page');
const twinBuild = path.join(twinFolder, 'dist');

/** The product and its twin on loopback, with the same API and database behind both. */
export type Sites = {
  /** Origins, without a trailing slash. */
  ours: string;
  twin: string;
  /** The token in the latest email to an address. */
  tokenMailedTo: (address: string) => string;
  close: () => Promise<void>;
};

/**
 * Both are served by the same code, with the same compression and HTTP version: only their content
 * differs.
 *
 * @throws PlainFailure without a build of the product
 */
export async function startSites(): Promise<Sites> {
  requireBuild();
  await buildTwin();
  ensureSecrets();
  const mails = new Map<string, string>();
  const resend = await listen(async (request, response) => {
    const { to, text } = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
    mails.set(String(to), text);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ id: 'a-mail' }));
  });
  const stateFolder = mkdtempSync(path.join(os.tmpdir(), 'lectern-bench-'));
  // Needed before the worker starts, because it is one of its settings.
  const front = await listen((request, response) => pass(request, response, worker));
  const settings = {
    appPort: portOf(front),
    googlePort: 1,
    resendPort: portOf(resend),
    stateFolder,
    limits: { mails: [], mails_per_ip: [], confirmations_per_ip: [], courses_per_user: [] },
    sentryDsn: null,
  };
  const ours = appOrigin(settings);
  await migrate(settings);
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      cf: false,
      resourcePersistencePath: path.join(stateFolder, 'v3'),
      // A line per request would clutter the figures.
      handleStructuredLogs: () => {},
      workers: [builtWorker(settings)],
    }),
  );
  const worker = { address: await miniflare.ready, origin: ours };
  const twinFront = await listen((request, response) =>
    request.url?.startsWith('/api/')
      ? pass(request, response, worker)
      : sendTwinFile(request, response),
  );
  return {
    ours,
    twin: `http://localhost:${portOf(twinFront)}`,
    tokenMailedTo: (address) => /\/confirm\?token=(\w+)/.exec(mails.get(address) ?? '')?.[1] ?? '',
    close: async () => {
      for (const server of [front, twinFront, resend]) {
        server.closeAllConnections();
        server.close();
      }
      await miniflare.dispose();
      rmSync(stateFolder, { recursive: true });
    },
  };
}

/** @throws PlainFailure when it does not type-check */
async function buildTwin(): Promise<void> {
  const types = await runCommand('tsc', ['-p', twinFolder]);
  if (!types.isDone) {
    throw new PlainFailure(`The types of the single-page twin do not fit: ${types.said}`);
  }
  await build({
    configFile: false,
    root: twinFolder,
    logLevel: 'error',
    plugins: [tailwindcss()],
    // The same browsers as for the product's styles; see waku.config.ts.
    build: { emptyOutDir: true, cssTarget: ['chrome123', 'firefox120', 'safari17.5'] },
  });
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};

/** A file of the twin's build, or its only document for any other path. */
function sendTwinFile(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const isAsset = /^\/assets\/[\w.-]+$/.test(pathname);
  const file = path.join(twinBuild, isAsset ? pathname : 'index.html');
  if (!existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  const headers = {
    'content-type': types[path.extname(file)] ?? 'application/octet-stream',
    'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  sendPacked(response, 200, headers, [readFileSync(file)]);
}
