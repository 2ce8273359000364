import 'server-only';
import { ask, db } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { isOwn } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { requireFound } from '#lib/app-error.ts';
import type { EmailSwitches, EmailSwitchesPatch } from './schema.ts';

const columns = {
  invitation_reminder: 'remindsInvited',
  start_reminder: 'remindsStart',
  day_before_reminder: 'remindsDayBefore',
  hour_before_reminder: 'remindsHourBefore',
} as const satisfies Record<keyof EmailSwitches, keyof typeof cohorts.$inferSelect>;

/** The switches of a row, by their names in the API. */
export function switchesOf(row: Record<(typeof columns)[keyof EmailSwitches], boolean | 0 | 1>) {
  return {
    invitation_reminder: Boolean(row.remindsInvited),
    start_reminder: Boolean(row.remindsStart),
    day_before_reminder: Boolean(row.remindsDayBefore),
    hour_before_reminder: Boolean(row.remindsHourBefore),
  };
}

/**
 * Switches emails of one of the viewer's cohorts on or off, also those that wait already.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to someone else
 */
export async function changeSwitches(
  ctx: ViewerContext,
  cohortId: string,
  patch: EmailSwitchesPatch,
): Promise<EmailSwitches> {
  const changes = Object.entries(columns).flatMap(([name, column]) => {
    const isOn = patch[name as keyof EmailSwitches];
    return isOn === undefined ? [] : [[column, isOn] as const];
  });
  const { remindsInvited, remindsStart, remindsDayBefore, remindsHourBefore } = cohorts;
  const returned = { remindsInvited, remindsStart, remindsDayBefore, remindsHourBefore };
  const { changed } = await ask(ctx, {
    changed:
      changes.length === 0
        ? db.select(returned).from(cohorts).where(isOwn(ctx.ownerId, cohortId))
        : db
            .update(cohorts)
            .set(Object.fromEntries(changes))
            .where(isOwn(ctx.ownerId, cohortId))
            .returning(returned),
  });
  return switchesOf(requireFound(changed[0]));
}
