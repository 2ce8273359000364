import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { ask, db, query } from '#db/query.ts';
import type { EnrollmentOverride, EnrollmentStatus, JoinMode, Locale } from '#db/values.ts';
import {
  type EnrollmentState,
  enrollmentState,
  isJoinable,
  type PeopleCounts,
} from '#features/cohorts/cohort-status.ts';
import { type OwnEntry, ownEntries } from '#features/ledger/balances.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { meetingsOfPerson, type OwnMeeting } from '#features/meetings/public-meetings.ts';
import { takenAt, waiting } from '#features/places/places.ts';
import { AppError } from '#lib/app-error.ts';
import { isGenuine, readLink } from '#lib/signed-links.ts';
import type { ParticipantAction, Participation } from './schema.ts';

/**
 * A person whom an instructor knows, by the link in their emails: the third kind of actor, beside
 * instructors and signed-out users (`Actor` in features/identity/find-actor.ts). They have no session,
 * and see only what is theirs with this one instructor.
 */
export type Participant = {
  id: string;
  linkVersion: number;
  name: string;
  email: string;
  language: Locale;
  /** Whether they get reminders and messages to the group. */
  hasReminders: boolean;
  instructor: { name: string; email: string };
};

type ParticipantRow = Omit<Participant, 'instructor' | 'hasReminders'> & {
  hasReminders: 0 | 1;
  instructor: string;
  instructorEmail: string;
};

/** An enrollment of a participant, as the database has it. */
export type OwnEnrollment = {
  id: string;
  cohortId: string;
  courseId: string;
  cohortName: string;
  courseName: string;
  startsOn: string;
  endsOn: string;
  timeZone: string;
  place: string | null;
  joinUrl: string | null;
  welcomeNote: string | null;
  priceMinor: number | null;
  currency: string | null;
  paymentNote: string | null;
  paymentUrl: string | null;
  termsUrl: string | null;
  /** What they owe and have paid. */
  entries: OwnEntry[];
  endsAt: number;
  archivedAt: number | null;
  deletedAt: number | null;
  status: EnrollmentStatus;
  statusChangedAt: number;
  position: number | null;
  expiresAt: number | null;
  question: string | null;
  answer: string | null;
  capacity: number | null;
  /** What its public page offers. */
  enrollmentState: EnrollmentState;
};

type FoundParticipant = { participant: Participant; enrollments: OwnEnrollment[] };

/** What the state depends on, with times as they are stored. */
type StateRow = PeopleCounts & {
  joinMode: JoinMode;
  startsAt: number;
  publishedAt: number | null;
  enrollmentOpensAt: number | null;
  enrollmentClosesAt: number | null;
  enrollmentOverride: EnrollmentOverride | null;
  waitlist: number;
};

/**
 * Looks up the participant of a link and their enrollments, in one trip, and counts the attempt.
 *
 * @param link unchecked
 * @throws AppError `person_link_invalid` for a link that is not ours or was replaced;
 *   `rate_limited`
 */
export async function findParticipant(ctx: Context, link: unknown): Promise<FoundParticipant> {
  const limit = await limitOn(ctx, [{ limit: 'participation_per_ip' }], 'allow');
  const { usage, ...rows } = await ask(ctx, { usage: limit.count(), ...personQueries(ctx, link) });
  refuseFull(ctx, usage.full);
  const person = await personOfLink(ctx, link, rows);
  if (person === null) {
    ctx.observe.log('person_link_refused', { kind: 'person' });
    throw new AppError('person_link_invalid');
  }
  return person;
}

/**
 * Looks up the participant of a link for their page, which changes nothing. The attempt is not
 * counted, because no one guesses a signature.
 *
 * @param link unchecked
 * @returns null for a link that is not ours or was replaced
 */
export async function openParticipant(
  ctx: Context,
  link: unknown,
): Promise<(FoundParticipant & { meetings: OwnMeeting[] }) | null> {
  const { meetings, ...rows } = await ask(ctx, {
    ...personQueries(ctx, link),
    meetings: meetingsOfPerson({ personId: readLink('person', link)?.id ?? '' }),
  });
  const person = await personOfLink(ctx, link, rows);
  return person && { ...person, meetings };
}

function personQueries(ctx: Context, link: unknown) {
  const id = readLink('person', link)?.id ?? '';
  return {
    people: personRow({ id }),
    enrollments: ownEnrollments(ctx, areOf({ id })),
  };
}

const personRow = prepared(({ id }: Given<'id'>) =>
  db.all<ParticipantRow>(sql`SELECT p.id, p.link_version AS linkVersion, p.name, p.email,
      p.language, p.no_reminders_at IS NULL AS hasReminders, u.first_name || ' ' || u.last_name AS instructor, u.email AS instructorEmail
    FROM people p JOIN users u ON u.id = p.owner_id WHERE p.id = ${id}`),
);

const areOf = fragment(({ id }: Given<'id'>) => sql`e.person_id = ${id}`);

