import 'server-only';
import { eq } from 'drizzle-orm';
import { type Given, prepared } from '#db/prepared.ts';
import { db } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { users } from '#db/schema/users.ts';
import { countedColumns } from '#features/cohorts/get-cohort.ts';

/** The query for a cohort with its people and the name of its instructor. */
export const enrollableRows = prepared(({ now, where }: Given<'now' | 'where'>) =>
  db
    .select({
      cohort: countedColumns(now),
      instructor: { firstName: users.firstName, lastName: users.lastName },
    })
    .from(cohorts)
    .innerJoin(users, eq(users.id, cohorts.ownerId))
    .where(where),
);

/** The name of an instructor in one text. */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`;
}
