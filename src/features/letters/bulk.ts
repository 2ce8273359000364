import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { hasAgreed } from '#db/people.ts';
import { passing } from '#features/outbox/queue-mails.ts';
import { isPaused, isProven } from '#features/outbox/standing.ts';
import { keptMs } from './clean-outbox.ts';

/**
 * Emails that people have not asked for: they count together, and wait while their owner has
 * sent too many. Kinds that are added belong here too.
 */
const waitingKinds = sql`('invitation', 'invitation_reminder', 'message', 'payment_reminder',
  'roster_news')`;
/** What has a note of the owner beside what has changed, which goes out in any case. */
const notedKinds = sql`('dates_moved', 'meeting_changed', 'meeting_cancelled', 'cohort_cancelled')`;
/** What the owner has words of their own in that were written before: the welcome note. */
const welcomingKinds = sql`('enrolled', 'starts_soon', 'transferred')`;
/**
 * What counts with what waits: all that has words of the owner and that no one has just asked for,
 * and reminders, which do not wait, because they are worth nothing later.
 */
const bulkKinds = sql`('invitation', 'invitation_reminder', 'message', 'payment_reminder',
  'roster_news', 'dates_moved', 'meeting_changed', 'meeting_cancelled', 'cohort_cancelled',
  'starts_soon', 'meeting_reminder', 'transferred')`;
/** What waits while people mark the owner's emails as spam: all that goes to strangers, too. */
const pausedKinds = sql`('invitation', 'invitation_reminder', 'message', 'payment_reminder',
  'added')`;
/** What first tells people that an owner has them on a list, and how to be removed from it. */
const firstKinds = sql`('added', 'invitation', 'waitlisted', 'offer', 'enrolled', 'transferred')`;
/** Reminders: as many as there are first days and sessions. */
const timedKinds = sql`('starts_soon', 'meeting_reminder')`;

/** What people ask for with nothing but their address. */
const requestedKinds = sql`('confirm_request', 'confirm_interest', 'already_there',
  'write_to_instructor', 'data_link', 'address_proof', 'new_link')`;
/** What answers those who take part by their own will, and follows from it. */
const answerKinds = sql`('applied', 'enrolled', 'waitlisted', 'offer', 'offer_expiring', 'left')`;

/**
 * Who has caused email `of`: 0 someone with its address, 1 someone who takes part by their own
 * will, 2 an owner or the clock. Each counts with those before it, so that it takes nothing from
 * them.
 */
export function rankOf(of: string): SQL<0 | 1 | 2> {
  const m = sql.raw(of);
  // Empty once its text is deleted.
  const fact = (name: 'source' | 'by_owner') =>
    sql`nullif(${m}.payload, '') ->> ${sql.raw(`'$.enrollment.${name}'`)}`;
  return sql`CASE
    WHEN ${m}.kind IN ${requestedKinds} AND ${fact('by_owner')} IS NOT 1 THEN 0
    WHEN ${m}.kind IN ${answerKinds} AND ${fact('source')} IS NULL THEN 1
    ELSE 2 END`;
}

/** Whether email `m` was asked for; a part of what all may send is kept for those. */
export const isAsked = sql<0 | 1>`(${rankOf('m')} < 2)`;

/**
 * What goes first when more is due than a run sends: 0 what someone has just asked for, 1 what
 * someone may be waiting for, 3 the news, which can be read at any time of the day.
 */
export const urgencyOf = sql<0 | 1 | 2 | 3>`CASE WHEN ${rankOf('m')} = 0 THEN 0
    WHEN m.kind IN ${answerKinds} THEN 1 WHEN m.kind = 'roster_news' THEN 3 ELSE 2 END`;

/**
 * Whether email `of` counts among those that one owner may send one address: not what is asked for,
 * nor reminders to someone who has agreed to take part.
 */
export function countsForOwner(of: 'm' | 'y'): SQL<0 | 1> {
  const m = sql.raw(of);
  const isStrangers = of === 'm' ? isToStranger : sql`y.is_to_stranger = 1`;
  return sql`(${rankOf(of)} > 0 AND (${m}.kind NOT IN ${timedKinds} OR ${isStrangers}))`;
}

/** Whether email `m` waits for the one that tells its reader that they are on a list. */
export const followsTelling = sql<0 | 1>`(m.kind = 'message' OR m.kind IN ${notedKinds})`;

/** Whether email `m` counts with the others of its owner. */
export const isBulk = sql<0 | 1>`(m.kind IN ${bulkKinds})`;

/**
 * Whether it has words of its owner for a reader `p` who has not agreed to take part: those emails
 * have a limit of their own.
 */
export const isToStranger = sql<0 | 1>`(CASE WHEN (m.kind IN ${bulkKinds} OR m.kind = 'enrolled')
  AND p.id IS NOT NULL THEN NOT ${hasAgreed} ELSE 0 END)`;

/** Whether email `m` waits for room, instead of going out without the words of its owner. */
export const isWaiting = sql<0 | 1>`(m.kind IN ${waitingKinds})`;

