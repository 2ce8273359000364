import { eq, getTableColumns, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type CountedFor, exportedRows, ownRows } from '#db/personal-data.ts';
import { addressRestores, knownSignIns, links, sessions } from '#db/schema/sign-in.ts';
import { linkPurposes } from '#db/values.ts';
import { msg } from '#i18n/msg.ts';
import { type Errors, type LimitRates, type ValidationTexts, withStatus } from '#lib/vocabulary.ts';

export const errors = {
  account_not_found: { status: 404, text: msg`No account found with this email address.` },
  address_taken: {
    status: 422,
    text: msg`This email address now belongs to another Lectern account. Log in to that account and delete it, then open this link again.`,
  },
  ...withStatus(400, {
    code_used_up: msg`This code no longer works. Resend the email to get a new one.`,
    invalid_state: msg`Invalid authentication state`,
    link_invalid: msg`Authentication failed. Please try again`,
  }),
  email_not_verified: { status: 403, text: msg`Please verify your email address first` },
  proof_required: {
    status: 403,
    text: msg`Please confirm it’s you by logging in again with a new link.`,
  },
  unauthenticated: { status: 401, text: msg`Your session has expired. Please log in again.` },
} satisfies Errors;

export const validation = {
  login_email_required: msg`Please enter your email address.`,
  login_email_invalid: msg`Invalid email address.`,
  email_taken: msg`This address already has an account. Please log in.`,
  name_required: msg`Name is required`,
  first_name_required: msg`First name is required`,
  last_name_required: msg`Last name is required`,
  name_too_short: msg`Name must be at least 2 characters`,
  name_too_long: msg`Name must be less than 50 characters`,
  name_characters: msg`Use only letters, spaces, apostrophes, hyphens and periods`,
  name_full_stop: msg`Add a space after each period`,
  email_required: msg`Email address is required`,
  email_invalid: msg`Please enter a valid email address`,
  language_required: msg`Please choose English or French`,
  bio_too_long: msg`Bio must be at most 600 characters`,
} satisfies ValidationTexts;

export const limits = {
  /** Emails with a link to one address, for any purpose. */
  mails_per_address: ['3/15m', '10/d'],
  /** Such emails, requested by a known browser or network of the account; counted only here. */
  mails_per_address_reserved: ['3/15m', '10/d'],
  /** Sign-ups with one address, whether or not it has an account. */
  sign_ups_per_address: ['3/15m', '10/d'],
  /** Emails with a link, requested from one client network. */
  mails_per_ip: ['10/m', '50/h'],
  /** Logins with an address that has no account, so that no one can probe for accounts. */
  unknown_addresses_per_ip: ['20/h'],
  /** Such logins from all networks. If it is full, only known browsers and networks get a link. */
  unknown_addresses: ['1000/h'],
  /** Links that are tried from one client network. */
  confirmations_per_ip: ['20/m'],
  /** Codes that are tried from one client network. */
  codes_per_ip: ['20/m', '100/h'],
  /** Codes that are tried for one address: more than strangers can try with their emails to it. */
  codes_per_address: ['20/15m', '75/d'],
  google_starts_per_ip: ['20/m'],
  google_callbacks_per_ip: ['20/m'],
  address_changes_per_user: ['5/d'],
  exports_per_user: ['3/d'],
} as const satisfies LimitRates;

export const events = {
  account_changed: true,
  account_deleted: true,
  account_exported: true,
  address_change_requested: true,
  address_change_stopped: true,
  address_changed: true,
  address_restored: true,
  code_refused: true,
  google_refused: true,
  google_signed_in: true,
  link_refused: true,
  link_requested: true,
  link_spent: true,
  logged_out: true,
  notice_not_sent: true,
  proof_demanded: true,
  session_refused: true,
  sessions_ended: true,
  signed_up: true,
};

/** The subject that counts logins with an address without an account. */
export function missesOf(emailCanonical: string): string {
  return `no account: ${emailCanonical}`;
}

/** Not a pending address: deleting its counters would allow more emails to its real owner. */
export const countedFor = {
  mails_per_address: ({ emailCanonical }) => [emailCanonical, missesOf(emailCanonical)],
  mails_per_address_reserved: ({ emailCanonical }) => [emailCanonical],
  sign_ups_per_address: ({ emailCanonical }) => [emailCanonical],
  codes_per_address: ({ emailCanonical }) => [emailCanonical],
} satisfies Record<string, CountedFor>;

export const exported = {
  sessions: ownRows(sessions, { except: ['token_hash'] }),
  links: exportedRows({
    rows: (db, { id, email }) =>
      db
        .select({
          ...getTableColumns(links),
          email: sql<string>`coalesce(${links.newEmail}, ${email})`,
        })
        .from(links)
        .where(eq(links.userId, id)),
    schema: z.object({
      id: z.uuid(),
      purpose: z.enum(linkPurposes),
      /** The session that requested an address change. */
      session_id: z.nullable(z.uuid()),
      email: z.string(),
      email_canonical: z.string(),
      /** The browser that asked, as far as it is known. */
      browser: z.nullable(z.string()),
      created_at: z.iso.datetime(),
      expires_at: z.iso.datetime(),
    }),
  }),
  /** Former addresses that can still be restored. */
  address_restores: ownRows(addressRestores, { except: ['token_hash'] }),
  /** Browsers and networks that the account recognizes until `expires_at`. */
  known_sign_ins: exportedRows({
    rows: (db, { id }) =>
      db
        .select({
          kind: sql<
            'browser' | 'network'
          >`substr(${knownSignIns.origin}, 1, instr(${knownSignIns.origin}, ':') - 1)`,
          expiresAt: knownSignIns.expiresAt,
        })
        .from(knownSignIns)
        .where(eq(knownSignIns.userId, id)),
    schema: z.object({ kind: z.enum(['browser', 'network']), expires_at: z.iso.datetime() }),
  }),
};
