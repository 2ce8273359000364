import 'server-only';
import { eq, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { ask, db } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { countedColumns } from '#features/cohorts/get-cohort.ts';

/** The query for a cohort with its people and the names of its course and its instructor. */
export const enrollableRows = prepared(({ now, where }: Given<'now' | 'where'>) =>
  db
    .select({
      cohort: countedColumns(now),
      courseName: courses.name,
      instructor: { firstName: users.firstName, lastName: users.lastName },
    })
    .from(cohorts)
    .innerJoin(courses, eq(courses.id, cohorts.courseId))
    .innerJoin(users, eq(users.id, cohorts.ownerId))
    .where(where),
);

/** Such a cohort in a trip of its own; undefined without one. */
export async function findEnrollable(ctx: Context, where: SQL) {
  const { rows } = await ask(ctx, { rows: enrollableRows({ now: ctx.now(), where }) });
  return rows[0];
}

/** The name of an instructor in one text. */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`;
}
