// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a template is source text.
import type { Mutation } from './all.ts';

export const accounts: Mutation[] = [
  {
    defense: '12 · R111: the selection moves with a deletion',
    file: 'src/features/courses/delete-course.ts',
    find: 'selectedCourseId: sql`(${oldestOther})`',
    replace: 'selectedCourseId: null',
    project: 'workerd',
    tests: 'features/courses/selection.property',
    named: /exactly one selected/,
  },
  {
    defense: '15 · R117: a deletion leaves no row',
    file: 'src/features/accounts/delete-account.ts',
    find: 'db.delete(counters).where(inArray(counters.key, keys)),\n',
    replace: 'db.select().from(counters).where(inArray(counters.key, keys)),\n',
    project: 'workerd',
    tests: 'features/accounts/delete-account',
    named: /no table contains anything about the account/,
  },
  {
    defense: '25.1: an address change: ends with other sessions',
    file: 'src/features/auth/end-sessions.ts',
    find: '      change: endChange(eq(links.userId, ctx.viewer.id)),\n',
    replace: '',
    project: 'workerd',
    tests: 'features/accounts/end-of-address-change',
    named: /when that ends all other sessions/,
  },
  {
    defense: '25.5: an address change: works only while its session is live',
    file: 'src/features/auth/links.ts',
    find: '      isAskedByLiveSession(now),\n',
    replace: '',
    project: 'workerd',
    tests: 'features/accounts/end-of-address-change',
    named: /is unused for 30 days/,
  },
  {
    defense: '25.6: an address change: is announced to the current address',
    file: 'src/features/auth/links.ts',
    find: '      await sendFirst(asked);\n',
    replace: '',
    project: 'workerd',
    tests: 'features/accounts/address-change',
    named: /the current address is notified immediately/,
  },
  {
    defense:
      '25.14: an address change: the current address is notified before anyone gets the link',
    file: 'src/features/auth/links.ts',
    find: `    if (sendFirst !== undefined) {
      await sendFirst(asked);
      wasFirstSent = true;
    }
    const link = serverPaths.confirmLink(ctx.config.appOrigin, token);
    const message = await compose(user, link, asked, code);
    await ctx.sendMail(message, \`\${purpose}/\${id}\`, mark);
`,
    replace: `    const link = serverPaths.confirmLink(ctx.config.appOrigin, token);
    const message = await compose(user, link, asked, code);
    await ctx.sendMail(message, \`\${purpose}/\${id}\`, mark);
    if (sendFirst !== undefined) {
      await sendFirst(asked);
      wasFirstSent = true;
    }
`,
    project: 'workerd',
    tests: 'features/accounts/address-change',
    named: /an unsent email to the current address/,
  },
  {
    defense: '30: no cache keeps what knows a session',
    file: 'src/middleware/response-headers.ts',
    find: "isGood && isPublic(req.path) && headers.has('Cache-Control') && !headers.has('Set-Cookie')",
    replace: "headers.has('Cache-Control')",
    project: 'workerd',
    tests: 'middleware/common-middleware',
    named: /an answer that depends on the session is not cached/,
  },
  {
    defense: '30: another spelling of a page is no page',
    file: 'src/middleware/canonical-path.ts',
    find: 'sent === path ?',
    replace: 'path ?',
    project: 'workerd',
    tests: 'middleware/common-middleware',
    named: /before anything of the browser is read/,
  },
  {
    defense: '30: a public path reads no session and sets no cookie',
    file: 'src/middleware/common-middleware.ts',
    find: 'isPublic(c.req.path) ? next() : middleware(c, next)',
    replace: 'middleware(c, next)',
    project: 'workerd',
    tests: 'middleware/common-middleware',
    named: /reads no session, sets no cookie/,
  },
  {
    defense: '28.4: a job that fails stops no other',
    file: 'src/cron.ts',
    find: `    fail(new Error(\`The job \${name} failed\`, { cause }));
    return false;`,
    replace: `    fail(new Error(\`The job \${name} failed\`, { cause }));
    throw cause;`,
    project: 'workerd',
    tests: 'faults/cron',
    named: /a failed job is logged by its name/,
  },
  {
    defense: '28.4: jobs that need an order run one after the other',
    file: 'src/cron.ts',
    find: 'cron === inTurn ? Array',
    replace: 'cron !== inTurn ? Array',
    project: 'workerd',
    tests: 'faults/cron',
    named: /jobs that need an order keep it/,
  },
  {
    defense: '29: what is written into a closed list is in it',
    file: 'src/db/one-of.ts',
    find: 'if (!values.includes(value)) {',
    replace: 'if (values.length === 0) {',
    project: 'workerd',
    tests: 'db/migrations',
    named: /a value that is not in its list is not written/,
  },
  {
    defense: '28.4: the clean-up continues until it is done',
    file: 'src/features/clean-up/remove-expired.ts',
    find: 'if (count >= chunkRows) {',
    replace: 'if (count >= chunkRows && removed[task.name] < 12 * chunkRows) {',
    project: 'workerd',
    tests: 'features/clean-up/remove-expired',
    named: /until nothing is left/,
  },
];
