import 'server-only';
import { sql } from 'drizzle-orm';
import { db, query } from '#db/query.ts';
import { isShown, lessonCount } from '#db/shown-lessons.ts';
import { insertMails, payloadOf } from '#features/outbox/queue-mails.ts';
import { dayMs } from '#lib/time/calendar.ts';

/**
 * The statements by which someone completes an open run, in the batch that has just marked a lesson
 * as done: once they have done all lessons, of which none is still to open. What is taken back or
 * added later changes nothing; who has completed it gets one email with their certificate.
 *
 * @returns whether they have completed it just now, and the ids of emails to send at once
 */
export function completeCourse(now: number, enrollmentId: string, lessonId: string) {
  const isNew = sql`e.id = ${enrollmentId} AND e.completed_at = ${now}`;
  return query(
    {
      completed: db.all<{ id: string }>(sql`UPDATE enrollments AS e SET completed_at = ${now}
        WHERE e.id = ${enrollmentId} AND e.status = 'enrolled' AND e.completed_at IS NULL
          AND EXISTS (SELECT 1 FROM lesson_marks m WHERE m.enrollment_id = e.id
            AND m.lesson_id = ${lessonId} AND m.done_at = ${now})
          AND EXISTS (SELECT 1 FROM cohorts c JOIN courses k ON k.id = c.course_id
              JOIN learning g ON g.enrollment_id = e.id
            WHERE c.id = e.cohort_id AND c.kind = 'open' AND g.done >= ${lessonCount}
              AND NOT EXISTS (SELECT 1 FROM sections s JOIN lessons l
                  ON l.owner_id = s.owner_id AND l.section_id = s.id AND ${isShown}
                WHERE s.owner_id = c.owner_id AND s.course_id = c.course_id
                  AND g.started_at + s.release_days * ${sql.raw(String(dayMs))} > ${now}))
        RETURNING id`),
      mails: insertMails({
        kind: 'course_completed',
        key: sql`'course_completed:' || e.id || ':' || e.cohort_id`,
        payload: payloadOf(),
        dueAt: now,
        isRevived: true,
        from: sql`enrollments e JOIN people p ON p.id = e.person_id
            JOIN cohorts c ON c.id = e.cohort_id JOIN courses k ON k.id = c.course_id
            JOIN users u ON u.id = e.owner_id
          WHERE ${isNew} AND c.kind = 'open' AND c.sends_certificates`,
      }),
    },
    ({ completed, mails }) => ({
      isCompleted: completed.length > 0,
      mailIds: mails.map(({ id }) => id),
    }),
  );
}
