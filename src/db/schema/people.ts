import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { oneOf } from '#db/one-of.ts';
import { goesWith, ofUser } from '#db/owned.ts';
import {
  blockReasons,
  enrollmentActors,
  enrollmentStatuses,
  holds,
  locales,
  personSources,
} from '#db/values.ts';
import { cohorts } from './cohorts.ts';
import { courses } from './courses.ts';

// Times are UTC milliseconds since 1970.

/** A participant as one instructor knows them. They have no account: their links are their key. */
export const people = sqliteTable(
  'people',
  {
    id: text('id').primaryKey(),
    ownerId: ofUser('owner_id').notNull(),
    /** The address that emails are sent to, as it was typed. */
    email: text('email').notNull(),
    /** The canonical form, for comparison: see lib/email-address.ts. */
    emailCanonical: text('email_canonical').notNull(),
    name: text('name').notNull(),
    /** The name for order and search: see lib/text.ts. */
    nameKey: text('name_key').notNull(),
    language: oneOf('language', locales).notNull(),
    /** Of the instructor, for themselves. */
    note: text('note'),
    source: oneOf('source', personSources).notNull(),
    /**
     * When they last showed that they take part by their own will: by asking for a place or taking
     * one, by paying, or by saying so. Triggers write most of it; see `hasAgreed`.
     */
    agreedAt: integer('agreed_at', { mode: 'timestamp_ms' }),
    /** When, and to which text, they agreed; null if they have not enrolled by themselves. */
    consentedAt: integer('consented_at', { mode: 'timestamp_ms' }),
    consentVersion: integer('consent_version'),
    /**
     * When their instructor last changed the address. Consent from before does not count, because
     * someone else may read this one.
     */
    correctedAt: integer('corrected_at', { mode: 'timestamp_ms' }),
    /** When they asked for no more invitations; blocked_addresses has it for whom is erased. */
    noInvitationsAt: integer('no_invitations_at', { mode: 'timestamp_ms' }),
    /** When they asked for no more reminders and messages. */
    noRemindersAt: integer('no_reminders_at', { mode: 'timestamp_ms' }),
    /** Part of the signature of their links: a higher one ends all that were sent. */
    linkVersion: integer('link_version').notNull(),
    /**
     * Since when they are in no cohort; null while they are in one. Triggers keep it so. Also null
     * once the clean-up has found that they have entries in an account.
     */
    unlinkedAt: integer('unlinked_at', { mode: 'timestamp_ms' }),
    /**
     * When they were erased, although they have entries in an account: the row then has nothing
     * else of them but a number, which counts for each owner.
     */
    erasedAt: integer('erased_at', { mode: 'timestamp_ms' }),
    erasedNo: integer('erased_no'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    unique('people_owner_id_email_canonical_unique').on(table.ownerId, table.emailCanonical),
    // Referenced by enrollments.
    unique('people_owner_id_id_unique').on(table.ownerId, table.id),
    // The last number of an owner, and that no two are the same.
    uniqueIndex('people_erased_no_unique')
      .on(table.ownerId, table.erasedNo)
      .where(sql`${table.erasedNo} IS NOT NULL`),
    // Whom the clean-up removes.
    index('people_unlinked_at_index')
      .on(table.unlinkedAt)
      .where(sql`${table.unlinkedAt} IS NOT NULL`),
  ],
);

/**
 * Where a person stands in a cohort: always one row for the two. Triggers of migration 0007 hold
 * the places and write the history. See docs/decisions/0046-places-in-one-statement.md.
 */
export const enrollments = sqliteTable(
  'enrollments',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    cohortId: text('cohort_id').notNull(),
    personId: text('person_id').notNull(),
    /** That of the person, for the order of the roster. */
    nameKey: text('name_key').notNull(),
    status: oneOf('status', enrollmentStatuses).notNull(),
    /** The order of the waitlist; null unless waiting. Numbers have gaps. */
    queueNo: integer('queue_no'),
    /** How many places were offered so far. */
    offerNo: integer('offer_no').notNull().default(0),
    /** The end of an offer or of an invitation. */
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }),
    /**
     * For an offer: that the place is held until it is paid, for who asked for it or was invited;
     * null for one from the waitlist. Says nothing with other statuses.
     */
    heldFor: oneOf('held_for', holds),
    /** Whether the owner has let them in although the cohort was full. */
    overCapacity: integer('over_capacity', { mode: 'boolean' }).notNull().default(false),
    completedAt: integer('completed_at', { mode: 'timestamp_ms' }),
    /** What the owner has noted about someone's leaving, for themselves. */
    leftNote: text('left_note'),
    /** Whether the owner has decided that someone who has left still owes what is open. */
    owesAfterLeaving: integer('owes_after_leaving', { mode: 'boolean' }).notNull().default(false),
    /** What the form asked them, which the owner may have changed since, and what they answered. */
    question: text('question'),
    answer: text('answer'),
    changedBy: oneOf('changed_by', enrollmentActors).notNull(),
    /**
     * Which user acted last as the owner; counts only where `changedBy` says so. Not a foreign key,
     * here and in the history, the ledger and the messages: to clear it with an account would take
     * an index in each, and the ledger refuses changes. The id of a deleted account names no one.
     */
    changedByUserId: text('changed_by_user_id'),
    statusChangedAt: integer('status_changed_at', { mode: 'timestamp_ms' }).notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    goesWith('enrollments_cohort_fk', [table.ownerId, table.cohortId], cohorts),
    goesWith('enrollments_person_fk', [table.ownerId, table.personId], people),
    unique('enrollments_cohort_id_person_id_unique').on(table.cohortId, table.personId),
    unique('enrollments_cohort_id_queue_no_unique').on(table.cohortId, table.queueNo),
    // Referenced by enrollment_events.
    unique('enrollments_owner_id_id_unique').on(table.ownerId, table.id),
    check(
      'enrollments_queue_no_check',
      sql`(${table.status} = 'waitlisted') = (${table.queueNo} IS NOT NULL)`,
    ),
    check(
      'enrollments_expires_at_check',
      sql`(${table.status} IN ('offered', 'invited')) = (${table.expiresAt} IS NOT NULL)`,
    ),
    check(
      'enrollments_over_capacity_check',
      sql`${table.overCapacity} = 0 OR ${table.status} IN ('enrolled', 'offered')`,
    ),
    check(
      'enrollments_completed_at_check',
      sql`${table.completedAt} IS NULL OR ${table.status} = 'enrolled'`,
    ),
    // Counts the places and serves the waitlist, without reading a row of the table.
    index('enrollments_places_index').on(
      table.cohortId,
      table.status,
      table.queueNo,
      table.expiresAt,
    ),
    // The roster by name.
    index('enrollments_roster_index').on(table.cohortId, table.nameKey, table.id),
    // Its first pages, without the thousands who may have left an open run.
    index('enrollments_there_index')
      .on(table.cohortId, table.nameKey, table.id)
      .where(sql`${table.status} IN ('enrolled', 'offered', 'invited')`),
    // One status by name.
    index('enrollments_status_index').on(table.cohortId, table.status, table.nameKey, table.id),
    // What has just changed, to tell the people about it.
    index('enrollments_changed_index').on(table.cohortId, table.statusChangedAt),
    // The cohorts of a person, and what goes with one.
    index('enrollments_person_id_owner_id_index').on(table.personId, table.ownerId),
    // Who has completed a course last.
    index('enrollments_completed_index')
      .on(table.cohortId, table.completedAt)
      .where(sql`${table.completedAt} IS NOT NULL`),
    // What expires next, for the clock.
    index('enrollments_expires_at_index')
      .on(table.expiresAt)
      .where(sql`${table.status} IN ('offered', 'invited')`),
  ],
);

