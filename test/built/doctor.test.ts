import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../scripts/local/command.ts';
import { secretNames } from '../../src/settings.ts';
import { callsOf, fakeWrangler, makeProject, ownPort, ownValues, runScript } from './operator.ts';

const databaseId = '5eb5b4d1-7d1c-4c0b-9d3e-0a4d5a1f0c55';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-doctor-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('a fresh clone passes, and what the first start will create is listed', async () => {
  makeProject(folder);
  const { said, code } = await doctor();

  expect(said).toMatch(/ok +Node \d+/);
  expect(said).toMatch(/ok +\d+ packages, at their versions/);
  expect(said).toMatch(/ok +The ports of `npm start` are free/);
  expect(said).toMatch(/ok +The local settings in wrangler\.toml and \.dev\.vars/);
  expect(said).toContain(`The next \`npm start\` adds ${secretNames.join(', ')} to .dev.vars.`);
  expect(said).toMatch(/\n0 missing, 0 not checked\.\n$/);
  expect(code).toBe(0);
});

test('a malformed local secret is named but not shown', async () => {
  makeProject(folder);
  writeFileSync(path.join(folder, '.dev.vars'), 'APP_SECRET=canary\nRESEND_API_KEY=re_canary\n');
  const { said, code } = await doctor();

  expect(said).toContain('missing      The setting APP_SECRET must have at least 32 characters.');
  expect(said).toContain('A line of .dev.vars that is wrong can be removed');
  expect(said).toContain('adds GOOGLE_CLIENT_SECRET, RESEND_WEBHOOK_SECRET to .dev.vars.');
  expect(said).not.toContain('canary');
  expect(code).toBe(1);
});

test('a mistake in the local part of wrangler.toml is named', async () => {
  makeProject(folder, [
    ['name = "FLOOD_LIMIT"', 'name = "SEIVE"'],
    ['ENVIRONMENT = "local"', 'ENVIROMENT = "local"'],
  ]);
  const { said, code } = await doctor();

  expect(said).toContain('missing      The binding FLOOD_LIMIT is missing');
  expect(said).toContain(
    'ENVIROMENT in [vars] of wrangler.toml is not known. Is ENVIRONMENT meant?',
  );
  expect(code).toBe(1);
});

test('a port in use is named', async () => {
  makeProject(folder);
  const squatter = createServer().listen(4171, '127.0.0.1');
  await once(squatter, 'listening');
  const { said, code } = await doctor();
  squatter.close();

  expect(said).toContain(
    'Port 4171 is taken. End what listens there, or set RESEND_PORT to another port.',
  );
  expect(code).toBe(1);
});

test('mistyped limits are named', async () => {
  makeProject(folder);
  const { said, code } = await doctor([], { LIMITS: '{"mials":[]}' });

  expect(said).toContain('LIMITS does not know mials; the limits are mails_per_address');
  expect(code).toBe(1);
});

test('a missing package is named', async () => {
  makeProject(folder, []);
  const manifest = { engines: { node: '>=20' }, dependencies: { 'no-such-package': '1.0.0' } };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  const { said, code } = await doctor();

  expect(said).toContain('Missing or of another version: no-such-package. Run `npm ci`.');
  expect(code).toBe(1);
});

test.each([
  [['--env', 'prod'], 'wrangler.toml has no environment "prod". It has: production, preview.\n'],
  [['--enw', 'production'], "Unknown option '--enw'. This script knows --env, --dns.\n"],
  [['production'], "Unexpected argument 'production'. This script knows --env, --dns.\n"],
])('a mistyped argument is named: %s', async (args, sentence) => {
  makeProject(folder);
  const { said, code } = await doctor(args);

  expect(said).toBe(sentence);
  expect(code).toBe(1);
});

test.each([
  [/^wrangler\.toml cannot be read: line \d+: .+\n$/, '[env.production]\n', '[env.production\n'],
  [
    /^wrangler\.toml cannot be read: RESEND_API_KEY assigned to Environment Variable and Secret/,
    'ENVIRONMENT = "production"',
    'ENVIRONMENT = "production"\nRESEND_API_KEY = "re_canary"',
  ],
  [
    /Expected "preview_urls" to be of type boolean but got "no"\.\n$/,
    'name = "lectern-preview"',
    'name = "lectern-preview"\npreview_urls = "no"',
  ],
])('a file that wrangler rejects is reported in one sentence: %s', async (sentence, from, to) => {
  makeProject(folder, [[from, to]]);
  const { said, code } = await doctor(['--env', to.includes('preview') ? 'preview' : 'production']);

  expect(said).toMatch(sentence);
  expect(said).not.toContain('canary');
  expect(code).toBe(1);
});

