import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { accessEndsAt } from '#db/prices.ts';
import { db, query } from '#db/query.ts';
import { lessonCount, lessonsDone, shownIn } from '#db/shown-lessons.ts';
import { type Standing, standings } from '#db/values.ts';
import { dayMs } from '#lib/time/calendar.ts';

/** How many people stand in each way. */
export type StandingCounts = Record<Standing, number>;

/** So many open lessons that are not done make someone stuck in a cohort who has stayed away. */
const behind = 3;
/**
 * Who has opened nothing for so long after enrolling has not started. Who was in a cohort since is
 * not stuck there: it may open all of its lessons at once, and no one has done those yet.
 */
const patienceMs = 7 * dayMs;

/** The id of an owner's cohort if it is of a kind; otherwise null, which no row has. */
export const ofKind = fragment(
  ({ kind, cohortId, ownerId }: Given<'kind' | 'cohortId' | 'ownerId'>) =>
    sql`(SELECT k.id FROM cohorts k
      WHERE k.id = ${cohortId} AND k.owner_id = ${ownerId} AND k.kind = ${kind})`,
);

/**
 * How many published lessons a cohort can read. Its days have 24 hours here, so that this is SQL: in
 * weeks in which the clocks change, it may be an hour off.
 */
function openLessons(cohortId: SQL, now: SQL): SQL {
  return sql`(SELECT count(*) FROM cohorts c
      JOIN sections s ON s.owner_id = c.owner_id AND s.course_id = c.course_id
      JOIN lessons l ON l.owner_id = s.owner_id AND l.section_id = s.id
        AND ${shownIn(cohortId)}
      LEFT JOIN cohort_sections o ON o.cohort_id = c.id AND o.section_id = s.id
      LEFT JOIN meetings m ON m.id = o.meeting_id AND m.cancelled_at IS NULL
    WHERE c.id = ${cohortId} AND CASE
      WHEN o.mode = 'date' THEN o.opens_at <= ${now}
      WHEN m.id IS NOT NULL THEN m.starts_at
        + CASE o.meeting_edge WHEN 'end' THEN m.duration_minutes * 60000 ELSE 0 END <= ${now}
      ELSE s.release_days IS NULL OR c.starts_at + s.release_days * ${dayMs} <= ${now} END)`;
}

/** How enrollment `e` of a cohort with dates stands, by its row `g` of `learning`. */
function standingInCohort(cohortId: SQL, now: SQL): SQL {
  const lessons = openLessons(cohortId, now);
  const done = sql`(SELECT ${lessonsDone} FROM cohorts c WHERE c.id = ${cohortId})`;
  return sql`CASE WHEN e.completed_at IS NOT NULL THEN 'completed'
    WHEN g.last_seen_at <= ${now} - ${patienceMs} AND ${lessons} - ${done} >= ${behind} THEN 'stuck'
    WHEN g.last_seen_at IS NULL AND g.started_at <= ${now} - ${patienceMs} AND ${lessons} > 0
      AND (SELECT c.starts_at FROM cohorts c WHERE c.id = ${cohortId}) <= ${now}
      THEN 'not_started'
    ELSE 'under_way' END`;
}

/** What someone becomes who was quiet for too long. */
const quietStanding = sql`CASE WHEN g.last_seen_at IS NULL THEN 'not_started' ELSE 'stuck' END`;

/** Whether someone under way, of row `g`, is that until the clock comes by and writes it. */
function hasBecome(standing: 'stuck' | 'not_started', now: SQL | number): SQL {
  const hasOpened = standing === 'stuck' ? sql`NOT NULL` : sql`NULL`;
  return sql`g.quiet_at <= ${now} AND g.last_seen_at IS ${hasOpened}`;
}

/** Whether the person of row `g` is stuck in an open run, but not yet written down as that. */
export function isUnwrittenStuck(now: SQL | number): SQL {
  return sql`g.standing = 'under_way' AND ${hasBecome('stuck', now)}`;
}

/** How the person of row `g` stands in an open run, also before the clock has come by. */
function standingInRunAt(now: SQL): SQL {
  return sql`CASE WHEN g.standing = 'under_way' AND g.quiet_at <= ${now}
    THEN ${quietStanding} ELSE g.standing END`;
}

/** Whether enrollment `e` stands so, in a cohort or an open run. No index finds it. */
export const standsSo = fragment(
  ({ standing, cohortId, now }: Given<'standing' | 'cohortId' | 'now'>) =>
    sql`e.status = 'enrolled' AND (SELECT coalesce(${standingInRunAt(now)},
        ${standingInCohort(cohortId, now)}) FROM learning g
      WHERE g.enrollment_id = e.id) = ${standing}`,
);

type RunValue = 'run' | 'now' | 'isNext' | 'isSought' | 'limit';

/** A range of the index of standings, from its end. */
function rangeOf(standing: Standing, { run, isNext, isSought, limit }: Given<RunValue>, and: SQL) {
  return sql`SELECT * FROM (SELECT g.enrollment_id, g.quiet_at, g.rowid AS number FROM learning g
    WHERE g.cohort_id = ${run} AND g.standing = ${sql.raw(`'${standing}'`)} AND ${and}
      AND ${isNext} AND ${isSought}
    ORDER BY g.quiet_at DESC, g.rowid DESC LIMIT ${limit})`;
}

/** Who was under way until the clock comes by: since `quiet_at`, they count as something else. */
function turnedInto(standing: 'stuck' | 'not_started', given: Given<RunValue>): SQL {
  return sql`SELECT enrollment_id FROM (${rangeOf(standing, given, sql`true`)}
    UNION ALL ${rangeOf('under_way', given, hasBecome(standing, given.now))})
    ORDER BY quiet_at DESC, number DESC LIMIT ${given.limit}`;
}

