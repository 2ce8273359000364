import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { readArguments } from '../../scripts/deployment/arguments.ts';
import { deploy } from '../../scripts/deployment/deploy.ts';
import { parts } from '../e2e/pseudo.ts';
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

test('a dry run with the example settings builds for its environment, without an account or a network', async () => {
  makeProject();
  fakeWrangler();
  fakeBuild();
  mkdirSync('.wrangler/deploy', { recursive: true });
  const { said, code } = await runScript('deploy.ts', ['--env', 'preview', '--dry-run']);

  for (const line of [
    'Lectern 0.1.0, preview (dry run)',
    'Before a deployment: APP_ORIGIN is still the example https://preview.lectern.example.com.',
    '0000_create-accounts-and-courses.sql, 0001_add-google-limits-and-keys.sql',
    'Total Upload: 3 KiB\nenv.DB (a-database)\n\nThe dry run of preview succeeded. Nothing was deployed.',
  ]) {
    expect(said).toContain(line);
  }
  expect(code).toBe(0);
  expect(wranglerCalls()).toEqual([
    'deploy --config dist/preview/server/wrangler.json --var RELEASE:0.1.0 --dry-run',
  ]);
  expect(readFileSync('dist/preview/built-for', 'utf8')).toBe('preview production\n');
  expectNothingLeft('preview');
});

test.each([
  ['production', 'lectern', 'https://lectern.example.com'],
  ['preview', 'lectern-preview', 'https://preview.lectern.example.com'],
])(
  'what a dry run for %s really builds has the bindings and settings of its environment',
  { tags: ['night'] },
  async (environment, name, origin) => {
    makeProject([], parts);
    writeFileSync('.dev.vars', 'APP_SECRET=canary-of-this-machine\n');
    const { said, isOk } = await run('--env', environment, '--dry-run');

    for (const line of [
      `env.DB (${name})`,
      'env.FLOOD_LIMIT (1200 requests/60s)',
      'env.FLOOD_LIMIT_NETWORK (19200 requests/60s)',
      'env.REPORTS (60 requests/60s)',
      `env.ENVIRONMENT ("${environment}")`,
      `env.APP_ORIGIN ("${origin}")`,
      'env.RELEASE',
    ]) {
      expect(said).toContain(line);
    }
    expect(isOk).toBe(true);
    const built = JSON.parse(readFileSync(`dist/${environment}/server/wrangler.json`, 'utf8'));
    expect(built).toMatchObject({ name, targetEnvironment: environment });
    expectNothingLeft(environment);
  },
);

/** Neither local secrets, nor a local build, nor what a bare `wrangler deploy` would use. */
function expectNothingLeft(environment: string): void {
  for (const file of [`dist/${environment}/server/.dev.vars`, 'dist/server', '.wrangler/deploy']) {
    expect(existsSync(file), file).toBe(false);
  }
}

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
  fakeBuild();
}

/** A build that leaves what the real one does, and says what it was for. */
function fakeBuild(): void {
  fakeCommand(
    'waku',
    `mkdir -p $BUILD_FOLDER/server && cd $BUILD_FOLDER && touch server/wrangler.json server/.dev.vars
echo "$CLOUDFLARE_ENV $NODE_ENV" > built-for`,
  );
}
