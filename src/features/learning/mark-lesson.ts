import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context, LearnerDevice } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { lessonCount, lessonsDone, shownIn } from '#db/shown-lessons.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { completeCourse } from './complete-course.ts';
import { findLearnerCourse, isReading } from './find-learner.ts';
import { openLessonsOf } from './outline.ts';
import type { MarkInput, Progress } from './schema.ts';

/**
 * Records that a learner has opened a lesson, or has marked it as done or not done. Each moment is
 * written once, so that the same again, or a press that was kept offline, changes nothing.
 *
 * @throws AppError `learner_unknown`; `not_found` for a lesson that is not open to them, and for an
 *   enrollment of someone whom the browser no longer knows; `rate_limited`
 */
export async function markLesson(
  ctx: Context,
  device: LearnerDevice,
  courseId: string,
  lessonId: string,
  input: MarkInput,
): Promise<Progress> {
  const found = await findLearnerCourse(ctx, device, courseId, input.enrollment_id);
  const { learner } = found;
  if (learner === null) {
    throw new AppError('learner_unknown');
  }
  const { sections, person } = requireFound(found.course);
  const { enrollment_id: enrollmentId } = person;
  const lessons = openLessonsOf(sections);
  const at = lessons.findIndex(({ id }) => id === lessonId);
  requireFound(lessons[at]);
  const { opened, done } = input;
  const now = ctx.now().getTime();
  const limit = await limitOn(
    ctx,
    [{ limit: 'learning_per_person', subject: learner.id }],
    'refuse',
  );
  /** Whether all that was read is still so. */
  const mayMark = sql`FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id
    JOIN people p ON p.id = e.person_id
    JOIN lessons l ON l.owner_id = e.owner_id AND l.course_id = c.course_id AND l.id = ${lessonId}
    WHERE e.id = ${enrollmentId} AND p.id = ${learner.id}
      AND p.link_version = ${learner.linkVersion} AND ${isReading} AND ${shownIn(sql`c.id`)}`;
  const isMarked = opened === true || done === true;
  const { seen, completed, progress, usage } = await ask(ctx, {
    marked: isMarked
      ? db.run(sql`INSERT INTO lesson_marks
            (enrollment_id, lesson_id, owner_id, cohort_id, opened_at, done_at)
          SELECT e.id, l.id, e.owner_id, e.cohort_id, ${now}, ${done === true ? now : null}
          ${mayMark} AND ${limit.hasRoom}
          ON CONFLICT (enrollment_id, lesson_id) DO UPDATE SET done_at = excluded.done_at
            WHERE lesson_marks.done_at IS NULL AND excluded.done_at IS NOT NULL`)
      : undefined,
    unmarked:
      done === false
        ? db.run(sql`UPDATE lesson_marks SET done_at = NULL
            WHERE enrollment_id = ${enrollmentId} AND lesson_id = ${lessonId}
              AND done_at IS NOT NULL AND EXISTS (SELECT 1 ${mayMark}) AND ${limit.hasRoom}`)
        : undefined,
    seen: db.all(sql`UPDATE learning SET last_seen_at = max(coalesce(last_seen_at, 0), ${now}),
        last_lesson_id = ${lessonId}
      WHERE enrollment_id = ${enrollmentId} AND EXISTS (SELECT 1 ${mayMark}) AND ${limit.hasRoom}
      RETURNING enrollment_id`),
    completed: done === true ? completeCourse(now, enrollmentId, lessonId) : undefined,
    progress: db.all<{ done: number; of: number; completedAt: number | null }>(sql`SELECT
        ${lessonsDone} AS done, ${lessonCount} AS "of", e.completed_at AS completedAt
      FROM learning g JOIN enrollments e ON e.id = g.enrollment_id
        JOIN cohorts c ON c.id = e.cohort_id
      WHERE g.enrollment_id = ${enrollmentId}`),
    usage: limit.count(),
  });
  refuseFull(ctx, usage.full);
  if (completed?.isCompleted) {
    ctx.observe.log('course_completed', { course: courseId });
    sendSoon(ctx, completed.mailIds);
  }
  requireFound(seen[0]);
  const far = requireFound(progress[0]);
  return {
    done: far.done,
    of: far.of,
    completed_at: far.completedAt === null ? null : new Date(far.completedAt).toISOString(),
    next: lessons[at + 1]?.id ?? null,
  };
}
