import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import {
  Confirmed,
  ConfirmInput,
  GoogleStarted,
  LoginInput,
  MailSent,
  Session,
  SignUpInput,
  UndoInput,
  Undone,
} from './schema.ts';
import { exported } from './vocabulary.ts';

const name = {
  description: msg`2 to 49 characters`,
  rules: { minLength: 2, maxLength: 49 },
};

const email = {
  description: msg`An email address, in upper or lower case`,
  rules: { format: 'email' },
};

export const named = {
  Confirmed: describeFields(Confirmed, {
    redirect_to: { description: msg`The page to continue to` },
  }),
  ConfirmInput: describeFields(ConfirmInput, {
    token: {
      description: msg`The token in the emailed link; not together with a code`,
      rules: { type: 'string' },
    },
    code: {
      description: msg`The six digits in the email, from the browser that asked for it; not together with a token`,
      rules: { type: 'string' },
    },
  }),
  GoogleStarted: describeFields(GoogleStarted, {
    redirect_url: { description: msg`Where to send the browser` },
  }),
  LoginInput: describeFields(LoginInput, { email }),
  MailSent: describeFields(MailSent, { email }),
  Session: describeFields(Session, {
    is_current: { description: msg`Whether it’s the session of this request` },
  }),
  SignUpInput: describeFields(SignUpInput, { first_name: name, last_name: name, email }),
  UndoInput: describeFields(UndoInput, {
    token: { description: msg`The token in the emailed link`, rules: { type: 'string' } },
  }),
  Undone: describeFields(Undone, {
    outcome: {
      description: msg`stopped: the change will not happen. restored: the account has its former address again, and all of its sessions have ended`,
    },
  }),
};

export const unnamed = [
  describeFields(exported.links.item, { email }),
  describeFields(exported.address_restores.item, { email }),
];
