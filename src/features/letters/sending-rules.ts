import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { hasAgreed } from '#db/people.ts';
import { isClaimedBesides } from '#features/outbox/claimed-mails.ts';
import { kindIn } from '#features/outbox/kind-in.ts';
import { passing } from '#features/outbox/queue-mails.ts';
import { isPaused, isProven } from '#features/outbox/standing.ts';
import { keptMs } from './clean-outbox.ts';

type Limits = Pick<Context, 'config'>;
type Rate = Context['config']['limits']['bulk_mails_per_owner'][number];

/**
 * Who has caused an email: 0 someone with its address, 1 someone who takes part by their own will,
 * 2 an owner or the clock. Each counts with those before it, so that it takes nothing from them.
 */
function rankOf(mail: 'm' | 'y'): SQL<0 | 1 | 2> {
  // Empty once its text is deleted.
  const fact = (name: 'source' | 'by_owner') =>
    sql.raw(`nullif(${mail}.payload, '') ->> '$.enrollment.${name}'`);
  return sql`CASE
    WHEN ${kindIn(mail, ({ askedBy }) => askedBy === 'anyone')} AND ${fact('by_owner')} IS NOT 1 THEN 0
    WHEN ${isAnswer(mail)} AND ${fact('source')} IS NULL THEN 1
    ELSE 2 END`;
}

/** Whether an email answers someone who takes part, or follows from that. */
function isAnswer(mail: 'm' | 'y'): SQL<0 | 1> {
  return kindIn(mail, ({ askedBy }) => askedBy === 'participant');
}

/** Whether email `m` was asked for; a part of what all may send is kept for those. */
export const isAsked = sql<0 | 1>`(${rankOf('m')} < 2)`;

/**
 * What goes first when more is due than a run sends: 0 what someone has just asked for, 1 what
 * someone may be waiting for, 3 the news, which can be read at any time of the day.
 */
export const urgency = sql<0 | 1 | 2 | 3>`CASE WHEN ${rankOf('m')} = 0 THEN 0
    WHEN ${isAnswer('m')} THEN 1
    WHEN ${kindIn('m', ({ subscription }) => subscription === 'news')} THEN 3 ELSE 2 END`;

const hasNote = kindIn('m', ({ words }) => words === 'note');
/** Whether email `m` counts with what else its owner sends to many. */
const isBulk = kindIn('m', ({ bulk }) => bulk !== undefined);
/** Whether email `m` waits for room, instead of going out without the words of its owner. */
const isWaiting = kindIn('m', ({ bulk }) => bulk === 'waits');
const isBulkOrHasWords = kindIn('m', ({ bulk, words }) => (bulk ?? words) !== undefined);

/**
 * Whether email `m` has words of its owner for a reader `p` who has not agreed to take part: those
 * emails have a limit of their own.
 */
const isToStranger = sql<0 | 1>`(CASE WHEN ${isBulkOrHasWords}
  AND p.id IS NOT NULL THEN NOT ${hasAgreed} ELSE 0 END)`;

/** Whether email `m` goes out without words of its owner when there is no room for them. */
const canLackWords = sql`(${hasNote}
  OR (${kindIn('m', ({ words }) => words === 'welcome')} AND ${isToStranger}))`;

/** Whether email `m` waits for its reader alone: others like it are to people who have agreed. */
const isWaitingStranger = sql<0 | 1>`(${kindIn('m', (traits) => traits.waitsForStrangers === true)}
  AND ${isToStranger})`;

/** Whether email `m` waits, because people have marked emails of its owner as spam. */
const isHeldByPause = sql<0 | 1>`CASE
  WHEN ${kindIn('m', ({ pauses }) => pauses === true)} OR ${isWaitingStranger}
  THEN ${isPaused(sql`m.owner_id`)} ELSE 0 END`;

/** Whether email `m` goes out without words of its owner, for the same reason. */
const isWithoutNote = sql<0 | 1>`CASE WHEN ${canLackWords}
  THEN ${isPaused(sql`m.owner_id`)} ELSE 0 END`;

/** Whether the reader `p` of email `m` has agreed to be asked for money, if it does that. */
const mayAskForMoney = sql<0 | 1>`coalesce(
  CASE WHEN ${kindIn('m', ({ asksForMoney }) => asksForMoney === true)} THEN ${hasAgreed} END, 0)`;

/**
 * Whether the reader `p` of email `m` may get words of its owner: someone who takes part by their
 * own will, or knows that they were added, by an email that has gone or long ago.
 */
function mayHaveWords(now: number): SQL<0 | 1> {
  return sql`CASE WHEN ${isBulkOrHasWords}
    THEN coalesce(${hasAgreed}
      OR max(p.created_at, coalesce(p.corrected_at, 0)) <= ${now - keptMs}
      OR EXISTS (SELECT 1 ${introductions} AND x.sent_at IS NOT NULL), 0)
    ELSE 1 END`;
}

/** The emails that tell the reader of email `m` that its owner has them on a list. */
const introductions = sql`FROM mails_due x WHERE x.to_canonical = m.to_canonical
  AND x.owner_id = m.owner_id AND ${kindIn('x', ({ introduces }) => introduces === true)}`;

const isMessage = kindIn('m', ({ words }) => words === 'message');

/** When the introduction is due for which email `m` waits, in ms; null if it waits for none. */
const introductionAt = sql<number | null>`CASE WHEN ${isMessage} OR ${hasNote}
  THEN (SELECT min(x.due_at) ${introductions} AND x.sent_at IS NULL AND x.failed_at IS NULL) END`;

