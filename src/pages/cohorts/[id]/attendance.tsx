import { msg } from '@lingui/core/macro';
import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { BackToSchedule } from '#features/meetings/meeting-pages.tsx';
import { Attendance } from '#features/papers/attendance.tsx';
import { findAttendance } from '#features/papers/find-attendance.ts';

export default async function AttendancePage({ id, query }: PageProps<'/cohorts/[id]/attendance'>) {
  return cohortPage(
    id,
    msg`Attendance sheet`,
    { attendance: findAttendance(id, query) },
    ({ cohort, attendance }) => (
      <>
        <BackToSchedule cohortId={id} />
        <Attendance cohort={cohort} {...attendance} />
      </>
    ),
  );
}
