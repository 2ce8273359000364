import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { secretNames } from '../../src/settings.ts';
import { alternate } from '../every-case.ts';
import {
  callsOf,
  fakeCommand,
  fakeWrangler,
  makeProject,
  ownPort,
  ownValues,
  runScript,
} from './operator.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-deploy-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const environments: [environment: string, name: string, origin: string][] = [
  ['production', 'lectern', 'https://lectern.example.com'],
  ['preview', 'lectern-preview', 'https://preview.lectern.example.com'],
];

test.each(alternate(environments, 0))(
  'a dry run for %s builds beside the local build without local secrets, and needs neither account nor network',
  { timeout: 180_000 },
  async (environment, name, origin) => {
    makeProject(folder);
    writeFileSync(path.join(folder, '.dev.vars'), 'APP_SECRET=canary-of-this-machine\n');
    const { said, code } = await deploy('--env', environment, '--dry-run');

    expect(said).toContain(`env.DB (${name})`);
    expect(said).toContain('env.FLOOD_LIMIT (1200 requests/60s)');
    expect(said).toContain('env.FLOOD_LIMIT_NETWORK (19200 requests/60s)');
    expect(said).toContain('env.REPORTS (60 requests/60s)');
    expect(said).toContain(`env.ENVIRONMENT ("${environment}")`);
    expect(said).toContain(`env.APP_ORIGIN ("${origin}")`);
    expect(said).toContain('env.RELEASE');
    expect(said).toContain(
      '0000_create-accounts-and-courses.sql, 0001_add-google-limits-and-keys.sql',
    );
    expect(said).toContain(`Before a deployment: APP_ORIGIN is still the example ${origin}.`);
    expect(said).toContain('Nothing was deployed.');
    expect(code).toBe(0);

    const server = path.join(folder, 'dist', environment, 'server');
    const built = JSON.parse(readFileSync(path.join(server, 'wrangler.json'), 'utf8'));
    expect(built).toMatchObject({ name, targetEnvironment: environment });
    expect(existsSync(path.join(server, '.dev.vars'))).toBe(false);
    expect(existsSync(path.join(folder, 'dist/server'))).toBe(false);
    // What a bare `wrangler deploy` would use.
    expect(existsSync(path.join(folder, '.wrangler/deploy'))).toBe(false);
  },
);

test('the examples of wrangler.toml are not deployed', async () => {
  makeProject(folder);
  fakeWrangler(folder, { secrets: [...secretNames] });
  const { said, code } = await deploy();

  expect(code).toBe(1);
  expect(said).toContain('APP_ORIGIN is still the example https://lectern.example.com.');
  expect(said).toContain(
    'The database has no id yet. Make it with `npx wrangler d1 create lectern`',
  );
  expect(said).toMatch(/\nNothing was deployed: 5 missing\.\n$/);
  expect(existsSync(path.join(folder, 'calls'))).toBe(false);
});

test('a malformed setting stops a dry run too', async () => {
  makeProject(folder, [['MAIL_FROM = "Lectern <', 'MAIL_FROM = "<']]);
  const { said, code } = await deploy('--dry-run');

  expect(code).toBe(1);
  expect(said).toContain('The setting MAIL_FROM must look like Name <address@domain>.');
});

test.each([
  [['--env', 'prod'], 'wrangler.toml has no environment "prod". It has: production, preview.\n'],
  [['--dryrun'], "Unknown option '--dryrun'. This script knows --env, --dry-run, --wait.\n"],
])('a mistyped argument is named: %s', async (args, sentence) => {
  makeProject(folder);
  const { said, code } = await deploy(...args);

  expect(said).toBe(sentence);
  expect(code).toBe(1);
});

test('without a login nothing is changed', async () => {
  makeProject(folder, ownValues);
  const { said, code } = await deploy();

  expect(said).toContain(
    'Nothing was deployed: wrangler is not logged in. Run `npx wrangler login`',
  );
  expect(code).toBe(1);
});

