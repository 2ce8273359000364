import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { readArguments } from '../../scripts/deployment/arguments.ts';
import { deploy } from '../../scripts/deployment/deploy.ts';
import { parts } from '../e2e/pseudo.ts';
import { alternate } from '../every-case.ts';
import {
  callCommand,
  fakeCommand,
  fakeWrangler,
  makeProject,
  ownOrigin,
  ownValues,
  runScript,
  runTestsInOwnFolders,
  serveHealth,
  wranglerCalls,
} from './operator.ts';

runTestsInOwnFolders();

const run = (...args: string[]) =>
  callCommand(() => deploy(readArguments(['env', 'dry-run', 'wait'], args)));

const environments = [
  ['production', 'lectern', 'https://lectern.example.com'],
  ['preview', 'lectern-preview', 'https://preview.lectern.example.com'],
] as const;

test.each(alternate(environments, 0))(
  'a dry run for %s builds beside the local build without local secrets, and needs neither account nor network',
  {
    timeout: 180_000,
  },
  async (environment, name, origin) => {
    makeProject([], parts);
    writeFileSync('.dev.vars', 'APP_SECRET=canary-of-this-machine\n');
    const { said, code } = await runScript('deploy.ts', ['--env', environment, '--dry-run']);

    for (const line of [
      `env.DB (${name})`,
      'env.FLOOD_LIMIT (1200 requests/60s)',
      'env.FLOOD_LIMIT_NETWORK (19200 requests/60s)',
      'env.REPORTS (60 requests/60s)',
      `env.ENVIRONMENT ("${environment}")`,
      `env.APP_ORIGIN ("${origin}")`,
      'env.RELEASE',
      '0000_create-accounts-and-courses.sql, 0001_add-google-limits-and-keys.sql',
      `Before a deployment: APP_ORIGIN is still the example ${origin}.`,
      'Nothing was deployed.',
    ]) {
      expect(said).toContain(line);
    }
    expect(code).toBe(0);

    const server = path.join('dist', environment, 'server');
    const built = JSON.parse(readFileSync(path.join(server, 'wrangler.json'), 'utf8'));
    expect(built).toMatchObject({ name, targetEnvironment: environment });
    expect(existsSync(path.join(server, '.dev.vars'))).toBe(false);
    expect(existsSync('dist/server')).toBe(false);
    // What a bare `wrangler deploy` would use.
    expect(existsSync('.wrangler/deploy')).toBe(false);
  },
);

test.each([
  ['the examples of wrangler.toml', [], [], 'APP_ORIGIN is still the example https://lectern.exa'],
  [
    'a malformed setting, even in a dry run',
    [['MAIL_FROM = "Lectern <', 'MAIL_FROM = "<']],
    ['--dry-run'],
    'The setting MAIL_FROM must look like Name <address@domain>.',
  ],
] as [string, [string, string][], string[], string][])(
  '%s stops a deployment before it asks Cloudflare',
  async (_what, edits, args, sentence) => {
    makeProject(edits);
    fakeWrangler();
    const { said, isOk } = await run(...args);

    expect(said).toContain(sentence);
    expect(isOk).toBe(false);
    expect(existsSync('calls')).toBe(false);
  },
);

test.each([
  [
    'a login',
    { failAt: 'whoami', failWith: '{"loggedIn": false}' },
    'Nothing was deployed: wrangler is not logged in. Run `npx wrangler login`',
  ],
  [
    'one of its secrets',
    { secrets: ['APP_SECRET', 'GOOGLE_CLIENT_SECRET', 'RESEND_API_KEY'] },
    'The secret RESEND_WEBHOOK_SECRET is not set. Set it with `npx wrangler secret put RESEND_WEBHOOK_SECRET --env production`',
  ],
])('without %s nothing is changed', async (_what, fakes, sentence) => {
  prepare(fakes);
  const { said, isOk } = await run();

  expect(said).toContain(sentence);
  expect(isOk).toBe(false);
  expect(wranglerCalls().filter((name) => !/^(whoami|secret list) /.test(name))).toEqual([]);
});

test('a deployment applies the migrations, deploys the build and waits for the new release', async () => {
  prepare();
  serveHealth({ release: '0.1.0' });
  const { said, isOk } = await run();

  expect(wranglerCalls().slice(2)).toEqual([
    'd1 migrations apply DB --remote --config wrangler.toml --env production',
    'deploy --config dist/production/server/wrangler.json --var RELEASE:0.1.0',
  ]);
  expect(said).toContain(`Release 0.1.0 answers on ${ownOrigin}.`);
  expect(said).toContain('npx wrangler rollback --env production');
  expect(isOk).toBe(true);
  expect(existsSync('dist/production/server/.dev.vars')).toBe(false);
});

test('a failed migration stops the deployment, with the old worker still running', async () => {
  prepare({ failAt: 'migrations apply' });
  const { said, isOk } = await run();

  expect(said).toContain('The migrations failed: D1 is down. The previous worker still runs.');
  expect(isOk).toBe(false);
  expect(wranglerCalls().filter((name) => name.startsWith('deploy'))).toEqual([]);
});

test.each([
  ['0.0.9', 'the previous release still answers, and works with them'],
  ['0.1.0', 'release 0.1.0 answers already, but its routes or its crons may be missing'],
])(
  'a failed deployment says what was done and what was not: %s answers',
  async (release, state) => {
    prepare({ failAt: 'deploy --config' });
    serveHealth({ release });
    const { said, isOk } = await run();

    expect(said).toContain(
      `The deployment failed: D1 is down. The migrations are applied, ${state}.`,
    );
    expect(isOk).toBe(false);
  },
);

test.each([
  [() => serveHealth({ release: '0.0.9' }), 'still answers with release 0.0.9'],
  [() => vi.spyOn(globalThis, 'fetch').mockRejectedValue(refused), 'does not answer: no one there'],
])(
  'a release that does not answer is a failure, and the rollback command is shown: %#',
  async (serve, state) => {
    prepare();
    serve();
    const { said, isOk } = await run('--wait', '0');

    expect(said).toContain(
      `Release 0.1.0 is deployed and its migrations are applied, but ${ownOrigin} ${state}`,
    );
    expect(said).toContain('npx wrangler rollback --env production');
    expect(isOk).toBe(false);
  },
);

const refused = new TypeError('fetch failed', { cause: new Error('no one there') });

/** A complete project, with a fake account and an instant build. */
function prepare(fakes?: Parameters<typeof fakeWrangler>[0]): void {
  makeProject(ownValues);
  fakeWrangler(fakes);
  fakeCommand(
    'waku',
    'mkdir -p $BUILD_FOLDER/server && touch $BUILD_FOLDER/server/wrangler.json $BUILD_FOLDER/server/.dev.vars',
  );
}
