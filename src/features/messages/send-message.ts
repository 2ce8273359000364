import 'server-only';
import { msg, plural } from '@lingui/core/macro';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { groupMessages } from '#db/schema/messages.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { previewEmail, sampleWords } from '#features/letters/sample.ts';
import { waitOfLast } from '#features/letters/sending-rules.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { insertMails, insertText, ownPayloadOf, textIdOf } from '#features/outbox/queue-mails.ts';
import type { Standing } from '#features/outbox/standing.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { i18nFor } from '#i18n/server.ts';
import { AppError } from '#lib/app-error.ts';
import { timeUntil } from '#lib/relative-time.ts';
import { hashToken } from '#lib/tokens.ts';
import { isIn } from './audiences.ts';
import type { MessageInput, MessagePreview, MessageSent } from './schema.ts';

/**
 * Emails people of one of the viewer's cohorts, but those who want no messages.
 * The clock sends it, within minutes.
 *
 * @param cohort as the request has read it
 * @param idempotencyKey a retry with the same key sends nothing again
 * @throws AppError `cohort_in_trash`, `cohort_archived`, `messages_paused`,
 *   `message_without_recipients`, `idempotency_key_reused`, `rate_limited`
 */
export async function sendMessage(
  ctx: ViewerContext,
  cohort: OwnCohort,
  standing: Standing,
  input: Message,
  idempotencyKey: string | null,
): Promise<MessageSent> {
  requireSendable(cohort, standing);
  const { subject, text, audience } = input;
  const now = ctx.now().getTime();
  const isRecipient = isIn({ id: cohort.id, now }, input);
  const { recipients, leftOut } = countsOf(isRecipient);
  const id = crypto.randomUUID();
  const use = { limit: 'messages_per_cohort', subject: cohort.id } as const;
  const limit = await limitOn(ctx, [use], 'refuse');
  const isWritten = sql`EXISTS (SELECT 1 FROM group_messages w WHERE w.id = ${id})`;
  const message = JSON.stringify({ subject, text });
  // Stored, so that a retry differs from a message to others.
  const chosen =
    audience === 'chosen' ? await hashToken([...new Set(input.enrollments)].sort().join()) : null;
  const { rows, texts, usage } = await ask(ctx, {
    written: db.run(sql`INSERT INTO group_messages (id, owner_id, cohort_id, subject, text,
        audience, recipients, left_out, idempotency_key, created_by_user_id, created_at)
      SELECT ${id}, c.owner_id, c.id, ${subject}, ${text}, ${audience}, ${recipients}, ${leftOut},
        ${idempotencyKey}, ${ctx.viewer.id}, ${now}
      FROM cohorts c
      WHERE c.id = ${cohort.id} AND c.owner_id = ${ctx.ownerId} AND c.deleted_at IS NULL
        AND c.archived_at IS NULL AND ${recipients} > 0 AND ${limit.hasRoom}
      ON CONFLICT DO NOTHING`),
    text: insertText(id, now, sql`c.id = ${cohort.id} AND ${isWritten}`, {
      more: sql`'message', json(${message}), 'chosen', ${chosen}`,
    }),
    mails: insertMails({
      kind: 'message',
      key: sql`'message:' || ${id} || ':' || e.id`,
      payload: ownPayloadOf(),
      textId: textIdOf(id),
      dueAt: now,
      from: sql`enrollments e JOIN people p ON p.id = e.person_id
        JOIN cohorts c ON c.id = e.cohort_id
        WHERE e.cohort_id = ${cohort.id} AND ${isRecipient} AND p.no_reminders_at IS NULL
          AND ${isWritten}`,
    }),
    rows: messageRows(ctx.ownerId, id, idempotencyKey),
    texts: db.all<{ chosen: string | null }>(sql`SELECT t.facts ->> '$.chosen' AS chosen
      FROM group_messages w JOIN mail_texts t ON t.id = w.id || ':' || w.cohort_id
      WHERE w.owner_id = ${ctx.ownerId} AND w.idempotency_key = ${idempotencyKey}`),
    // A retry writes nothing, so it is not counted.
    usage: limit.count(isWritten),
  });
  const [row] = rows;
  if (row === undefined) {
    refuseFull(ctx, usage.full);
    throw new AppError('message_without_recipients');
  }
  const isSame =
    row.subject === subject &&
    row.text === text &&
    row.audience === audience &&
    // The text is gone a week after the emails.
    texts.every((text) => text.chosen === chosen);
  if (row.cohortId !== cohort.id || !isSame) {
    throw new AppError('idempotency_key_reused');
  }
  if (row.id === id) {
    ctx.observe.log('message_queued', { cohort: cohort.id, count: row.recipients });
  }
  return { recipients: row.recipients, left_out: row.leftOut };
}