/** Whether message `m` waits in vain, because its reader cannot be introduced. */
const cannotBeIntroduced = sql<0 | 1>`CASE WHEN ${isMessage}
  THEN EXISTS (SELECT 1 ${introductions} AND x.failure NOT IN ${passing}) ELSE 0 END`;

/**
 * How many more emails an address may get, beside what other workers hold for it. An urgent one
 * waits for twice as many. What is asked for with the address counts by itself, and what answers
 * its owner beside that of the same instructor, so that no one can lock them out.
 */
function addressRoom({ config }: Limits, now: number): SQL<number | null> {
  const counts = sql`CASE ${rankOf('m')} WHEN 0 THEN ${rankOf('y')} = 0
    WHEN 1 THEN ${rankOf('y')} = 1 AND y.owner_id = m.owner_id ELSE ${rankOf('y')} > 0 END`;
  return roomOfAddress(config.limits.cohort_mails_per_address, now, counts);
}

/** How many more of them one owner may cause; what someone has asked for does not count. */
function ownerRoom({ config }: Limits, now: number): SQL<number | null> {
  const counts = sql`y.owner_id = m.owner_id AND ${countsForOwner('y')}
    AND ${rankOf('y')} <= ${rankOf('m')}`;
  return sql`CASE WHEN ${countsForOwner('m')}
    THEN ${roomOfAddress(config.limits.owner_mails_per_address, now, counts)} END`;
}

/**
 * Whether an email counts among those that one owner may send one address: not what is asked for,
 * nor reminders to someone who has agreed to take part.
 */
function countsForOwner(mail: 'm' | 'y'): SQL {
  const isReminder = kindIn(mail, ({ needed }) => needed === 'reminder_due');
  const isStrangers = mail === 'm' ? isToStranger : sql`y.is_to_stranger = 1`;
  return sql`(${rankOf(mail)} > 0 AND (NOT ${isReminder} OR ${isStrangers}))`;
}

function roomOfAddress(rates: readonly Rate[], now: number, counts: SQL): SQL<number | null> {
  const times = sql`(1 + ${kindIn('m', ({ isUrgent }) => isUrgent === true)})`;
  const countOf = (which: SQL) => sql`(SELECT count(*) FROM mails_due y
    WHERE y.to_canonical = m.to_canonical AND ${which} AND ${counts})`;
  return leastOf(
    rates.map(
      ({ count, seconds }) => sql<number>`${count} * ${times}
        - ${countOf(sql`y.sent_at > ${now - seconds * 1000}`)}
        - ${countOf(isClaimedBesides(now))}`,
    ),
  );
}

/**
 * How many more emails such as `m` the owner may send now with words of their own; null for any
 * number.
 */
function bulkRoom({ config }: Limits, now: number): SQL<number | null> {
  const isBulkToo = kindIn('y', ({ bulk }) => bulk !== undefined);
  return sql`CASE WHEN ${isWaiting} OR ${canLackWords}
    THEN ${roomOfOwner(config.limits.bulk_mails_per_owner, now, isBulkToo)} END`;
}

/** How many more to people who have not agreed, until the owner is proven. */
function strangerRoom({ config }: Limits, now: number): SQL<number | null> {
  const rates = config.limits.stranger_bulk_mails_per_owner;
  return sql`CASE WHEN ${isToStranger} THEN CASE WHEN NOT ${isProven(sql`m.owner_id`)}
    THEN ${roomOfOwner(rates, now, sql`y.is_to_stranger = 1`)} END END`;
}

function roomOfOwner(rates: readonly Rate[], now: number, counts: SQL): SQL<number | null> {
  return leastOf(
    rates.map(
      ({ count, seconds }) => sql<number>`${count} - (SELECT count(*) FROM mails_due y
        WHERE y.owner_id = m.owner_id AND y.sent_at > ${now - seconds * 1000} AND ${counts})`,
    ),
  );
}

/** The smallest number; null without any. With one argument, SQLite's `min` is an aggregate. */
function leastOf(numbers: SQL<number>[]): SQL<number | null> {
  const [first = sql<null>`NULL`, ...others] = numbers;
  return others.length === 0 ? first : sql`min(${sql.join(numbers, sql`, `)})`;
}

/** What decides whether and how email `m` of `mailsWithFacts` is sent now, by name. */
export function sendingFacts(ctx: Limits, now: number) {
  return {
    rank: rankOf('m'),
    isAsked,
    isBulk,
    isWaiting,
    isWaitingStranger,
    isToStranger,
    isHeldByPause,
    isWithoutNote,
    mayAskForMoney,
    mayHaveWords: mayHaveWords(now),
    introductionAt,
    cannotBeIntroduced,
    addressRoom: addressRoom(ctx, now),
    ownerRoom: ownerRoom(ctx, now),
    bulkRoom: bulkRoom(ctx, now),
    strangerRoom: strangerRoom(ctx, now),
  };
}

type Facts = ReturnType<typeof sendingFacts>;
/** The values of `sendingFacts`. A room is null for any number. */
export type SendingFacts = { [Name in keyof Facts]: Facts[Name]['_']['type'] };

/**
 * How long the last of so many emails waits, in milliseconds, if their owner has sent none in the
 * time before.
 */
export function waitOfLast({ config }: Limits, count: number): number {
  const waits = config.limits.bulk_mails_per_owner.map(
    (limit) => Math.floor((count - 1) / limit.count) * limit.seconds * 1000,
  );
  return Math.max(0, ...waits);
}
