import type { Mutation } from './all.ts';

export const limits: Mutation[] = [
  {
    defense: '11 · R67: limits are counted in one step',
    file: 'src/features/limits/limit-on.ts',
    find: `  function count(where?: SQL, times: SQL | 1 = 1): Query<Usage> {
    const list = listOf(windows);
    const counting = query(
      // The levels first, because counting may fill a window.
      {
        levels: levelsOf({ list, times }),
        counted: countUp({
          list,
          times,
          condition: where === undefined ? haveRoom({ list }) : sql\`\${hasRoom} AND \${where}\`,
        }),
      },
      ({ levels, counted }) =>`,
    replace: `  const { levels } = await ask(ctx, { levels: levelsOf({ list: listOf(windows), times: 1 }) });
  function count(where?: SQL, times: SQL | 1 = 1): Query<Usage> {
    const list = listOf(windows);
    const counting = query(
      {
        counted: countUp({
          list,
          times,
          condition: where === undefined ? haveRoom({ list }) : sql\`\${hasRoom} AND \${where}\`,
        }),
      },
      ({ counted }) =>`,
    project: 'workerd',
    tests: 'features/limits/limits',
    named: /parallel/,
  },
  {
    defense: '18 · R128: the suppression list is checked last',
    file: 'src/context.ts',
    find: '...withSuppression(basics.observe.log, createMailer(env, requests))',
    replace: '...(withSuppression, createMailer(env, requests))',
    project: 'workerd',
    tests: 'features/suppression/suppression',
    named: /every email checks the suppression list last/,
  },
  {
    defense: '26.1: sign-ups on a taken address cost its owner nothing',
    file: 'src/features/auth/sign-up.ts',
    find: "{ limit: 'sign_ups_per_address', subject: canonical }",
    replace: "{ limit: 'mails_per_address', subject: canonical }",
    project: 'workerd',
    tests: 'features/limits/mails',
    named: /sign-ups with a taken address cost its owner nothing/,
  },
  {
    defense: '26.2: a failed write is not blamed on counting',
    file: 'src/features/limits/limit-on.ts',
    find: `    if (!isBroken) {
      return false;
    }
`,
    replace: '',
    project: 'workerd',
    tests: 'faults/d1',
    named: /a write that fails while counting works/,
  },
  {
    defense: '26.3: windows slide',
    file: 'src/features/limits/limit-on.ts',
    find: 'start: now - seconds * 1000,',
    replace: 'start: now - (now % (seconds * 1000)) - 1,',
    project: 'workerd',
    tests: 'features/limits/windows',
    named: /midnight resets no limit/,
  },
  {
    defense: '28.1: a larger network counts in addition to its client networks',
    file: 'src/features/limits/limit-on.ts',
    find: 'request.widerNetwork === null',
    replace: 'request.clientNetwork !== null',
    project: 'workerd',
    tests: 'features/limits/networks',
    named: /is counted for the \/48/,
  },
  {
    defense: '28.2: the flood limit counts the larger network too',
    file: 'src/middleware/flood-limit.ts',
    find: " && (await isLetThrough(c, 'floodLimitNetwork'))",
    replace: '',
    project: 'workerd',
    tests: 'features/limits/flood-limit',
    named: /the flood limit counts IPv6 networks too/,
  },
  {
    defense: '28.3: unknown addresses have a limit for all networks together',
    file: 'src/features/auth/request-login-link.ts',
    find: '[miss, missHere, missAnywhere]',
    replace: '[miss, missHere]',
    project: 'workerd',
    tests: 'features/limits/strangers',
    named: /when all networks together have tried too many unknown addresses/,
  },
];
