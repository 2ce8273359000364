import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, query } from '#db/query.ts';
import type { cohorts } from '#features/cohorts/table.ts';
import * as places from '#features/people/places.ts';
import { contextOn } from '#support/context.ts';
import { createCohortRow, createCourseRow, createPerson, createUser } from '#support/factories.ts';

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
type Listed = Parameters<typeof places.approve>[1];
type Person = Awaited<ReturnType<typeof createPerson>>;

/** What people and owners do, each as one batch at a moment. */
export function actionsOn(cohort: Cohort) {
  const run = async (time: number, change: Parameters<typeof places.withPlaces>[2]) => {
    const ctx = contextAt(time);
    const { done } = await ask(ctx, {
      done: places.withPlaces(
        ctx,
        { now: ctx.now().getTime(), cohortId: cohort.id, ownerId: cohort.ownerId },
        change,
      ),
    });
    return done.changed as places.Changed | null;
  };
  const several = async (
    time: number,
    people: Person[],
    change: (listed: Listed) => ReturnType<typeof places.approve>,
  ) => {
    const ctx = contextAt(time);
    const ids = await Promise.all(people.map((person) => enrollmentOf(cohort, person)));
    const { id: cohortId, ownerId } = cohort;
    const { done } = await ask(ctx, {
      done: places.withPlaces(
        ctx,
        { now: time, cohortId, ownerId },
        change({ ids, cohortId, ownerId }),
      ),
    });
    return done.changed;
  };
  const added = ({ id }: Person) => ({
    id: crypto.randomUUID(),
    cohortId: cohort.id,
    personId: sql`${id}`,
    ownerId: cohort.ownerId,
  });
  return {
    enroll: (time: number, { id }: Person) =>
      run(
        time,
        places.enroll(time, { id: crypto.randomUUID(), cohortId: cohort.id, personId: id }),
      ),
    accept: async (time: number, person: Person) =>
      run(time, places.acceptOffer(time, await enrollmentOf(cohort, person), person)),
    leave: async (time: number, person: Person) =>
      run(
        time,
        places.leave(time, await enrollmentOf(cohort, person), person, [
          'invited',
          'offered',
          'enrolled',
          'waitlisted',
          'applied',
        ]),
      ),
    add: (time: number, person: Person, isOver = false) =>
      run(time, places.add(time, added(person), isOver)),
    invite: (time: number, person: Person) => run(time, places.invite(time, added(person))),
    acceptInvitation: async (time: number, person: Person) =>
      run(time, places.acceptInvitation(time, await enrollmentOf(cohort, person), person)),
    offer: async (time: number, person: Person, isOver = false) =>
      run(time, places.offer(time, await enrollmentOf(cohort, person), cohort.ownerId, isOver)),
    remove: async (time: number, person: Person) =>
      run(
        time,
        places.remove(time, {
          ids: [await enrollmentOf(cohort, person)],
          cohortId: cohort.id,
          ownerId: cohort.ownerId,
        }),
      ),
    approve: (time: number, people: Person[], isOver = false) =>
      several(time, people, (listed) => places.approve(time, listed, isOver)),
    refuse: (time: number, people: Person[]) =>
      several(time, people, (listed) => places.refuse(time, listed)),
    resize: async (time: number, capacity: number | null) => {
      const ctx = contextAt(time);
      const change = query(
        {
          rows: db.run(sql`UPDATE cohorts SET capacity = ${capacity} WHERE id = ${cohort.id}`),
        },
        () => null,
      );
      await ask(ctx, {
        done: places.withPlaces(
          ctx,
          { now: ctx.now().getTime(), cohortId: cohort.id, ownerId: cohort.ownerId },
          change,
        ),
      });
    },
    sweep: async (time: number) => {
      const ctx = contextAt(time);
      await ask(ctx, { done: places.sweepPlaces(ctx, [cohort.id]) });
    },
  };
}

/** The id of a person’s enrollment. */
export async function enrollmentOf({ id }: Cohort, person: Person): Promise<string> {
  const row = await env.DB.prepare(
    'SELECT id FROM enrollments WHERE cohort_id = ? AND person_id = ?',
  )
    .bind(id, person.id)
    .first<string>('id');
  return row ?? 'none';
}

export function createPeople({ ownerId }: Cohort, count: number): Promise<Person[]> {
  return Promise.all(Array.from({ length: count }, () => createPerson(ownerId)));
}

/** The status of a person in a cohort; null if they have none. */
export async function statusOf({ id }: Cohort, person: Person): Promise<string | null> {
  return env.DB.prepare('SELECT status FROM enrollments WHERE cohort_id = ? AND person_id = ?')
    .bind(id, person.id)
    .first<string>('status');
}

/** The emails to a person, oldest first, by kind; not those that are due later. */
export async function mailsOf(person: Person): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT kind FROM mails_due WHERE to_canonical = ? AND kind NOT IN ('offer_expiring', 'invitation_reminder')
      ORDER BY rowid`,
  )
    .bind(person.emailCanonical)
    .all<{ kind: string }>();
  return results.map(({ kind }) => kind);
}

/** How many people a cohort has by status. */
export async function countsOf({ id }: Cohort): Promise<Record<string, number>> {
  const { results } = await env.DB.prepare(
    'SELECT status, count(*) AS count FROM enrollments WHERE cohort_id = ? GROUP BY status',
  )
    .bind(id)
    .all<{ status: string; count: number }>();
  return Object.fromEntries(results.map(({ status, count }) => [status, count]));
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
