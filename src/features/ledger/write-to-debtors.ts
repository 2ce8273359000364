import 'server-only';
import { sql } from 'drizzle-orm';
import { ask } from '#db/query.ts';
import { type CountedCohort, requireOutsideTrash } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import {
  enrollmentFacts,
  insertMails,
  insertText,
  lastPaced,
  mailSpacing,
  ownPayloadOf,
  textIdOf,
} from '#features/outbox/queue-mails.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import type { Standing } from '#features/outbox/standing.ts';
import { AppError } from '#lib/app-error.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { isLeftAlone } from './balances.ts';
import { totalsOf } from './find-balances.ts';
import type { RemindedPeople } from './schema.ts';

/** How long someone is left alone after a reminder. */
const pauseMs = 7 * dayMs;

/** Whether enrollment `e` was told that they were added, and asked twice. */
const isAskedOut = sql`(SELECT count(*) FROM mails_due m
  WHERE m.enrollment_id = e.id AND m.kind = 'added') >= 3`;

/** Reminds those who have agreed to take part what they owe; asks the others to say that they do. */
const kinds = {
  reminders: { kind: 'payment_reminder', isFor: sql`e.has_agreed AND NOT ${isLeftAlone}` },
  questions: { kind: 'added', isFor: sql`NOT e.has_agreed AND NOT ${isAskedOut}` },
} as const;

/**
 * Writes an email to everyone who is enrolled in one of the viewer's cohorts and still owes
 * something, but to no one twice in a week. Reminders go to no one who has not agreed to take part:
 * anyone can be put on a roster. They are asked to say so instead, twice at most. The emails go out one after
 * another, as all that many get.
 *
 * @throws AppError `cohort_in_trash`; `cohort_archived`, of which nothing is sent;
 *   `messages_paused`; `rate_limited`
 */
export async function writeToDebtors(
  ctx: ViewerContext,
  what: keyof typeof kinds,
  cohort: CountedCohort,
  { isPaused }: Standing,
): Promise<RemindedPeople> {
  requireOutsideTrash(cohort);
  if (cohort.archivedAt !== null) {
    throw new AppError('cohort_archived');
  }
  if (isPaused) {
    throw new AppError('messages_paused');
  }
  const now = ctx.now().getTime();
  const { id: ownerId } = ctx.viewer;
  const { kind, isFor } = kinds[what];
  const use = { limit: 'payment_reminders_per_cohort', subject: cohort.id } as const;
  const limit = await limitOn(ctx, [use], 'refuse');
  const text = crypto.randomUUID();
  const { mails, totals, usage } = await ask(ctx, {
    text: insertText(
      text,
      now,
      sql`c.id = ${cohort.id} AND c.owner_id = ${ownerId} AND ${limit.hasRoom}`,
    ),
    mails: insertMails({
      kind,
      key: sql`${kind} || ':' || e.id || ':' || ${now}`,
      payload: ownPayloadOf({
        owed: sql`json_object('minor', e.balance, 'currency', e.currency)`,
        enrollment: enrollmentFacts(sql`NULL`),
      }),
      textId: textIdOf(text),
      dueAt: sql`max(${now}, ${lastPaced([kind])} + ${mailSpacing(ctx)})
        + (row_number() OVER (ORDER BY e.sort_key) - 1) * ${mailSpacing(ctx)}`,
      from: sql`(SELECT e.*, NULL AS moved_from, b.balance, b.has_agreed, b.name_key AS sort_key,
          t.currency
        FROM balances b CROSS JOIN enrollments e ON e.id = b.enrollment_id AND e.status = 'enrolled'
          JOIN balance_totals t ON t.cohort_id = b.cohort_id
        WHERE b.cohort_id = ${cohort.id} AND b.owner_id = ${ownerId} AND b.list = 'owing') e
        JOIN people p ON p.id = e.person_id JOIN cohorts c ON c.id = e.cohort_id
      WHERE ${isFor} AND ${limit.hasRoom}
        AND NOT EXISTS (SELECT 1 FROM mails_due m WHERE m.enrollment_id = e.id
          AND m.kind = ${kind} AND m.failed_at IS NULL
          AND coalesce(m.sent_at, m.due_at) > ${now - pauseMs})`,
    }),
    totals: totalsOf({ ownerId, cohortId: cohort.id }),
    usage: limit.count(),
  });
  refuseFull(ctx, usage.full);
  const first = mails.filter(({ due_at: dueAt }) => dueAt <= now);
  sendSoon(ctx, first);
  if (mails.length > 0) {
    ctx.observe.log('payment_reminders_queued', { cohort: cohort.id, count: mails.length });
  }
  return { recipients: mails.length, not_agreed: totals[0]?.not_agreed ?? 0 };
}
