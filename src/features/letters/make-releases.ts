import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { accessEndsAt } from '#db/prices.ts';
import { ask, db } from '#db/query.ts';
import { isShown } from '#db/shown-lessons.ts';
import { insertMails, insertText, ownPayloadOf, textIdOf } from '#features/outbox/queue-mails.ts';
import { inSteps } from '#lib/in-steps.ts';
import { dayMs, hourMs } from '#lib/time/calendar.ts';

/** Limits one batch. */
const chunkRows = 500;
/** So many emails of one owner go out at once; those of more people are spread over an hour. */
const atOnce = 100;
const spacingMs = 9_000;

const day = sql.raw(String(dayMs));
/** A section that opens with a day of a cohort is announced in its morning, by UTC's hours. */
const morning = sql.raw(String(9 * hourMs));

/** Whether the person of enrollment `e` may read in cohort `c`. */
export function isTaught(now: number): SQL {
  return sql`(e.status = 'enrolled' AND e.completed_at IS NULL AND c.published_at IS NOT NULL
    AND c.deleted_at IS NULL AND c.archived_at IS NULL
    AND coalesce(${accessEndsAt} > ${now}, 1))`;
}

/** When emails about lessons go out that are due at once: those of many are spread. */
export function spreadFrom(now: number): SQL {
  return sql`${now} + max(0, row_number() OVER (PARTITION BY e.owner_id ORDER BY e.id)
    - ${sql.raw(String(atOnce))}) * ${sql.raw(String(spacingMs))}`;
}

/**
 * Writes the emails that say that a section has opened, one for all that have opened by then, and
 * notes when the next does. After a rule was changed, no one gets an email about what it opened in
 * the past. Two runs at once write each email once: a batch is a transaction.
 */
export function makeReleases(ctx: Context): Promise<void> {
  return writeInSteps(ctx, 'releases_made', chunkRows, writing);
}

/** Writes emails about lessons in batches, until fewer are due than fit into one. */
export async function writeInSteps(
  ctx: Context,
  event: 'releases_made' | 'nudges_made',
  mostRows: number,
  batchAt: (now: number) => ReturnType<typeof writing>,
): Promise<void> {
  const counts = { made: 0, seen: 0 };
  const isDone = await inSteps(ctx, async (now) => {
    const { mails, moved } = await ask(ctx, batchAt(now));
    counts.made += mails.length;
    counts.seen += moved.meta.changes;
    return moved.meta.changes < mostRows;
  });
  if (counts.seen > 0) {
    ctx.observe.log(event, { ...counts, is_done: isDone });
  }
}

function writing(now: number) {
  const text = crypto.randomUUID();
  const key = sql`'released:' || r.enrollment_id || ':' || abs(r.looked)`;
  const released = sql`(WITH ${moments(now)}
    SELECT enrollment_id, cohort_id, looked,
      json_object('sections', json_group_array(title ORDER BY position), 'lessons', sum(lessons),
        'first', json_group_array(first ORDER BY position) ->> 0) AS facts
    FROM moments WHERE looked <> 0 AND at BETWEEN abs(looked) AND ${now}
    GROUP BY enrollment_id)`;
  const isWanted = sql`${isTaught(now)} AND c.announces_releases AND p.no_reminders_at IS NULL`;
  const readers = sql`${released} r JOIN enrollments e ON e.id = r.enrollment_id
    JOIN learning g ON g.enrollment_id = e.id JOIN people p ON p.id = e.person_id`;
  return {
    text: insertText(
      text,
      now,
      sql`c.id IN (SELECT e.cohort_id FROM ${readers} JOIN cohorts c ON c.id = e.cohort_id
        WHERE ${isWanted})`,
    ),
    mails: insertMails({
      kind: 'lessons_released',
      key,
      payload: ownPayloadOf({ released: sql`json(r.facts)` }),
      textId: textIdOf(text),
      dueAt: spreadFrom(now),
      from: sql`${readers} JOIN cohorts c ON c.id = e.cohort_id WHERE ${isWanted}`,
    }),
    moved: db.run(sql`UPDATE learning SET next_release_at = r.next,
        announced_at = CASE WHEN EXISTS (SELECT 1 FROM mails_due m WHERE m.dedupe_key = ${key})
          THEN ${now} ELSE announced_at END
      FROM (WITH ${moments(now)}
        SELECT due.enrollment_id, due.looked,
          min(CASE WHEN m.at > ${now} THEN m.at END) AS next
        FROM due LEFT JOIN moments m ON m.enrollment_id = due.enrollment_id
        GROUP BY due.enrollment_id) r
      WHERE learning.enrollment_id = r.enrollment_id`),
  };
}

/**
 * The tables `due`, of learning that has to be looked at, and `moments`, of the sections that open
 * for its people at some time. What each cohort opens is read once, not for each of its people.
 * What has opened comes first: those for whom a rule was changed are below 0, and may be many.
 */
function moments(now: number): SQL {
  return sql`due AS MATERIALIZED (SELECT g.enrollment_id, g.cohort_id, g.started_at,
      g.next_release_at AS looked
    FROM learning g WHERE g.next_release_at <= ${now}
    ORDER BY g.next_release_at DESC LIMIT ${sql.raw(String(chunkRows))}),
  openings AS MATERIALIZED (SELECT c.id AS cohort_id, c.kind, s.title, s.position,
      (SELECT count(*) FROM lessons l WHERE l.owner_id = s.owner_id AND l.section_id = s.id
        AND ${isShown}) AS lessons,
      (SELECT l.published_title FROM lessons l WHERE l.owner_id = s.owner_id
        AND l.section_id = s.id AND ${isShown} ORDER BY l.position, l.id LIMIT 1) AS first,
      CASE WHEN c.kind = 'open' THEN s.release_days * ${day} WHEN o.mode = 'hidden' THEN NULL
        WHEN o.mode = 'date'
          THEN o.opens_at + CASE length(o.opens_local) WHEN 10 THEN ${morning} ELSE 0 END
        WHEN o.mode = 'meeting' AND t.id IS NOT NULL
          THEN t.starts_at + CASE o.meeting_edge WHEN 'end' THEN t.duration_minutes * 60000 ELSE 0 END
        ELSE c.starts_at + s.release_days * ${day} + ${morning} END AS opens
    FROM (SELECT DISTINCT cohort_id FROM due) d CROSS JOIN cohorts c ON c.id = d.cohort_id
      JOIN sections s ON s.owner_id = c.owner_id AND s.course_id = c.course_id
      LEFT JOIN cohort_sections o ON o.cohort_id = c.id AND o.section_id = s.id
      LEFT JOIN meetings t ON t.id = o.meeting_id AND t.cancelled_at IS NULL),
  moments AS MATERIALIZED (SELECT due.*, title, position, lessons, first,
      opens + CASE kind WHEN 'open' THEN due.started_at ELSE 0 END AS at
    FROM due JOIN openings ON openings.cohort_id = due.cohort_id
    WHERE opens IS NOT NULL AND lessons > 0)`;
}
