import 'server-only';
import { and, eq } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { isOwn, requireDated } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { requireFound } from '#lib/app-error.ts';
import type { EmailSwitches, EmailSwitchesPatch } from './schema.ts';

/** The switches of a cohort, by their names in the API. */
export const switches = {
  invitation_reminder: cohorts.remindsInvited,
  start_reminder: cohorts.remindsStart,
  day_before_reminder: cohorts.remindsDayBefore,
  hour_before_reminder: cohorts.remindsHourBefore,
  announces_releases: cohorts.announcesReleases,
  sends_nudges: cohorts.sendsNudges,
};

/** What an open run has none of. */
const aboutDates = ['start_reminder', 'day_before_reminder', 'hour_before_reminder'] as const;

/**
 * Switches emails of one of the viewer's cohorts on or off, also those that wait already.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to someone else;
 *   `course_self_paced` for reminders of dates in an open run
 */
export async function changeSwitches(
  ctx: ViewerContext,
  cohortId: string,
  patch: EmailSwitchesPatch,
): Promise<EmailSwitches> {
  const isOfCohort = isOwn(ctx.ownerId, cohortId);
  const isAboutDates = aboutDates.some((name) => patch[name] !== undefined);
  const { changed, kinds } = await ask(ctx, {
    kinds: db.select({ kind: cohorts.kind }).from(cohorts).where(isOfCohort),
    changed: Object.values(patch).every((isOn) => isOn === undefined)
      ? db.select(switches).from(cohorts).where(isOfCohort)
      : db
          .update(cohorts)
          .set({
            remindsInvited: patch.invitation_reminder,
            remindsStart: patch.start_reminder,
            remindsDayBefore: patch.day_before_reminder,
            remindsHourBefore: patch.hour_before_reminder,
            announcesReleases: patch.announces_releases,
            sendsNudges: patch.sends_nudges,
          })
          .where(and(isOfCohort, isAboutDates ? eq(cohorts.kind, 'dated') : undefined))
          .returning(switches),
  });
  const { kind } = requireFound(kinds[0]);
  if (isAboutDates) {
    requireDated({ kind });
  }
  return requireFound(changed[0]);
}
