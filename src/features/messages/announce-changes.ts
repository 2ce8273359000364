import 'server-only';
import { sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import type { ViewerContext } from '#features/auth/find-actor.ts';
import type { OwnCohort } from '#features/cohorts/find-own-cohort.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { factsOf, isUnannounced } from '#features/meetings/announced.ts';
import { insertText, mailId, ownPayloadOf, textIdOf } from '#features/people/queue-mails.ts';
import { AppError } from '#lib/app-error.ts';
import type { AnnouncementInput, AnnouncementSent } from './schema.ts';
import { requireInUse } from './send-message.ts';

/**
 * Tells everyone who is enrolled what has changed about the live sessions since they were last
 * told, in one email. They then know of it, so that the same again tells nothing.
 *
 * @param cohort one of the viewer's, as the request has read it
 * @param idempotencyKey a retry with the same key sends nothing again
 * @throws AppError `cohort_in_trash`, `cohort_archived`, `nothing_to_announce`,
 *   `idempotency_key_reused`, `rate_limited`
 */
export async function announceChanges(
  ctx: ViewerContext,
  cohort: OwnCohort,
  { note }: AnnouncementInput,
  idempotencyKey: string | null,
): Promise<AnnouncementSent> {
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
  const ofCohort = sql`meetings.cohort_id = ${cohort.id} AND meetings.owner_id = ${viewer.id}
    AND ${isUnannounced(now)}`;
  const unknown = sql`meetings JOIN cohorts ON cohorts.id = meetings.cohort_id WHERE ${ofCohort}`;
  const changes = sql`(SELECT json_group_array(json_object('title', meetings.title,
      'starts_local', meetings.starts_local, 'duration_minutes', meetings.duration_minutes,
      'place', coalesce(meetings.place, cohorts.place),
      'is_cancelled', meetings.cancelled_at IS NOT NULL, 'before', json(meetings.announced)))
    FROM ${unknown})`;
  const kind = sql`CASE WHEN EXISTS (SELECT 1 FROM ${unknown} AND meetings.cancelled_at IS NULL)
    THEN 'meeting_changed' ELSE 'meeting_cancelled' END`;
  const { rows, usage } = await ask(ctx, {
    written: db.run(sql`INSERT INTO group_messages (id, owner_id, cohort_id, text, recipients,
        left_out, changes, idempotency_key, created_at)
      SELECT ${id}, c.owner_id, c.id, ${note}, (SELECT count(*) FROM enrollments e
          WHERE e.cohort_id = c.id AND e.status = 'enrolled'),
        0, (SELECT count(*) FROM ${unknown}), ${idempotencyKey}, ${now.getTime()}
      FROM cohorts c
      WHERE c.id = ${cohort.id} AND c.owner_id = ${viewer.id} AND c.deleted_at IS NULL
        AND c.archived_at IS NULL AND EXISTS (SELECT 1 FROM ${unknown}) AND ${limit.hasRoom}
      ON CONFLICT DO NOTHING`),
    text: insertText(id, now.getTime(), sql`c.id = ${cohort.id} AND ${isWritten}`, {
      note,
      more: sql`'changes', json(${changes})`,
    }),
    mails: db.run(sql`INSERT INTO mails_due (id, dedupe_key, owner_id, enrollment_id, cohort_id,
        to_address, to_canonical, kind, payload, text_id, due_at)
      SELECT ${mailId}, 'change:' || e.id || ':' || ${id}, e.owner_id, e.id, c.id, p.email,
        p.email_canonical, ${kind}, ${ownPayloadOf()}, ${textIdOf(id)}, ${now.getTime()}
      FROM enrollments e JOIN people p ON p.id = e.person_id
        JOIN cohorts c ON c.id = e.cohort_id
      WHERE e.cohort_id = ${cohort.id} AND e.status = 'enrolled' AND ${isWritten}
      ON CONFLICT (dedupe_key) DO NOTHING`),
    // After the emails, which say what people did not know.
    known: db.run(sql`UPDATE meetings SET announced = ${factsOf()} FROM cohorts
      WHERE cohorts.id = meetings.cohort_id AND ${ofCohort} AND ${isWritten}`),
    rows: db.all<Row>(sql`SELECT id, cohort_id AS cohortId, text, recipients, changes
      FROM group_messages
      WHERE owner_id = ${viewer.id}
        AND ${idempotencyKey === null ? sql`id = ${id}` : sql`idempotency_key = ${idempotencyKey}`}`),
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

type Row = {
  id: string;
  cohortId: string;
  text: string | null;
  recipients: number;
  changes: number | null;
};
