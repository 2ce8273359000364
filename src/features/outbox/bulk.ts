import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';

/**
 * Emails that people have not asked for: they count together, and wait while their owner has
 * sent too many. Kinds that are added belong here too.
 */
const waitingKinds = sql`('invitation', 'invitation_reminder', 'message', 'payment_reminder',
  'roster_news')`;
/** What counts with them. Reminders do not wait: they are worth nothing later. */
const bulkKinds = sql`('invitation', 'invitation_reminder', 'message', 'payment_reminder',
  'roster_news', 'starts_soon', 'meeting_reminder')`;
/** What waits while people mark the owner's emails as spam: all that goes to strangers, too. */
const pausedKinds = sql`('invitation', 'invitation_reminder', 'message', 'payment_reminder',
  'added')`;
/** What has a note of the owner beside what has changed, which goes out in any case. */
const notedKinds = sql`('dates_moved', 'meeting_changed', 'meeting_cancelled', 'cohort_cancelled')`;
/** What one cause writes to many people, and the provider takes by one request. */
export const batchKinds = sql`('starts_soon', 'meeting_reminder', 'meeting_changed',
  'meeting_cancelled', 'message', 'dates_moved', 'cohort_cancelled', 'payment_reminder')`;

/** What answers those who have just done something by themselves, or wait for it. */
export const askedKinds = sql`('confirm_request', 'confirm_interest', 'already_there',
  'write_to_instructor', 'applied', 'enrolled', 'waitlisted', 'offer', 'offer_expiring', 'left',
  'data_link', 'address_proof')`;

/** Whether email `m` is one of those, for which a part of what all may send is kept. */
export const isAsked = sql<0 | 1>`(m.kind IN ${askedKinds})`;

/** Whether email `m` counts with the others of its owner. */
export const isBulk = sql<0 | 1>`(m.kind IN ${bulkKinds})`;

/** How many more the owner of email `m` may send now, if it has to wait; null for any number. */
export function bulkRoom(ctx: Context, now: number): SQL<number | null> {
  const rooms = ctx.config.limits.bulk_mails_per_owner.map(
    ({ count, seconds }) => sql`${count} - (SELECT count(*) FROM mails_due y
      WHERE y.owner_id = m.owner_id AND y.sent_at > ${now - seconds * 1000}
      AND y.kind IN ${bulkKinds})`,
  );
  return sql`CASE WHEN m.kind IN ${waitingKinds} THEN ${leastOf(rooms)} END`;
}

/**
 * How long the last of so many emails waits, in milliseconds, if their owner has sent none in the
 * time before.
 */
export function waitOfLast({ config }: Pick<Context, 'config'>, count: number): number {
  const waits = config.limits.bulk_mails_per_owner.map(
    (limit) => Math.floor((count - 1) / limit.count) * limit.seconds * 1000,
  );
  return Math.max(0, ...waits);
}

/**
 * Lets what else an owner has due wait as long as the email that their limit or a pause has held
 * back, so that it holds up no one else's.
 *
 * @param waits who has to wait until when, and whether only for what pauses
 */
export function postpone(now: number, waits: readonly OwnersWait[]) {
  return sql`UPDATE mails_due SET due_at = wanted.value ->> 'until'
    FROM json_each(${JSON.stringify(waits)}) AS wanted
    WHERE mails_due.sent_at IS NULL AND mails_due.failed_at IS NULL AND mails_due.due_at <= ${now}
      AND mails_due.owner_id = wanted.value ->> 'ownerId'
      AND CASE WHEN wanted.value ->> 'isPause' THEN mails_due.kind IN ${pausedKinds}
        ELSE mails_due.kind IN ${waitingKinds} END`;
}

/** Until when the emails of an owner wait. */
export type OwnersWait = { ownerId: string; until: number; isPause: boolean };

/** The smallest number; null without any. With one argument, SQLite's `min` is an aggregate. */
export function leastOf(numbers: SQL[]): SQL {
  return numbers.length > 1 ? sql`min(${sql.join(numbers, sql`, `)})` : (numbers[0] ?? sql`NULL`);
}

/** After this many accepted invitations, an instructor is trusted. */
const provenAfter = 10;
/** This many complaints about the last emails pause an instructor; a new one, the first. */
const mostComplaints = 3;
const lastEmails = 100;

/** Whether so many have accepted an owner's invitations, by themselves, that they may send more. */
export function isProven(ownerId: SQL | string): SQL<0 | 1> {
  return sql`EXISTS (SELECT 1 FROM enrollment_events v WHERE v.owner_id = ${ownerId}
    AND v.actor = 'person' AND v.from_status = 'invited'
    AND v.to_status IN ('enrolled', 'waitlisted')
    LIMIT 1 OFFSET ${provenAfter - 1})`;
}

/** How many of an owner's last emails to others were marked as spam. */
function complaintsAbout(ownerId: SQL | string): SQL<number> {
  const toOthers = sql`x.owner_id = ${ownerId} AND x.sent_at IS NOT NULL
    AND x.kind NOT IN ('preview', 'roster_news')`;
  return sql`(SELECT count(x.complained_at) FROM mails_due x WHERE ${toOthers}
    AND x.sent_at >= coalesce((SELECT x.sent_at FROM mails_due x WHERE ${toOthers}
      ORDER BY x.sent_at DESC LIMIT 1 OFFSET ${lastEmails - 1}), 0))`;
}

/** Whether people mark so much of what an owner sends as spam that invitations pause. */
export function isPaused(ownerId: SQL | string): SQL<0 | 1> {
  // A CASE, because AND would evaluate both: hardly anyone has a complaint at all.
  return sql<0 | 1>`CASE WHEN EXISTS (SELECT 1 FROM mails_due f WHERE f.owner_id = ${ownerId}
      AND f.complained_at IS NOT NULL)
    THEN ${complaintsAbout(ownerId)} >=
      CASE WHEN ${isProven(ownerId)} THEN ${mostComplaints} ELSE 1 END
    ELSE 0 END`;
}

/** The same of the owner of an email, if emails of its kind pause. */
export function isPausedFor(ownerId: SQL, kind: SQL): SQL<0 | 1> {
  return sql`CASE WHEN ${kind} IN ${pausedKinds} THEN ${isPaused(ownerId)} ELSE 0 END`;
}

/** Whether an email of this kind says what has changed without the words of its owner. */
export function isWithoutNote(ownerId: SQL, kind: SQL): SQL<0 | 1> {
  return sql`CASE WHEN ${kind} IN ${notedKinds} THEN ${isPaused(ownerId)} ELSE 0 END`;
}