test.each(['production', 'preview'])(
  'the examples of %s do not pass as a setup',
  async (environment) => {
    makeProject(folder);
    const { said, code } = await doctor(['--env', environment]);

    expect(said).toContain(`Write your own into [env.${environment}.vars] of wrangler.toml.`);
    expect(said).toContain('The database has no id yet.');
    expect(said).toMatch(/\n5 missing, 1 not checked\.\n$/);
    expect(code).toBe(1);
  },
);

type Problem = [sentence: string, from: string, to: string];

const isProduction = 'ENVIRONMENT = "production"';

/** Problems that one file can have at the same time: a run for each would take a minute. */
const problems: Problem[][] = [
  [
    ['The setting APP_ORIGIN is missing.', `APP_ORIGIN = "https://localhost:${ownPort}"\n`, ''],
    ['Is MAIL_FROM meant?', 'MAIL_FROM = "Lectern <', 'MAIL_FORM = "Lectern <'],
    ['The setting ENVIRONMENT must be local, preview or production.', isProduction, ''],
    ['No job has the cron "1 2 3 * *"', '"17 * * * *", ', '"17 * * * *", "1 2 3 * *", '],
  ],
  [
    [
      'The setting APP_ORIGIN must begin with https://.',
      `"https://localhost:${ownPort}"`,
      `"http://localhost:${ownPort}"`,
    ],
    ['The setting MAIL_FROM must look like Name <add', 'MAIL_FROM = "Lectern <', 'MAIL_FROM = "<'],
    ['The setting ENVIRONMENT must be "production".', isProduction, 'ENVIRONMENT = "preview"'],
    ['invocation_logs must be false', 'invocation_logs = false', 'invocation_logs = true'],
    ['The binding REPORTS is missing', 'name = "REPORTS"', 'name = "REPROTS"'],
    ['must require RESEND_WEBHOOK_SECRET', ', "RESEND_WEBHOOK_SECRET"', ''],
    ['The cron "17 * * * *" is missing', '"17 * * * *", ', ''],
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

test.each(problems)(
  'each of several problems is reported in one sentence: %#',
  async (...several) => {
    makeProject(folder, [
      ...ownValues,
      ...several.map(([, from, to]): [string, string] => [from, to]),
    ]);
    fakeWrangler(folder, { secrets: [...secretNames] });
    const { said, code } = await doctor(['--env', 'production', '--dns', '127.0.0.1:8874']);

    const missing = said.split('\n').filter((line) => /^ {2}missing +/.test(line));
    for (const [sentence] of several) {
      expect(missing).toContainEqual(expect.stringContaining(sentence));
    }
    expect(said).not.toContain('canary');
    expect(code).toBe(1);
  },
);

test('without a network and an account everything else is checked, and skipped checks are listed', async () => {
  makeProject(folder, ownValues);
  const { said, code } = await doctor(['--env', 'production', '--dns', '127.0.0.1:8874']);

  expect(said).toMatch(/ok +wrangler\.toml: settings, bindings and routes/);
  expect(said).toMatch(/not checked +The DNS of mail\.orchard\.test \(SPF, DKIM, DMARC\)/);
  expect(said).toMatch(/not checked +Secrets, database and migrations: wrangler is not logged in/);
  expect(said).toMatch(new RegExp(`not checked +Whether https://localhost:${ownPort} works`));
  expect(said).toMatch(/\n0 missing, 3 not checked\.\n$/);
  expect(code).toBe(0);
});

test('a complete setup passes, from the DNS to the database', async () => {
  makeProject(folder, ownValues);
  fakeWrangler(folder, { secrets: [...secretNames] });
  const names = await serveDns({
    'send.mail.orchard.test': 'v=spf1 include:amazonses.com ~all',
    'resend._domainkey.mail.orchard.test': `p=${'A'.repeat(200)}`,
    '_dmarc.orchard.test': 'v=DMARC1; p=none; sp=reject',
  });
  const { said, code } = await doctor(['--env', 'production', '--dns', '127.0.0.1:8874']);
  names.close();

  expect(said).toMatch(/ok +SPF of mail\.orchard\.test\n/);
  expect(said).toMatch(/ok +DKIM of mail\.orchard\.test\n/);
  expect(said).toMatch(/ok +DMARC of mail\.orchard\.test: reject\n/);
  expect(said).toMatch(/ok +The secrets of lectern\n/);
  expect(said).toMatch(/ok +The database lectern\n/);
  expect(said).toMatch(/advice +The database lectern is read in one place of the world only/);
  expect(said).toMatch(/advice +The next deployment applies 0001_add-google-limits-and-keys\.sql/);
  expect(code).toBe(0);
  expect(callsOf(folder)).toEqual([
    'whoami --json',
    'secret list --config wrangler.toml --env production',
    'd1 info lectern --json --config wrangler.toml --env production',
    'd1 migrations list DB --remote --config wrangler.toml --env production',
  ]);
});

test('a domain that anyone can send from, missing secrets and a missing database are reported', async () => {
  makeProject(folder, ownValues);
  fakeWrangler(folder, { secrets: ['APP_SECRET'] });
  const names = await serveDns({ '_dmarc.mail.orchard.test': 'v=DMARC1; p=none' });
  const { said, code } = await doctor(['--env', 'production', '--dns', '127.0.0.1:8874'], {
    FAIL_AT: 'd1 info',
    FAIL_WITH: `The database ${databaseId} could not be found [code: 7404]`,
  });
  names.close();

  expect(said).toMatch(/missing +SPF of mail\.orchard\.test: send\.mail\.orchard\.test has no TXT/);
  expect(said).toMatch(/missing +DKIM of mail\.orchard\.test: resend\._domainkey\.mail/);
  expect(said).toMatch(/missing +DMARC of mail\.orchard\.test: the policy is none/);
  expect(said).toMatch(/missing +The secret RESEND_API_KEY is not set\. Set it with `npx wrangler/);
  expect(said).toMatch(
    /missing +This account has no database with the id that wrangler\.toml has for lectern/,
  );
  expect(said).toMatch(/\n7 missing, 1 not checked\.\n$/);
  expect(code).toBe(1);
});

test('a worker that does not exist yet is reported without its secrets', async () => {
  makeProject(folder, ownValues);
  fakeWrangler(folder, { secrets: [] });
  const { said } = await doctor(['--env', 'production', '--dns', '127.0.0.1:8874'], {
    FAIL_AT: 'secret list',
    FAIL_WITH: 'Worker "lectern" (env: production) not found.',
  });

  expect(said).toContain('The secret APP_SECRET is not set.');
  expect(said).toContain('make it with `openssl rand -hex 32`');
});

test('a command that does not end is stopped', async () => {
  const { isDone, reason } = await runCommand('sleep', ['60'], { seconds: 0.2 });

  expect(isDone).toBe(false);
  expect(reason).toBe('there was no answer within 0.2 seconds');
});

function doctor(args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  return runScript(folder, 'doctor.ts', args, env);
}

/** A name server with these TXT records, and a `com` zone. */
async function serveDns(texts: Record<string, string>) {
  const server = createSocket('udp4');
  server.on('message', (question, { address, port }) => {
    const labels: string[] = [];
    let at = 12;
    for (let size = Number(question[at]); size > 0; size = Number(question[at])) {
      labels.push(question.toString('ascii', at + 1, at + 1 + size));
      at += 1 + size;
    }
    const name = labels.join('.');
    const text = texts[name];
    const parts = text?.match(/.{1,255}/g) ?? [];
    const data =
      name === 'com'
        ? Buffer.from('\u0001a\0', 'latin1')
        : Buffer.concat(
            parts.map((part) =>
              Buffer.from(`${String.fromCharCode(part.length)}${part}`, 'latin1'),
            ),
          );
    const isKnown = data.length > 0;
    const header = Buffer.alloc(12);
    question.copy(header, 0, 0, 2);
    // An answer, with one record or NXDOMAIN.
    header.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(isKnown ? 1 : 0, 6);
    const record = Buffer.alloc(12);
    // The question's name, its type, class IN, a TTL of one minute.
    record.writeUInt16BE(0xc00c, 0);
    question.copy(record, 2, at + 1, at + 3);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(60, 6);
    record.writeUInt16BE(data.length, 10);
    const answer = isKnown ? [record, data] : [];
    server.send(Buffer.concat([header, question.subarray(12, at + 5), ...answer]), port, address);
  });
  server.bind(8874, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