/**
 * What would be sent, and to whom.
 *
 * @throws AppError `cohort_in_trash`, `cohort_archived`, `messages_paused`,
 *   `message_without_recipients`
 */
export async function previewMessage(
  ctx: ViewerContext,
  cohort: OwnCohort,
  standing: Standing,
  input: Message,
): Promise<MessagePreview> {
  requireSendable(cohort, standing);
  const { subject, text } = input;
  const { request } = ctx;
  const now = ctx.now();
  const { recipients, leftOut } = countsOf(isIn({ id: cohort.id, now: now.getTime() }, input));
  const {
    rows: [row],
  } = await ask(ctx, {
    rows: db.all<MessageSent>(sql`SELECT ${recipients} AS recipients, ${leftOut} AS left_out
      FROM cohorts c WHERE c.id = ${cohort.id} AND c.owner_id = ${ctx.ownerId}`),
  });
  if (row === undefined || row.recipients === 0) {
    throw new AppError('message_without_recipients');
  }
  const { recipients: count, left_out: without } = row;
  const all = msg`${plural(count, {
    one: 'It goes to # person.',
    other: 'It goes to # people.',
  })}`;
  const exceptFor = msg`${plural(without, {
    one: '# person has turned messages off and won’t get it.',
    other: '# people have turned messages off and won’t get it.',
  })}`;
  const chosen = input.audience === 'chosen' ? new Set(input.enrollments).size : 0;
  const gone = Math.max(0, chosen - count - without);
  const outside = msg`${plural(gone, {
    one: '# person you chose isn’t taking part and won’t get it.',
    other: '# people you chose aren’t taking part and won’t get it.',
  })}`;
  const wait = waitOfLast(ctx, count);
  const when = timeUntil(new Date(now.getTime() + wait), now, request.locale);
  const later = msg`Some of the emails have to wait: the last ones go out ${when}.`;
  return {
    ...row,
    email: await previewEmail(ctx, cohort, 'message', { message: { subject, text } }),
    summary: [
      all,
      ...(without > 0 ? [exceptFor] : []),
      ...(gone > 0 ? [outside] : []),
      ...(wait > 0 ? [later] : []),
    ]
      .map((text) => request.i18n._(text))
      .join(' '),
    action: request.i18n._(
      msg`${plural(count, { one: 'Send to # person', other: 'Send to # people' })}`,
    ),
  };
}

/** What is shown of a message before anything is written, and the words in place of the typed ones. */
export async function sampleMessage(ctx: ViewerContext, cohort: OwnCohort) {
  const typed = sampleWords(i18nFor(cohort.language));
  return { ...(await previewEmail(ctx, cohort, 'message')), typed };
}

type Message = Omit<MessageInput, 'dry_run'>;

/** How many of cohort `c` a message is for, who do or do not want messages. */
function countsOf(isRecipient: SQL): { recipients: SQL; leftOut: SQL } {
  const people = sql`FROM enrollments e JOIN people p ON p.id = e.person_id
    WHERE e.cohort_id = c.id AND ${isRecipient}`;
  return {
    recipients: sql`(SELECT count(*) ${people} AND p.no_reminders_at IS NULL)`,
    leftOut: sql`(SELECT count(*) ${people} AND p.no_reminders_at IS NOT NULL)`,
  };
}

/** The message with this id, or of an earlier request with the same key. */
export function messageRows(ownerId: string, id: string, key: string | null) {
  const which = key === null ? eq(groupMessages.id, id) : eq(groupMessages.idempotencyKey, key);
  return db
    .select()
    .from(groupMessages)
    .where(and(eq(groupMessages.ownerId, ownerId), which));
}

/** @throws AppError `cohort_in_trash`, `cohort_archived`, `messages_paused` */
function requireSendable(cohort: OwnCohort, { isPaused }: Standing): void {
  requireInUse(cohort);
  if (isPaused) {
    throw new AppError('messages_paused');
  }
}

/** @throws AppError `cohort_in_trash`, `cohort_archived`: people hear nothing of those */
export function requireInUse(cohort: Pick<OwnCohort, 'deleted_at' | 'archived_at'>): void {
  if (cohort.deleted_at !== null) {
    throw new AppError('cohort_in_trash');
  }
  if (cohort.archived_at !== null) {
    throw new AppError('cohort_archived');
  }
}
