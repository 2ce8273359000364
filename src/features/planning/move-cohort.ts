import 'server-only';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { areSameDates, type CohortDays } from '#features/cohorts/cohort-dates.ts';
import {
  type CohortRow,
  dateColumns,
  datesOf,
  isOwn,
  isStill,
  requireOutsideTrash,
  warningsOfDates,
} from '#features/cohorts/get-cohort.ts';
import type { DatesPreview, MoveInput } from '#features/cohorts/schema.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import {
  type DatedOpenings,
  planOpenings,
  shiftOpenings,
} from '#features/lessons/move-openings.ts';
import { type MovableMeetings, meetingsMark } from '#features/meetings/movable-meetings.ts';
import { countNotice, queueNotices } from '#features/outbox/notices.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { cutOffers, offersToCut } from '#features/places/places.ts';
import { lastOfferOf } from '#features/places/why-no-offer.ts';
import { AppError } from '#lib/app-error.ts';
import { addDays, daysBetween } from '#lib/time/calendar.ts';
import { fromJson } from '#lib/to-json.ts';
import { writeCohort } from './change-state.ts';

/**
 * Moves one of the viewer's cohorts to other days, makes it longer or shorter, or changes its zone.
 * Its sessions, and the days on which sections open there, move with the first day. The same move
 * again changes nothing. Its people are notified, unless the viewer chooses otherwise.
 *
 * @returns all its dates before and after
 * @throws AppError `too_many_notices`; `dates_changed` if the dates or sessions are not those that
 *   the caller has seen; `cohort_in_trash`; `validation_failed` for an unknown zone, and for days
 *   with which enrollment would close before it opens; `not_found` if the cohort was deleted
 *   meanwhile
 */
export async function moveCohort(
  ctx: ViewerContext,
  { cohort, meetings, openings }: CohortWithMeetings & { openings: DatedOpenings },
  { expected, expected_meetings: mark, dry_run: isPreview, notify, note, ...days }: MoveInput,
): Promise<DatesPreview> {
  requireOutsideTrash(cohort);
  const before = datesOf(cohort);
  const isSeen = areSameDates(before, expected) && (mark === undefined || mark === meetings.mark);
  if (!areSameDates(before, { ...before, ...days }) && !isSeen) {
    throw new AppError('dates_changed');
  }
  const plan = await planDates(ctx, { cohort, meetings }, days);
  const { shifts, instants } = plan;
  const { after } = plan.preview;
  const shift = daysBetween(before.starts_on, after.starts_on);
  const sections = await planOpenings(openings, shift, after.time_zone);
  const preview = {
    ...plan.preview,
    ...(sections.length > 0 && {
      sections: sections.map(({ id, title, opensLocal, after: to }) => ({
        id,
        title,
        before: opensLocal,
        after: to,
      })),
    }),
  };
  if (isPreview || areSameDates(before, after)) {
    return withOffers(ctx, cohort, preview, lastOfferOf({ ...cohort, ...instants }));
  }
  if (notify) {
    await countNotice(ctx, cohort.id);
  }
  const now = ctx.now();
  const hasMoved = sql`c.id = ${cohort.id} AND c.owner_id = ${ctx.ownerId}
    AND c.updated_at = ${now.getTime()} AND c.starts_on = ${after.starts_on}
    AND c.ends_on = ${after.ends_on} AND c.time_zone = ${after.time_zone}`;
  const { starts_on, ends_on, time_zone } = before;
  const doMeetingsMove = starts_on !== after.starts_on || time_zone !== after.time_zone;
  const { nextOf, shiftMeetings } = await import('#features/meetings/shift-meetings.ts');
  const change = query(
    {
      moved: db
        .update(cohorts)
        .set({
          ...fromJson(after),
          ...instants,
          // The key of a reminder keeps it from going out twice, also where dates come back.
          startRemindedOn: null,
          updatedAt: now,
        })
        .where(
          and(
            isOwn(ctx.ownerId, cohort.id),
            isNull(cohorts.deletedAt),
            isStill(cohort, dateColumns),
            eq(meetingsMark(sql`${cohorts.id}`), meetings.mark),
          ),
        ),
      shifted: doMeetingsMove
        ? shiftMeetings(shifts, {
            cohortId: cohort.id,
            now,
            hasMoved,
            fromZone: time_zone,
            notify,
            days: shift,
          })
        : undefined,
      sections: doMeetingsMove ? shiftOpenings(sections, cohort.id, hasMoved) : undefined,
      cut: cutOffers(ctx, cohort.id, now, lastOfferOf(cohort)),
      mailIds: notify
        ? queueNotices(ctx, 'dates_moved', hasMoved, {
            before: sql`json(${JSON.stringify({ starts_on, ends_on, time_zone })})`,
            note,
            nextMeeting: doMeetingsMove ? nextOf(shifts, now) : undefined,
          })
        : undefined,
    },
    ({ mailIds = [] }) => mailIds,
  );
  const { answer, mailIds, row } = await writeCohort(ctx, cohort.id, now, change);
  sendSoon(ctx, [...answer, ...mailIds]);
  requireOutsideTrash(row);
  // Another request has changed them since this one has read them.
  if (!areSameDates(datesOf(row), after)) {
    throw new AppError('dates_changed');
  }
  return preview;
}

/** The preview with the offers that would end sooner, on the clocks of the cohort. */
async function withOffers(
  ctx: ViewerContext,
  cohort: CohortRow,
  preview: DatesPreview,
  last: number,
): Promise<DatesPreview> {
  if (last >= lastOfferOf(cohort)) {
    return preview;
  }
  const { wallTimeAt } = await import('#lib/time/instants.ts');
  const { offers } = await ask(ctx, { offers: offersToCut(ctx, cohort.id, ctx.now(), last) });
  const local = (at: number) => wallTimeAt(new Date(at), preview.after.time_zone);
  return offers.length === 0
    ? preview
    : {
        ...preview,
        offers: offers.map(({ id, name, before, after }) => ({
          id,
          name,
          before: local(before),
          after: after === null ? null : local(after),
        })),
      };
}

/** A cohort and its sessions, as the request has read them. */
export type CohortWithMeetings = { cohort: CohortRow; meetings: MovableMeetings };

/**
 * What other days or another zone do to the dates of a cohort and to its sessions.
 *
 * @throws AppError `validation_failed` for an unknown zone, and if a date would leave the calendar
 *   or enrollment would close before it opens
 */
export async function planDates(
  ctx: Context,
  { cohort, meetings }: CohortWithMeetings,
  days: CohortDays,
) {
  const { instantsOf, planMove } = await import('#features/cohorts/cohort-times.ts');
  const { planShifts, toShifted } = await import('#features/meetings/shift-meetings.ts');
  const before = datesOf(cohort);
  const { after, adjusted } = planMove(before, days);
  const shift = daysBetween(before.starts_on, after.starts_on);
  const shifts = planShifts(meetings, shift, after.time_zone);
  return {
    shifts,
    instants: instantsOf(after),
    preview: {
      before,
      after,
      adjusted,
      meetings: shifts.map(toShifted),
      meetings_mark: meetings.mark,
      days_off: meetings.daysOff.map(({ on_date: before, reason }) => ({
        reason,
        before,
        after: addDays(before, shift),
      })),
      warnings: warningsOfDates(after, ctx.now()),
    },
  };
}
