import 'server-only';
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, query } from '#db/query.ts';
import { checkouts } from '#db/schema/checkouts.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { learning, lessonMarks } from '#db/schema/learning.ts';
import { lessons } from '#db/schema/lessons.ts';
import { attendance, meetings } from '#db/schema/meetings.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import {
  courseInterests,
  enrollmentEvents,
  enrollmentRequests,
  enrollments,
  people,
} from '#db/schema/people.ts';
import { users } from '#db/schema/users.ts';
import { interestMailKinds } from '#email/kinds.ts';
import { type EntryRow, entryColumns, toEntry } from '#features/ledger/balances.ts';
import { PersonEvent, PersonInterest } from '#features/places/schema.ts';
import { AppError } from '#lib/app-error.ts';
import { toJson } from '#lib/to-json.ts';
import { interestsOf, mailsOf, requireRights } from './rights-holder.ts';
import {
  ExportedPerson,
  PersonCheckout,
  type PersonExport,
  PersonLearning,
  PersonLesson,
  PersonMail,
  PersonMark,
  PersonPlace,
  PersonRequest,
} from './schema.ts';

/**
 * The query for everything that an instructor keeps of a person, their note included, for either
 * of them; null without one.
 */
function personExport(ctx: Context, id: string, ownerId: string | SQL) {
  const places = sql`(SELECT o.id FROM enrollments o WHERE o.person_id = ${id})`;
  const isTheirs = sql`${people.id} = ${id} AND ${people.ownerId} = ${ownerId}
    AND ${people.erasedAt} IS NULL`;
  const address = sql`(SELECT p.email_canonical FROM people p WHERE p.id = ${id})`;
  return query(
    {
      people: db
        .select({
          ...getTableColumns(people),
          instructorName: sql<string>`${users.firstName} || ' ' || ${users.lastName}`,
          instructorEmail: sql<string>`${users.email}`.as('instructor_email'),
        })
        .from(people)
        .innerJoin(users, eq(users.id, people.ownerId))
        .where(isTheirs),
      enrollments: db
        .select({
          ...getTableColumns(enrollments),
          cohortName: cohorts.name,
          courseName: courses.name,
        })
        .from(enrollments)
        .innerJoin(cohorts, eq(cohorts.id, enrollments.cohortId))
        .innerJoin(courses, eq(courses.id, cohorts.courseId))
        .where(sql`${enrollments.personId} = ${id} AND ${enrollments.ownerId} = ${ownerId}`),
      events: db
        .select()
        .from(enrollmentEvents)
        .where(
          sql`${enrollmentEvents.ownerId} = ${ownerId}
            AND ${enrollmentEvents.enrollmentId} IN ${places}`,
        ),
      marks: db
        .select({
          ...getTableColumns(attendance),
          title: meetings.title,
          startsLocal: meetings.startsLocal,
        })
        .from(attendance)
        .innerJoin(meetings, eq(meetings.id, attendance.meetingId))
        .where(sql`${attendance.ownerId} = ${ownerId} AND ${attendance.enrollmentId} IN ${places}`),
      learning: db
        .select()
        .from(learning)
        .where(sql`${learning.ownerId} = ${ownerId} AND ${learning.enrollmentId} IN ${places}`),
      lessons: db
        .select({
          ...getTableColumns(lessonMarks),
          title: sql<string>`coalesce(${lessons.publishedTitle}, ${lessons.title})`.as('title'),
        })
        .from(lessonMarks)
        .innerJoin(lessons, eq(lessons.id, lessonMarks.lessonId))
        .where(
          sql`${lessonMarks.ownerId} = ${ownerId} AND ${lessonMarks.enrollmentId} IN ${places}`,
        ),
      requests: db
        .select()
        .from(enrollmentRequests)
        .where(
          sql`${enrollmentRequests.ownerId} = ${ownerId}
            AND (${enrollmentRequests.personId} = ${id}
              OR ${enrollmentRequests.emailCanonical} = ${address})`,
        ),
      interests: db.select().from(courseInterests).where(interestsOf(address, ownerId)),
      payments: db.all<EntryRow>(sql`SELECT ${entryColumns} FROM ledger_entries l
        WHERE l.owner_id = ${ownerId} AND l.person_id = ${id} ORDER BY l.created_at, l.rowid`),
      checkouts: db
        .select()
        .from(checkouts)
        .where(and(eq(checkouts.ownerId, sql`${ownerId}`), eq(checkouts.personId, id))),
      mails: db.select().from(mailsDue).where(mailsOf(id, ownerId)),
    },
    ({ people: [person], ...own }): PersonExport | null => {
      if (person === undefined) {
        return null;
      }
      const { instructorName: name, instructorEmail: email } = person;
      return {
        exported_at: ctx.now().toISOString(),
        instructor: { name, email },
        person: toJson(ExportedPerson, person),
        enrollments: own.enrollments.map((row) => ({
          ...toJson(PersonPlace, row),
          events: own.events
            .filter(({ enrollmentId }) => enrollmentId === row.id)
            .toSorted((one, other) => one.id - other.id)
            .map((event) => toJson(PersonEvent, event)),
          attendance: own.marks
            .filter(({ enrollmentId }) => enrollmentId === row.id)
            .toSorted((one, other) => one.startsLocal.localeCompare(other.startsLocal))
            .map((mark) => toJson(PersonMark, mark)),
          learning:
            own.learning
              .filter(({ enrollmentId }) => enrollmentId === row.id)
              .map((learned) => toJson(PersonLearning, learned))[0] ?? null,
          lessons: own.lessons
            .filter(({ enrollmentId }) => enrollmentId === row.id)
            .toSorted((one, other) => one.openedAt.getTime() - other.openedAt.getTime())
            .map((mark) => toJson(PersonLesson, mark)),
        })),
        requests: own.requests.map((row) => toJson(PersonRequest, row)),
        interests: own.interests.map((row) => toJson(PersonInterest, row)),
        payments: own.payments.map(toEntry),
        checkouts: own.checkouts
          .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
          .map((row) => toJson(PersonCheckout, row)),
        emails: own.mails
          .toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
          .map((row) => toJson(PersonMail, row)),
      };
    },
  );
}

/** What the viewer keeps of one of their people; null for someone else. */
export function findPersonExport(id: string) {
  return (ctx: Context, ownerId: SQL) =>
    query({ data: personExport(ctx, id, ownerId) }, ({ data }) => data && withoutInterests(data));
}

/** Instructors see how many people wait for a course, and never who. */
function withoutInterests(data: PersonExport): PersonExport {
  const ofInterests: readonly string[] = interestMailKinds;
  const emails = data.emails.filter(({ kind }) => !ofInterests.includes(kind));
  return { ...data, interests: [], emails };
}

/**
 * What an instructor keeps of the person of a link that was emailed for it.
 *
 * @throws AppError `rights_link_invalid`, `rate_limited`
 */
export async function exportOwnData(ctx: Context, token: unknown): Promise<PersonExport> {
  const holder = await requireRights(ctx, 'data', token);
  const { data } = await ask(ctx, { data: personExport(ctx, holder.id, holder.ownerId) });
  if (data === null) {
    throw new AppError('rights_link_invalid');
  }
  ctx.observe.log('person_exported', { by: 'person' });
  return data;
}
