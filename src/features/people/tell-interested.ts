import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { canBeJoined } from './places.ts';
import { cohortFacts, instructorFacts, lastPaced, mailId, mailSpacing } from './queue-mails.ts';

/** Limits one batch. */
const chunkRows = 500;
/** The next run does the rest. */
const mostChunks = 5;

/**
 * Writes the email to everyone who waits for enrollment of a course that is open now, and forgets
 * them: no one gets a second one.
 */
export async function tellInterested(ctx: Context): Promise<void> {
  let [told, isDone] = [0, false];
  for (let chunk = 0; !isDone && chunk < mostChunks; chunk += 1) {
    const count = await tellChunk(ctx);
    told += count ?? 0;
    isDone = count === null;
  }
  if (told > 0) {
    ctx.observe.log('interested_told', { count: told, is_done: isDone });
  }
}

/** Tells those of one course; null if there is none that is open. */
async function tellChunk(ctx: Context): Promise<number | null> {
  const now = ctx.now().getTime();
  // Steps from one course to the next by the index, however many people wait for each.
  const { open } = await ask(ctx, {
    open: db.all<{ id: string; courseId: string }>(sql`WITH RECURSIVE waiting(id) AS (
        SELECT min(course_id) FROM course_interests WHERE confirmed_at IS NOT NULL
        UNION ALL
        SELECT (SELECT min(i.course_id) FROM course_interests i
          WHERE i.confirmed_at IS NOT NULL AND i.course_id > waiting.id)
        FROM waiting WHERE waiting.id IS NOT NULL)
      SELECT opened.id, opened.courseId FROM (SELECT k.id AS courseId, (SELECT c.id FROM cohorts c
          WHERE c.owner_id = k.owner_id AND c.course_id = k.id AND ${canBeJoined(now)}
          ORDER BY c.starts_on, c.id LIMIT 1) AS id
        FROM waiting JOIN courses k ON k.id = waiting.id) opened
      WHERE opened.id IS NOT NULL LIMIT 1`),
  });
  const [cohort] = open;
  if (cohort === undefined) {
    return null;
  }
  const { rows } = await ask(ctx, {
    rows: db.all<{ id: string }>(sql`SELECT id FROM course_interests
      WHERE course_id = ${cohort.courseId} AND confirmed_at IS NOT NULL LIMIT ${chunkRows}`),
  });
  const spacing = mailSpacing(ctx);
  const list = JSON.stringify(rows.map(({ id }) => id));
  const { forgotten } = await ask(ctx, {
    // The key of a JSON list is the place in it.
    mails: db.run(sql`INSERT INTO mails_due (id, dedupe_key, owner_id, cohort_id, to_address,
        to_canonical, kind, payload, due_at)
      SELECT ${mailId}, 'open:' || e.id, e.owner_id, c.id, e.email, e.email_canonical, 'enrollment_open',
        json_object('name', NULL, 'language', e.language, 'instructor', ${instructorFacts},
          'cohort', ${cohortFacts}, 'slug', c.slug, 'person', NULL, 'request', NULL,
          'enrollment', NULL, 'before', NULL, 'note', NULL),
        max(${now}, ${lastPaced(['invitation', 'enrollment_open'])} + ${spacing})
          + wanted.key * ${spacing}
      FROM json_each(${list}) AS wanted
        JOIN course_interests e ON e.id = wanted.value AND e.confirmed_at IS NOT NULL
        JOIN cohorts c ON c.id = ${cohort.id}
        JOIN courses k ON k.id = c.course_id JOIN users u ON u.id = c.owner_id
      WHERE ${canBeJoined(now)}
      ON CONFLICT (dedupe_key) DO NOTHING`),
    forgotten: db.run(sql`DELETE FROM course_interests
      WHERE id IN (SELECT wanted.value FROM json_each(${list}) AS wanted)
        AND EXISTS (SELECT 1 FROM mails_due m WHERE m.dedupe_key = 'open:' || course_interests.id)`),
  });
  return forgotten.meta.changes;
}
