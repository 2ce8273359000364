import { ownerActions } from './owner-actions.ts';

/**
 * What is known to break a rule today: the rule is not checked, or not once one of these actions was
 * done. An entry goes with the fault that it is about.
 */
type NotYet = { finding: string; rule: string; after?: readonly string[] };

/** What saves a setting of a cohort. */
const settings = Object.keys(ownerActions).filter((what) =>
  /^the owner (changes|closes|sets|saves|moves the dates)/.test(what),
);

const erased = ['the owner erases …'];

export const notYet: readonly NotYet[] = [
  { finding: '1', rule: 'a place is held for less time than the page', after: settings },
  { finding: '2', rule: 'someone has paid for lessons that they cannot read' },
  { finding: '3', rule: 'someone hears nothing of their money at Stripe' },
  {
    finding: '4',
    rule: 'an email asks for money that is not owed (payment_reminder',
    after: ['… pays by debit on the last page at Stripe'],
  },
  { finding: '5', rule: 'an invitation has ended before its time' },
  { finding: '6', rule: 'a place is kept for money that no one can pay' },
  { finding: '7', rule: 'the lists of accounts do not add up to the totals', after: erased },
  { finding: '7', rule: 'not everyone who is gone is listed', after: erased },
  { finding: '7', rule: 'the file has not all entries', after: erased },
  { finding: '8', rule: 'money stayed behind, and no list says so' },
  {
    finding: '8',
    rule: 'someone hears nothing of their money at Stripe',
    after: ['the owner moves … to another cohort'],
  },
  {
    finding: '9',
    rule: 'more was paid back than was paid',
    after: ['the owner refunds … online'],
  },
  { finding: '10', rule: 'a page at Stripe asks for more than is owed' },
  { finding: '10', rule: 'an account cannot be disconnected' },
  { finding: '11', rule: 'someone owes more than the price they have agreed to and paid' },
  {
    finding: '12',
    rule: 'a payment is in another currency than its account',
    after: ['the owner changes the currency'],
  },
  {
    finding: '12',
    rule: 'Stripe has',
    after: ['the owner changes the currency'],
  },
  {
    finding: '13',
    rule: 'someone hears nothing of their money at Stripe',
    after: ['the owner moves the cohort to the trash'],
  },
  {
    finding: '15',
    rule: 'someone hears nothing of their money at Stripe',
    after: ['the owner archives the cohort'],
  },
  { finding: '18', rule: 'someone who can be paid for was told that no payments are taken' },
  {
    finding: '19',
    rule: 'an email asks for money that is not owed (payment_reminder',
    after: ['a bank decides the last dispute'],
  },
  { finding: 'gone, and counted as owing', rule: 'not everyone who owes is listed' },
];

/** Whether it is known that a rule is broken in a sequence. */
export function isKnown(broken: string, done: ReadonlySet<string>): boolean {
  return notYet.some(
    ({ rule, after }) =>
      broken.startsWith(rule) && (after === undefined || after.some((what) => done.has(what))),
  );
}
