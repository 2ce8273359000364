import 'server-only';
import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query, type RowFrom } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { lessonCount } from '#db/shown-lessons.ts';
import { aboutCourse } from '#features/courses/course-types.ts';
import { ownRows, toCourse } from '#features/courses/list-courses.ts';
import type { CourseChoices } from '#features/courses/schema.ts';
import { simplify } from '#lib/text.ts';
import { dayOfYear } from '#lib/time/words.ts';
import { pick } from '#lib/to-json.ts';
import { isDated } from './get-cohort.ts';

/** As many as a list shows; beyond that, people search by name. */
const mostChoices = 500;

/** The courses of the viewer to choose from, with how their cohorts stand. */
export function listChoices(search: string) {
  return (ctx: Context, ownerId: SQL, userId: SQL) =>
    query(
      { rows: ownRows({ ownerId, userId }), notes: findCohortSummaries(ctx, ownerId) },
      ({ rows, notes }): CourseChoices => {
        const text = simplify(search.trim());
        const matches = rows.filter(({ name }) => simplify(name).includes(text));
        return {
          items: matches.slice(0, mostChoices).map((row) => ({
            ...pick(toCourse(row), ['id', 'name', 'course_type', 'hue']),
            note: aboutCourse(ctx.request.i18n, row.courseType, notes.get(row.id)),
          })),
          is_complete: matches.length <= mostChoices,
        };
      },
    );
}

/** With more cohorts that are not over, the notes say less. */
const mostRead = 500;

/**
 * How the cohorts of the viewer's courses stand, or the people of evergreen ones, in a few words for
 * each course that has some.
 */
export function findCohortSummaries(ctx: Context, ownerId: SQL) {
  const now = ctx.now();
  return query({ rows: rowsNotOver({ ownerId, now }), runs: openRuns({ ownerId }) }, (found) => {
    const { i18n } = ctx.request;
    const byCourse = [...Map.groupBy(found.rows, ({ courseId }) => courseId)];
    return new Map([
      ...byCourse.map(([id, rows]): [string, string] => [id, noteOf(i18n, rows, now)]),
      ...found.runs.map((run): [string, string] => [run.courseId, noteOfRun(i18n, run)]),
    ]);
  });
}

type RunSize = { courseId: string; people: number; lessons: number };

const openRuns = prepared(({ ownerId }: Given<'ownerId'>) =>
  db.all<RunSize>(sql`SELECT c.course_id AS courseId,
      (SELECT coalesce(sum(n.people), 0) FROM run_counts n WHERE n.cohort_id = c.id) AS people,
      ${lessonCount} AS lessons
    FROM cohorts c JOIN courses k ON k.id = c.course_id
    WHERE c.owner_id = ${ownerId} AND c.kind = 'open' AND k.course_type = 'evergreen'
    LIMIT ${mostRead}`),
);

/** `34 people, 10 lessons` */
function noteOfRun(i18n: I18n, { people, lessons }: RunSize): string {
  const parts = [
    i18n._(msg`${plural(people, { one: '# person', other: '# people' })}`),
    ...(lessons > 0
      ? [i18n._(msg`${plural(lessons, { one: '# lesson', other: '# lessons' })}`)]
      : []),
  ];
  return parts.join(', ');
}

const rowsNotOver = prepared(({ ownerId, now }: Given<'ownerId' | 'now'>) =>
  db
    .select({
      courseId: cohorts.courseId,
      startsOn: cohorts.startsOn,
      startsAt: cohorts.startsAt,
      publishedAt: cohorts.publishedAt,
    })
    .from(cohorts)
    .where(
      and(
        eq(cohorts.ownerId, ownerId),
        isDated,
        gt(cohorts.endsAt, now),
        isNull(cohorts.deletedAt),
        isNull(cohorts.archivedAt),
      ),
    )
    .orderBy(asc(cohorts.endsAt))
    .limit(mostRead),
);

/** `1 running, 4 upcoming`, `Next begins February 2` or `Draft`. */
function noteOf(i18n: I18n, rows: RowFrom<typeof rowsNotOver>[], now: Date): string {
  const published = rows.filter(({ publishedAt }) => publishedAt !== null);
  const days = published.filter(({ startsAt }) => startsAt > now).map(({ startsOn }) => startsOn);
  const [running, coming] = [published.length - days.length, days.length];
  const [next] = days.toSorted();
  if (running > 0) {
    return coming === 0
      ? i18n._(msg`${running} running`)
      : i18n._(msg`${running} running, ${coming} upcoming`);
  }
  if (next !== undefined) {
    const day = dayOfYear(next, i18n.locale);
    return i18n._(msg`Next begins ${day}`);
  }
  return i18n._(msg`Draft`);
}