/**
 * The enrollments of an open run that stand so, those who were there last first: as many rows are
 * read as are wanted, however many people there are.
 */
export const standingInRun = {
  stuck: fragment((given: Given<RunValue>) => turnedInto('stuck', given)),
  not_started: fragment((given: Given<RunValue>) => turnedInto('not_started', given)),
  under_way: fragment(
    (given: Given<RunValue>) =>
      sql`SELECT enrollment_id FROM (${rangeOf('under_way', given, sql`g.quiet_at > ${given.now}`)})`,
  ),
  completed: fragment(
    (given: Given<RunValue>) =>
      sql`SELECT enrollment_id FROM (${rangeOf('completed', given, sql`true`)})`,
  ),
};

/** Whether row `g` of `learning` comes after that of someone, in the order of a standing. */
export const isNextInRun = fragment(
  ({ run, after, now }: Given<'run' | 'after' | 'now'>) => sql`(g.quiet_at, g.rowid)
    < (SELECT coalesce(x.quiet_at, ${now}), x.rowid FROM learning x
      WHERE x.enrollment_id = ${after} AND x.cohort_id = ${run})`,
);

/** The same among those who have completed it: nothing of them becomes due. */
export const isNextCompleted = fragment(
  ({ run, after }: Given<'run' | 'after'>) => sql`g.quiet_at IS NULL
    AND g.rowid < (SELECT x.rowid FROM learning x
      WHERE x.enrollment_id = ${after} AND x.cohort_id = ${run})`,
);

/**
 * How many people of one of the viewer's cohorts stand in each way; null where no one is enrolled,
 * and in a cohort without lessons. In an open run, only those are counted whom the clock has not
 * come by.
 */
export function findStandings(cohortId: string) {
  return (ctx: Context, ownerId: SQL) => {
    const now = ctx.now();
    const dated = ofKind({ kind: 'dated', cohortId, ownerId });
    return query(
      {
        inCohort: countedInCohort({ dated, now }),
        counts: findRunStandings(cohortId)(ctx, ownerId),
      },
      ({ inCohort, counts }): StandingCounts | null => {
        for (const { standing, people } of inCohort) {
          counts[standing] += people;
        }
        return standings.some((standing) => counts[standing] > 0) ? counts : null;
      },
    );
  };
}

/** How many people of one of the viewer's open runs stand in each way. */
export function findRunStandings(run: string | SQL) {
  return (ctx: Context, ownerId: SQL) => {
    const own = ofKind({ kind: 'open', cohortId: run, ownerId });
    return query(
      { counted: countedInRun({ run: own }), quiet: quietInRun({ run: own, now: ctx.now() }) },
      ({ counted, quiet: [quiet = { people: 0, stuck: 0 }] }) => {
        const counts = Object.fromEntries(standings.map((one) => [one, 0])) as StandingCounts;
        for (const { standing, people } of counted) {
          counts[standing] += people;
        }
        // The clock has not come by these yet.
        counts.under_way -= quiet.people;
        counts.stuck += quiet.stuck;
        counts.not_started += quiet.people - quiet.stuck;
        return counts;
      },
    );
  };
}

/** How someone gets on, since when, and until when they can read; times in milliseconds. */
export type Progress = {
  standing: Standing | null;
  startedAt: number;
  accessEndsAt: number | null;
};

/** How someone in one of the viewer's cohorts gets on; null for someone who was never enrolled. */
export function findProgress(cohortId: string, enrollmentId: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      { rows: progressRow({ ownerId, cohortId, enrollmentId, now: ctx.now() }) },
      ({ rows: [row] }) => row ?? null,
    );
}

type ProgressValue = 'ownerId' | 'cohortId' | 'enrollmentId' | 'now';

const progressRow = prepared(({ ownerId, cohortId, enrollmentId, now }: Given<ProgressValue>) =>
  db.all<Progress>(sql`SELECT g.started_at AS startedAt, ${accessEndsAt} AS accessEndsAt, CASE e.status WHEN 'enrolled'
      THEN coalesce(${standingInRunAt(now)}, ${standingInCohort(cohortId, now)}) END AS standing
    FROM enrollments e JOIN learning g ON g.enrollment_id = e.id
    WHERE e.id = ${enrollmentId} AND e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId}`),
);

type Count = { standing: Standing; people: number };

const countedInCohort = prepared(({ dated, now }: Given<'dated' | 'now'>) =>
  db.all<Count>(sql`SELECT ${standingInCohort(dated, now)} AS standing, count(*) AS people
    FROM enrollments e JOIN learning g ON g.enrollment_id = e.id
    WHERE e.cohort_id = ${dated} AND e.status = 'enrolled'
      AND (SELECT ${lessonCount} FROM cohorts c WHERE c.id = ${dated}) > 0
    GROUP BY 1`),
);

const countedInRun = prepared(({ run }: Given<'run'>) =>
  db.all<Count>(sql`SELECT n.standing, n.people FROM run_counts n WHERE n.cohort_id = ${run}`),
);

const quietInRun = prepared(({ run, now }: Given<'run' | 'now'>) =>
  db.all<{ people: number; stuck: number }>(sql`SELECT count(*) AS people,
      count(g.last_seen_at) AS stuck
    FROM learning g
    WHERE g.cohort_id = ${run} AND g.standing = 'under_way' AND g.quiet_at <= ${now}`),
);
