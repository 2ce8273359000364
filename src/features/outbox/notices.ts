import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isLive } from '#db/people.ts';
import { ask, db, query } from '#db/query.ts';
import type { Payload } from '#email/payload.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import { insertMails, insertText, ownPayloadOf, textIdOf } from './queue-mails.ts';

/**
 * Counts an email to all people of one of the viewer's cohorts. What it would be about can still be
 * done without the email.
 *
 * @throws AppError `too_many_notices`, `unavailable`
 */
export async function countNotice(ctx: ViewerContext, cohortId: string): Promise<void> {
  const uses = [
    { limit: 'notices_per_cohort', subject: cohortId },
    { limit: 'notices_per_owner', subject: ctx.viewer.id },
  ] as const;
  const limit = await limitOn(ctx, [...uses], 'refuse');
  const hasReaders = sql`EXISTS (SELECT 1 FROM cohorts c JOIN enrollments e ON e.cohort_id = c.id
    WHERE c.id = ${cohortId} AND c.owner_id = ${ctx.ownerId} AND c.published_at IS NOT NULL
      AND c.deleted_at IS NULL AND c.archived_at IS NULL AND c.ends_at > ${ctx.now().getTime()} AND ${isLive})`;
  const { rows, usage } = await ask(ctx, {
    rows: db.all<{ hasReaders: 0 | 1 }>(sql`SELECT ${hasReaders} AS hasReaders`),
    usage: limit.count(hasReaders),
  });
  const [full] = usage.full;
  if (full !== undefined && rows[0]?.hasReaders === 1) {
    ctx.observe.log('rate_limited', { limit: full.limit });
    throw new AppError('too_many_notices', { values: { n: full.max } });
  }
}

type NoticeFacts = {
  /** The dates until now, as JSON: for an email that says what has changed. */
  before?: SQL;
  nextMeeting?: Payload['next_meeting'];
  note?: string | null | undefined;
  /** What each of them is refunded, as JSON; null if nothing is. */
  refund?: SQL | undefined;
  /** Which people `e`; by default everyone who takes part, waits or is invited. */
  readers?: SQL;
  /** When it was written, and when it goes out; by default now. */
  now?: number;
  dueAt?: number;
};

/**
 * Writes an email to people of cohorts. It replaces one of its kind that has not gone yet: people
 * then read once what has changed since the last one that they got, and nothing if that is taken
 * back.
 *
 * @param where which cohorts `c`
 */
export function queueNotices(
  ctx: Context,
  kind: 'cohort_cancelled' | 'cohort_archived' | 'no_place_free' | 'dates_moved',
  where: SQL,
  {
    before,
    nextMeeting,
    note,
    readers = isLive,
    now = ctx.now().getTime(),
    ...more
  }: NoticeFacts = {},
) {
  const { dueAt = now } = more;
  const text = crypto.randomUUID();
  const isInUse = sql`c.published_at IS NOT NULL AND c.archived_at IS NULL
    AND c.ends_at > ${now} AND ${where}`;
  const isUnsent = sql`o.sent_at IS NULL AND o.failed_at IS NULL AND o.attempts = 0`;
  // Of this cohort, and since they are in it. `t` says when an email was written.
  const earlier = sql`mails_due o JOIN mail_texts t ON t.id = o.text_id
    WHERE o.enrollment_id = e.id AND o.kind = ${kind} AND o.cohort_id = e.cohort_id
      AND t.created_at >= e.status_changed_at`;
  const lastWritten = sql`coalesce((SELECT max(t.created_at) FROM ${earlier}
    AND o.sent_at IS NOT NULL), 0)`;
  // The dates that people know who did not get the last emails: the first of these says them.
  // With `min`, SQLite reads the other columns from the same row.
  const datesBefore =
    before &&
    sql`coalesce((SELECT CASE WHEN min(t.created_at) > 0 THEN json(o.payload ->> '$.before') END
      FROM ${earlier} AND (${isUnsent} OR o.failed_at IS NOT NULL)
        AND t.created_at > ${lastWritten}), ${before})`;
  const isNews =
    datesBefore === undefined
      ? sql`true`
      : sql`${datesBefore} <> json_object('starts_on', c.starts_on, 'ends_on', c.ends_on,
        'time_zone', c.time_zone)`;
  const next =
    nextMeeting == null ? undefined : sql`'next_meeting', json(${JSON.stringify(nextMeeting)})`;
  return query(
    {
      text: insertText(text, now, isInUse, { note, more: next }),
      mails: insertMails({
        kind,
        // By the act, because dates can come back.
        key: sql`${kind} || ':' || e.id || ':' || ${text}`,
        payload: ownPayloadOf({
          ...(datesBefore && { before: sql`json(${datesBefore})` }),
          ...(more.refund && { refund: more.refund }),
        }),
        textId: textIdOf(text),
        dueAt,
        from: sql`enrollments e JOIN people p ON p.id = e.person_id
          JOIN cohorts c ON c.id = e.cohort_id
          WHERE ${readers} AND ${isInUse} AND ${isNews}`,
      }),
      replaced: db.run(sql`DELETE FROM mails_due WHERE id IN (SELECT o.id
        FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id
          JOIN mails_due o ON o.enrollment_id = e.id AND o.kind = ${kind}
        WHERE ${isLive} AND ${isInUse} AND ${isUnsent} AND o.text_id IS NOT ${textIdOf(text)})`),
    },
    ({ mails }) => mails.map(({ id }) => id),
  );
}
