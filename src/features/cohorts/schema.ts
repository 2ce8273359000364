import * as z from 'zod/mini';
import {
  cohortKinds,
  enrollmentOverrides,
  joinModes,
  locales,
  offerHours,
  paymentModes,
} from '#db/values.ts';
import { isDay, isWallTime } from '#lib/time/calendar.ts';
import {
  amountFrom,
  nullIfEmpty,
  oneLine,
  plainText,
  requiredLine,
  rule,
} from '#lib/validation-rule.ts';
import type { ValidationCode } from '#vocabulary.ts';
import {
  type CohortDays,
  endOfDay,
  type WrongFields,
  wrongDates,
  wrongDays,
} from './cohort-dates.ts';
import { cohortStatuses, enrollmentStates } from './cohort-status.ts';

/** What a user can be warned of; a warning refuses nothing. */
const cohortWarnings = ['starts_in_past'] as const;
export type CohortWarning = (typeof cohortWarnings)[number];

/** The lists of a course's cohorts. */
export const cohortLists = ['current', 'archived', 'trash'] as const;
export type CohortListName = (typeof cohortLists)[number];

const maxCapacity = 1_000;

export const code = (of: ValidationCode): ValidationCode => of;

const name = requiredLine(120, {
  required: 'cohort_name_required',
  tooShort: 'cohort_name_too_short',
  tooLong: 'cohort_name_too_long',
  characters: 'cohort_name_characters',
});

/** A day of the calendar, as forms send it. */
export const day = z.string(code('date_required')).check(
  z.meta({ format: 'date' }),
  rule('date_required', (typed) => typed !== ''),
  rule('date_invalid', isDay),
);

// That the zone exists is checked on the server, because runtimes know different ones.
const timeZone = z.string(code('time_zone_required')).check(
  z.describe('A name such as Europe/Paris, neither an offset nor an abbreviation'),
  rule('time_zone_required', (typed) => typed !== ''),
);

const opening = nullIfEmpty(
  z.string(code('date_invalid')).check(
    rule('date_required', hasDay),
    rule('date_invalid', (typed) => typed === '' || isWallTime(typed)),
  ),
);

const closing = nullIfEmpty(
  z.string(code('date_invalid')).check(
    rule('date_required', hasDay),
    rule('date_invalid', (typed) => typed === '' || isWallTime(typed) || isDay(typed)),
    z.overwrite((typed) => (isDay(typed) ? endOfDay(typed) : typed)),
  ),
);

const earlyUntil = nullIfEmpty(
  z.string(code('date_invalid')).check(
    rule('date_invalid', (typed) => typed === '' || isWallTime(typed) || isDay(typed)),
    z.overwrite((typed) => (isDay(typed) ? endOfDay(typed) : typed)),
  ),
);

const capacity = z
  .int(code('capacity_range'))
  .check(z.minimum(1, code('capacity_range')), z.maximum(maxCapacity, code('capacity_range')));

// How many there may be depends on the places.
const minimum = z.int(code('minimum_range')).check(z.minimum(1, code('minimum_range')));

const accessDays = z
  .int(code('access_days_range'))
  .check(z.minimum(1, code('access_days_range')), z.maximum(3_650, code('access_days_range')));

const priceMinor = amountFrom(0, 'price_range');

// That the currency exists is checked on the server too.
const currency = z
  .string(code('currency_unknown'))
  .check(rule('currency_unknown', (typed) => /^[A-Z]{3}$/.test(typed)));

/** Where people meet, for everyone. */
export const place = plainText(200, 'place_too_long', rule('place_plain', isPlainLine));

/** An address that people open: where they meet, or pay. */
export const httpsUrl = nullIfEmpty(
  z.string(code('url_https')).check(
    z.trim(),
    rule('url_https', (typed) => typed === '' || (typed.length <= 500 && isHttpsUrl(typed))),
  ),
);

