import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import {
  Account,
  AccountDetails,
  AccountPage,
  ChargedPeople,
  CohortTotals,
  LedgerEntry,
  LedgerInput,
  RemindedPeople,
  ReverseInput,
  WrittenEntries,
} from './schema.ts';
import { exported } from './vocabulary.ts';

const sums = {
  charged_minor: { description: msg`What was charged, in the smallest unit of the currency` },
  waived_minor: { description: msg`What was waived of it` },
  paid_minor: { description: msg`What was paid` },
  refunded_minor: { description: msg`What was paid back` },
};

const currency = { description: msg`The currency of the cohort’s account; null without one` };

const account = {
  ...sums,
  id: { description: msg`The id of the enrollment` },
  name: { description: msg`Null once the person is erased` },
  email: { description: msg`Null once the person is erased` },
  erased_at: { description: msg`When the person was erased; null if they were not` },
  erased_no: { description: msg`The number that stands for an erased person` },
  status: { description: msg`Where the person stands in the cohort; null if they are gone` },
  balance_minor: { description: msg`What is still owed; below 0 if too much was paid` },
  state: { description: msg`The state of the account, by what was charged and paid` },
};

const entry = {
  kind: { description: msg`What the entry says: what is owed, paid, paid back or no longer owed` },
  amount_minor: {
    description: msg`What the entry adds to what is owed, in the smallest unit of the currency: below 0 for payments and waivers, and for the reversal of others`,
  },
  currency: { description: msg`The code of the currency` },
  method: { description: msg`How the money changed hands; null where none did` },
  received_on: { description: msg`The day on which the money changed hands` },
  reverses_id: { description: msg`The entry that this one reverses` },
  source: {
    description: msg`Where the entry comes from. enrollment: someone became enrolled. owner: written by hand. move: someone was moved to another cohort`,
  },
  cohort_name: { description: msg`The name of the cohort at the time` },
};

const note = {
  description: msg`For yourself, up to 300 characters; erased with the person`,
  rules: { maxLength: 300 },
};

export const named = {
  LedgerAccount: describeFields(Account, account),
  LedgerAccountDetails: describeFields(AccountDetails, {
    ...account,
    currency,
    entries: { description: msg`The oldest first` },
  }),
  LedgerAccountPage: describeFields(AccountPage, {
    totals: { description: msg`What all accounts of the cohort add up to` },
    next: { description: msg`Send it as “after” for the next page; null on the last one` },
  }),
  ChargedPeople: describeFields(ChargedPeople, {
    charged: { description: msg`How many people were charged` },
  }),
  CohortTotals: describeFields(CohortTotals, {
    ...sums,
    currency,
    owed_minor: { description: msg`What is still owed in total` },
    overpaid_minor: { description: msg`What was overpaid in total` },
    accounts: { description: msg`How many people have an entry` },
    owing: { description: msg`How many people still owe something` },
    paid_in_full: { description: msg`How many people have paid all they owe` },
    paid_in_part: { description: msg`How many people have paid a part` },
    refunded: { description: msg`How many people were paid back something` },
  }),
  LedgerEntry: describeFields(LedgerEntry, {
    ...entry,
    note: { description: msg`For yourself; null without any` },
    reversed_by_id: { description: msg`The entry that reverses this one; null if none does` },
  }),
  LedgerInput: describeFields(LedgerInput, {
    kind: entry.kind,
    enrollments: { description: msg`The ids of the enrollments, 1 to 100` },
    amount_minor: {
      description: msg`For each of them, in the smallest unit of the currency, above 0; null: all that they owe, or have paid, or the price`,
    },
    method: { description: msg`How the money changed hands; for payments and refunds` },
    received_on: {
      description: msg`The day on which the money changed hands; for payments and refunds`,
      rules: { format: 'date' },
    },
    note,
    waive_rest: { description: msg`With a refund: whether nothing more is owed` },
  }),
  RemindedPeople: describeFields(RemindedPeople, {
    recipients: { description: msg`How many people get an email` },
    not_agreed: {
      description: msg`How many people owe something but get no reminder, because they haven’t agreed to take part`,
    },
  }),
  ReverseInput: describeFields(ReverseInput, { note }),
  WrittenEntries: describeFields(WrittenEntries, {
    entries: { description: msg`One for each person, and a waiver after a refund of all` },
  }),
};

export const unnamed = [
  describeFields(exported.ledger_entries.item, {
    ...entry,
    course_name: { description: msg`The name of the course at the time` },
    outside_id: { description: msg`The id that its source gave it; null for entries made here` },
    created_by: { description: msg`Who caused it` },
  }),
  describeFields(exported.ledger_notes.item, { text: note }),
];
