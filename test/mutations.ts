// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a template is source text.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A defence, taken away, and the tests that have to notice. */
type Mutation = {
  /** Its number, and the rules it stands for; see docs/security.md. */
  defence: string;
  file: string;
  /** Stands in the file exactly once. */
  find: string;
  replace: string;
  project: 'workerd' | 'built';
  /** The file of tests that has to fail. */
  tests: string;
  /** Stands in the name of at least one test that has to fail. */
  named: RegExp;
};

const mutations: Mutation[] = [
  {
    defence: '1 · R84: every page asks who is there',
    file: 'src/features/auth/find-viewer.ts',
    find: `  if (!isToken(token)) {
    return null;
  }
  const now = ctx.now();
  const tokenHash = await hashToken(token);`,
    replace: `  const now = ctx.now();
  const [anybody] = await ctx.db.select().from(sessions).limit(1);
  const tokenHash = isToken(token) ? await hashToken(token) : (anybody?.tokenHash ?? '');`,
    project: 'built',
    tests: 'pages',
    named: /hold nothing of anybody without a session/,
  },
  {
    defence: '2 · R86: a body never reaches a page',
    file: 'src/middleware/pages-are-read.ts',
    find: 'if (!isRead || hasBody) {',
    replace: 'if (!isRead && hasBody && c.req.method === "TRACE") {',
    project: 'built',
    tests: 'pages',
    named: /with a body never reaches a page/,
  },
  {
    defence: '3 · R13, R110: one link, one session',
    file: 'src/features/auth/confirm-link.ts',
    find: `      .select(session.selectFor(links.userId))
      .from(links)
      .innerJoin(users, eq(users.id, links.userId))
      .where(
        and(
          eq(links.tokenHash, tokenHash),
          eq(links.purpose, link.purpose),
          gt(links.expiresAt, now),
          fitsItsUser,
        ),
      ),`,
    replace: `      .select(session.selectFor(users.id))
      .from(users)
      .where(eq(users.id, link.userId)),`,
    project: 'workerd',
    tests: 'confirm-link',
    named: /of 20 parallel confirmations/,
  },
  {
    defence: '4 · R12, R14: opening a link spends nothing',
    file: 'src/features/auth/find-link.ts',
    find: '  return link ?? null;',
    replace: `  await ctx.db.delete(links).where(eq(links.tokenHash, await hashToken(token)));
  return link ?? null;`,
    project: 'built',
    tests: 'pages',
    named: /opened by GET five times and by HEAD once/,
  },
  {
    defence: '5 · R51, R52: every unsafe request, whatever its content type',
    file: 'src/middleware/csrf.ts',
    find: 'if (!isSafe && !isExempt && !(',
    replace:
      "if (!isSafe && !isExempt && /form|text.plain/.test(c.req.header('Content-Type') ?? '') && !(",
    project: 'workerd',
    tests: 'csrf',
    named: /refuses every forgery/,
  },
  {
    defence: '6 · R54: anonymous requests too',
    file: 'src/middleware/csrf.ts',
    find: 'if (!isSafe && !isExempt && !(',
    replace: "if (!isSafe && !isExempt && c.get('sessionToken') !== null && !(",
    project: 'workerd',
    tests: 'csrf',
    named: /anonymous request without cookies from elsewhere/,
  },
  {
    defence: '7 · R28, R29: an attempt belongs to its browser',
    file: 'src/middleware/google-attempts.ts',
    find: `  if (value === undefined) {
    return null;
  }`,
    replace: `  if (value === undefined) {
    return { state, codeVerifier: '', nonce: '' };
  }`,
    project: 'workerd',
    tests: 'google-start',
    named: /code and state of one browser are nothing in another/,
  },
  {
    defence: '8a · R32: email_verified is the boolean true',
    file: 'src/features/auth/google.ts',
    find: 'claims.email_verified !== true',
    replace: '!claims.email_verified',
    project: 'workerd',
    tests: 'google-claims',
    named: /an address whose word is/,
  },
  {
    defence: '8b · R33: what is unproven goes before an account is adopted',
    file: 'src/features/auth/sign-in-with-google.ts',
    find: 'db.delete(sessions).where(inArray(sessions.userId, unproven)),',
    replace: 'db.select().from(sessions).where(inArray(sessions.userId, unproven)),',
    project: 'workerd',
    tests: 'google-accounts',
    named: /an unverified account is given to whom Google vouches for/,
  },
  {
    defence: '9 · R2: addresses are normalised before they are checked',
    file: 'src/lib/email-address.ts',
    find: "typed.normalize('NFKC').trim()",
    replace: 'typed.trim()',
    project: 'workerd',
    tests: 'email-address',
    named: /ann＠example/,
  },
  {
    defence: '10 · R11: names carry no links',
    file: 'src/features/accounts/schema.ts',
    find: "    rule('name_full_stop', (name) => !couldBeLink(name)),\n",
    replace: '',
    project: 'workerd',
    tests: 'api/input',
    named: /a name that could carry a link/,
  },
  {
    defence: '11 · R67: limits are counted in one step',
    file: 'src/features/limits/take-from.ts',
    find: `    const [fullRows, ...rows] = await ctx.db.batch([
      // First: what is counted below may fill a window.
      fullAmong(ctx, windows),
`,
    replace: `    const fullRows = await fullAmong(ctx, windows);
    const [, ...rows] = await ctx.db.batch([
      ctx.db.select().from(counters).limit(0),
`,
    project: 'workerd',
    tests: 'limits/limits',
    named: /parallel/,
  },
  {
    defence: '12 · R111: the selection moves with a deletion',
    file: 'src/features/courses/delete-course.ts',
    find: 'selectedCourseId: sql`(${oldestOther})`',
    replace: 'selectedCourseId: null',
    project: 'workerd',
    tests: 'selection.property',
    named: /exactly one selected/,
  },
  {
    defence: '13 · R98, R99: database errors lose their values',
    file: 'src/lib/log.ts',
    find: 'error instanceof DrizzleQueryError',
    replace: 'error instanceof RangeError',
    project: 'workerd',
    tests: 'api/errors',
    named: /holds the statement and none of its values/,
  },
  {
    defence: '13 · R98, R100: error reports are cleaned',
    file: 'src/lib/error-reports.ts',
    find: 'withoutSecrets({ ...event, ...(request && { request: addressOf(request) }) }, secrets)',
    replace: '({ ...event, ...(request && { request: { url: request.url } }) })',
    project: 'workerd',
    tests: 'lib/error-reports',
    named: /secrets of the worker are kept back/,
  },
  {
    defence: '13 · R104: the tunnel leads to our own project alone',
    file: 'src/features/error-reports/forward-envelope.ts',
    find: 'theirs?.[part] === ours[part]',
    replace: 'theirs?.protocol === ours.protocol && part',
    project: 'workerd',
    tests: 'api/error-reports',
    named: /an envelope for another host is refused/,
  },
  {
    defence: '14 · R105: only hashes are stored',
    file: 'src/features/auth/new-session.ts',
    find: '  const tokenHash = await hashToken(token);',
    replace: '  const tokenHash = token;',
    project: 'workerd',
    tests: 'confirm-link',
    named: /kept as a hash/,
  },
  {
    defence: '15 · R117: a deletion leaves no row',
    file: 'src/features/accounts/delete-account.ts',
    find: '    db.delete(counters).where(inArray(counters.key, keys)),\n',
    replace: '    db.select().from(counters).where(inArray(counters.key, keys)),\n',
    project: 'workerd',
    tests: 'delete-account',
    named: /nothing that names the account is left/,
  },
  {
    defence: '16 · R131: what Resend tells is signed',
    file: 'src/features/undeliverable/read-webhook.ts',
    find: `    return new Resend(settings.resendApiKey).webhooks.verify({
      payload: body,
      headers,
      webhookSecret: settings.resendWebhookSecret,
    });`,
    replace: '    return JSON.parse(body);',
    project: 'workerd',
    tests: 'api/webhooks',
    named: /is refused, and nothing else happens/,
  },
  {
    defence: '17 · R131: the id of a delivery works once',
    file: 'src/features/undeliverable/mark-undeliverable.ts',
    find: '.values({ id: deliveryId, ',
    replace: '.values({ id: crypto.randomUUID(), ',
    project: 'workerd',
    tests: 'api/webhooks',
    named: /what comes a second time/,
  },
  {
    defence: '18 · R128: the last look is at the mark',
    file: 'src/context.ts',
    find: 'guardMailer(log, createMailer(env))',
    replace: '(guardMailer, createMailer(env))',
    project: 'workerd',
    tests: 'undeliverable/undeliverable',
    named: /the last look is at the mark/,
  },
  {
    defence: '19: what signs in or changes something reads no copy that is behind',
    file: 'src/middleware/bookmark.ts',
    find: 'if (asksPrimary || !isRead(c)) {',
    replace: 'if (asksPrimary) {',
    project: 'workerd',
    tests: 'middleware/bookmark',
    named: /asks the primary/,
  },
  {
    defence: '20: a request gives up on D1',
    file: 'src/db/time-limit.ts',
    find: 'const timeLimitMs = 8_000;',
    replace: 'const timeLimitMs = 80_000;',
    project: 'workerd',
    tests: 'faults/d1',
    named: /with D1 hanging/,
  },
  {
    defence: '21: no more of User-Agent is looked at than is kept',
    file: 'src/middleware/request-context.ts',
    find: '.slice(0, userAgentLength)',
    replace: '.slice(0, userAgentLength * 1e9)',
    project: 'built',
    tests: 'built/cost',
    named: /the header 'User-Agent'/,
  },
  {
    defence: '22: addresses and cookies that are too long are not decoded',
    file: 'src/middleware/size-limits.ts',
    find: 'return url.length > maxUrlLength;',
    replace: 'return url.length > maxUrlLength * 1e9;',
    project: 'built',
    tests: 'built/cost',
    named: /the worst in a query after/,
  },
  {
    defence: '23: the flood limit comes before what reads more than it needs',
    file: 'src/middleware/foundation.ts',
    find: `    // Before anything reads more of a request than where it comes from.
    sieve(),
    sizeLimits(),
    canonicalHost(),
    requestContext(),
`,
    replace: `    sizeLimits(),
    canonicalHost(),
    requestContext(),
    sieve(),
`,
    project: 'workerd',
    tests: 'middleware/foundation',
    named: /before the flood limit nothing is read/,
  },
  {
    defence: '24: long texts are not put in order',
    file: 'src/lib/validation-rule.ts',
    find: 'typed.length <= count * 8',
    replace: 'typed.length <= count * 8e9',
    project: 'built',
    tests: 'built/cost',
    named: /16 kB of a sign-up with the worst in first_name/,
  },
  {
    defence: '25: a database that is locked or takes no writes is out of reach',
    file: 'src/db/errors.ts',
    find: "    'SQLITE_(BUSY|LOCKED|READONLY|FULL|IOERR)',\n",
    replace: '',
    project: 'workerd',
    tests: 'faults/d1',
    named: /takes no writes/,
  },
  {
    defence: '26: a proof of the future is none',
    file: 'src/features/auth/require-fresh-proof.ts',
    find: ' || age < -clockToleranceMs',
    replace: '',
    project: 'workerd',
    tests: 'faults/clock',
    named: /jumps a day back ends no session/,
  },
  {
    defence: '27: a link of the future is none',
    file: 'src/features/auth/find-link.ts',
    find: 'moment + clockToleranceMs',
    replace: 'moment + clockToleranceMs * 1e6',
    project: 'workerd',
    tests: 'faults/clock',
    named: /jumps a day back ends no session/,
  },
  {
    defence: '28: an attempt of the future is none',
    file: 'src/middleware/google-attempts.ts',
    find: 'age >= -clockToleranceMs && ',
    replace: '',
    project: 'workerd',
    tests: 'faults/clock',
    named: /a day back takes attempts at Google away/,
  },
  {
    defence: '29: a client that asks for JSON is told of an invalid state',
    file: 'src/api/google.ts',
    find: ' && asksForJson(c)',
    replace: ' && asksForJson(c) && false',
    project: 'workerd',
    tests: 'google-start',
    named: /is told that a state is not valid/,
  },
];