async function personOfLink(
  ctx: Context,
  link: unknown,
  { people: [row], enrollments }: { people: ParticipantRow[]; enrollments: OwnEnrollment[] },
): Promise<FoundParticipant | null> {
  // The same work for a person who does not exist.
  const { id, mac } = readLink('person', link) ?? { id: '', mac: '' };
  const isValid = await isGenuine(ctx, 'person', { id, mac, linkVersion: row?.linkVersion ?? 0 });
  if (row === undefined || !isValid) {
    return null;
  }
  const { instructor, instructorEmail, hasReminders, ...person } = row;
  return {
    participant: {
      ...person,
      hasReminders: hasReminders === 1,
      instructor: { name: instructor, email: instructorEmail },
    },
    enrollments,
  };
}

/** The query for enrollments of a person, the newest cohort first. */
export function ownEnrollments(ctx: Context, where: SQL) {
  const now = ctx.now();
  return query({ rows: enrollmentRows({ now, where }) }, ({ rows }) =>
    rows
      .map((row) => ({
        ...row,
        entries: JSON.parse(row.entries) as OwnEntry[],
        enrollmentState: stateOf(row, now),
      }))
      .toSorted((one, other) => other.startsOn.localeCompare(one.startsOn)),
  );
}

const enrollmentRows = prepared(({ now, where }: Given<'now' | 'where'>) =>
  db.all<
    Omit<OwnEnrollment, 'entries'> & StateRow & { entries: string }
  >(sql`SELECT e.id, e.cohort_id AS cohortId,
      c.course_id AS courseId, c.name AS cohortName, k.name AS courseName,
      c.starts_on AS startsOn, c.ends_on AS endsOn, c.time_zone AS timeZone, c.place,
      c.join_url AS joinUrl, c.welcome_note AS welcomeNote, c.price_minor AS priceMinor,
      c.currency,
      c.payment_note AS paymentNote, c.payment_url AS paymentUrl, c.terms_url AS termsUrl,
      ${ownEntries} AS entries, c.starts_at AS startsAt, c.ends_at AS endsAt, c.join_mode AS joinMode,
      c.published_at AS publishedAt, c.archived_at AS archivedAt, c.deleted_at AS deletedAt,
      c.enrollment_opens_at AS enrollmentOpensAt,
      c.enrollment_closes_at AS enrollmentClosesAt,
      c.enrollment_override AS enrollmentOverride, c.waitlist, c.capacity,
      ${takenAt(now)} AS enrolled, 0 AS offered, 0 AS invited, 0 AS applied, ${waiting} AS waitlisted,
      e.status, e.status_changed_at AS statusChangedAt, e.expires_at AS expiresAt,
      e.question, e.answer,
      CASE WHEN e.status = 'waitlisted' THEN (SELECT count(*) FROM enrollments w
        WHERE w.cohort_id = e.cohort_id AND w.status = 'waitlisted'
          AND w.queue_no <= e.queue_no) END AS position
    FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id JOIN courses k ON k.id = c.course_id
    WHERE ${where}`),
);

function stateOf(row: Omit<OwnEnrollment, 'enrollmentState' | 'entries'> & StateRow, now: Date) {
  const dateOf = (time: number | null) => (time === null ? null : new Date(time));
  const facts = {
    ...row,
    startsAt: new Date(row.startsAt),
    endsAt: new Date(row.endsAt),
    enrollmentOpensAt: dateOf(row.enrollmentOpensAt),
    enrollmentClosesAt: dateOf(row.enrollmentClosesAt),
    waitlist: row.waitlist === 1,
    publishedAt: dateOf(row.publishedAt),
    archivedAt: dateOf(row.archivedAt),
    deletedAt: dateOf(row.deletedAt),
  };
  return enrollmentState(facts, row, now);
}

/** What a person sees of an enrollment, and what they can do about it at this moment. */
export function toParticipation(ctx: Context, row: OwnEnrollment): Participation {
  const now = ctx.now().getTime();
  const isOver = row.expiresAt !== null && row.expiresAt <= now;
  const status = isOver ? 'expired' : row.status;
  const isIn = status === 'enrolled';
  return {
    id: row.id,
    cohort_name: row.cohortName,
    course_name: row.courseName,
    starts_on: row.startsOn,
    ends_on: row.endsOn,
    time_zone: row.timeZone,
    place: row.place,
    join_url: isIn ? row.joinUrl : null,
    welcome_note: isIn ? row.welcomeNote : null,
    status,
    queue_position: row.position,
    expires_at: isOver || row.expiresAt === null ? null : new Date(row.expiresAt).toISOString(),
    question: row.question,
    answer: row.answer,
    is_canceled: row.deletedAt !== null,
    actions: row.deletedAt !== null || row.endsAt <= now ? [] : actionsOf(status, row),
  };
}

function actionsOf(
  status: EnrollmentStatus,
  { archivedAt, enrollmentState: state }: OwnEnrollment,
): ParticipantAction[] {
  switch (status) {
    case 'offered':
    case 'invited':
      return archivedAt === null ? ['accept', 'decline'] : ['decline'];
    case 'enrolled':
    case 'waitlisted':
    case 'applied':
      return ['leave'];
    case 'left':
    case 'declined':
    case 'expired':
      return isJoinable(state) ? ['rejoin'] : [];
    case 'removed':
    case 'refused':
      return [];
  }
}