/** Whether people get an email about a change, and what the instructor says in it. */
const notification = {
  notify: z
    ._default(z.boolean(), true)
    .check(z.describe('Whether everyone who takes part, waits or is invited gets an email')),
  note: z._default(plainText(500, 'person_note_too_long'), null),
};

const days = { starts_on: day, ends_on: day, time_zone: timeZone };

/** What a cohort cannot be without. */
const required = { name, ...days };

/** Texts that everyone can read on the public page. */
const publicTexts = {
  description: plainText(2_000, 'cohort_description_too_long'),
  place,
  terms_url: httpsUrl,
  question: plainText(200, 'question_too_long', oneLine),
  second_teacher: plainText(120, 'second_teacher_too_long', oneLine),
  second_teacher_line: plainText(200, 'second_teacher_line_too_long', oneLine),
  refund_note: plainText(500, 'refund_note_too_long'),
};

/** Texts for people who are enrolled. */
const privateTexts = {
  join_url: httpsUrl.check(z.describe('For enrolled people only; begins with https://')),
  join_passcode: plainText(100, 'passcode_too_long', oneLine),
  payment_note: plainText(1_000, 'payment_note_too_long'),
  payment_url: httpsUrl,
  welcome_note: plainText(2_000, 'welcome_note_too_long'),
};

const texts = { ...publicTexts, ...privateTexts };
type TextName = keyof typeof texts;
export const publicTextNames = namesOf(publicTexts);
export const textNames = namesOf(texts);

const nullable = {
  ...texts,
  enrollment_opens_local: opening.check(
    z.describe('On the cohort’s clocks, such as 2026-12-01T09:00; null: with publishing'),
  ),
  enrollment_closes_local: closing.check(
    z.describe(
      'On the cohort’s clocks; null: when the cohort begins. A day alone means until its end',
    ),
  ),
  capacity: z.nullable(capacity),
  minimum_people: z.nullable(minimum),
  access_days: z
    .nullable(accessDays)
    .check(
      z.describe(
        'How many days after the last day, or after enrolling in an open run, people can read the lessons; null: no end',
      ),
    ),
  price_minor: z
    .nullable(priceMinor)
    .check(z.describe('In the smallest unit of the currency, such as cents; null: no price')),
  currency: z
    .nullable(currency)
    .check(z.describe('Such as EUR; it can’t change once the cohort has entries in its account')),
  early_price_minor: z
    .nullable(amountFrom(0, 'price_range'))
    .check(z.describe('What people owe who enroll before early_until_local; null: no early price')),
  early_until_local: earlyUntil.check(
    z.describe('On the cohort’s clocks, such as 2026-12-19T00:00. A day alone means until its end'),
  ),
};

/** What has another default, by which most cohorts are as their instructors want them. */
const optional = {
  join_mode: z
    .enum(joinModes, code('unknown_value'))
    .check(
      z.describe(
        'open: anyone with the link can enroll. approval: they can ask, and the owner decides. invitation: only people whom the owner invites',
      ),
    ),
  waitlist: z.boolean(),
  offer_hours: z
    .literal(offerHours, code('unknown_value'))
    .check(z.describe('How many hours a place is kept for someone on the waitlist')),
  shows_minimum: z.boolean(),
  shows_places_left: z.boolean(),
  payment_mode: z
    .enum(paymentModes, code('unknown_value'))
    .check(
      z.describe(
        'own: people pay their instructor, as these agree. online: at Stripe, whenever they like. online_first: at Stripe, before the place is theirs. The last two need a price and an account at Stripe',
      ),
    ),
  sends_receipts: z
    .boolean()
    .check(z.describe('Whether each payment that is recorded sends a receipt by email')),
  sends_certificates: z
    .boolean()
    .check(z.describe('Whether people get an email when they have completed the cohort')),
  language: z.enum(locales, code('language_required')),
};

