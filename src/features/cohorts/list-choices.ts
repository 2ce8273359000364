import 'server-only';
import type { SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { query } from '#db/query.ts';
import { aboutCourse } from '#features/courses/course-types.ts';
import { toCourse } from '#features/courses/get-course.ts';
import { ownRows } from '#features/courses/list-courses.ts';
import type { CourseChoices } from '#features/courses/schema.ts';
import type { Viewer } from '#features/identity/find-actor.ts';
import { simplify } from '#lib/text.ts';
import { findCohortSummaries } from './cohort-summaries.ts';

/** As many as a list shows; beyond that, people search by name. */
const mostChoices = 500;

/** The courses of the viewer to choose from, with how their cohorts stand. */
export function listChoices(search: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      { rows: ownRows({ ownerId }), notes: findCohortSummaries(ctx, ownerId) },
      ({ rows, notes }) =>
        ({ selectedCourseId }: Viewer): CourseChoices => {
          const wanted = simplify(search.trim());
          const noteOf = notes();
          const found = rows.filter(({ name }) => simplify(name).includes(wanted));
          return {
            items: found.slice(0, mostChoices).map((row) => ({
              ...toCourse({ ...row, selectedCourseId }),
              about: aboutCourse(ctx.request.i18n, row.courseType, noteOf.get(row.id)),
            })),
            is_complete: found.length <= mostChoices,
          };
        },
    );
}
