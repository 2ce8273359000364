import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import { exported } from '#vocabulary.ts';
import { AccountExport } from './export-account.ts';
import { Account, AccountInput, AccountPatch } from './schema.ts';

const name = {
  description: msg`2 to 49 characters`,
  rules: { minLength: 2, maxLength: 49 },
};

const fields = {
  first_name: name,
  last_name: name,
  email: {
    description: msg`An email address, in any spelling`,
    rules: { format: 'email' },
  },
  language: { description: msg`The language that mails are written in` },
};

const avatar = { description: msg`The address of a picture; without one, show initials` };

export const named = {
  Account: describeFields(Account, {
    id: null,
    ...fields,
    pending_email: { description: msg`An address that waits for the click on its link` },
    avatar,
    email_verified: null,
    created_at: null,
  }),
  AccountExport: describeFields(AccountExport, {
    exported_at: null,
    account: null,
    ...mapValues(exported, null),
  }),
  AccountInput: describeFields(AccountInput, fields),
  AccountPatch: describeFields(AccountPatch, fields),
};

export const unnamed = [
  describeFields(AccountExport.shape.account, {
    id: null,
    ...fields,
    email_canonical: null,
    email_verified_at: null,
    google_sub: null,
    avatar,
    selected_course_id: null,
    created_at: null,
  }),
];

function mapValues<Name extends string, Value>(named: Record<Name, unknown>, value: Value) {
  const entries = Object.keys(named).map((name) => [name, value]);
  return Object.fromEntries(entries) as Record<Name, Value>;
}
