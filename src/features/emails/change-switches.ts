import 'server-only';
import { ask, db } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { isOwn } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { requireFound } from '#lib/app-error.ts';
import type { EmailSwitches, EmailSwitchesPatch } from './schema.ts';

/** The switches of a cohort, by their names in the API. */
export const switches = {
  invitation_reminder: cohorts.remindsInvited,
  start_reminder: cohorts.remindsStart,
  day_before_reminder: cohorts.remindsDayBefore,
  hour_before_reminder: cohorts.remindsHourBefore,
};

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
  const isOfCohort = isOwn(ctx.ownerId, cohortId);
  const { changed } = await ask(ctx, {
    changed: Object.values(patch).every((isOn) => isOn === undefined)
      ? db.select(switches).from(cohorts).where(isOfCohort)
      : db
          .update(cohorts)
          .set({
            remindsInvited: patch.invitation_reminder,
            remindsStart: patch.start_reminder,
            remindsDayBefore: patch.day_before_reminder,
            remindsHourBefore: patch.hour_before_reminder,
          })
          .where(isOfCohort)
          .returning(switches),
  });
  return requireFound(changed[0]);
}
