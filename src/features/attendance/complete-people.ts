import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { type CohortRow, requireOutsideTrash } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import {
  insertMails,
  insertText,
  lastPaced,
  mailSpacing,
  ownPayloadOf,
  textIdOf,
} from '#features/outbox/queue-mails.ts';
import { AppError } from '#lib/app-error.ts';
import type { CompletedPeople, CompletionInput } from './schema.ts';
import { attendedCount } from './who-attends.ts';

/**
 * @throws AppError `cohort_in_trash`, `cohort_not_begun`; `cohort_not_over` unless it is said to be
 *   before the end
 */
export function requireCompletable(cohort: CohortRow, now: Date, isBeforeEnd: boolean): void {
  requireOutsideTrash(cohort);
  if (cohort.startsAt > now) {
    throw new AppError('cohort_not_begun');
  }
  // An open run has no end.
  if (cohort.kind === 'dated' && cohort.endsAt > now && !isBeforeEnd) {
    throw new AppError('cohort_not_over');
  }
}

/**
 * Marks everyone as completed who has attended enough live sessions.
 *
 * @throws AppError as `completePeople`
 */
export function completeAttended(
  ctx: ViewerContext,
  cohort: CohortRow,
  { at_least: atLeast, before_end: isBeforeEnd }: CompletionInput,
): Promise<CompletedPeople> {
  const attended = attendedCount(sql`${ctx.now().getTime()}`);
  return completePeople(ctx, cohort, isBeforeEnd, sql`${attended} >= ${atLeast}`);
}

/**
 * Marks everyone as completed who is enrolled and meets a condition. Whoever has completed already
 * keeps their date.
 *
 * @param isDone the condition, about enrollment `e`
 * @throws AppError `cohort_in_trash`, `cohort_not_begun`; `cohort_not_over` unless it is said to be
 *   before the end
 */
export async function completePeople(
  ctx: ViewerContext,
  cohort: CohortRow,
  isBeforeEnd: boolean,
  isDone: SQL,
): Promise<CompletedPeople> {
  const now = ctx.now();
  requireCompletable(cohort, now, isBeforeEnd);
  const { completed } = await ask(ctx, {
    completed: db.all<{
      id: string;
    }>(sql`UPDATE enrollments AS e SET completed_at = ${now.getTime()}
      WHERE e.cohort_id = ${cohort.id} AND e.owner_id = ${ctx.ownerId} AND e.status = 'enrolled'
        AND e.completed_at IS NULL AND ${isDone}
        AND EXISTS (SELECT 1 FROM cohorts c WHERE c.id = e.cohort_id AND c.deleted_at IS NULL)
      RETURNING id`),
    ...completionMails(ctx, cohort, now, sql`e.cohort_id = ${cohort.id}`),
  });
  if (completed.length > 0) {
    ctx.observe.log('people_completed', { cohort: cohort.id, count: completed.length });
  }
  return { completed: completed.length };
}

/**
 * The statements for emails to those of enrollments `e` who have just completed a cohort, once for
 * each of them. They wait for the next run, so that a mistake can be taken back.
 */
export function completionMails(ctx: ViewerContext, cohort: CohortRow, now: Date, which: SQL) {
  const at = now.getTime();
  const text = crypto.randomUUID();
  const sends = sql`c.sends_certificates AND c.deleted_at IS NULL AND c.archived_at IS NULL`;
  return {
    text: insertText(
      text,
      at,
      sql`c.id = ${cohort.id} AND c.owner_id = ${ctx.ownerId} AND ${sends}
        AND EXISTS (SELECT 1 FROM enrollments e WHERE ${which} AND e.completed_at = ${at})`,
    ),
    mails: insertMails({
      kind: 'completed',
      key: sql`'completed:' || e.id || ':' || e.cohort_id`,
      payload: ownPayloadOf(),
      textId: textIdOf(text),
      dueAt: sql`max(${at}, ${lastPaced(['completed'])} + ${mailSpacing(ctx)})
        + (row_number() OVER (ORDER BY e.name_key) - 1) * ${mailSpacing(ctx)}`,
      from: sql`enrollments e JOIN people p ON p.id = e.person_id
          JOIN cohorts c ON c.id = e.cohort_id
        WHERE ${which} AND e.owner_id = ${ctx.ownerId} AND e.completed_at = ${at}
          AND ${sends}`,
      isRevived: true,
    }),
  };
}