/**
 * Whether the reader `p` of email `m` may get words of its owner: someone who takes part by their
 * own will, or has been told that they were added, by an email that has gone or long ago.
 */
export function mayHaveWords(now: number): SQL<0 | 1> {
  return sql`CASE WHEN m.kind IN ${bulkKinds} OR m.kind = 'enrolled'
    THEN coalesce(${hasAgreed}
      OR max(p.created_at, coalesce(p.corrected_at, 0)) <= ${now - keptMs}
      OR EXISTS (SELECT 1 ${firstMails} AND x.sent_at IS NOT NULL), 0)
    ELSE 1 END`;
}

/** The emails that tell the reader of email `m` that its owner has them on a list. */
const firstMails = sql`FROM mails_due x WHERE x.to_canonical = m.to_canonical
  AND x.owner_id = m.owner_id AND x.kind IN ${firstKinds}`;

/** When the reader of email `m` will be told that they are on a list, in ms; null if not at all. */
export const toldAt = sql<number | null>`(SELECT min(x.due_at) ${firstMails}
  AND x.sent_at IS NULL AND x.failed_at IS NULL)`;

/** Whether the reader of email `m` cannot be told so. */
export const cannotBeTold = sql<0 | 1>`EXISTS (SELECT 1 ${firstMails}
  AND x.failure NOT IN ${passing})`;

/**
 * How many more emails such as `m` the owner may send now with words of their own; null for any
 * number.
 */
export function bulkRoom({ config }: Pick<Context, 'config'>, now: number): SQL<number | null> {
  const rooms = config.limits.bulk_mails_per_owner.map((limit) =>
    roomOf(limit, now, sql`y.kind IN ${bulkKinds}`),
  );
  return sql`CASE WHEN m.kind IN ${waitingKinds} OR m.kind IN ${notedKinds}
      OR (m.kind IN ${welcomingKinds} AND ${isToStranger})
    THEN ${leastOf(rooms)} END`;
}

/** The same of those to people who have not agreed, until the owner is proven. */
export function strangerRoom({ config }: Pick<Context, 'config'>, now: number): SQL<number | null> {
  const rooms = config.limits.stranger_bulk_mails_per_owner.map((limit) =>
    roomOf(limit, now, sql`y.is_to_stranger = 1`),
  );
  return sql`CASE WHEN ${isToStranger} THEN CASE WHEN NOT ${isProven(sql`m.owner_id`)}
    THEN ${leastOf(rooms)} END END`;
}

function roomOf({ count, seconds }: Rate, now: number, counts: SQL): SQL {
  return sql`${count} - (SELECT count(*) FROM mails_due y WHERE y.owner_id = m.owner_id
    AND y.sent_at > ${now - seconds * 1000} AND ${counts})`;
}

type Rate = Context['config']['limits']['bulk_mails_per_owner'][number];

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
 * back, so that it holds up no one else's. Emails that were tried stay with their batch.
 *
 * @param waits who has to wait until when, and with which emails
 */
export function postpone(now: number, waits: readonly OwnersWait[]) {
  return sql`UPDATE mails_due SET due_at = wanted.value ->> 'until'
    FROM json_each(${JSON.stringify(waits)}) AS wanted
    WHERE mails_due.sent_at IS NULL AND mails_due.failed_at IS NULL AND mails_due.due_at <= ${now}
      AND mails_due.batch_key IS NULL AND mails_due.owner_id = wanted.value ->> 'ownerId'
      AND CASE wanted.value ->> 'which' WHEN 'paused' THEN mails_due.kind IN ${pausedKinds}
        WHEN 'all' THEN mails_due.kind IN ${waitingKinds}
        ELSE mails_due.kind IN ${waitingKinds} AND EXISTS (SELECT 1
          FROM enrollments e JOIN people p ON p.id = e.person_id
          WHERE e.id = mails_due.enrollment_id AND NOT ${hasAgreed}) END`;
}

/** Which emails of an owner wait: what a pause holds back, or bulk email, all or to strangers. */
export type WhichWait = 'paused' | 'all' | 'to_strangers';

/** Until when emails of an owner wait. */
export type OwnersWait = { ownerId: string; until: number; which: WhichWait };

/** The smallest number; null without any. With one argument, SQLite's `min` is an aggregate. */
export function leastOf(numbers: SQL[]): SQL {
  return numbers.length > 1 ? sql`min(${sql.join(numbers, sql`, `)})` : (numbers[0] ?? sql`NULL`);
}

/** The same of the owner of an email, if emails of its kind pause. */
export function isPausedFor(ownerId: SQL, kind: SQL): SQL<0 | 1> {
  return sql`CASE WHEN ${kind} IN ${pausedKinds} THEN ${isPaused(ownerId)} ELSE 0 END`;
}

/** Whether what has changed goes out without the words of the owner, for the same reason. */
export function isWithoutNote(ownerId: SQL, kind: SQL): SQL<0 | 1> {
  return sql`CASE WHEN ${kind} IN ${notedKinds} OR (${kind} IN ${welcomingKinds} AND ${isToStranger})
    THEN ${isPaused(ownerId)} ELSE 0 END`;
}
