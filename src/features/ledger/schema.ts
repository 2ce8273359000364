import * as z from 'zod/mini';
import {
  balanceLists,
  enrollmentStatuses,
  ledgerKinds,
  ledgerSources,
  methodsByHand,
  paymentMethods,
} from '#db/values.ts';
import { code, nextPage } from '#features/places/person-fields.ts';
import { isDay } from '#lib/time/calendar.ts';
import { amountFrom, oneLine, plainText, rule } from '#lib/validation-rule.ts';

const balanceStates = [
  'free',
  'owes',
  'partly_paid',
  'paid',
  'overpaid',
  'waived',
  'refunded',
] as const;
/** What an account says at a moment, by what was charged and paid. */
export type BalanceState = (typeof balanceStates)[number];

export const balanceFilters = ['everyone', ...balanceLists] as const;
/** Everyone who is in the cohort, or one of the lists. */
export type BalanceFilter = (typeof balanceFilters)[number];

/** How many people one request can be about: those of a page. */
const maxEnrollments = 100;

const amount = amountFrom(1, 'amount_range');

const day = z.string(code('date_required')).check(
  z.meta({ format: 'date' }),
  rule('date_required', (typed) => typed !== ''),
  rule('date_invalid', isDay),
);

/** It may name the person; null without any. */
const note = plainText(300, 'entry_note_too_long');

/** Such as the name of a service; null without any. */
const methodWord = plainText(40, 'method_word_too_long', oneLine);

/** An entry for one or several people of a cohort. */
export const LedgerInput = z
  .strictObject({
    kind: z.enum(ledgerKinds, code('unknown_value')),
    enrollments: z
      .array(z.uuid())
      .check(z.minLength(1, code('people_required')), z.maxLength(maxEnrollments)),
    amount_minor: z
      ._default(z.nullable(amount), null)
      .check(
        z.describe(
          'For each, in the smallest unit of the currency; null: all that they owe, or have paid, or the price when they enrolled',
        ),
      ),
    method: z._default(z.nullable(z.enum(methodsByHand, code('method_required'))), null),
    method_word: z
      ._default(methodWord, null)
      .check(z.describe('A word of one’s own for the method; only with other')),
    received_on: z._default(z.nullable(day), null),
    note: z._default(note, null),
    waive_rest: z
      ._default(z.boolean(), false)
      .check(z.describe('With a refund: whether nothing more is owed')),
  })
  .check(
    z.check(({ value, issues }) => {
      const hasMoney = value.kind === 'payment' || value.kind === 'refund';
      if (value.method_word !== null && value.method !== 'other') {
        const message = 'method_word_other';
        issues.push({ code: 'custom', path: ['method_word'], message, input: value });
      }
      const messages = { method: 'method_required', received_on: 'date_required' } as const;
      for (const field of ['method', 'received_on'] as const) {
        if (hasMoney && value[field] === null) {
          issues.push({ code: 'custom', path: [field], message: messages[field], input: value });
        }
      }
    }),
  );
export type LedgerInput = z.output<typeof LedgerInput>;

/** Why an entry is reversed. */
export const ReverseInput = z.strictObject({ note: z._default(note, null) });
export type ReverseInput = z.output<typeof ReverseInput>;

const seenAmount = z
  ._default(z.int(), 0)
  .check(z.describe('As the owner has seen it: refused with balance_changed if it is another'));

/** What happens to the account of someone who no longer takes part. */
export const settleFields = {
  money: z
    ._default(z.nullable(z.enum(['refund', 'waive', 'keep'], code('unknown_value'))), null)
    .check(
      z.describe(
        'refund: all that was paid goes back, and the rest is waived. waive: what is open. keep: it stays owed. null: only without money',
      ),
    ),
  balance_minor: seenAmount.check(z.describe('What is still owed')),
  paid_minor: seenAmount.check(z.describe('What was paid and not refunded')),
};

/** What happens to the account of someone who has left by themselves. */
export const SettleInput = z.strictObject(settleFields);
export type SettleInput = z.output<typeof SettleInput>;

