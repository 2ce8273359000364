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
    file: 'src/middleware/read-only-pages.ts',
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
          isLiveLink(now),
          fitsItsUser(ctx),
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
    find: `    const [uses, ...rows] = await ctx.db.batch([
      // First: what is counted below may fill a window.
      usesOf(ctx, windows),
`,
    replace: `    const uses = await usesOf(ctx, windows);
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
    file: 'src/observability/log.ts',
    find: 'error instanceof DrizzleQueryError',
    replace: 'error instanceof RangeError',
    project: 'workerd',
    tests: 'api/errors',
    named: /holds the statement and none of its values/,
  },
  {
    defence: '13 · R98, R100: error reports are cleaned',
    file: 'src/observability/error-reports.ts',
    find: 'withoutSecrets({ ...event, ...(request && { request: addressOf(request) }) }, secrets)',
    replace: '({ ...event, ...(request && { request: { url: request.url } }) })',
    project: 'workerd',
    tests: 'observability/error-reports',
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
    file: 'src/features/suppression/read-webhook.ts',
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
    file: 'src/features/suppression/suppress-addresses.ts',
    find: '.values({ id: deliveryId, ',
    replace: '.values({ id: crypto.randomUUID(), ',
    project: 'workerd',
    tests: 'api/webhooks',
    named: /what comes a second time/,
  },
  {
    defence: '18 · R128: the last look is at the mark',
    file: 'src/context.ts',
    find: 'withSuppression(basics.observe.log, createMailer(env))',
    replace: '(withSuppression, createMailer(env))',
    project: 'workerd',
    tests: 'suppression/suppression',
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
    defence: '21: typed text is no part of a text that is parsed',
    file: 'src/pages/settings/index.tsx',
    find: 'const courseName = <bdi>{course.name}</bdi>;',
    replace: 'const courseName = course.name;',
    project: 'built',
    tests: 'typed-texts',
    named: /tags are on every page as they were typed/,
  },
  {
    defence: '22: a backslash in a value is a backslash',
    file: 'src/i18n/server.ts',
    find: "value.replaceAll('\\\\', '\\\\u005c')",
    replace: 'value',
    project: 'workerd',
    tests: 'typed-texts',
    named: /escape sequences/,
  },
  {
    defence: '23: no request stays in memory',
    file: 'src/middleware/request-storage.ts',
    find: "      cookies: c.req.header('Cookie') ?? '',\n",
    replace: "      cookies: c.req.header('Cookie') ?? '',\n      ...{ c },\n",
    project: 'built',
    tests: 'built/memory',
    named: /nothing stays in memory/,
  },
  {
    defence: '24: nor one whose client has hung up',
    file: 'src/middleware/common-middleware.ts',
    find: '    surviveDisconnect(),\n',
    replace: '',
    project: 'built',
    tests: 'built/memory',
    named: /nothing stays in memory/,
  },
  {
    defence: '25.1: an address change: ends with other sessions',
    file: 'src/features/auth/end-sessions.ts',
    find: '          endChange(ctx.db, eq(links.userId, ctx.viewer.id)),\n',
    replace: '',
    project: 'workerd',
    tests: 'accounts/address-change',
    named: /when that ends all other sessions/,
  },
  {
    defence: '25.2: an address change: ends with a spent login link',
    file: 'src/features/auth/confirm-link.ts',
    find: 'login: [endChange(db, inArray(links.userId, winner))],',
    replace: 'login: [],',
    project: 'workerd',
    tests: 'undo-address-change',
    named: /when the owner logs in by a new link/,
  },
  {
    defence: '25.3: an address change: ends with a known sign-in by Google',
    file: 'src/features/auth/sign-in-with-google.ts',
    find: '    endChange(db, inArray(links.userId, madeFor(db, session))),\n  ]);',
    replace: '  ]);',
    project: 'workerd',
    tests: 'undo-address-change',
    named: /with Google, not for the first time/,
  },
  {
    defence: '25.4: an address change: ends with a first sign-in by Google',
    file: 'src/features/auth/sign-in-with-google.ts',
    find: '      endChange(db, inArray(links.userId, madeFor(db, session))),\n      remember',
    replace: '      remember',
    project: 'workerd',
    tests: 'undo-address-change',
    named: /when the owner logs in with Google$/,
  },
  {
    defence: '25.5: an address change: works only while its session is live',
    file: 'src/features/auth/links.ts',
    find: '      isAskedByLiveSession(ctx),\n',
    replace: '',
    project: 'workerd',
    tests: 'accounts/address-change',
    named: /has not been there for 30 days/,
  },
  {
    defence: '25.6: an address change: is told to the present address',
    file: 'src/features/auth/links.ts',
    find: '      await sendFirst(asked);\n',
    replace: '',
    project: 'workerd',
    tests: 'accounts/address-change',
    named: /the present address is told at once/,
  },
  {
    defence: '25.7: an address change: opening a link that undoes one spends nothing',
    file: 'src/features/auth/find-undo.ts',
    find: '  return undo ?? null;',
    replace: `  await ctx.db.delete(links).where(eq(links.stopTokenHash, await hashToken(token)));
  return undo ?? null;`,
    project: 'built',
    tests: 'pages',
    named: /a link to stop an address change that was opened/,
  },
  {
    defence: '25.8: an address change: an account that is taken back has no session left',
    file: 'src/features/auth/undo-address-change.ts',
    find: 'db.delete(sessions).where(inArray(sessions.userId, winner)),',
    replace: 'db.select().from(sessions).where(inArray(sessions.userId, winner)),',
    project: 'workerd',
    tests: 'undo-address-change',
    named: /takes the account back and ends all/,
  },
  {
    defence: '25.9: an address change: an account is taken back once',
    file: 'src/features/auth/undo-address-change.ts',
    find: 'gte(addressRestores.createdAt, sql`(${firstLeft})`)',
    replace: 'sql`${addressRestores.createdAt} > (${firstLeft})`',
    project: 'workerd',
    tests: 'undo-address-change',
    named: /works once, also when the account moves on/,
  },
  {
    defence: '25.10: an address change: a former address of its own account is not taken',
    file: 'src/features/auth/undo-address-change.ts',
    find: '  if (isTaken) {',
    replace: '  if (isTaken && kind === "stop") {',
    project: 'workerd',
    tests: 'undo-address-change',
    named: /has an account of its own by now/,
  },
  {
    defence: '25.14: an address change: the present address is told before anyone gets the link',
    file: 'src/features/auth/links.ts',
    find: `    if (sendFirst !== undefined) {
      await sendFirst(asked);
      wasFirstSent = true;
    }
    const message = await compose(user, paths.confirmLink(ctx.config.appOrigin, token), asked);
    await ctx.sendMail(message, \`\${purpose}/\${id}\`, mark);
`,
    replace: `    const message = await compose(user, paths.confirmLink(ctx.config.appOrigin, token), asked);
    await ctx.sendMail(message, \`\${purpose}/\${id}\`, mark);
    if (sendFirst !== undefined) {
      await sendFirst(asked);
      wasFirstSent = true;
    }
`,
    project: 'workerd',
    tests: 'accounts/address-change',
    named: /an unsent mail to the present address/,
  },
  {
    defence: '25.11: an address change: an account is taken back within 7 days',
    file: 'src/features/auth/find-undo.ts',
    find: '    gt(addressRestores.expiresAt, now()),\n',
    replace: '',
    project: 'workerd',
    tests: 'undo-address-change',
    named: /lives for 7 days/,
  },
  {
    defence: '25.12: an address change: who takes an account back is known to it',
    file: 'src/features/auth/undo-address-change.ts',
    find: 'await originsOf(ctx, deviceToken)',
    replace: '[]',
    project: 'workerd',
    tests: 'undo-address-change',
    named: /however many emails strangers ask for/,
  },
  {
    defence: '25.13: ending other sessions forgets where they were',
    file: 'src/features/auth/end-sessions.ts',
    find: '          forgetSignIns(ctx, ctx.viewer.id, await originsOf(ctx, deviceToken)),\n',
    replace: '',
    project: 'workerd',
    tests: 'session-list',
    named: /leaves the account knowing nothing but/,
  },
  {
    defence: '26.1: sign-ups on a taken address cost its owner nothing',
    file: 'src/features/auth/sign-up.ts',
    find: "{ limit: 'sign_ups_per_address', subject: canonical }",
    replace: "{ limit: 'mails_per_address', subject: canonical }",
    project: 'workerd',
    tests: 'limits/limits',
    named: /sign-ups on a taken address cost/,
  },
  {
    defence: '26.2: a part of the emails is reserved for whom the account knows',
    file: 'src/features/auth/request-login-link.ts',
    find: "known === undefined ? 'mails_per_address' : 'mails_per_address_reserved'",
    replace: "'mails_per_address'",
    project: 'workerd',
    tests: 'known-sign-ins',
    named: /where strangers use up the mails/,
  },
  {
    defence: '26.3: windows slide',
    file: 'src/features/limits/take-from.ts',
    find: 'start: now - seconds * 1000,',
    replace: 'start: now - (now % (seconds * 1000)) - 1,',
    project: 'workerd',
    tests: 'limits/windows',
    named: /midnight is no cliff/,
  },
  {
    defence: '27.1: what was not mailed is given back',
    file: 'src/features/auth/links.ts',
    find: '      refund(ctx, [...drawnBefore, ...drawn].filter(isRefunded)),\n',
    replace: '',
    project: 'workerd',
    tests: 'faults/resend',
    named: /that nobody got is given back/,
  },
  {
    defence: '27.2: and not to the place where Resend refuses the mail itself',
    file: 'src/features/auth/links.ts',
    find: '      !(isRefusedMail(error) && isPerNetwork(limit)) &&\n',
    replace: '',
    project: 'workerd',
    tests: 'faults/resend',
    named: /that Resend does not take/,
  },
  {
    defence: '28.1: a network counts beside its places',
    file: 'src/features/limits/take-from.ts',
    find: 'request.widerNetwork === null',
    replace: 'request.clientNetwork !== null',
    project: 'workerd',
    tests: 'limits/limits',
    named: /is counted for the \/48/,
  },
  {
    defence: '28.2: the floodLimit asks for the network too',
    file: 'src/middleware/flood-limit.ts',
    find: " && (await isLetThrough(c, 'floodLimitNetwork'))",
    replace: '',
    project: 'workerd',
    tests: 'limits/limits',
    named: /the floodLimit counts the networks/,
  },
  {
    defence: '28.3: misses have a rate for all places together',
    file: 'src/features/auth/request-login-link.ts',
    find: '[miss, missHere, missAnywhere]',
    replace: '[miss, missHere]',
    project: 'workerd',
    tests: 'limits/limits',
    named: /when all places together/,
  },
  {
    defence: '28.4: the clean-up goes on until it is done',
    file: 'src/features/clean-up/remove-expired.ts',
    find: 'if (count >= chunkRows) {',
    replace: 'if (count >= chunkRows && removed[task.name] < 12 * chunkRows) {',
    project: 'workerd',
    tests: 'clean-up/remove-expired',
    named: /until nothing is left/,
  },
  {
    defence: '29.1: no more of User-Agent is looked at than is kept',
    file: 'src/middleware/request-context.ts',
    find: '.slice(0, userAgentLength)',
    replace: '.slice(0, userAgentLength * 1e9)',
    project: 'built',
    tests: 'built/cost',
    named: /the header 'User-Agent'/,
  },
  {
    defence: '29.2: addresses and cookies that are too long are not decoded',
    file: 'src/middleware/size-limits.ts',
    find: 'return url.length > maxUrlLength;',
    replace: 'return url.length > maxUrlLength * 1e9;',
    project: 'built',
    tests: 'built/cost',
    named: /the worst in a query after/,
  },
  {
    defence: '29.3: the flood limit comes before what reads more than it needs',
    file: 'src/middleware/common-middleware.ts',
    find: `    // Before anything reads more of a request than where it comes from.
    floodLimit(),
    sizeLimits(),
    canonicalHost(),
    requestContext(),
`,
    replace: `    sizeLimits(),
    canonicalHost(),
    requestContext(),
    floodLimit(),
`,
    project: 'workerd',
    tests: 'middleware/common-middleware',
    named: /before the flood limit nothing is read/,
  },
  {
    defence: '29.4: long texts are not put in order',
    file: 'src/lib/validation-rule.ts',
    find: 'typed.length <= count * 8',
    replace: 'typed.length <= count * 8e9',
    project: 'built',
    tests: 'built/cost',
    named: /16 kB of a sign-up with the worst in first_name/,
  },
  {
    defence: '30.1: a database that is locked or takes no writes is out of reach',
    file: 'src/db/errors.ts',
    find: "    'SQLITE_(BUSY|LOCKED|READONLY|FULL|IOERR)',\n",
    replace: '',
    project: 'workerd',
    tests: 'faults/d1',
    named: /takes no writes/,
  },
  {
    defence: '30.2: a proof of the future is none',
    file: 'src/features/auth/require-recent-login.ts',
    find: ' || age < -clockToleranceMs',
    replace: '',
    project: 'workerd',
    tests: 'faults/clock',
    named: /jumps a day back ends no session/,
  },
  {
    defence: '30.3: a link of the future is none',
    file: 'src/features/auth/links.ts',
    find: 'now.getTime() + clockToleranceMs',
    replace: 'now.getTime() + clockToleranceMs * 1e6',
    project: 'workerd',
    tests: 'faults/clock',
    named: /jumps a day back ends no session/,
  },
  {
    defence: '30.4: an attempt of the future is none',
    file: 'src/middleware/google-attempts.ts',
    find: 'age >= -clockToleranceMs && ',
    replace: '',
    project: 'workerd',
    tests: 'faults/clock',
    named: /a day back takes attempts at Google away/,
  },
  {
    defence: '31: a client that asks for JSON is told of an invalid state',
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
