import { env } from 'cloudflare:workers';
import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, type Query, query } from '#db/query.ts';
import type { cohorts } from '#db/schema/cohorts.ts';
import { enrollments } from '#db/schema/people.ts';
import * as places from '#features/places/places.ts';
import { contextOn } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createPerson,
  createUser,
  db as database,
} from '#support/factories.ts';

export const start = Date.UTC(2026, 10, 24, 12);

/** A published cohort with an owner, in January 2027. */
export async function createPublished(values: Partial<typeof cohorts.$inferInsert> = {}) {
  const owner = await createUser({ firstName: 'Anna', lastName: 'Martin' });
  const course = await createCourseRow(owner.id, { courseType: 'cohort', name: 'Writing' });
  return createCohortRow(course, { publishedAt: new Date(start), ...values });
}

/** A context at a moment. */
export function contextAt(time: number): Context {
  return { ...contextOn(), now: () => new Date(time) };
}

type Cohort = Awaited<ReturnType<typeof createPublished>>;
type Person = Awaited<ReturnType<typeof createPerson>>;

/** What people and owners do, each as one batch at a moment. */
export function actionsOn(cohort: Cohort) {
  const { id: cohortId, ownerId } = cohort;
  const paid = { config: contextOn().config };
  const owner = { ownerId, viewer: { id: ownerId }, ...paid };
  const run = async <Done>(time: number, change: Query<Done>) => {
    const ctx = contextAt(time);
    const of = { now: time, cohortId, ownerId };
    const { done } = await ask(ctx, { done: places.withPlaces(ctx, of, change) });
    return done.changed;
  };
  const listed = async (...people: Person[]) => ({
    ids: await Promise.all(people.map((person) => enrollmentOf(cohort, person))),
    cohortId,
  });
  const added = ({ id }: Person) => {
    const personId = sql`${id}`;
    return { id: crypto.randomUUID(), cohortId, personId };
  };
  const mayLeave = ['invited', 'offered', 'enrolled', 'waitlisted', 'applied'] as const;
  return {
    enroll: (time: number, { id: personId }: Person) =>
      run(time, places.enroll(paid, time, { id: crypto.randomUUID(), cohortId, personId })),
    accept: async (time: number, person: Person) =>
      run(time, places.acceptOffer(paid, time, await enrollmentOf(cohort, person), person)),
    leave: async (time: number, person: Person) =>
      run(time, places.leave(time, await enrollmentOf(cohort, person), person, [...mayLeave])),
    add: (time: number, person: Person, isOver = false) =>
      run(time, places.add(owner, time, added(person), isOver)),
    invite: (time: number, person: Person) => run(time, places.invite(owner, time, added(person))),
    acceptInvitation: async (time: number, person: Person) =>
      run(time, places.acceptInvitation(paid, time, await enrollmentOf(cohort, person), person)),
    offer: async (time: number, person: Person, isOver = false) =>
      run(time, places.offer(owner, time, await enrollmentOf(cohort, person), isOver)),
    remove: async (time: number, person: Person) =>
      run(time, places.remove(owner, time, await listed(person))),
    approve: async (time: number, people: Person[], isOver = false) =>
      run(time, places.approve(owner, time, await listed(...people), isOver)),
    resize: async (time: number, capacity: number | null) => {
      const rows = db.run(sql`UPDATE cohorts SET capacity = ${capacity} WHERE id = ${cohortId}`);
      await run(
        time,
        query({ rows }, () => null),
      );
    },
    sweep: async (time: number) => {
      const ctx = contextAt(time);
      await ask(ctx, { done: places.sweepPlaces(ctx, [cohortId]) });
    },
  };
}

/** The id of a person’s enrollment. */
export async function enrollmentOf(cohort: Cohort, person: Person): Promise<string> {
  return (await enrollmentIn(cohort, person))?.id ?? 'none';
}

/** The status of a person in a cohort; undefined if they have none. */
export async function statusOf(cohort: { id: string }, person: { id: string }) {
  return (await enrollmentIn(cohort, person))?.status;
}

function enrollmentIn(cohort: { id: string }, person: { id: string }) {
  const isTheirs = and(eq(enrollments.cohortId, cohort.id), eq(enrollments.personId, person.id));
  return database.select().from(enrollments).where(isTheirs).get();
}

export function createPeople({ ownerId }: Cohort, count: number): Promise<Person[]> {
  return Promise.all(Array.from({ length: count }, () => createPerson(ownerId)));
}

/** Five people of the owner of a cohort, by their names. */
export async function createFive({ ownerId }: Cohort) {
  return {
    ana: await createPerson(ownerId),
    bob: await createPerson(ownerId),
    eve: await createPerson(ownerId),
    zoe: await createPerson(ownerId),
    max: await createPerson(ownerId),
  };
}

