import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { db, query } from '#db/query.ts';
import { isShown, lessonCount } from '#db/shown-lessons.ts';
import { insertMails, payloadOf } from '#features/outbox/queue-mails.ts';
import { dayMs } from '#lib/time/calendar.ts';

/** Limits one statement. */
const chunkRows = 100;
/** The emails of people who are completed at once go out one after the other. */
const spacingMs = 9_000;

/**
 * Whether the person of row `g` of `learning` has done all lessons of open run `c` and not completed
 * it: there is one, and none is still to open.
 */
function hasDoneAll(now: number): SQL {
  return sql`g.standing <> 'completed' AND g.done >= max(${lessonCount}, 1)
    AND NOT EXISTS (SELECT 1 FROM sections s JOIN lessons l
        ON l.owner_id = s.owner_id AND l.section_id = s.id AND ${isShown}
      WHERE s.owner_id = c.owner_id AND s.course_id = c.course_id
        AND g.started_at + s.release_days * ${sql.raw(String(dayMs))} > ${now})`;
}

/**
 * The statements by which a press completes an open run, in the batch that has just marked a lesson
 * as done. What is taken back or added later changes nothing.
 *
 * @returns whether they have completed it just now, and the ids of emails to send at once
 */
export function completeCourse(now: number, enrollmentId: string, lessonId: string) {
  const isMarked = sql`${hasDoneAll(now)} AND g.enrollment_id = ${enrollmentId}
    AND EXISTS (SELECT 1 FROM lesson_marks m WHERE m.enrollment_id = ${enrollmentId}
      AND m.lesson_id = ${lessonId} AND m.done_at = ${now})`;
  return query(completing(now, isMarked, sql`e.id = ${enrollmentId}`), ({ completed, mails }) => ({
    isCompleted: completed.length > 0,
    mailIds: mails.map(({ id }) => id),
  }));
}

/**
 * The statements that complete some of those who have done all that is left since a lesson was taken
 * from learners, a rule was changed or they came back: see migration 0032.
 *
 * @returns how many they are, and whether these were all
 */
export function completeDue(now: number) {
  const isDue = sql`c.completions_due = 1 AND c.deleted_at IS NULL`;
  const isLeft = sql`${hasDoneAll(now)} AND g.taken_back = 0`;
  return query(
    {
      ...completing(now, sql`${isDue} AND ${isLeft}`, isDue),
      looked: db.run(sql`UPDATE cohorts AS c SET completions_due = 0 WHERE ${isDue}
        AND NOT EXISTS (SELECT 1 FROM learning g WHERE g.cohort_id = c.id AND ${isLeft})`),
    },
    ({ completed }) => ({ count: completed.length, isDone: completed.length < chunkRows }),
  );
}

/** Each gets one email with their certificate. */
function completing(now: number, whose: SQL, enrollment: SQL) {
  return {
    completed: db.all<{ id: string }>(sql`UPDATE enrollments SET completed_at = ${now}
      WHERE id IN (SELECT g.enrollment_id FROM cohorts c JOIN learning g ON g.cohort_id = c.id
        WHERE c.kind = 'open' AND ${whose} LIMIT ${sql.raw(String(chunkRows))})
        AND status = 'enrolled' AND completed_at IS NULL
      RETURNING id`),
    mails: insertMails({
      kind: 'course_completed',
      key: sql`'course_completed:' || e.id || ':' || e.cohort_id`,
      payload: payloadOf(),
      dueAt: sql`${now} + (row_number() OVER () - 1) * ${sql.raw(String(spacingMs))}`,
      isRevived: true,
      from: sql`cohorts c JOIN enrollments e ON e.cohort_id = c.id AND e.completed_at = ${now}
          JOIN people p ON p.id = e.person_id JOIN courses k ON k.id = c.course_id
          JOIN users u ON u.id = e.owner_id
        WHERE ${enrollment} AND c.kind = 'open' AND c.sends_certificates`,
    }),
  };
}
