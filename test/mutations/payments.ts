// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a template is source text.
import { globSync } from 'node:fs';
import type { Mutation } from './all.ts';

const [migration = ''] = globSync('migrations/*_add-payments.sql');
const [waivers = ''] = globSync('migrations/*_move-waivers-as-owed.sql');

function ofMigration(defense: string, find: string, replace: string, named: RegExp): Mutation {
  return {
    defense: `58: ${defense}`,
    file: migration,
    find,
    replace,
    project: 'workerd',
    tests: 'features/payments/ledger',
    named,
  };
}

/** A trigger that never fires. */
function never(defense: string, find: string, named: RegExp): Mutation {
  return ofMigration(defense, `${find}\n`, `${find}\nWHEN 0\n`, named);
}

export const payments: Mutation[] = [
  never(
    'no entry changes',
    'CREATE TRIGGER `ledger_entries_never_change` BEFORE UPDATE ON `ledger_entries`',
    /changes and deletes no entry/,
  ),
  ofMigration(
    'no entry is deleted',
    'BEFORE DELETE ON `ledger_entries`\nWHEN EXISTS',
    'BEFORE DELETE ON `ledger_entries`\nWHEN 0 AND EXISTS',
    /changes and deletes no entry/,
  ),
  ofMigration(
    'a place is charged once',
    "WHEN NEW.kind = 'charge' AND NEW.reverses_id IS NULL\n AND EXISTS",
    "WHEN NEW.kind = 'never' AND NEW.reverses_id IS NULL\n AND EXISTS",
    /a second charge/,
  ),
  ofMigration(
    'what is reversed exists, with that amount',
    'WHEN NEW.reverses_id IS NOT NULL\n AND NOT EXISTS',
    'WHEN 0 AND NEW.reverses_id IS NOT NULL\n AND NOT EXISTS',
    /the reversal of nothing/,
  ),
  ofMigration(
    'an entry is reversed once',
    'CREATE UNIQUE INDEX `ledger_entries_reverses_id_unique`',
    'CREATE INDEX `ledger_entries_reverses_id_unique`',
    /reverses an entry once/,
  ),
  ofMigration(
    'a key writes once',
    'CREATE UNIQUE INDEX `ledger_entries_idempotency_key_unique`',
    'CREATE INDEX `ledger_entries_idempotency_key_unique`',
    /a key writes once/,
  ),
  ofMigration(
    'a source delivers once',
    'CREATE UNIQUE INDEX `ledger_entries_source_outside_id_unique`',
    'CREATE INDEX `ledger_entries_source_outside_id_unique`',
    /is there once/,
  ),
  ofMigration(
    'a cohort keeps its currency',
    'CREATE TRIGGER `cohorts_keep_currency` BEFORE UPDATE OF `currency` ON `cohorts`\nWHEN',
    'CREATE TRIGGER `cohorts_keep_currency` BEFORE UPDATE OF `currency` ON `cohorts`\nWHEN 0 AND',
    /keeps the currency/,
  ),
  ofMigration(
    'people stay beside their money',
    'CREATE TRIGGER `people_stay_by_money` BEFORE DELETE ON `people`\nWHEN',
    'CREATE TRIGGER `people_stay_by_money` BEFORE DELETE ON `people`\nWHEN 0 AND',
    /stay beside their money/,
  ),
  {
    defense: '58: a waiver goes along only as far as something is owed',
    file: waivers,
    find: '-min(w.waived, w.owed)',
    replace: '-w.waived',
    project: 'workerd',
    tests: 'features/payments/forgiven',
    named: /goes along only up to the price/,
  },
  {
    defense: '58: what was waived is no money to give back',
    file: 'src/features/payments/accounts.ts',
    find: 'max(sum(l.amount_minor), min(0,',
    replace: 'max(sum(l.amount_minor), min(-100000000,',
    project: 'workerd',
    tests: 'features/payments/forgiven',
    named: /leaves only what was paid/,
  },
  {
    defense: '58: only people who have agreed are asked for money',
    file: 'src/features/payments/remind-owing.ts',
    find: 'WHERE e.balance > 0 AND ${hasAgreed}',
    replace: 'WHERE e.balance > 0',
    project: 'workerd',
    tests: 'features/payments/reminders',
    named: /are asked for money/,
  },
  {
    defense: '58: entries are written to one’s own accounts',
    file: 'src/features/payments/write-entries.ts',
    find: 'WHERE x.id = w.value AND x.owner_id = ${ownerId}\n          AND x.cohort_id = ${cohortId})',
    replace: 'WHERE x.id = w.value)',
    project: 'workerd',
    tests: 'features/payments/accounts',
    named: /people and entries do not exist/,
  },
  {
    defense: '58: entries are reversed by their owner',
    file: 'src/features/payments/reverse-entry.ts',
    find: 'WHERE x.id = ${entryId} AND x.owner_id = ${ownerId} AND x.reverses_id IS NULL',
    replace: 'WHERE x.id = ${entryId} AND x.reverses_id IS NULL',
    project: 'workerd',
    tests: 'features/payments/accounts',
    named: /people and entries do not exist/,
  },
];
