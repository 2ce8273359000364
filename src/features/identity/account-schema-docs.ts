import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import { Account, AccountInput, AccountPatch } from './account-schema.ts';
import { AccountExport } from './export-account.ts';

const name = {
  description: msg`2 to 49 characters`,
  rules: { minLength: 2, maxLength: 49 },
};

const fields = {
  first_name: name,
  last_name: name,
  email: {
    description: msg`An email address, in upper or lower case`,
    rules: { format: 'email' },
  },
  language: { description: msg`The language of emails` },
};

const news = {
  roster_news: { description: msg`Whether the daily news of the account’s cohorts is sent` },
};

const avatar = { description: msg`The address of a picture; without one, show initials` };

export const named = {
  Account: describeFields(Account, {
    ...fields,
    pending_email: { description: msg`A new address that is waiting to be confirmed` },
    ...news,
    avatar,
  }),
  AccountExport: describeFields(AccountExport, {}),
  AccountInput: describeFields(AccountInput, fields),
  AccountPatch: describeFields(AccountPatch, { ...fields, ...news }),
};

export const unnamed = [
  describeFields(AccountExport.shape.account, { ...fields, ...news, avatar }),
];
