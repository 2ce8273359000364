import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { createEmulator } from 'emulate';
import { expect, test, vi } from 'vitest';
import { readArguments } from '../../scripts/deployment/arguments.ts';
import { diagnose } from '../../scripts/deployment/doctor.ts';
import { stripeStandIn } from '../../scripts/local/stripe/stand-in.ts';
import type { State } from '../../scripts/local/stripe/state.ts';
import { optionalSecretNames, secretNames } from '../../src/settings.ts';
import { startWithRetry } from './free-port.ts';
import {
  callCommand,
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

const doctor = (...args: string[]) =>
  callCommand(() => diagnose(readArguments(['env', 'dns', 'stripe'], args)));

/** A name server that does not exist, as without a network. */
const nowhere = ['--dns', '127.0.0.1:48874'];

const databaseId = '5eb5b4d1-7d1c-4c0b-9d3e-0a4d5a1f0c55';

test('a fresh clone passes, and what the first start will create is listed', async () => {
  makeProject();
  const { said, isOk } = await doctor();

  expectLines(said, [
    /ok +Node \d+/,
    /ok +\d+ packages, at their versions/,
    /ok +The ports of `npm start` are free/,
    /ok +The local settings in wrangler\.toml and \.dev\.vars/,
    /\n0 missing, 0 not checked\.\n$/,
  ]);
  expect(said).toContain(
    `The next \`npm start\` adds ${[...secretNames, ...optionalSecretNames].join(', ')} to .dev.vars.`,
  );
  expect(isOk).toBe(true);
});

test('each problem of this machine is named, and no secret is shown', async () => {
  makeProject([
    ['name = "FLOOD_LIMIT"', 'name = "SEIVE"'],
    ['ENVIRONMENT = "local"', 'ENVIROMENT = "local"'],
  ]);
  const manifest = { engines: { node: '>=99' }, dependencies: { 'no-such-package': '1.0.0' } };
  writeFileSync('package.json', JSON.stringify(manifest));
  writeFileSync('.dev.vars', 'APP_SECRET=canary\nRESEND_API_KEY=re_canary\n');
  const squatter = await squat();
  const { said, warned, isOk } = await doctor();
  squatter.close();

  for (const sentence of [
    'missing      The setting APP_SECRET must have at least 32 characters.',
    'A line of .dev.vars that is wrong can be removed',
    'adds GOOGLE_CLIENT_SECRET, RESEND_WEBHOOK_SECRET, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET to .dev.vars.',
    'missing      The binding FLOOD_LIMIT is missing',
    'Nothing reads ENVIROMENT, which stands in [vars] of wrangler.toml.',
    `Port ${process.env['RESEND_PORT']} is taken. End what listens there, or set RESEND_PORT to`,
    'Missing or of another version: no-such-package. Run `npm ci`.',
    `Node >=99 is needed, this is ${process.versions.node}.`,
  ]) {
    expect(said).toContain(sentence);
  }
  expect(said + warned).not.toContain('canary');
  expect(isOk).toBe(false);
});

test('a mistyped argument, and a file that wrangler rejects, are one sentence each', async () => {
  makeProject([
    ['ENVIRONMENT = "production"', 'ENVIRONMENT = "production"\nRESEND_API_KEY = "re_canary"'],
  ]);

  expect((await doctor('--env', 'prod')).said).toBe(
    'wrangler.toml has no environment "prod". It has: production, preview.\n',
  );
  expect(await doctor('--enw', 'production')).toMatchObject({
    said: "Unknown option '--enw'. This script takes --env, --dns, --stripe.\n",
    isOk: false,
  });
  const { said, warned, isOk } = await doctor('--env', 'production');
  expect(said).toMatch(
    /^wrangler\.toml cannot be read: RESEND_API_KEY assigned to Environment Variable and Secret/,
  );
  expect(said + warned).not.toContain('canary');
  expect(isOk).toBe(false);
});

test('the examples do not pass as a setup', async () => {
  makeProject();
  const { said, isOk } = await doctor('--env', 'production');

  expect(said).toContain('Write your own into [env.production.vars] of wrangler.toml.');
  expect(said).toContain('The database has no id yet.');
  expect(said).toMatch(/\n5 missing, 1 not checked\.\n$/);
  expect(isOk).toBe(false);
});

type Problem = [sentence: string, from: string, to: string];

const isProduction = 'ENVIRONMENT = "production"';

/** Problems that one file can have at the same time. */
const problems: Problem[][] = [
  [
    ['The setting APP_ORIGIN is missing.', `APP_ORIGIN = "${ownOrigin}"\n`, ''],
    ['The setting MAIL_FROM is missing.', 'MAIL_FROM = "Lectern <', 'MAIL_FORM = "Lectern <'],
  ],
  [
    ['invocation_logs must be false', 'invocation_logs = false', 'invocation_logs = true'],
    ['The binding REPORTS is missing', 'name = "REPORTS"', 'name = "REPROTS"'],
    ['must require RESEND_WEBHOOK_SECRET', ', "RESEND_WEBHOOK_SECRET"', ''],
    ['The cron "17 * * * *" is missing', '"17 * * * *", ', ''],
    [
      'STRIPE_SECRET_KEY is a secret and must not be in [env.production.vars] of wrangler.toml.',
      isProduction,
      `${isProduction}\nSTRIPE_SECRET_KEY = "sk_live_canary"`,
    ],
  ],
  [
    [
      'The setting LIMITS does not know mials; the limits are',
      isProduction,
      `${isProduction}\nLIMITS = { mials = [] }`,
    ],
    ['No route leads to localhost, the host of APP_ORIGIN.', '"localhost"', '"127.0.0.1"'],
    ['workers_dev must be false', 'name = "lectern"\n', 'name = "lectern"\nworkers_dev = true\n'],
    [
      'production and preview have one database.',
      '"lectern-preview"\ndatabase_id = "00000000-0000-0000-0000-000000000000"',
      `"lectern-preview"\ndatabase_id = "${databaseId}"`,
    ],
  ],
];

test.each(problems)('each problem of a deployment is one sentence: %#', async (...several) => {
  makeProject([...ownValues, ...several.map(([, from, to]): [string, string] => [from, to])]);
  fakeWrangler();
  const { said, isOk } = await doctor('--env', 'production', ...nowhere);

  const missing = said.split('\n').filter((line) => /^ {2}missing +/.test(line));
  for (const [sentence] of several) {
    expect(missing).toContainEqual(expect.stringContaining(sentence));
  }
  expect(isOk).toBe(false);
});

test('the command itself, without a network and an account, checks everything else', async () => {
  makeProject([...ownValues, ['invocation_logs = false', 'invocation_logs = true']]);
  const { said, code } = await runScript('doctor.ts', ['--env', 'production', ...nowhere]);

  expectLines(said, [
    /missing +invocation_logs must be false/,
    /not checked +The DNS of mail\.orchard\.test \(SPF, DKIM, DMARC\)/,
    /not checked +Secrets, database, migrations and bucket: wrangler is not logged in/,
    /not checked +Whether https:\/\/localhost:48873 works/,
    /\n1 missing, 3 not checked\.\n$/,
  ]);
  expect(code).toBe(1);
});

test('a complete setup passes, from the DNS to the deployment', async () => {
  makeProject(ownValues);
  fakeWrangler();
  serveHealth({ release: '0.1.0' });
  serveTexts({
    'send.mail.orchard.test': 'v=spf1 include:amazonses.com ~all',
    'resend._domainkey.mail.orchard.test': `p=${'A'.repeat(200)}`,
    '_dmarc.orchard.test': 'v=DMARC1; p=none; sp=reject',
  });
  const { said, isOk } = await doctor('--env', 'production');

  expectLines(said, [
    /ok +wrangler\.toml: settings, bindings and routes/,
    /ok +SPF of mail\.orchard\.test\n/,
    /ok +DKIM of mail\.orchard\.test\n/,
    /ok +DMARC of mail\.orchard\.test: reject\n/,
    /ok +The secrets of lectern\n/,
    /ok +The database lectern\n/,
    /ok +The bucket lectern-files\n/,
    /advice +The database lectern is read in one place of the world only/,
    /advice +The next deployment applies 0001_add-google-limits-and-keys\.sql/,
    /ok +https:\/\/localhost:48873 answers, with release 0\.1\.0/,
    /\n0 missing, 0 not checked\.\n$/,
  ]);
  expect(isOk).toBe(true);
  expect(wranglerCalls()).toEqual([
    'whoami --json',
    'secret list --config wrangler.toml --env production',
    'd1 info lectern --json --config wrangler.toml --env production',
    'd1 migrations list DB --remote --config wrangler.toml --env production',
    'r2 bucket info lectern-files --config wrangler.toml --env production',
  ]);
});

test('a domain that anyone can send from, missing secrets, a missing database and a failing deployment are reported', async () => {
  makeProject(ownValues);
  const failWith = `The database ${databaseId} could not be found [code: 7404]`;
  fakeWrangler({ secrets: ['APP_SECRET', 'STRIPE_SECRET_KEY'], failAt: 'd1 info', failWith });
  serveHealth({ status: 503 });
  serveTexts({ '_dmarc.mail.orchard.test': 'v=DMARC1; p=none' });
  const { said, isOk } = await doctor('--env', 'production');

  expectLines(said, [
    /missing +SPF of mail\.orchard\.test: send\.mail\.orchard\.test has no TXT/,
    /missing +DKIM of mail\.orchard\.test: resend\._domainkey\.mail/,
    /missing +DMARC of mail\.orchard\.test: the policy is none/,
    /missing +The secret RESEND_API_KEY is not set\. Set it with `npx wrangler/,
    /missing +The secret STRIPE_WEBHOOK_SECRET is not set\. Set it with/,
    /missing +This account has no database with the id that wrangler\.toml has for lectern/,
    /missing +\S+\/api\/health\/ does not answer as it should: the status is 503/,
    /\n9 missing, 0 not checked\.\n$/,
  ]);
  expect(isOk).toBe(false);
});

test('a bucket that does not exist is reported, and one that is not wanted is only mentioned', async () => {
  makeProject(ownValues);
  fakeWrangler({
    failAt: 'r2 bucket',
    failWith: 'The specified bucket does not exist. [code: 10006]',
  });
  serveHealth({ release: '0.1.0' });
  expect((await doctor('--env', 'production', ...nowhere)).said).toMatch(
    /missing +This account has no bucket lectern-files/,
  );

  const bucket = '[[env.production.r2_buckets]]\nbinding = "FILES"\nbucket_name = "lectern-files"';
  writeFileSync('wrangler.toml', readFileSync('wrangler.toml', 'utf8').replace(bucket, ''));
  expect((await doctor('--env', 'production', ...nowhere)).said).toMatch(
    /advice +Lessons can't have files/,
  );
});

test('in Stripe’s test mode a session is made and ended, and what the key may not do is named', async () => {
  const service = stripeStandIn({ appOrigin: ownOrigin, webhookSecret: 'whsec_unused' });
  const stripe = await startWithRetry(() => createEmulator({ service, port: 0 }));
  makeProject([[isProduction, `${isProduction}\nSTRIPE_BASE_URL = "${stripe.url}"`]]);
  const ask = () => doctor('--stripe', '--env', 'production');
  const state = async () => (await fetch(`${stripe.url}/_control/`)).json() as Promise<State>;

  expect((await ask()).said).toMatch(/missing +The shell has no STRIPE_SECRET_KEY/);
  vi.stubEnv('STRIPE_SECRET_KEY', 'rk_live_canary');
  const live = await ask();
  expect(live.said).toMatch(/missing +STRIPE_SECRET_KEY is a live key, and nothing was done with/);
  expect(live.said).not.toContain('canary');
  expect((await state()).calls).toEqual([]);

  vi.stubEnv('STRIPE_SECRET_KEY', 'rk_test_canary');
  const elsewhere = await ask();
  expect(elsewhere.said).toMatch(/ok +Lectern can make a Checkout Session of €1\.00/);
  expect(elsewhere.said).toMatch(
    /missing +Lectern can’t send people to https:\/\/checkout\.stripe/,
  );
  expect(elsewhere.said).toMatch(/ok +Lectern can read connected accounts/);
  expect(elsewhere.said).toMatch(/\n1 missing, 0 not checked\.\n$/);
  expect(elsewhere.isOk).toBe(false);
  expect(Object.values((await state()).rows)).toMatchObject([{ status: 'expired' }]);

  const body = JSON.stringify({ status: 403, path: '/v1/disputes' });
  const headers = { 'Content-Type': 'application/json' };
  await fetch(`${stripe.url}/_control/failures`, { method: 'POST', headers, body });
  const { said } = await ask();
  expect(said).toMatch(/missing +Lectern can’t read disputes: the key lacks the permission rak_/);
  await stripe.close();
  expect((await ask()).said).toMatch(/not checked +Whether Lectern can make .*can’t be reached/);
});

/** Each of these lines is there. */
function expectLines(said: string, lines: RegExp[]): void {
  for (const line of lines) {
    expect(said).toMatch(line);
  }
}

/** Takes a port that `npm start` needs. */
async function squat(): Promise<Server> {
  const squatter = createServer().listen(Number(process.env['RESEND_PORT']), '127.0.0.1');
  await once(squatter, 'listening');
  return squatter;
}

/** Answers DNS queries with these TXT records. */
function serveTexts(texts: Record<string, string>): void {
  vi.spyOn(Resolver.prototype, 'resolveNs').mockResolvedValue(['a.gtld-servers.net']);
  vi.spyOn(Resolver.prototype, 'resolveTxt').mockImplementation(async (name) => {
    const text = texts[name];
    if (text === undefined) {
      throw Object.assign(new Error('queryTxt ENOTFOUND'), { code: 'ENOTFOUND' });
    }
    return [text.match(/.{1,255}/g) ?? []];
  });
}
