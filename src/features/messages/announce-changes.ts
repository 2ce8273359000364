import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { ask, db, query } from '#db/query.ts';
import type { PayloadChange } from '#email/payload.ts';
import { requireDated } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { announcedFacts, isUnannounced } from '#features/meetings/announcements.ts';
import { meetingsMark } from '#features/meetings/movable-meetings.ts';
import { insertMails, ownPayloadOf, sharedFacts } from '#features/outbox/queue-mails.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { AppError } from '#lib/app-error.ts';
import type { AnnouncementInput, AnnouncementSent, DismissalInput } from './schema.ts';
import { messageRows, requireInUse } from './send-message.ts';

/**
 * Tells everyone who is enrolled what has changed about the live sessions since they were last
 * told, in one email. It replaces an earlier one that has not been sent. They then know of it, so
 * that the same again tells nothing.
 *
 * @param cohort one of the viewer's, as the request has read it
 * @param idempotencyKey a retry with the same key sends nothing again
 * @throws AppError `cohort_in_trash`, `cohort_archived`, `course_self_paced`,
 *   `nothing_to_announce`, `idempotency_key_reused`, `rate_limited`
 */
export async function announceChanges(
  ctx: ViewerContext,
  cohort: OwnCohort,
  { note }: AnnouncementInput,
  idempotencyKey: string | null,
): Promise<AnnouncementSent> {
  requireDated(cohort);
  requireInUse(cohort);
  const { viewer } = ctx;
  const now = ctx.now();
  const id = crypto.randomUUID();
  const uses = [
    { limit: 'announcements_per_cohort', subject: cohort.id },
    { limit: 'notices_per_owner', subject: viewer.id },
  ] as const;
  const limit = await limitOn(ctx, [...uses], 'refuse');
  const isWritten = sql`EXISTS (SELECT 1 FROM group_messages w WHERE w.id = ${id})`;
  const ofCohort = sql`meetings.cohort_id = ${cohort.id} AND meetings.owner_id = ${ctx.ownerId}
    AND ${isUnannounced(now)}`;
  const unknown = sql`meetings JOIN cohorts ON cohorts.id = meetings.cohort_id WHERE ${ofCohort}`;
  const unsent = sql`(SELECT o.id, o.enrollment_id, o.text_id FROM mails_due o
    WHERE o.cohort_id = ${cohort.id} AND o.owner_id = ${ctx.ownerId}
      AND o.kind IN ('meeting_changed', 'meeting_cancelled') AND o.text_id IS NOT NULL
      AND o.sent_at IS NULL AND o.failed_at IS NULL AND o.attempts = 0)`;
  // One text for people who have no unsent announcement, and one for each text that is replaced.
  const earlier = sql`(SELECT NULL AS no, NULL AS facts UNION ALL
    SELECT t.rowid, t.facts FROM mail_texts t WHERE t.id IN (SELECT text_id FROM ${unsent}))`;
  const textOf = (no: SQL) => sql`(${id} || ':' || coalesce(${no}, c.id))`;
  const changes = changesSince(sql`earlier.facts`, ofCohort);
  const kind = sql`(SELECT CASE WHEN min(v.value ->> 'is_cancelled') = 0 THEN 'meeting_changed'
    ELSE 'meeting_cancelled' END FROM json_each(x.facts, '$.changes') v)`;
  const { rows, usage } = await ask(ctx, {
    written: db.run(sql`INSERT INTO group_messages (id, owner_id, cohort_id, text, recipients,
        left_out, changes, idempotency_key, created_by_user_id, created_at)
      SELECT ${id}, c.owner_id, c.id, ${note}, (SELECT count(*) FROM enrollments e
          WHERE e.cohort_id = c.id AND e.status = 'enrolled'),
        0, (SELECT count(*) FROM ${unknown}), ${idempotencyKey}, ${viewer.id}, ${now.getTime()}
      FROM cohorts c
      WHERE c.id = ${cohort.id} AND c.owner_id = ${ctx.ownerId} AND c.deleted_at IS NULL
        AND c.archived_at IS NULL AND EXISTS (SELECT 1 FROM ${unknown}) AND ${limit.hasRoom}
      ON CONFLICT DO NOTHING`),
    texts: db.run(sql`INSERT INTO mail_texts (id, owner_id, facts, created_at)
      SELECT ${textOf(sql`earlier.no`)}, c.owner_id,
        json_object(${sharedFacts(notesSince(sql`earlier.facts`, note))}, 'changes', json(${changes})), ${now.getTime()}
      FROM cohorts c JOIN courses k ON k.id = c.course_id JOIN users u ON u.id = c.owner_id
        JOIN ${earlier} earlier
      WHERE c.id = ${cohort.id} AND ${isWritten}`),
    mails: insertMails({
      kind,
      key: sql`'change:' || e.id || ':' || ${id}`,
      payload: ownPayloadOf(),
      textId: sql`x.id`,
      dueAt: now.getTime(),
      from: sql`enrollments e JOIN people p ON p.id = e.person_id
        JOIN cohorts c ON c.id = e.cohort_id
        LEFT JOIN ${unsent} o ON o.enrollment_id = e.id LEFT JOIN mail_texts t ON t.id = o.text_id
        JOIN mail_texts x ON x.id = ${textOf(sql`t.rowid`)}
      WHERE e.cohort_id = ${cohort.id} AND e.status = 'enrolled' AND ${isWritten}
        AND json_array_length(x.facts, '$.changes') > 0`,
    }),
    replaced: db.run(sql`DELETE FROM mails_due WHERE ${isWritten} AND id IN (SELECT o.id
      FROM ${unsent} o WHERE o.text_id < ${`${id}:`} OR o.text_id > ${`${id};`})`),
    // After the emails, which say what people did not know.
    announced: db.run(sql`UPDATE meetings SET announced = ${announcedFacts()} FROM cohorts
      WHERE cohorts.id = meetings.cohort_id AND ${ofCohort} AND ${isWritten}`),
    rows: messageRows(ctx.ownerId, id, idempotencyKey),
    // A retry writes nothing, so it is not counted.
    usage: limit.count(isWritten),
  });
  const [row] = rows;
  if (row === undefined) {
    refuseFull(ctx, usage.full);
    throw new AppError('nothing_to_announce');
  }
  if (row.cohortId !== cohort.id || row.changes === null || row.text !== note) {
    throw new AppError('idempotency_key_reused');
  }
  if (row.id === id) {
    ctx.observe.log('changes_announced', { cohort: cohort.id, count: row.recipients });
  }
  return { recipients: row.recipients, changes: row.changes };
}