/** A new cohort. Without a language, it gets that of its owner. */
export const CohortInput = z
  .strictObject({
    ...required,
    ...nullByDefault(nullable),
    join_mode: z._default(optional.join_mode, 'open'),
    waitlist: z._default(optional.waitlist, true),
    offer_hours: z._default(optional.offer_hours, 48),
    shows_minimum: z._default(optional.shows_minimum, false),
    shows_places_left: z._default(optional.shows_places_left, true),
    payment_mode: z._default(optional.payment_mode, 'own'),
    sends_receipts: z._default(optional.sends_receipts, false),
    sends_certificates: z._default(optional.sends_certificates, true),
    language: z.optional(optional.language),
  })
  .check(refusing((cohort) => ({ ...wrongDates(cohort), ...wrongNumbers(cohort) })));
export type CohortInput = z.output<typeof CohortInput>;

/** Any of these fields. The rules between fields are checked with those that are stored. */
export const CohortPatch = z.partial(
  z.strictObject({
    ...required,
    ...nullable,
    ...optional,
    enrollment_override: z
      .nullable(z.enum(enrollmentOverrides, code('unknown_value')))
      .check(z.describe('In place of the planned times; null: as planned')),
  }),
);
export type CohortPatch = z.output<typeof CohortPatch>;

/** The dates and wall times of a cohort. */
export const Dates = z
  .object({
    starts_on: z.iso.date(),
    ends_on: z.iso.date(),
    time_zone: z.string(),
    enrollment_opens_local: z.nullable(z.string()),
    enrollment_closes_local: z.nullable(z.string()),
    early_until_local: z._default(z.nullable(z.string()), null),
  })
  .register(z.globalRegistry, { id: 'CohortDates' });

/** Other days for a cohort; enrollment and the early price move with the first day. */
export const MoveInput = z
  .strictObject({
    ...days,
    expected: z
      .strictObject(Dates.shape)
      .check(z.describe('The dates that the caller has seen; refused if they have changed')),
    expected_meetings: z.optional(
      z
        .string()
        .check(
          z.maxLength(64),
          z.describe('The meetings_mark of a preview; refused if a live session has changed since'),
        ),
    ),
    dry_run: z._default(z.boolean(), false),
    ...notification,
  })
  .check(refusing<CohortDays>(wrongDays));
export type MoveInput = z.output<typeof MoveInput>;

/** What becomes of the money of a canceled cohort. */
export const CanceledMoney = z
  .enum(['refund', 'keep'])
  .check(z.describe('refund: all of it goes back as it came, and nothing is owed. keep: it stays'));
export type CanceledMoney = z.output<typeof CanceledMoney>;
export const MoneyInput = z.strictObject({ money: CanceledMoney });

/** How people are notified that a cohort is canceled, and what becomes of what they have paid. */
export const TrashInput = z.strictObject({
  ...notification,
  money: z._default(z.nullable(CanceledMoney), null).check(z.describe('null: not decided yet')),
});
export type TrashInput = z.output<typeof TrashInput>;

/** Whether those on the roster of a cohort are told that it has ended early. */
export const ArchiveInput = z.strictObject({ notify: z._default(z.boolean(), false) });
export type ArchiveInput = z.output<typeof ArchiveInput>;

/** A copy that begins on another day. */
export const DuplicateInput = z.strictObject({
  name,
  starts_on: day,
  /** Off by default: the meeting room of the last cohort is not for the people of the next. */
  with_join_url: z._default(z.boolean(), false),
  close_gaps: z
    ._default(z.boolean(), true)
    .check(
      z.describe('Whether sessions take the days on which there was no class, and it ends sooner'),
    ),
  dry_run: z._default(z.boolean(), false),
});
export type DuplicateInput = z.output<typeof DuplicateInput>;

/** A live session before and after a move: its wall times. */
export const ShiftedMeeting = z.object({
  id: z.uuid(),
  title: z.string(),
  before: z.string(),
  after: z.string(),
  /** Whether it could not simply keep its clock time. */
  is_adjusted: z.boolean(),
});
export type ShiftedMeeting = z.infer<typeof ShiftedMeeting>;

