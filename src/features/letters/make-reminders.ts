import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, query } from '#db/query.ts';
import {
  insertMails,
  nextMeetingFact,
  ownPayloadOf,
  sharedFacts,
} from '#features/outbox/queue-mails.ts';
import { inSteps } from '#lib/in-steps.ts';
import { hourMs } from '#lib/time/calendar.ts';

/** Limits one batch: each has an email for every person of its cohort. */
const chunkRows = 10;

/** If a new time means that its reminder was due longer ago than this, there is none. */
export const latestMs = 2 * hourMs;

/** What people are reminded of, and when. */
type Reminder = {
  /** What is due, by its own index: `id`, in the order of time. */
  due: (now: number) => SQL;
  /** The tables `c` of cohorts and, for a live session, `g`, of those that are due. */
  from: SQL;
  kind: 'starts_soon' | 'meeting_reminder';
  /** What makes it another email than the last: people are reminded once of the same time. */
  key: SQL;
  dueAt: SQL;
  /** When the time was last changed, or something beside it. */
  changedAt: SQL;
  isWanted: SQL;
  /** What its email says beside the rest, as further arguments of `json_object`. */
  facts: SQL;
  /** Notes that they were reminded, even if no one was to be. */
  mark: (ids: SQL, now: number) => SQL;
};

const ofStart: Reminder = {
  due: (now) => sql`SELECT id FROM cohorts WHERE start_reminded_on IS NOT starts_on
    AND start_reminder_at <= ${now} ORDER BY start_reminder_at`,
  from: sql`JOIN cohorts c ON c.id = due.value`,
  kind: 'starts_soon',
  key: sql`'start:' || e.id || ':' || c.starts_on || ':' || c.time_zone`,
  dueAt: sql`c.start_reminder_at`,
  changedAt: sql`c.updated_at`,
  isWanted: sql`c.reminds_start = 1 AND c.start_reminded_on IS NOT c.starts_on`,
  facts: sql`'next_meeting', ${nextMeetingFact(sql`c.start_reminder_at`)}`,
  mark: (ids, now) => sql`UPDATE cohorts SET start_reminded_on = starts_on
    WHERE id IN (${ids}) AND start_reminder_at <= ${now}`,
};

function ofMeetings(which: 'day' | 'hour'): Reminder {
  const before = which === 'day' ? 24 * hourMs : hourMs;
  const [marker, wants] =
    which === 'day'
      ? [sql`reminded_day_for`, sql`c.reminds_day_before`]
      : [sql`reminded_hour_for`, sql`c.reminds_hour_before`];
  return {
    due: (now) => sql`SELECT id FROM meetings WHERE cancelled_at IS NULL
      AND ${marker} IS NOT starts_at AND starts_at <= ${now + before} ORDER BY starts_at`,
    from: sql`JOIN meetings g ON g.id = due.value JOIN cohorts c ON c.id = g.cohort_id`,
    kind: 'meeting_reminder',
    key: sql`'meeting:' || e.id || ':' || g.id || ':' || ${which} || ':' || g.starts_local
      || ':' || c.time_zone`,
    dueAt: sql`g.starts_at - ${before}`,
    changedAt: sql`g.updated_at`,
    isWanted: sql`${wants} = 1 AND g.cancelled_at IS NULL`,
    facts: sql`'meeting', json_object('id', g.id, 'title', g.title,
      'starts_local', g.starts_local, 'starts_at', g.starts_at,
      'duration_minutes', g.duration_minutes, 'place', coalesce(g.place, c.place),
      'which', ${which})`,
    mark: (ids, now) => sql`UPDATE meetings SET ${marker} = starts_at
      WHERE id IN (${ids}) AND starts_at <= ${now + before}`,
  };
}

const reminders = [ofStart, ofMeetings('day'), ofMeetings('hour')];

/**
 * Writes the reminders that are due: of the first day of a cohort, and of live sessions. Everyone
 * enrolled by then gets one; what has moved or was canceled has none, because its time is another.
 */
export async function makeReminders(ctx: Context): Promise<void> {
  let count = 0;
  const isDone = await inSteps(ctx, async (now) => {
    const rows = await ask(
      ctx,
      Object.fromEntries(reminders.map((reminder, index) => [index, dueRows(reminder, now)])),
    );
    const due = Object.values(rows).map((ofReminder) => ofReminder.map(({ id }) => id));
    if (due.some((ids) => ids.length > 0)) {
      count += await write(ctx, due, now);
    }
    return due.every((ids) => ids.length < chunkRows);
  });
  if (count > 0 || !isDone) {
    ctx.observe.log('reminders_made', { count, is_done: isDone });
  }
}

function dueRows({ due }: Reminder, now: number) {
  return db.all<{ id: string }>(sql`${due(now)} LIMIT ${chunkRows}`);
}

async function write(ctx: Context, due: string[][], now: number): Promise<number> {
  const statements = reminders.flatMap((reminder, index) => {
    const ids = due[index] ?? [];
    return ids.length === 0
      ? []
      : [
          [`${index} mails`, insertReminders(reminder, ids, now)] as const,
          [`${index} marked`, db.run(reminder.mark(listOf(ids), now))] as const,
        ];
  });
  const results = await ask(ctx, Object.fromEntries(statements));
  return Object.values(results)
    .filter((result) => Array.isArray(result))
    .reduce((sum, rows) => sum + rows.length, 0);
}

function listOf(ids: readonly string[]): SQL {
  return sql`SELECT due.value FROM json_each(${JSON.stringify(ids)}) AS due`;
}

function insertReminders(reminder: Reminder, ids: readonly string[], now: number) {
  const { from, kind, key, dueAt, changedAt, isWanted, facts } = reminder;
  // Set to so near a time that it would have been due long ago: people were told of that itself.
  const isOutdated = sql`(${dueAt} < ${now - latestMs} AND ${changedAt} > ${dueAt})`;
  const text = crypto.randomUUID();
  const textId = sql`(${text} || ':' || due.value)`;
  const which = sql`c.published_at IS NOT NULL AND c.deleted_at IS NULL AND c.archived_at IS NULL
    AND ${dueAt} <= ${now} AND ${isWanted} AND NOT ${isOutdated}`;
  return query(
    {
      texts: db.run(sql`INSERT INTO mail_texts (id, owner_id, facts, created_at)
        SELECT ${textId}, c.owner_id, json_object(${sharedFacts()}, ${facts}), ${now}
        FROM json_each(${JSON.stringify(ids)}) AS due ${from}
          JOIN courses k ON k.id = c.course_id JOIN users u ON u.id = c.owner_id
        WHERE ${which}`),
      // What was dropped while its time was another is due again once that comes back.
      mails: insertMails({
        kind,
        key,
        payload: ownPayloadOf(),
        textId,
        dueAt,
        isRevived: true,
        from: sql`json_each(${JSON.stringify(ids)}) AS due ${from}
          JOIN enrollments e ON e.cohort_id = c.id AND e.status = 'enrolled'
          JOIN people p ON p.id = e.person_id AND p.no_reminders_at IS NULL
        WHERE ${which}`,
      }),
    },
    ({ mails }) => mails,
  );
}
