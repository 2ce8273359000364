import 'server-only';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { ask, db, type Query, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import type { CourseType } from '#db/values.ts';
import { dateFields, wrongDates } from '#features/cohorts/cohort-dates.ts';
import {
  type CohortRow,
  type CountedCohort,
  dateColumns,
  datesOf,
  isOwn,
  isStill,
  requireCurrency,
  requireOutsideTrash,
  toCohortOrRun,
} from '#features/cohorts/get-cohort.ts';
import {
  type Cohort,
  type CohortPatch,
  noDates,
  type OpenRun,
  StoredCohort,
  wrongNumbers,
} from '#features/cohorts/schema.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { usedCurrency } from '#features/ledger/balances.ts';
import { findDatedOpenings, planOpenings, shiftOpenings } from '#features/lessons/move-openings.ts';
import {
  countPlaceChange,
  findMovableMeetings,
  meetingsMark,
} from '#features/meetings/movable-meetings.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import {
  requirePayable,
  requirePayablePrices,
} from '#features/payment-accounts/require-payable.ts';
import { cutOffers } from '#features/places/places.ts';
import { lastOfferOf } from '#features/places/why-no-offer.ts';
import { AppError, refuseFields } from '#lib/app-error.ts';
import { fromJson, toJson } from '#lib/to-json.ts';
import { writeCohort } from './change-state.ts';

const checkedColumns = [
  ...dateColumns,
  'publishedAt',
  'deletedAt',
  'capacity',
  'minimumPeople',
  'priceMinor',
  'currency',
  'earlyPriceMinor',
  'paymentMode',
  'place',
] as const;

/** Each attempt fails only if someone else's change succeeds. */
const mostAttempts = 5;

/** What an open run does not have: dates, what goes by them, a place, and a name of its own. */
const datedFields = [
  'name',
  ...dateFields,
  'early_price_minor',
  'minimum_people',
  'shows_minimum',
  'place',
  'join_url',
  'join_passcode',
] as const satisfies (keyof CohortPatch)[];
type DatedField = (typeof datedFields)[number];
const datedNames: ReadonlySet<string> = new Set(datedFields);

/**
 * Changes the given fields of one of the viewer's cohorts, or of an open run.
 *
 * @throws AppError `cohort_in_trash`; `currency_in_use`; `use_move` for other days or another zone
 *   of a published cohort; `price_required` and `payment_account_required` if people could not pay
 *   online as it says; `course_self_paced` for what an open run does not have, and
 *   `course_is_cohort` if its enrollment would open; `validation_failed` if what is given does not
 *   go with what is stored; `not_found` if the cohort was deleted meanwhile
 */
export async function changeCohort(
  ctx: ViewerContext,
  cohort: CountedCohort,
  patch: CohortPatch,
): Promise<Cohort | OpenRun> {
  let row = cohort;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const columns = await changedColumns(ctx, row, patch);
    if (Object.keys(columns).length === 0) {
      return toCohortOrRun(ctx, row);
    }
    const now = ctx.now();
    const meetings = await changedMeetings(ctx, row, { ...row, ...columns }, now);
    const currency = columns.currency ?? null;
    const opens = row.kind === 'open' && columns.enrollmentOverride === null;
    const change = query(
      {
        changed: db
          .update(cohorts)
          .set({ ...columns, updatedAt: now })
          .where(
            and(
              isOwn(ctx.ownerId, cohort.id),
              isStill(row, checkedColumns),
              meetings.areSame,
              opens ? isTaughtAs('evergreen', row) : undefined,
              currency === null
                ? undefined
                : sql`coalesce(${usedCurrency(cohort.id)}, ${currency}) = ${currency}`,
            ),
          )
          .returning({ id: cohorts.id }),
        meetings: meetings.change,
        refused: opens ? db.all(sql`SELECT 1 WHERE ${isTaughtAs('cohort', row)}`) : undefined,
        cut: cutOffers(ctx, cohort.id, now, lastOfferOf(row)),
        used:
          currency === null
            ? undefined
            : db.all<{ currency: string | null }>(
                sql`SELECT ${usedCurrency(cohort.id)} AS currency`,
              ),
      },
      ({ changed, refused, used }) => ({
        isChanged: changed.length > 0,
        isRefused: refused !== undefined && refused.length > 0,
        usedCurrency: used?.[0]?.currency ?? currency,
      }),
    );
    // More places are offered at once.
    const { answer, mailIds, row: written } = await writeCohort(ctx, cohort.id, now, change);
    sendSoon(ctx, mailIds);
    if (answer.usedCurrency !== currency) {
      throw new AppError('currency_in_use', { values: { kind: row.kind } });
    }
    if (answer.isRefused) {
      throw new AppError('course_is_cohort');
    }
    row = written;
    if (answer.isChanged) {
      return toCohortOrRun(ctx, row);
    }
  }
  throw new AppError('unavailable');
}