/** The dates of a cohort before and after a move, or those of a cohort and of its copy. */
export const DatesPreview = z.object({
  before: Dates,
  after: Dates,
  adjusted: z
    .array(z.enum(['enrollment_opens_local', 'enrollment_closes_local', 'early_until_local']))
    .check(z.describe('Those whose clock time is skipped there, or comes when the cohort is over')),
  meetings: z.array(ShiftedMeeting),
  /** Another one after any change of a session or of a day off. */
  meetings_mark: z.string(),
  days_off: z
    .array(z.object({ reason: z.string(), before: z.string(), after: z.string() }))
    .check(z.describe('Days off, which move with the first day; none if a copy closes gaps')),
  sections: z
    .optional(
      z.array(
        z.object({
          id: z.uuid(),
          title: z.nullable(z.string()),
          before: z.string(),
          after: z.string(),
        }),
      ),
    )
    .check(z.describe('Those that open on a date in this cohort, which moves with the first day')),
  offers: z
    .optional(
      z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          before: z.string(),
          after: z.nullable(z.string()),
        }),
      ),
    )
    .check(
      z.describe('Offers of a place that end sooner, on the clocks of the cohort; null: at once'),
    ),
  warnings: z.array(z.enum(cohortWarnings)),
});
export type DatesPreview = z.infer<typeof DatesPreview>;

// The names are those of the texts.
const storedTexts = Object.fromEntries(
  textNames.map((name) => [name, z.nullable(z.string())]),
) as Record<TextName, z.ZodMiniNullable<z.ZodMiniString>>;

/** The dates and moments that mean nothing in an open run. */
const runDates = [
  'starts_on',
  'ends_on',
  'starts_at',
  'ends_at',
  'enrollment_opens_local',
  'enrollment_opens_at',
  'enrollment_closes_local',
  'enrollment_closes_at',
  'early_until_local',
  'early_until_at',
] as const;

/** The same for each of them; the names are theirs. */
function forRunDates<Value>(value: Value) {
  const fields = runDates.map((name) => [name, value]);
  return Object.fromEntries(fields) as Record<(typeof runDates)[number], Value>;
}

/** What the API says of them. */
export const noDates = forRunDates(null);

