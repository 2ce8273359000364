import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db } from '#db/query.ts';
import { isShown, lessonCount } from '#db/shown-lessons.ts';
import { insertMails, insertText, ownPayloadOf, textIdOf } from '#features/outbox/queue-mails.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { isTaught, spreadFrom, writeInSteps } from './make-releases.ts';

/** Limits one batch, which looks for the next lesson of each. */
const chunkRows = 100;

/** A number of days, in milliseconds. */
const days = (count: number) => sql.raw(String(count * dayMs));

/**
 * Reminds people in open runs who have stopped for 7 days, and once more after 21, but not within
 * three days of an email about a section that opens. Those who have read all that is open get none
 * until a week after more has opened.
 */
export function makeNudges(ctx: Context): Promise<void> {
  return writeInSteps(ctx, 'nudges_made', chunkRows, writing);
}

function writing(now: number) {
  const text = crypto.randomUUID();
  const stopped = sql`(${whoHasStopped(now)}) r`;
  const key = sql`'nudge:' || r.enrollment_id || ':' || (r.nudges + 1)`;
  const isDue = sql`r.is_wanted AND r.later IS NULL AND r.lesson IS NOT NULL`;
  return {
    text: insertText(text, now, sql`c.id IN (SELECT r.cohort_id FROM ${stopped} WHERE ${isDue})`),
    mails: insertMails({
      kind: 'nudge',
      key,
      payload: ownPayloadOf({
        progress: sql`json_object('done', r.done, 'of', r."of", 'next', r.lesson)`,
      }),
      textId: textIdOf(text),
      dueAt: spreadFrom(now),
      from: sql`${stopped} JOIN enrollments e ON e.id = r.enrollment_id
        JOIN people p ON p.id = e.person_id JOIN cohorts c ON c.id = e.cohort_id WHERE ${isDue}`,
    }),
    // What is not wanted now is left out: it does not come later, when it would surprise.
    moved: db.run(sql`UPDATE learning SET nudges = learning.nudges + r.is_told, nudge_due_at = CASE
        WHEN r.is_told AND r.nudges = 0 THEN max(r.base + ${days(21)}, ${now} + ${days(14)})
        WHEN r.is_told THEN NULL
        WHEN r.is_wanted AND r.later IS NOT NULL THEN r.later
        WHEN r.next_release_at > ${now} THEN r.next_release_at + ${days(7)}
        WHEN r.nudges = 0 AND r.base + ${days(21)} > ${now} THEN r.base + ${days(21)} END
      FROM (WITH r AS MATERIALIZED (SELECT * FROM ${stopped})
        SELECT r.*, ${isDue} AS is_told FROM r) r
      WHERE learning.enrollment_id = r.enrollment_id`),
  };
}

/** Who is due, since when they have stopped (`base`), and how long they are left alone (`later`). */
function whoHasStopped(now: number): SQL {
  return sql`SELECT g.enrollment_id, g.cohort_id, g.done, ${lessonCount} AS "of", g.nudges,
      g.next_release_at, max(e.status_changed_at, coalesce(g.last_seen_at, g.started_at)) AS base,
      CASE WHEN g.next_release_at BETWEEN ${now} AND ${now} + ${days(3)}
          THEN g.next_release_at + ${days(3)}
        WHEN g.announced_at > ${now} - ${days(3)} THEN g.announced_at + ${days(3)} END AS later,
      ${isTaught(now)} AND c.kind = 'open' AND c.sends_nudges AND g.nudges < 2
        AND p.no_reminders_at IS NULL AS is_wanted,
      ${nextLesson(now)} AS lesson
    FROM (SELECT * FROM learning WHERE nudge_due_at <= ${now}
        ORDER BY nudge_due_at LIMIT ${sql.raw(String(chunkRows))}) g
      JOIN enrollments e ON e.id = g.enrollment_id JOIN people p ON p.id = e.person_id
      JOIN cohorts c ON c.id = e.cohort_id JOIN courses k ON k.id = c.course_id`;
}

/** The lesson of an open run that the person of `g` would read next: open, and not done. */
function nextLesson(now: number): SQL {
  return sql`(SELECT l.published_title FROM sections s
      JOIN lessons l ON l.owner_id = s.owner_id AND l.course_id = s.course_id
        AND l.section_id = s.id AND ${isShown}
      LEFT JOIN lessons y ON y.id = g.last_lesson_id LEFT JOIN sections x ON x.id = y.section_id
    WHERE s.owner_id = c.owner_id AND s.course_id = c.course_id
      AND g.started_at + coalesce(s.release_days, 0) * ${days(1)} <= ${now}
      AND NOT EXISTS (SELECT 1 FROM lesson_marks d WHERE d.enrollment_id = g.enrollment_id
        AND d.lesson_id = l.id AND d.done_at IS NOT NULL)
    ORDER BY (s.position, l.position) < (x.position, y.position), s.position, l.position LIMIT 1)`;
}