/** What to write, after checking it together with what is stored. */
async function changedColumns(ctx: ViewerContext, row: CohortRow, patch: CohortPatch) {
  requireOutsideTrash(row);
  requireCurrency(patch.currency);
  const input = await withPaymentMode(ctx, row, patch);
  if (row.kind === 'open') {
    return changedInRun(row, input);
  }
  const columns = fromJson(input);
  const changed = { ...row, ...columns };
  const dates = datesOf(changed);
  refuseFields({ ...wrongDates(dates), ...wrongNumbers(toJson(StoredCohort, changed)) });
  if (!dateFields.some((field) => patch[field] !== undefined)) {
    return columns;
  }
  const { areSameDays, instantsOfTyped } = await import('#features/cohorts/cohort-times.ts');
  const instants = instantsOfTyped(dates, ctx.request.locale);
  if (row.publishedAt !== null && !areSameDays(dates, datesOf(row))) {
    throw new AppError('use_move');
  }
  return { ...columns, ...instants };
}

/**
 * The same with how people then pay: without a price there is nothing to pay online.
 *
 * @throws AppError `price_required`, `price_not_payable`, `payment_account_required`
 */
async function withPaymentMode(ctx: ViewerContext, row: CohortRow, patch: CohortPatch) {
  const {
    payment_mode: mode = row.paymentMode,
    price_minor: priceMinor = row.priceMinor,
    early_price_minor: earlyPriceMinor = row.earlyPriceMinor,
    currency = row.currency,
  } = patch;
  if (mode === 'own') {
    return patch;
  }
  if (patch.payment_mode === undefined && !priceMinor) {
    return { ...patch, payment_mode: 'own' as const };
  }
  const prices = { priceMinor, earlyPriceMinor, currency };
  if (mode !== row.paymentMode || !priceMinor) {
    await requirePayable(ctx, { ...prices, paymentMode: mode, kind: row.kind });
  } else {
    requirePayablePrices(ctx, prices);
  }
  return patch;
}

/** What to write of an open run. What it does not have stays as its owner is shown it. */
function changedInRun(row: CohortRow, patch: CohortPatch) {
  const shown = { ...toJson(StoredCohort, row), ...noDates };
  if (datedFields.some((field) => patch[field] !== undefined && patch[field] !== shown[field])) {
    throw new AppError('course_self_paced');
  }
  const others = Object.entries(patch).filter(([name]) => !datedNames.has(name));
  // The names are the others of the type.
  const columns = fromJson(Object.fromEntries(others) as Omit<CohortPatch, DatedField>);
  refuseFields(wrongNumbers(toJson(StoredCohort, { ...row, ...columns })));
  // It has no planned times that it could be opened against.
  return columns.enrollmentOverride === 'open' ? { ...columns, enrollmentOverride: null } : columns;
}

/** Whether the course of a cohort is of a type. */
function isTaughtAs(type: CourseType, { ownerId, courseId }: CohortRow): SQL {
  return sql`EXISTS (SELECT 1 FROM courses k WHERE k.id = ${courseId}
    AND k.owner_id = ${ownerId} AND k.course_type = ${type})`;
}

/**
 * What follows for the sessions, and for the days on which sections open, from another zone of a
 * draft, and for the sessions from another place; and whether they are still those that it follows
 * for.
 */
async function changedMeetings(
  ctx: ViewerContext,
  before: CohortRow,
  after: CohortRow,
  now: Date,
): Promise<{ change?: Query<unknown>; areSame?: SQL }> {
  const { id, ownerId, timeZone } = before;
  const move = {
    cohortId: id,
    now,
    hasMoved: sql`c.updated_at = ${now.getTime()} AND c.time_zone = ${after.timeZone}
      AND c.place IS ${after.place}`,
  };
  if (after.timeZone === timeZone) {
    return after.place === before.place ? {} : { change: countPlaceChange(move) };
  }
  const { planShifts, shiftMeetings } = await import('#features/meetings/shift-meetings.ts');
  const { meetings, openings } = await ask(ctx, {
    meetings: findMovableMeetings(id)(ctx, sql`${ownerId}`),
    openings: findDatedOpenings(id)(ctx, sql`${ownerId}`),
  });
  const shifts = planShifts(meetings, 0, after.timeZone);
  const sections = await planOpenings(openings, 0, after.timeZone);
  return {
    change: query(
      {
        meetings: shiftMeetings(shifts, { ...move, fromZone: timeZone, days: 0, notify: false }),
        sections: shiftOpenings(sections, id, move.hasMoved),
      },
      () => null,
    ),
    areSame: eq(meetingsMark(sql`${cohorts.id}`), meetings.mark),
  };
}
