import { and, eq, notInArray, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { interestMailKinds, outboxKinds } from '#db/values.ts';
import { type CountedFor, type Erasure, exportedRows } from '#features/accounts/personal-data.ts';
import type { LimitRates } from '#lib/vocabulary.ts';
import { mailsDue } from './table.ts';

export const limits = {
  /** Emails of the outbox to one address; beyond it they wait. Not those that sign people in. */
  cohort_mails_per_address: ['10/d'],
  /** Invitations and news of one instructor; beyond it they wait. */
  bulk_mails_per_owner: ['300/h'],
  /** All emails of the outbox, so that no one uses up the operator's plan; beyond it they wait. */
  cohort_mails: ['4000/h', '20000/d'],
  /** Those that no one has just asked for, so that a flood of them leaves room for the others. */
  unasked_cohort_mails: ['3000/h', '16000/d'],
} as const satisfies LimitRates;

/** Counted in the outbox itself, so there are no counters to delete. */
export const countedFor = {
  cohort_mails_per_address: () => [],
} satisfies Record<string, CountedFor>;

export const events = { outbox_drained: true, outbox_failed: true, outbox_cleaned: true };

export const erased = {
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
  mails_due: exportedRows({
    rows: (db, { id }) =>
      db
        .select()
        .from(mailsDue)
        .where(and(eq(mailsDue.ownerId, id), notInArray(mailsDue.kind, [...interestMailKinds]))),
    schema: z.object({
      id: z.string(),
      enrollment_id: z.nullable(z.uuid()),
      cohort_id: z.nullable(z.uuid()),
      to_address: z.string(),
      to_canonical: z.string(),
      kind: z.enum(outboxKinds),
      due_at: z.iso.datetime(),
      attempts: z.int(),
      sent_at: z.nullable(z.iso.datetime()),
      failed_at: z.nullable(z.iso.datetime()),
      failure: z.nullable(z.string()),
      bounced_at: z.nullable(z.iso.datetime()),
      complained_at: z.nullable(z.iso.datetime()),
    }),
  }),
};