/**
 * Shows for each of the defences that the tests notice when it is gone: in a copy of the project, one at a time. Not a
 * part of CI, which shows the other half: that with the defences the tests pass.
 */
function main(): void {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'lectern-mutations-'));
  try {
    for (const file of execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')) {
      if (file !== '') {
        cpSync(file, path.join(copy, file));
      }
    }
    symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
    const survivors = mutations.filter((mutation) => !isNoticed(copy, mutation));
    console.log(`${mutations.length - survivors.length} of ${mutations.length} were noticed`);
    process.exitCode = survivors.length === 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function isNoticed(copy: string, { defence, file, find, replace, ...where }: Mutation): boolean {
  const target = path.join(copy, file);
  const source = readFileSync(target, 'utf8');
  if (source.split(find).length !== 2) {
    console.log(`?  ${defence}: ${file} does not hold the text to replace exactly once`);
    return false;
  }
  writeFileSync(
    target,
    source.replace(find, () => replace),
  );
  const failed = failedTests(copy, where.project, where.tests);
  writeFileSync(target, source);
  const noticing = failed.filter((name) => where.named.test(name));
  console.log(`${noticing.length > 0 ? '✓' : '✗'}  ${defence}: ${failed.length} failed`);
  for (const name of noticing.slice(0, 3)) {
    console.log(`     ${name}`);
  }
  return noticing.length > 0;
}

/** The names of the tests of one file that fail. */
function failedTests(copy: string, project: string, tests: string): string[] {
  const run = (command: string, args: string[]) =>
    spawnSync(command, args, { cwd: copy, stdio: 'ignore', timeout: 300_000 });
  if (project === 'built' && run('waku', ['build']).status !== 0) {
    throw new Error('The mutated project does not build');
  }
  const report = path.join(copy, 'test-results/vitest.json');
  rmSync(report, { force: true });
  const config = ['--config', 'test/vitest.config.ts', '--project', project];
  run('vitest', ['run', ...config, tests]);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: { fullName: string; status: string }[] }[];
  };
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName);
}

main();
