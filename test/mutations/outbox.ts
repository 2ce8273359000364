// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a template is source text.
import type { Mutation } from './all.ts';

const bulk = 'src/features/outbox/bulk.ts';
const budget = 'src/features/outbox/budget.ts';
const drain = 'src/features/outbox/drain-outbox.ts';
const correction = 'src/features/people/change-person.ts';

function ofBudget(
  defense: string,
  file: string,
  [find, replace]: [string, string],
  named: RegExp,
  inFile = 'budget',
): Mutation {
  const tests = `features/outbox/${inFile}`;
  return { defense: `64: ${defense}`, file, find, replace, project: 'workerd', tests, named };
}

export const outbox: Mutation[] = [
  ofBudget(
    'R68: all emails about cohorts share a budget',
    drain,
    ['if (left.all <= 0', 'if (false'],
    /share a budget/,
  ),
  ofBudget(
    'R67: it is counted with what is held',
    budget,
    ['all: all.count(sql`${count} > 0`, count)', 'all: all.count(sql`false`, count)'],
    /workers at the same time/,
  ),
  ofBudget(
    'a part of it is kept for what people ask for',
    drain,
    ['(mail.isAsked === 0 && left.unasked <= 0)', 'false'],
    /leaves emails for those who enroll/,
  ),
  ofBudget(
    'what is not sent is given back',
    budget,
    ['counted.length > 0 && times > sent', 'false'],
    /what is not sent does not count/,
  ),
  ofBudget(
    'R67: what other workers hold for an address counts',
    drain,
    [') - ${held}`', ')`'],
    /workers at the same time/,
  ),
  ofBudget(
    'R70: an address keeps room for what its owner asks for',
    drain,
    ["${rankOf('y')} <= ${rankOf('m')}", 'true'],
    /holds up nothing that they ask for/,
  ),
  ofBudget(
    'one owner leaves room for others at an address',
    drain,
    ['taken(`${address} ${ownerId}`) >= (mail.ownerRoom ?? Infinity)', 'false'],
    /seven emails a day/,
    'fairness',
  ),
  ofBudget(
    'words go to people who agreed or were told',
    drain,
    ['words: mail.mayHaveWords === 1 && ', 'words: '],
    /words go to people who agreed/,
    'fairness',
  ),
  ofBudget(
    'beyond a limit there are no words',
    drain,
    [' && !isBeyond', ''],
    /without words/,
    'fairness',
  ),
  ofBudget(
    'owners take turns',
    drain,
    ['PARTITION BY m.owner_id, ', 'PARTITION BY '],
    /hold up no one else/,
    'fairness',
  ),
  ofBudget(
    'what someone waits for goes first',
    drain,
    ['ORDER BY due.urgency, ', 'ORDER BY '],
    /goes before 10,000/,
    'fairness',
  ),
  ofBudget(
    'what cannot be composed leaves its batch',
    drain,
    ["isTry: true, next: 'fresh' }", 'isTry: true }'],
    /harms no other/,
    'fairness',
  ),
  ofBudget(
    'spellings of one mailbox prove no one',
    bulk,
    [
      "SELECT DISTINCT ${mailboxOf('g.email_canonical')} AS mailbox",
      'SELECT DISTINCT g.email_canonical AS mailbox',
    ],
    /one mailbox/,
    'bulk',
  ),
  ofBudget(
    'R128: what is held for a second is looked at as a whole',
    drain,
    ['await deliver(ctx, now, taken)', 'await deliver(ctx, mail, taken)'],
    /what is held for a second is not sent/,
  ),
  {
    defense: '64: a pause holds back what strangers have not asked for',
    file: bulk,
    find: "'payment_reminder',\n  'added')",
    replace: "'payment_reminder')",
    project: 'workerd',
    tests: 'features/outbox/bulk',
    named: /a pause also holds back/,
  },
  {
    defense: '64: R128: a complaint outlives its email',
    file: 'src/features/outbox/clean-outbox.ts',
    find: '  await keepComplaints(ctx, start - keptMs);\n',
    replace: '',
    project: 'workerd',
    tests: 'features/outbox/drain',
    named: /a complaint is not forgotten/,
  },
  {
    defense: '64: another address counts as an invitation',
    file: correction,
    find: '${limit.hasRoom} AND NOT ${isUnwilling',
    replace: '(${limit.hasRoom} OR true) AND NOT ${isUnwilling',
    project: 'workerd',
    tests: 'features/people/correcting',
    named: /without end/,
  },
  {
    defense: '64: who is invited accepts by themselves',
    file: bulk,
    find: "v.actor = 'person' AND ",
    replace: '',
    project: 'workerd',
    tests: 'features/people/correcting',
    named: /does not raise an instructor/,
  },
  {
    defense: '64: nor is it that of someone who wants no invitations',
    file: correction,
    find: '${limit.hasRoom} AND NOT ${isUnwilling(ownerId, { hash, canonical })}',
    replace: '${limit.hasRoom}',
    project: 'workerd',
    tests: 'features/people/correcting',
    named: /nor are those who want no invitations/,
  },
];
