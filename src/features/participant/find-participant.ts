import 'server-only';
import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Context } from '#context.ts';
import { hasAgreed } from '#db/people.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { accessEndsAt, usableAccount } from '#db/prices.ts';
import { ask, db, query, type RowFrom } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { users } from '#db/schema/users.ts';
import { lessonCount, lessonsDone } from '#db/shown-lessons.ts';
import type { EnrollmentStatus } from '#db/values.ts';
import { findAttended } from '#features/attendance/find-attendance.ts';
import { payableAt } from '#features/checkouts/payable.ts';
import { enrollmentState, isJoinable } from '#features/cohorts/cohort-status.ts';
import { hueOfCourse } from '#features/courses/list-courses.ts';
import {
  isConfirming,
  isOwed,
  type OwnEntry,
  ownEntries,
  type Sums,
  sumsAsJson,
} from '#features/ledger/balances.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { meetingsOfPerson, type OwnMeeting } from '#features/meetings/public-meetings.ts';
import { queuePosition, takenAt, waiting } from '#features/places/places.ts';
import { isPassedOn } from '#features/places/why-no-offer.ts';
import { AppError } from '#lib/app-error.ts';
import { isGenuine, readLink } from '#lib/signed-links.ts';
import { toJson } from '#lib/to-json.ts';
import { type ParticipantAction, Participation } from './schema.ts';

/**
 * A person whom an instructor knows, by the link in their emails: the third kind of actor, beside
 * instructors and signed-out users (`Actor` in features/identity/find-actor.ts). They have no session,
 * and see only what is theirs with this one instructor.
 */
export type Participant = RowFrom<typeof personRow>;

/** An enrollment of a participant with its cohort, and what the cohort's public page offers. */
export type OwnEnrollment = ReturnType<ReturnType<typeof ownEnrollments>['read']>[number];

type FoundParticipant = { participant: Participant; enrollments: OwnEnrollment[] };

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

/**
 * Looks up the participant of a link, one of their places and what they attended there, for their
 * certificate. `place` and `attended` are null for a place that is not theirs.
 *
 * @param link unchecked, as `placeId`
 * @returns null for a link that is not ours or was replaced
 */
export async function openCertificate(ctx: Context, link: unknown, placeId: string) {
  const personId = readLink('person', link)?.id ?? '';
  const ownerId = sql`(SELECT o.owner_id FROM people o WHERE o.id = ${personId})`;
  const { attended, ...rows } = await ask(ctx, {
    ...personQueries(ctx, link),
    attended: findAttended(placeId)(ctx, ownerId),
  });
  const person = await personOfLink(ctx, link, rows);
  const place =
    person?.enrollments.find(({ id, deletedAt }) => id === placeId && !deletedAt) ?? null;
  return person && { participant: person.participant, place, attended: place && attended };
}

function personQueries(ctx: Context, link: unknown) {
  const id = readLink('person', link)?.id ?? '';
  return {
    people: personRow({ id }),
    enrollments: ownEnrollments(ctx, areOf({ id })),
  };
}

const p = alias(people, 'p');

const personRow = prepared(({ id }: Given<'id'>) =>
  db
    .select({
      id: p.id,
      linkVersion: p.linkVersion,
      name: p.name,
      email: p.email,
      language: p.language,
      /** Whether they get reminders and messages to the group. */
      hasReminders: sql`${p.noRemindersAt} IS NULL`.mapWith(Boolean).as('has_reminders'),
      hasAgreed: hasAgreed.mapWith(Boolean).as('has_agreed'),
      instructor: {
        name: sql<string>`${users.firstName} || ' ' || ${users.lastName}`.as('instructor'),
        email: users.email,
      },
    })
    .from(p)
    .innerJoin(users, eq(users.id, p.ownerId))
    .where(eq(p.id, id)),
);

const areOf = fragment(({ id }: Given<'id'>) => sql`e.person_id = ${id}`);

async function personOfLink(
  ctx: Context,
  link: unknown,
  { people: [row], enrollments }: { people: Participant[]; enrollments: OwnEnrollment[] },
): Promise<FoundParticipant | null> {
  // The same work for a person who does not exist.
  const { id, mac } = readLink('person', link) ?? { id: '', mac: '' };
  const isValid = await isGenuine(ctx, 'person', { id, mac, linkVersion: row?.linkVersion ?? 0 });
  if (row === undefined || !isValid) {
    return null;
  }
  return { participant: row, enrollments };
}

/** The query for enrollments of a person, the newest cohort first. */
export function ownEnrollments(ctx: Context, where: SQL) {
  const now = ctx.now();
  const account = usableAccount(ctx);
  return query({ rows: enrollmentRows({ now, where, account }) }, ({ rows }) =>
    rows
      .map((row) => {
        const counts = { ...row, offered: 0, invited: 0, applied: 0 };
        return {
          ...row,
          // As if there were no such mode, where the operator has no Stripe.
          ...(ctx.config.stripe === null && { payable: 0, paymentMode: 'own' as const }),
          courseHue: hueOfCourse({ id: row.courseId, hue: row.courseHue }),
          entries: JSON.parse(row.entries) as OwnEntry[],
          sums: JSON.parse(row.sums ?? 'null') as Sums | null,
          enrollmentState: enrollmentState(row, counts, now),
          /** Until when they can read an open run's lessons; null without an end. */
          accessEndsAt:
            row.kind === 'open' && row.accessEndsAt !== null ? new Date(row.accessEndsAt) : null,
          /** Whether their place would go to the next person who waits. */
          isPassedOn: isPassedOn(row, counts, now),
        };
      })
      .toSorted((one, other) => other.startsOn.localeCompare(one.startsOn)),
  );
}

