import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { hasAgreed } from '#db/people.ts';
import { db } from '#db/query.ts';
import type { OutboxKind } from '#email/kinds.ts';
import { hourMs, minuteMs } from '#lib/time/calendar.ts';
import { kindIn } from './kind-in.ts';

/** How long a worker may take for what it has claimed. If it dies, the next one sends the rest. */
const claimMs = 2 * 60 * 1000;
/** Claims of the same moment are told apart by so much at most. */
const claimsMs = 1_000;

/** What is sent by one request to the provider, or one after another. */
export type Group = { ids: string[]; batchKey: string | null; isAlone: boolean };

/** An email that this worker has claimed. */
export type ClaimedMail = {
  id: string;
  kind: OutboxKind;
  /** Null once the account is deleted. */
  ownerId: string | null;
  attempts: number;
  /** By which key it went to the provider, or will: its own id if it goes alone. */
  batchKey: string | null;
  claimedUntil: number;
  /** Whether it has words of its owner for someone who has not agreed to take part. */
  isToStranger: 0 | 1;
};

/**
 * Claims emails, by pushing their time ahead.
 *
 * @param group as it was found: what another worker has tried since is left to it
 * @returns the statement, with the ids of what it has claimed; and the condition of emails `m` by
 *   which they are read in the same batch. Without any, that reads those of another worker.
 */
export function claimMails(now: number, { ids, batchKey, isAlone }: Group) {
  const claimedUntil = now + claimMs;
  // Each claim has a time of its own, by which workers tell what the others have.
  const lastClaim = sql`(SELECT max(h.due_at) FROM mails_due h
    WHERE h.sent_at IS NULL AND h.failed_at IS NULL AND h.attempts > 0
      AND h.due_at >= ${claimedUntil} AND h.due_at < ${claimedUntil + claimsMs})`;
  const newKey = isAlone ? sql`mails_due.id` : sql`${batchKey ?? crypto.randomUUID()}`;
  const isSame = isAlone
    ? sql`(d.batch_key IS NULL OR d.batch_key = d.id)`
    : sql`d.batch_key IS ${batchKey}`;
  return {
    claim: db.all<{ id: string }>(sql`UPDATE mails_due
      SET due_at = claims.value, attempts = attempts + 1, batch_key = ${newKey}
      FROM json_each(json_array(coalesce(${lastClaim} + 1, ${claimedUntil}))) AS claims
      WHERE mails_due.id IN (SELECT d.id FROM json_each(${JSON.stringify(ids)}) w
          JOIN mails_due d ON d.id = w.value
        WHERE d.sent_at IS NULL AND d.failed_at IS NULL AND d.due_at <= ${now} AND ${isSame})
      RETURNING mails_due.id`),
    isClaimed: sql`m.due_at = ${lastClaim} AND m.sent_at IS NULL AND m.failed_at IS NULL
      AND m.attempts > 0`,
  };
}

/** Whether email `y` is claimed by a worker, but not together with `m`. */
export function isClaimedBesides(now: number): SQL {
  return sql`y.sent_at IS NULL AND y.failed_at IS NULL AND y.attempts > 0 AND y.due_at > ${now}
    AND y.due_at < ${now + claimMs + claimsMs} AND y.due_at <> m.due_at`;
}

/** After each try that failed but the last: six hours in all. */
const retryMs = [minuteMs, 10 * minuteMs, hourMs, 6 * hourMs - 71 * minuteMs];

/** How long an email waits that was tried so often in vain; undefined if it is given up. */
export function retryAfter(attempts: number): number | undefined {
  return retryMs[attempts - 1];
}

/** Why an email is not sent, ever. */
export type Failure =
  | 'not_needed'
  | 'late'
  | 'suppressed'
  | 'unwelcome'
  | 'refused'
  | 'not_accepted'
  | 'not_composed'
  | 'not_told';

export type DeliveryOutcome =
  | { kind: 'sent'; providerId: string | null }
  | { kind: 'failed'; failure: Failure }
  /**
   * Held back by a limit, or not accepted: which is a try, if it was tried. What is held back for
   * its owner holds back what else they have due.
   */
  | {
      kind: 'later';
      waitMs: number;
      isTry: boolean;
      isHeldBack?: true;
      /** Next time with any others, because it was not handed over; or alone, if it was refused. */
      next?: 'fresh' | 'alone';
      forOwner?: OwnersWait['which'];
      /** Whether its reader has to read first that they are on a list. */
      needsIntroduction?: true;
    };

/** For a minute, without counting as a try. */
export const notNow: DeliveryOutcome = { kind: 'later', waitMs: minuteMs, isTry: false };