/**
 * Has the changes of live sessions count as known, without an email about them.
 *
 * @param mark of the schedule that the viewer saw: newer changes aren't dismissed
 * @throws AppError `cohort_in_trash`, `cohort_archived`, `changes_outdated`, `course_self_paced`
 */
export async function dismissChanges(
  ctx: ViewerContext,
  cohort: OwnCohort,
  { mark }: DismissalInput,
): Promise<void> {
  requireDated(cohort);
  requireInUse(cohort);
  const isSame = mark === undefined ? sql`true` : sql`${meetingsMark(sql`${cohort.id}`)} = ${mark}`;
  const {
    rows: [row],
  } = await ask(ctx, {
    rows: db.all<{ isSame: 0 | 1 }>(sql`SELECT ${isSame} AS isSame`),
    announced: db.run(sql`UPDATE meetings SET announced = ${announcedFacts()} FROM cohorts
      WHERE cohorts.id = meetings.cohort_id AND cohorts.deleted_at IS NULL
        AND meetings.cohort_id = ${cohort.id} AND meetings.owner_id = ${ctx.ownerId}
        AND ${isUnannounced(ctx.now())} AND ${isSame}`),
  });
  if (row?.isSame !== 1) {
    throw new AppError('changes_outdated');
  }
}

/**
 * What an announcement about one of the viewer's cohorts would say if it were sent now. It says more
 * to people with an unsent one, which it replaces.
 */
export function findChanges(cohortId: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      { rows: unknownChanges({ ownerId, cohortId, now: ctx.now().getTime() }) },
      ({ rows: [row] }): PayloadChange[] => JSON.parse(row?.changes ?? '[]'),
    );
}

const unknownChanges = prepared(
  ({ ownerId, cohortId, now }: Given<'ownerId' | 'cohortId' | 'now'>) =>
    db.all<{ changes: string }>(
      sql`SELECT ${changesSince(
        sql`NULL`,
        sql`meetings.cohort_id = ${cohortId} AND meetings.owner_id = ${ownerId}
      AND ${isUnannounced(now)}`,
      )} AS changes`,
    ),
);

/**
 * What people do not know yet, as `Payload['changes']`: the sessions that are `unknown`, together
 * with the changes of an unsent text `earlier`, except what is again as people know it.
 */
function changesSince(earlier: SQL, unknown: SQL): SQL {
  const sessions = sql`meetings JOIN cohorts ON cohorts.id = meetings.cohort_id`;
  const old = sql`json_each(${earlier}, '$.changes') old`;
  const before = sql`CASE WHEN old.value IS NULL THEN meetings.announced
    ELSE old.value ->> '$.before' END`;
  return sql`(SELECT json_group_array(json(changes.change)) FROM (
    SELECT json_object('id', meetings.id, 'title', meetings.title,
        'starts_local', meetings.starts_local, 'duration_minutes', meetings.duration_minutes,
        'place', coalesce(meetings.place, cohorts.place),
        'is_cancelled', meetings.cancelled_at IS NOT NULL, 'before', json(${before})) AS change
      FROM ${sessions} LEFT JOIN ${old} ON old.value ->> 'id' = meetings.id
      WHERE ${unknown} AND CASE WHEN ${before} IS NULL THEN meetings.cancelled_at IS NULL
        ELSE ${before} <> ${announcedFacts()} END
    UNION ALL SELECT old.value FROM ${old}
      WHERE old.value ->> 'id' NOT IN (SELECT meetings.id FROM ${sessions} WHERE ${unknown})) changes)`;
}

/** The note of the unsent email that is replaced, followed by the new one. */
function notesSince(earlier: SQL, note: string | null): SQL {
  const both = sql`concat_ws(${'\n\n'}, ${earlier} ->> '$.note', ${note})`;
  return sql`nullif(${both}, '')`;
}
