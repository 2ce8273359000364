import 'server-only';
import { type SQL, sql } from 'drizzle-orm';

/** Whether learners see lesson `l`, wherever no cohort hides its section. */
export const isShown = sql`(l.published_at IS NOT NULL AND l.deleted_at IS NULL)`;

/** Whether a cohort hides the section of lesson `l`. */
export function isHiddenIn(cohortId: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM cohort_sections h
    WHERE h.cohort_id = ${cohortId} AND h.section_id = l.section_id AND h.mode = 'hidden')`;
}

/** Whether the people of a cohort see lesson `l`, now or when it opens. */
export function shownIn(cohortId: SQL): SQL {
  return sql`(${isShown} AND NOT ${isHiddenIn(cohortId)})`;
}

/** The order of an outline, by section `s` and lesson `l`. */
export const inOrder = sql`s.position, s.id, l.position, l.id`;

/** The lessons `l` that cohort `c` hides: those of few sections, if any, which are read first. */
const hidden = sql`cohort_sections h CROSS JOIN lessons l ON l.owner_id = h.owner_id
  AND l.section_id = h.section_id AND ${isShown}`;
const isHidden = sql`h.owner_id = c.owner_id AND h.cohort_id = c.id AND h.mode = 'hidden'`;

/** How many lessons the people of cohort `c` see. Of none but hidden ones is a row read. */
export const lessonCount = sql<number>`((SELECT count(*) FROM lessons l
  WHERE l.owner_id = c.owner_id AND l.course_id = c.course_id AND ${isShown})
  - (SELECT count(*) FROM ${hidden} WHERE ${isHidden}))`;

/** How many of them the person of row `g` of `learning` has done; 0 without a row. */
export const lessonsDone = sql<number>`(coalesce(g.done, 0) - (SELECT count(*) FROM ${hidden}
    CROSS JOIN lesson_marks m ON m.enrollment_id = g.enrollment_id AND m.lesson_id = l.id
      AND m.done_at IS NOT NULL
  WHERE ${isHidden}))`;
