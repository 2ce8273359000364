import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context, LearnerDevice } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { ask, db } from '#db/query.ts';
import type { CohortKind, CourseHue } from '#db/values.ts';
import { type Attended, attendedColumns } from '#features/attendance/who-attends.ts';
import { hueOfCourse } from '#features/courses/list-courses.ts';
import { entriesOf, rememberedOf } from './device.ts';
import { idsOf, isReading, type Learner, peopleRows } from './find-learner.ts';

type CompletedRow = {
  personId: string;
  /** Null where they have not completed it. */
  completedAt: number | null;
  kind: CohortKind;
  name: string;
  startsOn: string;
  endsOn: string;
  timeZone: string;
  endsAt: number;
  courseId: string;
  courseName: string;
  hue: CourseHue | null;
  instructor: string;
  attended: string;
};

/**
 * What the certificate of a learner says, who reads the course in this browser: of where they have
 * completed it last. Access that has ended takes nothing of it back.
 *
 * @returns `certificate` is null for those who have not completed it
 */
export async function findOwnCertificate(ctx: Context, device: LearnerDevice, courseId: string) {
  const ids = idsOf(entriesOf(ctx, device));
  const { people, completed } = await ask(ctx, {
    people: peopleRows({ ids }),
    completed: completedRows({
      ids,
      courseId,
      attended: attendedColumns({ now: ctx.now().getTime() }),
    }),
  });
  const learners = await rememberedOf(ctx, device, people);
  const ofLearner = ({ id }: Learner) => completed.find(({ personId }) => personId === id);
  const learner = learners.find(ofLearner) ?? learners[0] ?? null;
  const row = learner && ofLearner(learner);
  return { learner, certificate: row ? toCertificate(row, learner) : null };
}

function toCertificate({ courseId: id, hue, endsAt, ...row }: CompletedRow, { name }: Learner) {
  const { completedAt, instructor, attended, personId: _, ...cohort } = row;
  return completedAt === null
    ? null
    : {
        name,
        cohort: { ...cohort, courseHue: hueOfCourse({ id, hue }), endsAt: new Date(endsAt) },
        completedAt: new Date(completedAt),
        instructor,
        attended: JSON.parse(attended) as Attended,
      };
}

const completedRows = prepared(
  ({ ids, courseId, attended }: Given<'ids' | 'courseId' | 'attended'>) =>
    db.all<CompletedRow>(sql`SELECT e.person_id AS personId, e.completed_at AS completedAt, c.kind,
      c.name, c.starts_on AS startsOn, c.ends_on AS endsOn, c.time_zone AS timeZone,
      c.ends_at AS endsAt, k.id AS courseId, k.name AS courseName, k.hue,
      u.first_name || ' ' || u.last_name AS instructor, ${attended} AS attended
    FROM json_each(${ids}) j CROSS JOIN enrollments e ON e.person_id = j.value
      JOIN cohorts c ON c.id = e.cohort_id JOIN courses k ON k.id = c.course_id
      JOIN users u ON u.id = k.owner_id
    WHERE c.course_id = ${courseId} AND ${isReading}
    ORDER BY e.completed_at DESC, e.id`),
);
