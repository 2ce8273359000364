import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { AttendancePage } from '#features/attendance/attendance-page.tsx';
import { findAttendance } from '#features/attendance/find-attendance.ts';
import { AttendanceSheets } from '#features/papers/attendance.tsx';

export default async function CohortAttendancePage({
  id,
  query,
}: PageProps<'/cohorts/[id]/attendance'>) {
  return cohortPage(
    id,
    'attendance',
    { attendance: findAttendance(id, query) },
    ({ cohort, attendance }, ctx) => (
      <AttendancePage
        viewerId={ctx.viewer.id}
        cohort={cohort}
        attendance={attendance}
        now={ctx.now()}
        sheets={
          <AttendanceSheets
            name={cohort.name}
            people={attendance.people.filter(({ leftAt }) => leftAt === null)}
            meetings={attendance.meetings}
          />
        }
      />
    ),
  );
}