/** What has happened to an enrollment. Only triggers write here. */
export const enrollmentEvents = sqliteTable(
  'enrollment_events',
  {
    id: integer('id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    enrollmentId: text('enrollment_id').notNull(),
    at: integer('at', { mode: 'timestamp_ms' }).notNull(),
    actor: oneOf('actor', enrollmentActors).notNull(),
    /** Null where it began. */
    fromStatus: oneOf('from_status', enrollmentStatuses),
    toStatus: oneOf('to_status', enrollmentStatuses).notNull(),
    /** The name of the cohort from which the person was moved here; null for all else. */
    movedFrom: text('moved_from'),
    /** Which user acted as the owner; null for all others, and from before this was kept. */
    actorUserId: text('actor_user_id'),
  },
  (table) => [
    goesWith('enrollment_events_enrollment_fk', [table.ownerId, table.enrollmentId], enrollments),
    index('enrollment_events_owner_id_enrollment_id_index').on(table.ownerId, table.enrollmentId),
    // Who has answered the invitations of an owner.
    index('enrollment_events_answers_index')
      .on(table.ownerId)
      .where(sql`${table.actor} = 'person' AND ${table.fromStatus} = 'invited'`),
  ],
);

/**
 * Someone has typed a name and an address on the page of a cohort, and has not proven the mailbox.
 * It holds no place. Asking again renews it; the links in earlier emails keep their own time, and
 * confirm what was asked then: see confirm-request.ts.
 */
export const enrollmentRequests = sqliteTable(
  'enrollment_requests',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    cohortId: text('cohort_id').notNull(),
    email: text('email').notNull(),
    emailCanonical: text('email_canonical').notNull(),
    name: text('name').notNull(),
    language: oneOf('language', locales).notNull(),
    consentVersion: integer('consent_version').notNull(),
    /** As in the enrollment that it becomes; null without an answer. */
    question: text('question'),
    answer: text('answer'),
    /** Who has confirmed it. It stays until it expires, so that a second click changes nothing. */
    personId: text('person_id').references(() => people.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    goesWith('enrollment_requests_cohort_fk', [table.ownerId, table.cohortId], cohorts),
    unique('enrollment_requests_cohort_id_email_canonical_unique').on(
      table.cohortId,
      table.emailCanonical,
    ),
    // Those of an owner, for the export.
    index('enrollment_requests_owner_id_cohort_id_index').on(table.ownerId, table.cohortId),
    // What goes with a person.
    index('enrollment_requests_person_id_index').on(table.personId),
    // For the clean-up.
    index('enrollment_requests_expires_at_index').on(table.expiresAt),
  ],
);

/**
 * Someone would like one email when enrollment of a course opens. It counts once the mailbox is
 * proven, and goes with that email, or after its time.
 */
export const courseInterests = sqliteTable(
  'course_interests',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    courseId: text('course_id').notNull(),
    email: text('email').notNull(),
    emailCanonical: text('email_canonical').notNull(),
    language: oneOf('language', locales).notNull(),
    consentVersion: integer('consent_version').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    /** Null until the link in the email is used. */
    confirmedAt: integer('confirmed_at', { mode: 'timestamp_ms' }),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    goesWith('course_interests_course_fk', [table.ownerId, table.courseId], courses),
    unique('course_interests_course_id_email_canonical_unique').on(
      table.courseId,
      table.emailCanonical,
    ),
    // Those of an owner, for the export, and what goes with a course.
    index('course_interests_owner_id_course_id_index').on(table.ownerId, table.courseId),
    // Who waits for a course, for the clock and for the owner's count.
    index('course_interests_confirmed_index')
      .on(table.courseId)
      .where(sql`${table.confirmedAt} IS NOT NULL`),
    // For the clean-up.
    index('course_interests_expires_at_index').on(table.expiresAt),
  ],
);