/** An entry as the API returns it to its owner. */
export const LedgerEntry = z.object({
  id: z.uuid(),
  cohort_id: z.uuid(),
  cohort_name: z.string(),
  enrollment_id: z.uuid(),
  person_id: z.uuid(),
  kind: z.enum(ledgerKinds),
  amount_minor: z
    .int()
    .check(
      z.describe(
        'What it adds to what is owed, in the smallest unit of the currency: below 0 for payments and waivers, and for the reversal of others',
      ),
    ),
  currency: z.string(),
  method: z.nullable(z.enum(paymentMethods)),
  method_word: z
    .nullable(z.string())
    .check(z.describe('The owner’s own word for the method, if that is other')),
  received_on: z.nullable(z.string()),
  note: z.nullable(z.string()),
  reverses_id: z.nullable(z.uuid()),
  /** The entry that takes this one back. */
  reversed_by_id: z.nullable(z.uuid()),
  source: z
    .enum(ledgerSources)
    .check(
      z.describe(
        'enrollment: someone became enrolled. owner: written by hand. move: someone was moved to another cohort. leaving: their account was ended as they left. stripe: paid or paid back online',
      ),
    ),
  created_at: z.iso.datetime(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

/** What one request has written: an entry for each person, and a waiver after a refund of all. */
export const WrittenEntries = z.object({ entries: z.array(LedgerEntry) });

const sums = {
  charged_minor: z.int(),
  waived_minor: z.int(),
  paid_minor: z.int(),
  refunded_minor: z.int(),
};

/** What someone owes and has paid in a cohort. */
export const Balance = z
  .object({
    id: z.uuid().check(z.describe('That of the enrollment')),
    person_id: z.uuid(),
    name: z.nullable(z.string()),
    email: z.nullable(z.string()),
    erased_at: z.nullable(z.iso.datetime()),
    erased_no: z
      .nullable(z.int())
      .check(z.describe('Stands for an erased person, whose name and address are null')),
    status: z.nullable(z.enum(enrollmentStatuses)),
    ...sums,
    balance_minor: z.int().check(z.describe('Still owed; below 0 if too much was paid')),
    refunding_minor: z
      .int()
      .check(z.describe('What Stripe is sending back: no entry has it before Stripe confirms it')),
    to_settle: z
      .boolean()
      .check(
        z.describe('Whether they have left, and it is not decided what happens to the account'),
      ),
    state: z.enum(balanceStates),
  })
  .register(z.globalRegistry, { id: 'LedgerAccount' });
export type Balance = z.infer<typeof Balance>;

/** The same with everything that was written to it. */
export const BalanceDetails = z
  .object({
    ...Balance.shape,
    currency: z.nullable(z.string()),
    entries: z.array(LedgerEntry),
  })
  .register(z.globalRegistry, { id: 'LedgerAccountDetails' });
export type BalanceDetails = z.infer<typeof BalanceDetails>;

/** What accounts in one currency add up to. */
export const Totals = z.object({
  ...sums,
  owed_minor: z.int(),
  overpaid_minor: z.int(),
  accounts: z.int(),
  owing: z.int(),
  paid_in_full: z.int(),
  paid_in_part: z.int(),
  refunded: z.int(),
});
export type Totals = z.infer<typeof Totals>;

/** What a cohort adds up to. */
export const CohortTotals = z.object({
  cohort_id: z.uuid(),
  cohort_name: z.string(),
  currency: z.nullable(z.string()),
  ...Totals.shape,
});
export type CohortTotals = z.infer<typeof CohortTotals>;

/** A page of the accounts of a cohort, and where the next one begins. */
export const BalancePage = z
  .object({
    totals: CohortTotals,
    items: z.array(Balance),
    next: nextPage,
  })
  .register(z.globalRegistry, { id: 'LedgerAccountPage' });
export type BalancePage = z.infer<typeof BalancePage>;

/** How many people were charged. */
export const ChargedPeople = z.object({ charged: z.int() });

/** How many people are reminded, and how many are not because they have not agreed to take part. */
export const RemindedPeople = z.object({ recipients: z.int(), not_agreed: z.int() });
export type RemindedPeople = z.infer<typeof RemindedPeople>;