test('without one of its secrets nothing is changed', async () => {
  prepare({ secrets: ['APP_SECRET', 'GOOGLE_CLIENT_SECRET', 'RESEND_API_KEY'] });
  const { said, code } = await deploy();

  expect(said).toContain(
    'The secret RESEND_WEBHOOK_SECRET is not set. Set it with `npx wrangler secret put RESEND_WEBHOOK_SECRET --env production`',
  );
  expect(said).toMatch(/\nNothing was deployed: 1 missing\.\n$/);
  expect(code).toBe(1);
  expect(callsOf(folder)).toEqual([
    'whoami --json',
    'secret list --config wrangler.toml --env production',
  ]);
});

test('a deployment applies the migrations, deploys the build and waits for the new release', async () => {
  prepare();
  const served = await serveHealth({ release: '0.1.0' });
  const { said, code } = await deploy();
  await served.dispose();

  expect(callsOf(folder).slice(2)).toEqual([
    'd1 migrations apply DB --remote --config wrangler.toml --env production',
    'deploy --config dist/production/server/wrangler.json --var RELEASE:0.1.0',
  ]);
  expect(said).toContain(`Release 0.1.0 answers on https://localhost:${ownPort}.`);
  expect(said).toContain('npx wrangler rollback --env production');
  expect(code).toBe(0);
  expect(existsSync(path.join(folder, 'dist/production/server/.dev.vars'))).toBe(false);
});

test('a failed migration stops the deployment, with the old worker still running', async () => {
  prepare();
  const { said, code } = await deploy({ FAIL_AT: 'migrations apply' });

  expect(said).toContain(
    'The migrations failed: It is Tuesday. The worker that was there still runs',
  );
  expect(code).toBe(1);
  expect(callsOf(folder).filter((call) => call.startsWith('deploy'))).toEqual([]);
});

test.each([
  ['0.0.9', 'what answered before still does, and works with them'],
  ['0.1.0', 'release 0.1.0 answers already, but its routes or its clock may be missing'],
])(
  'a failed deployment says what was done and what was not: %s answers',
  async (release, state) => {
    prepare();
    const served = await serveHealth({ release });
    const { said, code } = await deploy({ FAIL_AT: 'deploy --config' });
    await served.dispose();

    expect(said).toContain(
      `The deployment failed: It is Tuesday. The migrations are applied, ${state}.`,
    );
    expect(code).toBe(1);
  },
);

test.each([
  [{ release: '0.0.9' }, `https://localhost:${ownPort} still answers with release 0.0.9`],
  [{ status: 503 }, `https://localhost:${ownPort} does not answer: the status is 503`],
  [null, `https://localhost:${ownPort} does not answer: connect ECONNREFUSED`],
])(
  'a release that does not answer is a failure, and the rollback command is shown: %o',
  async (health, state) => {
    prepare();
    const served = await (health && serveHealth(health));
    const { said, code } = await deploy('--wait', '1');
    await served?.dispose();

    expect(said).toContain(
      `Release 0.1.0 is deployed and its migrations are applied, but ${state}`,
    );
    expect(said).toContain('npx wrangler rollback --env production');
    expect(code).toBe(1);
  },
);

/** A complete project, with a fake account and an instant build. */
function prepare({ secrets = [...secretNames] }: { secrets?: string[] } = {}): void {
  makeProject(folder, ownValues);
  fakeWrangler(folder, { secrets });
  fakeCommand(
    folder,
    'waku',
    'mkdir -p $BUILD_FOLDER/server && touch $BUILD_FOLDER/server/wrangler.json $BUILD_FOLDER/server/.dev.vars',
  );
}

/** Answers for the deployment, over TLS. */
async function serveHealth({ release, status = 200 }: { release?: string; status?: number }) {
  const init = JSON.stringify({ status, headers: release ? { 'X-Release': release } : {} });
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: 'localhost',
      port: ownPort,
      https: true,
      cf: false,
      modules: true,
      script: `export default { fetch: () => new Response('{"status":"ok"}', ${init}) }`,
    }),
  );
  await miniflare.ready;
  return miniflare;
}

function deploy(...given: (string | NodeJS.ProcessEnv)[]) {
  const args = given.filter((one) => typeof one === 'string');
  const env = Object.assign({}, ...given.filter((one) => typeof one === 'object'));
  return runScript(folder, 'deploy.ts', args, {
    // The tests' certificate is self-signed.
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    NODE_NO_WARNINGS: '1',
    ...env,
  });
}