const e = alias(enrollments, 'e');
const c = alias(cohorts, 'c');
const k = alias(courses, 'k');

/** When a payment without a place goes back; null without one. */
const undecidedUntil = sql<number | null>`(SELECT max(o.decide_by) FROM checkouts o
  WHERE o.enrollment_id = e.id AND o.problem = 'no_place')`;
const enrollmentRows = prepared(({ now, where, account }: Given<'now' | 'where' | 'account'>) =>
  db
    .select({
      ...getTableColumns(c),
      id: e.id,
      cohortId: e.cohortId,
      status: e.status,
      statusChangedAt: e.statusChangedAt,
      /** Whether what is open on their account is owed. */
      isOwed: isOwed('e').mapWith(Boolean).as('is_owed'),
      expiresAt: e.expiresAt,
      completedAt: e.completedAt,
      question: e.question,
      answer: e.answer,
      courseName: k.name,
      courseHue: k.hue,
      /** What they can pay online, if their instructor takes payments at the moment. */
      payable: payableAt(now).mapWith(Number).as('payable'),
      takesPayments: sql`${account} IS NOT NULL`.mapWith(Boolean).as('takes_payments'),
      /** The last payment that needs a decision of their instructor, and until when that is. */
      decideBy: undecidedUntil.mapWith(Number).as('decide_by'),
      isConfirming: isConfirming.mapWith(Boolean).as('is_confirming'),
      /** What they owe and have paid. */
      entries: sql<string>`${ownEntries}`.as('entries'),
      sums: sql<string | null>`${sumsAsJson}`.as('sums'),
      position: queuePosition.as('position'),
      enrolled: takenAt(now).as('enrolled'),
      waitlisted: waiting.as('waitlisted'),
      /** How many lessons there are to read, and how many they have done. */
      lessons: lessonCount.mapWith(Number).as('lessons'),
      lessonsDone: sql`coalesce((SELECT ${lessonsDone} FROM learning g
        WHERE g.enrollment_id = e.id), 0)`
        .mapWith(Number)
        .as('lessons_done'),
      accessEndsAt: sql<number | null>`${accessEndsAt}`.as('access_ends_at'),
    })
    .from(e)
    .innerJoin(c, eq(c.id, e.cohortId))
    .innerJoin(k, eq(k.id, c.courseId))
    .where(where),
);

/** What a person sees of an enrollment, and what they can do about it at this moment. */
export function toParticipation(ctx: Context, row: OwnEnrollment): Participation {
  const now = ctx.now();
  const isOver = row.expiresAt !== null && row.expiresAt <= now;
  const status = isOver ? 'expired' : row.status;
  const isIn = status === 'enrolled';
  return toJson(Participation, {
    ...row,
    ...(row.kind === 'open' && { startsOn: null, endsOn: null }),
    cohortName: row.name,
    joinUrl: isIn ? row.joinUrl : null,
    welcomeNote: isIn ? row.welcomeNote : null,
    status,
    queuePosition: row.position,
    expiresAt: isOver ? null : row.expiresAt,
    isCanceled: row.deletedAt !== null,
    toPayOnline:
      row.payable > 0 && row.takesPayments && !row.isConfirming
        ? { amount_minor: row.payable, currency: accountCurrency(row) }
        : null,
    actions: row.deletedAt !== null || row.endsAt <= now ? [] : actionsOf(status, row),
  });
}

/** That of what is on an account, or else of the price. */
export function accountCurrency({
  entries,
  currency,
}: Pick<OwnEnrollment, 'entries' | 'currency'>): string {
  return entries[0]?.currency ?? currency ?? '';
}

function actionsOf(
  status: EnrollmentStatus,
  { archivedAt, enrollmentState: state, payable }: OwnEnrollment,
): ParticipantAction[] {
  // An offered place that has to be paid for is accepted by paying.
  const mayAccept = archivedAt === null && (status === 'invited' || payable === 0);
  const answer: ParticipantAction[] = mayAccept ? ['accept', 'decline'] : ['decline'];
  const comeBack: ParticipantAction[] = isJoinable(state) ? ['rejoin'] : [];
  const actions: Record<EnrollmentStatus, ParticipantAction[]> = {
    offered: answer,
    invited: answer,
    enrolled: ['leave'],
    waitlisted: ['leave'],
    applied: ['leave'],
    left: comeBack,
    declined: comeBack,
    expired: comeBack,
    removed: [],
    refused: [],
  };
  return actions[status];
}
