import 'server-only';
import { and, eq, sql } from 'drizzle-orm';
import { ask, db, insertWhere } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { sections } from '#db/schema/lessons.ts';
import { requireSameRequest } from '#features/courses/create-course.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { fromJson } from '#lib/to-json.ts';
import { findContent } from './find-content.ts';
import { courseOfSection, numberSections } from './order.ts';
import type {
  CourseContent,
  OutlineSection,
  SectionInput,
  SectionMove,
  SectionPatch,
} from './schema.ts';
import { maxSections } from './vocabulary.ts';

/**
 * Creates a section at the end of one of the viewer's courses.
 *
 * @param idempotencyKey a retry with the same key returns the section as it is now
 * @throws AppError `not_found` without such a course, `too_many_sections`, `idempotency_key_reused`
 */
export async function createSection(
  ctx: ViewerContext,
  courseId: string,
  { title, release_days: releaseDays = null }: SectionInput,
  idempotencyKey: string | null,
): Promise<OutlineSection> {
  const { ownerId } = ctx;
  const now = ctx.now();
  const id = crypto.randomUUID();
  const others = sql`FROM sections o WHERE o.owner_id = ${ownerId} AND o.course_id = ${courseId}`;
  const row = { id, ownerId, courseId, title, releaseDays, position: 0, idempotencyKey };
  const isMade = idempotencyKey === null ? eq(sections.id, id) : isOfKey(idempotencyKey);
  const {
    made: [made],
    content,
  } = await ask(ctx, {
    inserted: db
      .insert(sections)
      .select(
        insertWhere(
          sections,
          { ...row, createdAt: now, updatedAt: now },
          sql`EXISTS (SELECT 1 FROM ${courses} WHERE ${courses.id} = ${courseId}
            AND ${courses.ownerId} = ${ownerId})`,
          sql`(SELECT count(*) ${others}) < ${maxSections}`,
        ),
      )
      .onConflictDoNothing({ target: [sections.ownerId, sections.idempotencyKey] }),
    placed: db
      .update(sections)
      .set({ position: sql`(SELECT max(o.position) + 1 ${others})` })
      .where(and(eq(sections.ownerId, ownerId), eq(sections.id, id))),
    made: db
      .select()
      .from(sections)
      .where(and(eq(sections.ownerId, ownerId), isMade)),
    content: findContent(courseId)(ctx, sql`${ownerId}`),
  });
  // A retry has a section, so nothing refuses it.
  if (made === undefined) {
    requireFound(content);
    throw new AppError('too_many_sections');
  }
  const isSame = made.title === title && made.releaseDays === releaseDays;
  requireSameRequest([made], made.courseId === courseId && isSame);
  return sectionIn(content, made.id);
}

function isOfKey(idempotencyKey: string) {
  return eq(sections.idempotencyKey, idempotencyKey);
}

/**
 * Gives a section of one of the viewer's courses another title, or another day on which it opens.
 *
 * @throws AppError `not_found`
 */
export async function changeSection(
  ctx: ViewerContext,
  id: string,
  patch: SectionPatch,
): Promise<OutlineSection> {
  const { ownerId } = ctx;
  const { content } = await ask(ctx, {
    changed: db
      .update(sections)
      .set({ ...fromJson(patch), updatedAt: ctx.now() })
      .where(and(eq(sections.id, id), eq(sections.ownerId, ownerId))),
    content: findContent(courseOfSection(ownerId, id))(ctx, sql`${ownerId}`),
  });
  return sectionIn(content, id);
}

/**
 * Deletes a section without lessons. Those that are in the trash move to the section before it, or
 * else after it, so that they can still be restored.
 *
 * @throws AppError `section_has_lessons`, also in the trash if there is no other section;
 *   `not_found`
 */
export async function deleteSection(ctx: ViewerContext, id: string): Promise<void> {
  const { ownerId } = ctx;
  const isSection = and(eq(sections.id, id), eq(sections.ownerId, ownerId));
  const inSection = sql`FROM lessons l WHERE l.owner_id = ${ownerId} AND l.section_id = ${id}`;
  const isEmpty = sql`NOT EXISTS (SELECT 1 ${inSection})`;
  const others = sql`FROM sections n
    WHERE n.owner_id = s.owner_id AND n.course_id = s.course_id AND n.position`;
  const { deleted, left } = await ask(ctx, {
    trash: db.run(sql`UPDATE lessons SET section_id = near.id, position = 0
      FROM (SELECT coalesce((SELECT n.id ${others} < s.position ORDER BY n.position DESC LIMIT 1),
          (SELECT n.id ${others} > s.position ORDER BY n.position LIMIT 1)) AS id
        FROM sections s WHERE s.id = ${id} AND s.owner_id = ${ownerId}) near
      WHERE lessons.owner_id = ${ownerId} AND lessons.section_id = ${id} AND near.id IS NOT NULL
        AND NOT EXISTS (SELECT 1 ${inSection} AND l.deleted_at IS NULL)`),
    // To the end first, so that the others are numbered without it.
    last: db
      .update(sections)
      .set({ position: maxSections + 1 })
      .where(and(isSection, isEmpty)),
    numbered: numberSections(ownerId, courseOfSection(ownerId, id)),
    deleted: db.delete(sections).where(and(isSection, isEmpty)).returning({ id: sections.id }),
    left: db.select({ id: sections.id }).from(sections).where(isSection),
  });
  if (deleted.length === 0) {
    throw new AppError(left.length === 0 ? 'not_found' : 'section_has_lessons');
  }
}

/**
 * Moves a section before another one of its course, or to the end.
 *
 * @returns the content in its new order
 * @throws AppError `not_found` without such a section, or another one
 */
export async function moveSection(
  ctx: ViewerContext,
  id: string,
  { before }: SectionMove,
): Promise<CourseContent> {
  const { ownerId } = ctx;
  const course = courseOfSection(ownerId, id);
  const place =
    before === null
      ? sql`${maxSections + 1}`
      : sql`(SELECT b.position - 0.5 FROM sections b WHERE b.id = ${before}
          AND b.owner_id = ${ownerId} AND b.course_id = ${sections.courseId})`;
  const { moved, content } = await ask(ctx, {
    moved: db
      .update(sections)
      .set({ position: place, updatedAt: ctx.now() })
      .where(and(eq(sections.id, id), eq(sections.ownerId, ownerId), sql`${place} IS NOT NULL`))
      .returning({ id: sections.id }),
    numbered: numberSections(ownerId, course),
    content: findContent(course)(ctx, sql`${ownerId}`),
  });
  requireFound(moved[0]);
  return requireFound(content);
}

/** @throws AppError `not_found` without the section */
function sectionIn(content: CourseContent | null, id: string): OutlineSection {
  return requireFound(content?.sections.find((section) => section.id === id));
}