/** A claimed email, and what has become of it. */
export type Delivery<Mail extends ClaimedMail = ClaimedMail> = {
  mail: Mail;
  outcome: DeliveryOutcome;
};

export type Counts = { sent: number; dropped: number; later: number };

/** The statements that write what became of emails, and postpone what waits with them. */
export function markMails(now: number, deliveries: readonly Delivery[]) {
  const rows = deliveries.map(({ mail, outcome }) => ({
    id: mail.id,
    claimed: mail.claimedUntil,
    sent: outcome.kind === 'sent' ? now : null,
    failed: outcome.kind === 'failed' ? now : null,
    failure: outcome.kind === 'failed' ? outcome.failure : null,
    provider: outcome.kind === 'sent' ? outcome.providerId : null,
    due: outcome.kind === 'later' ? now + outcome.waitMs : now,
    batch: nextKeyOf(mail, outcome),
    toStranger: mail.isToStranger,
    attempts: mail.attempts - (outcome.kind === 'later' && !outcome.isTry ? 1 : 0),
  }));
  const waits = waitsOf(deliveries, now);
  return {
    marked: db.run(sql`UPDATE mails_due SET
        sent_at = marks.value ->> 'sent', failed_at = marks.value ->> 'failed',
        failure = marks.value ->> 'failure', provider_id = marks.value ->> 'provider',
        due_at = marks.value ->> 'due', attempts = marks.value ->> 'attempts',
        batch_key = marks.value ->> 'batch', is_to_stranger = marks.value ->> 'toStranger'
      FROM json_each(${JSON.stringify(rows)}) AS marks
      WHERE mails_due.id = marks.value ->> 'id' AND mails_due.sent_at IS NULL
        AND (marks.value ->> 'sent' IS NOT NULL OR mails_due.due_at = marks.value ->> 'claimed')`),
    postponed: waits.length === 0 ? undefined : db.run(postpone(now, waits)),
  };
}

/** Counts and logs what became of emails. */
export function countDeliveries(ctx: Context, deliveries: readonly Delivery[], counts: Counts) {
  for (const { mail, outcome } of deliveries) {
    counts[outcome.kind === 'failed' ? 'dropped' : outcome.kind] += 1;
    if (outcome.kind === 'failed' && outcome.failure !== 'not_needed') {
      ctx.observe.log('outbox_failed', { kind: mail.kind, failure: outcome.failure });
    }
  }
}

/** By which key an email goes the next time; null for what may go with any others. */
function nextKeyOf({ id, batchKey }: ClaimedMail, outcome: DeliveryOutcome): string | null {
  if (outcome.kind === 'later' && (outcome.isHeldBack || outcome.next === 'fresh')) {
    return null;
  }
  return outcome.kind === 'later' && outcome.next === 'alone' ? id : batchKey;
}

/** Until when emails of an owner wait: what a pause holds back, or bulk, all or to strangers. */
type OwnersWait = { ownerId: string; until: number; which: 'paused' | 'all' | 'to_strangers' };

/** How long the owners wait whose emails were held back, each for the same reason once. */
function waitsOf(deliveries: readonly Delivery[], now: number): OwnersWait[] {
  const waits = new Map<string, OwnersWait>();
  for (const { mail, outcome } of deliveries) {
    if (outcome.kind === 'later' && outcome.forOwner !== undefined && mail.ownerId !== null) {
      const which = outcome.forOwner;
      const until = now + outcome.waitMs;
      waits.set(`${mail.ownerId} ${which}`, { ownerId: mail.ownerId, until, which });
    }
  }
  return [...waits.values()];
}

/**
 * Lets what else an owner has due wait as long as the email that their limit or a pause has held
 * back, so that it holds up no one else's. Emails that were tried stay with their batch.
 */
function postpone(now: number, waits: readonly OwnersWait[]) {
  const pauses = kindIn('mails_due', (traits) => traits.pauses === true);
  const isWaiting = kindIn('mails_due', ({ bulk }) => bulk === 'waits');
  return sql`UPDATE mails_due SET due_at = waits.value ->> 'until'
    FROM json_each(${JSON.stringify(waits)}) AS waits
    WHERE mails_due.sent_at IS NULL AND mails_due.failed_at IS NULL AND mails_due.due_at <= ${now}
      AND mails_due.batch_key IS NULL AND mails_due.owner_id = waits.value ->> 'ownerId'
      AND CASE waits.value ->> 'which' WHEN 'paused' THEN ${pauses} WHEN 'all' THEN ${isWaiting}
        ELSE ${isWaiting} AND EXISTS (SELECT 1
          FROM enrollments e JOIN people p ON p.id = e.person_id
          WHERE e.id = mails_due.enrollment_id AND NOT ${hasAgreed}) END`;
}
