import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { goesWith } from '#db/owned.ts';
import {
  cohortKinds,
  enrollmentOverrides,
  joinModes,
  locales,
  type OfferHours,
  paymentModes,
} from '#db/values.ts';
import { courses } from './courses.ts';

/**
 * A group that takes a course together, from a first to a last day; or all who take an evergreen
 * course, its open run: see docs/decisions/0089-self-paced-courses.md.
 *
 * Dates (`…_on`) and wall times (`…_local`) are what the instructor has chosen, in `time_zone`. The
 * instants beside them (`…_at`) are derived, and renewed every night: see
 * docs/decisions/0045-wall-times-stored.md. Other times are UTC milliseconds since 1970. What the
 * cohort is at a moment is not stored: see cohort-status.ts.
 */
export const cohorts = sqliteTable(
  'cohorts',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    courseId: text('course_id').notNull(),
    kind: oneOf('kind', cohortKinds).notNull().default('dated'),
    /** Of an open run, that of its course: a trigger keeps it so. */
    name: text('name').notNull(),
    /** Plain text in paragraphs. */
    description: text('description'),
    startsOn: text('starts_on').notNull(),
    endsOn: text('ends_on').notNull(),
    /** An IANA name, in the spelling in which it was chosen. */
    timeZone: text('time_zone').notNull(),
    /** The first instant of the first day. */
    startsAt: integer('starts_at', { mode: 'timestamp_ms' }).notNull(),
    /** The first instant after the last day. */
    endsAt: integer('ends_at', { mode: 'timestamp_ms' }).notNull(),
    joinMode: oneOf('join_mode', joinModes).notNull(),
    /** Null: enrollment is open from publishing. */
    enrollmentOpensLocal: text('enrollment_opens_local'),
    enrollmentOpensAt: integer('enrollment_opens_at', { mode: 'timestamp_ms' }),
    /** Null: until the cohort begins. */
    enrollmentClosesLocal: text('enrollment_closes_local'),
    enrollmentClosesAt: integer('enrollment_closes_at', { mode: 'timestamp_ms' }),
    /** Null: as planned by the two times above. */
    enrollmentOverride: oneOf('enrollment_override', enrollmentOverrides),
    /** Whether the course of this open run is taught in cohorts now: a trigger keeps it so. */
    closedByType: integer('closed_by_type', { mode: 'boolean' }).notNull().default(false),
    /** Null: no limit. */
    capacity: integer('capacity'),
    /** Whether people can join the waitlist; those who wait are served either way. */
    waitlist: integer('waitlist', { mode: 'boolean' }).notNull(),
    /** How long a free place is kept for someone from the waitlist. */
    offerHours: integer('offer_hours').$type<OfferHours>().notNull(),
    /** Shown to the owner, and on the public page if `shows_minimum`; null without one. */
    minimumPeople: integer('minimum_people'),
    showsMinimum: integer('shows_minimum', { mode: 'boolean' }).notNull(),
    showsPlacesLeft: integer('shows_places_left', { mode: 'boolean' }).notNull(),
    /** Where it takes place, for everyone. */
    place: text('place'),
    /** Where it takes place online, for enrolled people only. */
    joinUrl: text('join_url'),
    /** What the meeting asks for behind that link; for enrolled people only. */
    joinPasscode: text('join_passcode'),
    /** Who teaches besides the owner, and a line about them; on the public page. */
    secondTeacher: text('second_teacher'),
    secondTeacherLine: text('second_teacher_line'),
    /** In the smallest unit of `currency`; both null without a price. */
    priceMinor: integer('price_minor'),
    currency: text('currency'),
    /**
     * What people owe who enroll before a wall time; the three are null without an early price. The
     * triggers of migration 0024 charge the price of the moment of enrolling.
     */
    earlyPriceMinor: integer('early_price_minor'),
    earlyUntilLocal: text('early_until_local'),
    earlyUntilAt: integer('early_until_at', { mode: 'timestamp_ms' }),
    /** How people pay, if there is a price. */
    paymentMode: oneOf('payment_mode', paymentModes).notNull().default('own'),
    /** Whether each payment that is recorded sends a receipt. */
    sendsReceipts: integer('sends_receipts', { mode: 'boolean' }).notNull().default(false),
    /** What is paid back to people who can't come: plain text, on the public page. */
    refundNote: text('refund_note'),
    /** How to pay the instructor, for people who are enrolled: plain text, and an address. */
    paymentNote: text('payment_note'),
    paymentUrl: text('payment_url'),
    /** The instructor's own terms, which people can read before they enroll. */
    termsUrl: text('terms_url'),
    /** For people who are enrolled: materials, the room, what to prepare. Plain text. */
    welcomeNote: text('welcome_note'),
    /** What people are asked when they enroll; null: nothing. */
    question: text('question'),
    /** Of the public page, and of people who have not chosen one. */
    language: oneOf('language', locales).notNull(),
    /** Whether people who are invited are reminded before that ends. */
    remindsInvited: integer('reminds_invited', { mode: 'boolean' }).notNull().default(true),
    /** Whether people who are enrolled are reminded of the first day. */
    remindsStart: integer('reminds_start', { mode: 'boolean' }).notNull().default(true),
    /** Whether they are reminded of each live session a day before it, and an hour before it. */
    remindsDayBefore: integer('reminds_day_before', { mode: 'boolean' }).notNull().default(true),
    remindsHourBefore: integer('reminds_hour_before', { mode: 'boolean' }).notNull().default(false),
    /** Whether people get an email with their certificate when they have completed it. */
    sendsCertificates: integer('sends_certificates', { mode: 'boolean' }).notNull().default(true),
    /** Whether they are told when a section opens, and those in an open run who have stopped. */
    announcesReleases: integer('announces_releases', { mode: 'boolean' }).notNull().default(true),
    sendsNudges: integer('sends_nudges', { mode: 'boolean' }).notNull().default(true),
    /**
     * Whether people of this open run may have done all that is left of it: triggers say so, and the
     * clock completes them.
     */
    completionsDue: integer('completions_due', { mode: 'boolean' }).notNull().default(false),
    /** How many days after the last day, or after enrolling in an open run, lessons can be read. */
    accessDays: integer('access_days'),
    /** When they are reminded of the first day: derived, as `starts_at`. Null in older rows. */
    startReminderAt: integer('start_reminder_at', { mode: 'timestamp_ms' }),
    /** The first day of which they were reminded, or would have been; null before that. */
    startRemindedOn: text('start_reminded_on'),
    /** Its public address, which ends in random characters. */
    slug: text('slug').notNull().unique(),
    publishedAt: integer('published_at', { mode: 'timestamp_ms' }),
    archivedAt: integer('archived_at', { mode: 'timestamp_ms' }),
    /** Since when it is in the trash. */
    deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
    /** When its owner decided to keep what was paid for it, although it is in the trash. */
    moneyKeptAt: integer('money_kept_at', { mode: 'timestamp_ms' }),
    /** Chosen by the client, so that a retry creates only one cohort; null without one. */
    idempotencyKey: text('idempotency_key'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    // A cohort has the owner of its course, and goes with either.
    goesWith('cohorts_course_fk', [table.ownerId, table.courseId], courses),
    check('cohorts_ends_on_check', sql`${table.endsOn} >= ${table.startsOn}`),
    check('cohorts_capacity_check', sql`${table.capacity} >= 1`),
    check('cohorts_minimum_people_check', sql`${table.minimumPeople} >= 1`),
    check(
      'cohorts_price_check',
      sql`(${table.priceMinor} IS NULL) = (${table.currency} IS NULL) AND ${table.priceMinor} >= 0`,
    ),
    unique('cohorts_owner_id_idempotency_key_unique').on(table.ownerId, table.idempotencyKey),
    uniqueIndex('cohorts_open_run_unique')
      .on(table.ownerId, table.courseId)
      .where(sql`${table.kind} = 'open'`),
    // Referenced by what belongs to a cohort and to its owner.
    unique('cohorts_owner_id_id_unique').on(table.ownerId, table.id),
    // Lists and counts the cohorts of a course, in the trash or not, and deletes them with it.
    index('cohorts_course_index').on(
      table.ownerId,
      table.courseId,
      table.deletedAt,
      table.startsOn,
      table.id,
    ),
    // For the running and coming cohorts of all courses.
    index('cohorts_owner_id_ends_at_index').on(table.ownerId, table.endsAt),
    // Renews the instants of cohorts that are not over.
    index('cohorts_ends_at_id_index').on(table.endsAt, table.id),
    // For reminders of the first day.
    index('cohorts_start_reminder_at_index')
      .on(table.startReminderAt)
      .where(sql`${table.startRemindedOn} IS NOT ${table.startsOn}`),
    // Where the clock completes people.
    index('cohorts_completions_due_index')
      .on(table.completionsDue)
      .where(sql`${table.completionsDue} = 1`),
    // Empties the trash.
    index('cohorts_deleted_at_index')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} IS NOT NULL`),
  ],
);
