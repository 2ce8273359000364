import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { db } from '#db/query.ts';
import type { OutboxKind } from '#email/kinds.ts';

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
