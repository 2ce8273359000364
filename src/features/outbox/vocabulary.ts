import { notInArray, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type CountedFor, type Erasure, ownRows } from '#db/personal-data.ts';
import { mailsDue, mailTexts } from '#db/schema/outbox.ts';
import { interestMailKinds, outboxKinds } from '#email/kinds.ts';
import { msg } from '#i18n/msg.ts';
import { type LimitRates, withStatus } from '#lib/vocabulary.ts';

export const errors = withStatus(422, {
  too_many_notices: msg`You’ve already emailed people about changes {n, plural, one {# time} other {# times}} today. Continue without emailing them, or try again tomorrow.`,
});

export const limits = {
  /** Emails of the outbox to one address; beyond it they wait. Not those that sign people in. */
  cohort_mails_per_address: ['10/d'],
  /** The same of one instructor, however much room others have left. */
  owner_mails_per_address: ['7/d'],
  /**
   * What one instructor sends to many. Beyond it, invitations, messages and news wait, and notices
   * of changes go out without what they wrote.
   */
  bulk_mails_per_owner: ['300/h'],
  /** The same to people who have not agreed to take part, before some of them have accepted. */
  stranger_bulk_mails_per_owner: ['200/d'],
  /** How often the people of a cohort are told that it was moved or canceled. */
  notices_per_cohort: ['5/d'],
  /** The same for all cohorts of an instructor, with changes of sessions. */
  notices_per_owner: ['30/d'],
  /** All emails of the outbox, so that no one uses up the operator's plan; beyond it they wait. */
  cohort_mails: ['4000/h', '20000/d'],
  /** Those that no one has just asked for, so that a flood of them leaves room for the others. */
  unasked_cohort_mails: ['3000/h', '16000/d'],
} as const satisfies LimitRates;

/** Emails are counted in the outbox itself, so there are no counters of addresses to delete. */
export const countedFor = {
  cohort_mails_per_address: () => [],
  owner_mails_per_address: () => [],
  notices_per_owner: ({ id }) => [id],
} satisfies Record<string, CountedFor>;

export const events = { outbox_drained: true, outbox_failed: true, outbox_cleaned: true };

export const erased = {
  /** Texts of what still goes out stay with it. */
  mail_texts: (db, { id }) =>
    db.delete(mailTexts).where(
      sql`${mailTexts.ownerId} = ${id} AND NOT EXISTS (SELECT 1 FROM mails_due m
        WHERE m.text_id = ${mailTexts.id} AND m.kind = 'cohort_cancelled'
          AND m.sent_at IS NULL AND m.failed_at IS NULL)`,
    ),
  /** What was sent, to whom, ends with the account; only word of its end still goes out. */
  mails_due: (db, { id }) =>
    db.delete(mailsDue).where(
      sql`${mailsDue.ownerId} = ${id} AND NOT (${mailsDue.kind} = 'cohort_cancelled'
          AND ${mailsDue.sentAt} IS NULL AND ${mailsDue.failedAt} IS NULL)`,
    ),
} satisfies Record<string, Erasure>;

export const exported = {
  /**
   * Emails to participants: what was sent, and what is due. Not those to people who only wait for
   * enrollment to open: their addresses are not the owner's.
   */
  mails_due: ownRows(mailsDue, {
    // Not the texts, which are the most of a row.
    except: ['dedupe_key', 'payload', 'text_id', 'batch_key', 'provider_id', 'is_to_stranger'],
    fields: { id: z.string(), kind: z.enum(outboxKinds) },
    where: notInArray(mailsDue.kind, [...interestMailKinds]),
  }),
};