/** What is stored of a cohort, as its owner gets it. */
export const StoredCohort = z.object({
  id: z.uuid(),
  course_id: z.uuid(),
  kind: z
    .enum(cohortKinds)
    .check(z.describe('open: the people of an evergreen course, who start on any day')),
  name: z.string(),
  ...storedTexts,
  ...Dates.shape,
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime().check(z.describe('The first moment after the last day')),
  join_mode: z.enum(joinModes),
  enrollment_opens_at: z.nullable(z.iso.datetime()),
  enrollment_closes_at: z.nullable(z.iso.datetime()),
  enrollment_override: z.nullable(z.enum(enrollmentOverrides)),
  capacity: z.nullable(z.int()),
  waitlist: z.boolean(),
  offer_hours: z.literal(offerHours),
  minimum_people: z.nullable(z.int()),
  shows_minimum: z.boolean(),
  shows_places_left: z.boolean(),
  access_days: z.nullable(z.int()),
  price_minor: z.nullable(z.int()),
  currency: z.nullable(z.string()),
  early_price_minor: z.nullable(z.int()),
  early_until_at: z.nullable(z.iso.datetime()),
  payment_mode: z.enum(paymentModes),
  sends_receipts: z.boolean(),
  sends_certificates: z.boolean(),
  language: z.enum(locales),
  published_at: z.nullable(z.iso.datetime()),
  archived_at: z.nullable(z.iso.datetime()),
  deleted_at: z
    .nullable(z.iso.datetime())
    .check(z.describe('Since when it is in the trash, which keeps it for 30 days')),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** A cohort as the API returns it to its owner, with what it is at this moment. */
export const Cohort = z.extend(StoredCohort, {
  public_url: z.url(),
  status: z.enum(cohortStatuses),
  enrollment_state: z.enum(enrollmentStates),
  counts: z.object({
    enrolled: z.int(),
    offered: z.int(),
    waitlisted: z.int(),
    applied: z.int(),
    invited: z.int(),
    places_left: z.nullable(z.int()),
  }),
  warnings: z.array(z.enum(cohortWarnings)),
});
export type Cohort = z.infer<typeof Cohort>;

/** The open run of an evergreen course, as the API returns it: a cohort without dates. */
export const OpenRun = z.extend(Cohort, {
  kind: z.literal('open'),
  ...forRunDates(z.null()),
});
export type OpenRun = z.infer<typeof OpenRun>;

/** What has people: a cohort, or the open run of an evergreen course. */
export const CohortOrRun = z.union([Cohort, OpenRun]);

type Numbers = Pick<
  CohortInput,
  | 'capacity'
  | 'minimum_people'
  | 'price_minor'
  | 'currency'
  | 'early_price_minor'
  | 'early_until_local'
>;

/** What is wrong with a minimum that the places do not hold, and with half a price. */
export function wrongNumbers(cohort: Numbers): WrongFields {
  const { capacity: places, minimum_people: minimum, price_minor: price, currency: unit } = cohort;
  const { early_price_minor: early, early_until_local: until } = cohort;
  return {
    ...((minimum ?? 0) > (places ?? maxCapacity) && { minimum_people: ['minimum_range'] }),
    ...(price !== null && unit === null && { currency: ['currency_required'] }),
    ...(price === null && unit !== null && { price_minor: ['price_range'] }),
    ...(early !== null && early >= (price ?? 0) && { early_price_minor: ['early_price_range'] }),
    ...(early !== null && until === null && { early_until_local: ['date_required'] }),
    ...(early === null && until !== null && { early_price_minor: ['early_price_required'] }),
  };
}

function namesOf<Shape extends object>(shape: Shape): (keyof Shape & string)[] {
  // An object literal has no other keys.
  return Object.keys(shape) as (keyof Shape & string)[];
}

function nullByDefault<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, field]) => [name, z._default(field, null)]);
  // The names are those of the shape.
  return Object.fromEntries(fields) as {
    [Name in keyof Shape]: z.ZodMiniDefault<Shape[Name]>;
  };
}

/** Forms send a time whose day was left empty by itself. */
function hasDay(typed: string): boolean {
  return !typed.startsWith('T');
}

// A scheme, www, or a host before a path: a meeting link is not for everyone.
const linkPattern = /:\/\/|\bwww\.|[a-z\d-]\.[a-z]{2,}\/\S/i;

function isPlainLine(typed: string): boolean {
  return !typed.includes('\n') && !linkPattern.test(typed);
}

// Without a host after two slashes, browsers read a path of ours; before an "at" or a sign like a
// slash, it looks like another one.
const httpsPattern = /^https:\/\/(?:[\p{L}\p{M}\p{N}.-]+|\[[\da-f:.]+\])(?::\d+)?(?:[/?#]|$)/iu;
// What the parser would encode, turn or take out, but pages, emails and calendars would not.
// DI is Default_Ignorable_Code_Point: what fonts do not show. The last is an empty Braille cell.
const unseenPattern = /[\s\\\p{C}\p{DI}\u2800]/u;

function isHttpsUrl(typed: string): boolean {
  return httpsPattern.test(typed) && URL.canParse(typed) && !unseenPattern.test(typed);
}

/** Turns rules between fields into issues of these fields. */
function refusing<Value>(wrong: (value: Value) => WrongFields) {
  return z.check<Value>(({ value, issues }) => {
    for (const [field, [message]] of Object.entries(wrong(value))) {
      issues.push({ code: 'custom', path: [field], message, input: value });
    }
  });
}
