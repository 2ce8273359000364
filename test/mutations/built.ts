import type { Mutation } from './all.ts';

export const built: Mutation[] = [
  {
    defense: '1 · R84: every page asks who is there',
    file: 'src/features/auth/find-actor.ts',
    find: `  if (!isToken(token)) {
    return { kind: 'nobody' };
  }
  const now = ctx.now();
  const tokenHash = await hashToken(token);`,
    replace: `  const now = ctx.now();
  const { all: [anybody] } = await ask(ctx, { all: db.select().from(sessions).limit(1) });
  const tokenHash = isToken(token) ? await hashToken(token) : (anybody?.tokenHash ?? '');`,
    project: 'built',
    tests: 'built/pages',
    named: /and its payload contain no user data without a session/,
  },
  {
    defense: '2 · R86: a body never reaches a page',
    file: 'src/middleware/read-only-pages.ts',
    find: 'if (!isRead || hasBody) {',
    replace: 'if (!isRead && hasBody && c.req.method === "TRACE") {',
    project: 'built',
    tests: 'built/answers',
    named: /with a body never reaches a page/,
  },
  {
    defense: '4 · R12, R14: opening a link spends nothing',
    file: 'src/features/auth/find-link.ts',
    find: '      { rows: rowsOf({ tokenHash, now: ctx.now() }) },',
    replace: `      {
        rows: rowsOf({ tokenHash, now: ctx.now() }),
        spent: db.delete(links).where(eq(links.tokenHash, tokenHash)),
      },`,
    project: 'built',
    tests: 'built/link-pages',
    named: /opened by GET five times and by HEAD once/,
  },
  {
    defense: '21: typed text is no part of a text that is parsed',
    file: 'src/features/settings/delete-dialog.tsx',
    find: 'const typed = <strong dir="auto">{text}</strong>;',
    replace: 'const typed = text;',
    project: 'built',
    tests: 'built/typed-texts',
    named: /tags appear on every page as typed/,
  },
  {
    defense: '23: no request stays in memory',
    file: 'src/middleware/request-storage.ts',
    find: '      isForParticipants,\n      cookies:',
    replace: '      isForParticipants,\n      ...{ c },\n      cookies:',
    project: 'built',
    tests: 'built/memory',
    named: /mixed requests leave nothing in memory/,
  },
  {
    defense: '24: a request completes after its client has hung up',
    file: 'src/middleware/common-middleware.ts',
    find: '    surviveDisconnect(),\n',
    replace: '',
    project: 'built',
    tests: 'built/hang-up',
    named: /a login completes even if the browser disconnects in the middle/,
  },
  {
    defense: '25.7: an address change: opening a link that undoes one spends nothing',
    file: 'src/features/auth/find-link.ts',
    find: '      { rows: rowsOf({ tokenHash, now: ctx.now() }) },',
    replace: `      {
        rows: rowsOf({ tokenHash, now: ctx.now() }),
        spent: db.delete(links).where(eq(links.stopTokenHash, tokenHash)),
      },`,
    project: 'built',
    tests: 'built/link-pages',
    named: /a link to stop an address change that was opened/,
  },
  {
    defense: '29.1: no more of User-Agent is looked at than is kept',
    file: 'src/middleware/request-context.ts',
    find: '.slice(0, userAgentLength)',
    replace: '.slice(0, userAgentLength * 1e9)',
    project: 'built',
    tests: 'built/cost',
    named: /the header 'User-Agent'/,
  },
  {
    defense: '29.2: addresses and cookies that are too long are not decoded',
    file: 'src/middleware/size-limits.ts',
    find: 'return url.length > maxUrlLength;',
    replace: 'return url.length > maxUrlLength * 1e9;',
    project: 'built',
    tests: 'built/cost',
    named: /costs no more than x, at the limit and far beyond it/,
  },
  {
    defense: '29.4: long texts are not put in order',
    file: 'src/lib/validation-rule.ts',
    find: 'typed.length <= count * 8',
    replace: 'typed.length <= count * 8e9',
    project: 'built',
    tests: 'built/cost',
    named: /32 kB of a sign-up with the worst value in first_name/,
  },
];