/**
 * Courses that may be open by now to those who wait for it, or will be at a time. Triggers write it
 * with everything that can open a course, so that the clock looks at no other one.
 */
export const interestsDue = sqliteTable(
  'interests_due',
  {
    courseId: text('course_id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    dueAt: integer('due_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    goesWith('interests_due_course_fk', [table.ownerId, table.courseId], courses),
    index('interests_due_owner_id_course_id_index').on(table.ownerId, table.courseId),
    index('interests_due_due_at_index').on(table.dueAt),
  ],
);

/**
 * What outlives the erasure of a person, so that it cannot be undone by erasing: a keyed hash in
 * place of the address. See blocked-addresses.ts.
 */
export const blockedAddresses = sqliteTable(
  'blocked_addresses',
  {
    ownerId: ofUser('owner_id').notNull(),
    hash: text('hash').notNull(),
    reason: oneOf('reason', blockReasons).notNull(),
    /** From which cohort they were removed; null for what holds everywhere. */
    cohortId: text('cohort_id'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.hash] }),
    goesWith('blocked_addresses_cohort_fk', [table.ownerId, table.cohortId], cohorts),
    check(
      'blocked_addresses_cohort_id_check',
      sql`(${table.reason} = 'removed') = (${table.cohortId} IS NOT NULL)`,
    ),
    // What goes with a cohort.
    index('blocked_addresses_owner_id_cohort_id_index').on(table.ownerId, table.cohortId),
  ],
);

/** That someone of a cohort is erased, for its activity. Without them. */
export const cohortErasures = sqliteTable(
  'cohort_erasures',
  {
    id: integer('id').primaryKey(),
    ownerId: text('owner_id').notNull(),
    cohortId: text('cohort_id').notNull(),
    at: integer('at', { mode: 'timestamp_ms' }).notNull(),
    actor: oneOf('actor', enrollmentActors).notNull(),
  },
  (table) => [
    goesWith('cohort_erasures_cohort_fk', [table.ownerId, table.cohortId], cohorts),
    // The newest of a cohort, and what goes with one.
    index('cohort_erasures_owner_id_cohort_id_at_index').on(
      table.ownerId,
      table.cohortId,
      table.at,
    ),
  ],
);
