import 'server-only';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { ask, db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { areSameDates } from '#features/cohorts/cohort-dates.ts';
import {
  type CohortRow,
  cohortOrThrow,
  cohortRows,
  dateColumns,
  datesOf,
  isOwn,
  isStill,
  requireOutsideTrash,
  warningsOfDates,
} from '#features/cohorts/get-cohort.ts';
import type { DatesPreview, MoveInput } from '#features/cohorts/schema.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { type MovableMeetings, meetingsMark } from '#features/meetings/movable-meetings.ts';
import { countNotice } from '#features/outbox/notices.ts';
import { tellPeople } from '#features/outbox/queue-mails.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { cutOffers, withPlaces } from '#features/places/places.ts';
import { AppError } from '#lib/app-error.ts';
import { daysBetween } from '#lib/time/calendar.ts';
import { fromJson } from '#lib/to-json.ts';

/**
 * Moves one of the viewer's cohorts to other days, makes it longer or shorter, or changes its zone.
 * Its sessions move with the first day. The same move again changes nothing. Its people are told,
 * unless the viewer chooses otherwise.
 *
 * @param found the cohort, as the request has read it
 * @param kept its sessions, likewise
 * @returns all its dates before and after
 * @throws AppError `too_many_notices`; `dates_changed` if the dates or sessions are not those that
 *   the caller has seen; `cohort_in_trash`; `validation_failed` for an unknown zone, and for days
 *   with which enrollment would close before it opens; `not_found` if the cohort was deleted
 *   meanwhile
 */
export async function moveCohort(
  ctx: ViewerContext,
  { found, kept }: { found: CohortRow; kept: MovableMeetings },
  { expected, expected_meetings: mark, dry_run: isPreview, notify, note, ...days }: MoveInput,
): Promise<DatesPreview> {
  requireOutsideTrash(found);
  const before = datesOf(found);
  const isSeen = areSameDates(before, expected) && (mark === undefined || mark === kept.mark);
  if (!areSameDates(before, { ...before, ...days }) && !isSeen) {
    throw new AppError('dates_changed');
  }
  const { instantsOf, planMove } = await import('#features/cohorts/cohort-times.ts');
  const { nextOf, planShifts, shiftMeetings, toShifted } = await import(
    '#features/meetings/shift-meetings.ts'
  );
  const { after, adjusted } = planMove(before, days);
  const instants = instantsOf(after);
  const shift = daysBetween(before.starts_on, after.starts_on);
  const shifts = planShifts(kept, shift, after.time_zone);
  const preview = {
    before,
    after,
    adjusted,
    meetings: shifts.map(toShifted),
    meetings_mark: kept.mark,
    warnings: warningsOfDates(after, ctx.now()),
  };
  if (isPreview || areSameDates(before, after)) {
    return preview;
  }
  if (notify) {
    await countNotice(ctx, found.id);
  }
  const now = ctx.now();
  const hasMoved = sql`c.id = ${found.id} AND c.owner_id = ${ctx.ownerId}
    AND c.updated_at = ${now.getTime()} AND c.starts_on = ${after.starts_on}
    AND c.ends_on = ${after.ends_on} AND c.time_zone = ${after.time_zone}`;
  const { starts_on, ends_on, time_zone } = before;
  const doMeetingsMove = shift !== 0 || time_zone !== after.time_zone;
  const next = doMeetingsMove ? nextOf(shifts, now) : undefined;
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
            isOwn(ctx.ownerId, found.id),
            isNull(cohorts.deletedAt),
            isStill(found, dateColumns),
            eq(meetingsMark(sql`${cohorts.id}`), kept.mark),
          ),
        ),
      shifted: doMeetingsMove
        ? shiftMeetings(shifts, {
            cohortId: found.id,
            now,
            hasMoved,
            fromZone: time_zone,
            areTold: notify,
          })
        : undefined,
      cut: cutOffers(ctx, found.id, now),
      told: notify
        ? tellPeople(ctx, 'dates_moved', hasMoved, {
            before: sql`json(${JSON.stringify({ starts_on, ends_on, time_zone })})`,
            note,
            nextMeeting: next,
          })
        : undefined,
    },
    ({ told = [] }) => told,
  );
  const { placed, rows } = await ask(ctx, {
    placed: withPlaces(
      ctx,
      { now: now.getTime(), cohortId: found.id, ownerId: ctx.ownerId },
      change,
    ),
    rows: cohortRows(ctx, ctx.ownerId, found.id),
  });
  sendSoon(ctx, [...placed.changed, ...placed.mailIds]);
  const row = cohortOrThrow(rows);
  requireOutsideTrash(row);
  // Another request has changed them since this one has read them.
  if (!areSameDates(datesOf(row), after)) {
    throw new AppError('dates_changed');
  }
  return preview;
}