/** A cohort with one place that Ana has taken, for which Bob and Eve wait; Zoe and Max are out. */
export async function createQueue(values: Partial<typeof cohorts.$inferInsert> = {}, at = start) {
  const cohort = await createPublished({ capacity: 1, ...values });
  const people = await createFive(cohort);
  const actions = actionsOn(cohort);
  for (const person of [people.ana, people.bob, people.eve]) {
    await actions.enroll(at, person);
  }
  return { cohort, ...people, ...actions };
}

/** The emails to a person, oldest first, by kind; not those that are due later. */
export async function mailsOf({ emailCanonical }: { emailCanonical: string }): Promise<string[]> {
  const rows = await database.all<{ kind: string }>(sql`SELECT kind FROM mails_due
    WHERE to_canonical = ${emailCanonical} AND kind NOT IN ('offer_expiring', 'invitation_reminder')
    ORDER BY rowid`);
  return rows.map(({ kind }) => kind);
}

/** How many people a cohort has by status. */
export async function countsOf({ id }: { id: string }): Promise<Record<string, number>> {
  const rows = await database.all<{ status: string; count: number }>(sql`SELECT status,
    count(*) AS count FROM enrollments WHERE cohort_id = ${id} GROUP BY status`);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

const rules: Record<string, string> = {
  'a place is free beside someone who waits': `SELECT 1 FROM cohorts c WHERE c.id = ?1
    AND EXISTS (SELECT 1 FROM enrollments w WHERE w.cohort_id = c.id AND w.status = 'waitlisted')
    AND (c.capacity IS NULL OR (SELECT count(*) FROM enrollments e WHERE e.cohort_id = c.id
      AND (e.status = 'enrolled' OR (e.status = 'offered' AND e.expires_at > ?2))) < c.capacity)`,
  'more people have places than there ever were': `SELECT 1 FROM cohorts c WHERE c.id = ?1
    AND (SELECT count(*) FROM enrollments e WHERE e.cohort_id = c.id AND e.over_capacity = 0
      AND (e.status = 'enrolled' OR (e.status = 'offered' AND e.expires_at > ?2))) > ?3`,
  'an offer has no email, or two': `SELECT 1 FROM enrollments e WHERE e.cohort_id = ?1
    AND e.offer_no <> (SELECT count(*) FROM mails_due m
      WHERE m.enrollment_id = e.id AND m.kind = 'offer')`,
  'the history ends elsewhere': `SELECT 1 FROM enrollments e WHERE e.cohort_id = ?1
    AND e.status <> (SELECT v.to_status FROM enrollment_events v WHERE v.enrollment_id = e.id
      ORDER BY v.id DESC LIMIT 1)`,
  'the history has a gap': `SELECT 1 FROM (SELECT v.from_status,
      lag(v.to_status) OVER (PARTITION BY v.enrollment_id ORDER BY v.id) AS before
    FROM enrollment_events v JOIN enrollments e ON e.id = v.enrollment_id WHERE e.cohort_id = ?1)
    WHERE from_status IS NOT before`,
  'someone was enrolled without an email': `SELECT 1 FROM enrollments e WHERE e.cohort_id = ?1
    AND (SELECT count(DISTINCT v.at) FROM enrollment_events v
        WHERE v.enrollment_id = e.id AND v.to_status = 'enrolled')
      <> (SELECT count(*) FROM mails_due m
        WHERE m.enrollment_id = e.id AND m.kind IN ('enrolled', 'added', 'transferred'))`,
  'a newcomer has overtaken the queue': `SELECT 1 FROM enrollment_events v
    JOIN enrollments e ON e.id = v.enrollment_id
    WHERE e.cohort_id = ?1 AND v.to_status = 'enrolled' AND v.actor = 'person'
      AND v.from_status IS NOT 'offered' AND EXISTS (SELECT 1 FROM enrollments w
        WHERE w.cohort_id = ?1 AND w.id <> e.id AND 'waitlisted' = (SELECT x.to_status
          FROM enrollment_events x WHERE x.enrollment_id = w.id AND x.id < v.id
          ORDER BY x.id DESC LIMIT 1))`,
};

/**
 * What must hold after any change; says in words what does not.
 *
 * @param most the most places that the cohort ever had
 */
export async function brokenRules({ id }: Cohort, time: number, most = 1_000): Promise<string[]> {
  const broken: string[] = [];
  for (const [rule, statement] of Object.entries(rules)) {
    const whole = `WITH given AS (SELECT ?1, ?2, ?3) ${statement} LIMIT 1`;
    if ((await env.DB.prepare(whole).bind(id, time, most).first()) !== null) {
      broken.push(rule);
    }
  }
  return broken;
}
