import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import {
  insertText,
  lastPaced,
  mailId,
  mailSpacing,
  textIdOf,
} from '#features/outbox/queue-mails.ts';
import { canBeJoined } from '#features/places/places.ts';
import { mayWriteMore } from '#lib/requests-left.ts';

/** Limit one batch: of courses that are looked at, and of emails. */
const chunkCourses = 100;
const chunkRows = 500;
/** The next run does the rest. */
const mostChunks = 5;

/**
 * Writes the email to everyone who waits for enrollment of a course that is open now, and forgets
 * them: no one gets a second one. Only courses of `interests_due` are looked at, which something
 * has opened, or whose time has come.
 */
export async function tellInterested(ctx: Context): Promise<void> {
  let [emails, isDone] = [0, false];
  for (let chunk = 0; !isDone && chunk < mostChunks && mayWriteMore(ctx); chunk += 1) {
    const count = await tellChunk(ctx);
    emails += count ?? 0;
    isDone = count === null;
  }
  if (emails > 0) {
    ctx.observe.log('interested_told', { count: emails, is_done: isDone });
  }
}

/** Tells those who wait for some of the courses, and counts them; null if no course is due. */
async function tellChunk(ctx: Context): Promise<number | null> {
  const now = ctx.now().getTime();
  const { due } = await ask(ctx, {
    due: db.all<{ courseId: string }>(sql`SELECT course_id AS courseId FROM interests_due
      WHERE due_at <= ${now} ORDER BY due_at LIMIT ${chunkCourses}`),
  });
  if (due.length === 0) {
    return null;
  }
  const list = JSON.stringify(due.map(({ courseId }) => courseId));
  // The cohort that people are told of: the first of each course that they can join.
  const open = sql`(SELECT d.course_id, (SELECT c.id FROM cohorts c
      WHERE c.owner_id = d.owner_id AND c.course_id = d.course_id AND ${canBeJoined(now)}
      ORDER BY c.starts_on, c.id LIMIT 1) AS cohort_id
    FROM json_each(${list}) w JOIN interests_due d ON d.course_id = w.value)`;
  const isListed = sql`course_id IN (SELECT value FROM json_each(${list}))`;
  const isClosed = sql`(SELECT o.cohort_id FROM ${open} o
    WHERE o.course_id = interests_due.course_id) IS NULL`;
  const text = crypto.randomUUID();
  const spacing = mailSpacing(ctx);
  const { forgotten } = await ask(ctx, {
    text: insertText(text, now, sql`c.id IN (SELECT o.cohort_id FROM ${open} o)`, {
      more: sql`'slug', c.slug`,
    }),
    mails: db.run(sql`INSERT INTO mails_due (id, dedupe_key, owner_id, cohort_id, to_address,
        to_canonical, kind, payload, text_id, due_at)
      SELECT ${mailId}, 'open:' || waiting.id, waiting.owner_id, c.id, waiting.email,
        waiting.email_canonical, 'enrollment_open', json_object('name', NULL, 'language', waiting.language, 'person', NULL,
          'request', NULL, 'enrollment', NULL, 'before', NULL), ${textIdOf(text)},
        max(${now}, ${lastPaced(['invitation', 'enrollment_open'], sql`waiting.owner_id`)} + ${spacing})
          + (row_number() OVER (PARTITION BY waiting.owner_id ORDER BY waiting.id) - 1) * ${spacing}
      FROM (SELECT i.*, o.cohort_id FROM ${open} o JOIN course_interests i
          ON i.course_id = o.course_id AND i.confirmed_at IS NOT NULL
        WHERE o.cohort_id IS NOT NULL LIMIT ${chunkRows}) waiting
        JOIN cohorts c ON c.id = waiting.cohort_id
      WHERE true
      ON CONFLICT (dedupe_key) DO NOTHING`),
    forgotten: db.run(sql`DELETE FROM course_interests
      WHERE ${isListed} AND confirmed_at IS NOT NULL
        AND EXISTS (SELECT 1 FROM mails_due m WHERE m.dedupe_key = 'open:' || course_interests.id)`),
    // Where no one waits any more, or nothing is open, until it opens by itself.
    done: db.run(sql`DELETE FROM interests_due WHERE ${isListed}
      AND (NOT ${isAwaited} OR (${nextOpening(now)} IS NULL AND ${isClosed}))`),
    later: db.run(sql`UPDATE interests_due SET due_at = ${nextOpening(now)}
      WHERE ${isListed} AND ${isClosed}`),
  });
  return forgotten.meta.changes;
}

const isAwaited = sql`EXISTS (SELECT 1 FROM course_interests i
  WHERE i.course_id = interests_due.course_id AND i.confirmed_at IS NOT NULL)`;

/** When the next cohort of a course opens by its dates; null for none. */
function nextOpening(now: number): SQL {
  return sql`(SELECT min(c.enrollment_opens_at) FROM cohorts c
    WHERE c.owner_id = interests_due.owner_id AND c.course_id = interests_due.course_id
      AND c.published_at IS NOT NULL AND c.deleted_at IS NULL AND c.archived_at IS NULL
      AND c.enrollment_opens_at > ${now})`;
}
