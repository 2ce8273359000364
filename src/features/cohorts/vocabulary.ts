import * as z from 'zod/mini';
import { ownRows } from '#db/personal-data.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { msg } from '#i18n/msg.ts';
import { type LimitRates, type ValidationTexts, withStatus } from '#lib/vocabulary.ts';
import { noDates, StoredCohort } from './schema.ts';

export const errors = withStatus(422, {
  cohort_in_trash: msg`This cohort is in the trash. Restore it first.`,
  cohort_not_in_trash: msg`Move this cohort to the trash first.`,
  money_undecided: msg`People have paid, and the money isn’t settled. Pay it back or keep it, then try deleting again once no payment or refund is in progress.`,
  course_is_evergreen: msg`This is an evergreen course. Change its type in the settings to give it cohorts.`,
  course_is_cohort: msg`This course is taught in cohorts. Change its type in the settings to let people start on any day.`,
  course_self_paced: msg`People take this course at their own pace, so it has no dates, live sessions or copies.`,
  currency_in_use: msg`{kind, select, open {This course has an account in another currency, so its currency can’t change.} other {This cohort has an account in another currency, so its currency can’t change.}}`,
  dates_changed: msg`The dates have changed since this preview. Please look at them again.`,
  too_many_cohorts: msg`A course holds 200 cohorts at most.`,
  use_move: msg`This cohort is published. Use “Move all dates” to change its days or its time zone.`,
});

export const validation = {
  cohort_name_required: msg`Cohort name is required`,
  cohort_name_too_short: msg`Cohort name must be at least 3 characters`,
  cohort_name_too_long: msg`Cohort name must be at most 120 characters`,
  cohort_name_characters: msg`Please use only printable characters in a cohort name`,
  cohort_description_too_long: msg`Description must be at most 2,000 characters`,
  date_required: msg`Please choose a date`,
  date_invalid: msg`This date does not exist`,
  ends_before_start: msg`The last day cannot be before the first day`,
  cohort_too_long: msg`A cohort lasts two years at most`,
  time_zone_required: msg`Please choose a time zone`,
  time_zone_unknown: msg`We do not know this time zone`,
  closes_before_opens: msg`Enrollment cannot close before it opens`,
  closes_after_end: msg`Enrollment cannot close after the last day`,
  time_skipped: msg`At this moment the clocks go forward in {zone}: {time} does not exist on {date}`,
  capacity_range: msg`Please enter a number from 1 to 1,000, or leave it blank for no limit`,
  access_days_range: msg`Please enter a number from 1 to 3,650, or leave it blank for no end`,
  minimum_range: msg`Please enter a number from 1 to the number of places, or leave it blank`,
  welcome_note_too_long: msg`Welcome note must be at most 2,000 characters`,
  question_too_long: msg`Question must be at most 200 characters`,
  place_too_long: msg`Place must be at most 200 characters`,
  place_plain: msg`Please write the place in one line, without a link`,
  url_https: msg`Please enter a link that starts with https://`,
  text_characters: msg`Please use only printable characters`,
  payment_note_too_long: msg`“How to pay” must be at most 1,000 characters`,
  amount_unclear: msg`This amount is ambiguous. Please enter it without thousands separators.`,
  amount_currency: msg`This amount is in another currency. Choose that currency, or enter only the number.`,
  amount_digits: msg`12 digits at most, cents included`,
  price_range: msg`Enter an amount such as 850 or 850.00`,
  early_price_range: msg`The early price must be below the price`,
  early_price_required: msg`Please enter the early price, or leave its date blank`,
  early_after_end: msg`The early price can’t end after the last day`,
  second_teacher_too_long: msg`Name must be at most 120 characters`,
  second_teacher_line_too_long: msg`This line must be at most 200 characters`,
  refund_note_too_long: msg`Refund note must be at most 500 characters`,
  passcode_too_long: msg`Passcode must be at most 100 characters`,
  currency_required: msg`Please choose a currency`,
  currency_unknown: msg`We do not know this currency`,
} satisfies ValidationTexts;

export const limits = { cohorts_per_user: ['20/m', '200/d'] } as const satisfies LimitRates;

export const events = { instants_moved: true, trash_emptied: true };

const time = z.nullable(z.iso.datetime());

const stored = ownRows(cohorts, {
  except: ['completions_due', 'closed_by_type'],
  fields: {
    ...StoredCohort.shape,
    starts_on: z.nullable(z.string()),
    ends_on: z.nullable(z.string()),
    starts_at: time,
    ends_at: time,
    offer_hours: z.int(),
  },
});

export const exported = {
  cohorts: {
    ...stored,
    // The dates of open runs mean nothing.
    toJson: (results: unknown[]) =>
      stored
        .toJson(results)
        .map((cohort) => ({ ...cohort, ...(cohort['kind'] === 'open' && noDates) })),
  },
};
