import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Erasure, exportedRows } from '#db/personal-data.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import { undeliverableReasons } from '#db/values.ts';
import { msg } from '#i18n/msg.ts';
import { type Errors, withStatus } from '#lib/vocabulary.ts';

export const errors = {
  ...withStatus(422, {
    address_bounced: msg`We can’t send email to this address because an earlier one bounced. Please log in with Google, use another address, or contact us (see the privacy page).`,
    address_complained: msg`We can’t send email to this address because an earlier one was reported as spam. Please log in with Google, use another address, or contact us (see the privacy page).`,
  }),
  signature_invalid: {
    status: 401,
    text: msg`The signature of this request isn’t valid.`,
  },
} satisfies Errors;

export const events = {
  address_undeliverable: true,
  invitations_paused: true,
  mail_withheld: true,
  webhook_refused: true,
  webhook_repeated: true,
};

export const exported = {
  /** The suppression entry of the account's address, if any. */
  undeliverable_addresses: exportedRows({
    rows: (db, { emailCanonical }) =>
      db
        .select()
        .from(suppressedAddresses)
        .where(eq(suppressedAddresses.emailCanonical, emailCanonical)),
    schema: z.object({
      email_canonical: z.string(),
      reason: z.enum(undeliverableReasons),
      since: z.iso.datetime(),
    }),
  }),
};

export const erased = {
  suppressed_addresses: (db, { emailCanonical }) =>
    db.delete(suppressedAddresses).where(eq(suppressedAddresses.emailCanonical, emailCanonical)),
} satisfies Record<string, Erasure>;
