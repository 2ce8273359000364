import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { OwnAttendance } from '#features/attendance/attendance-page.tsx';
import { findAttended } from '#features/attendance/find-attendance.ts';
import { findLearnedLessons } from '#features/learning/find-cohort-learning.ts';
import { OwnLessons } from '#features/learning/own-lessons.tsx';
import { findBalance } from '#features/ledger/find-balances.ts';
import { findEnrollment, findFirstWaiting } from '#features/places/find-enrollments.ts';
import { findProgress } from '#features/places/find-standings.ts';
import { findTargets } from '#features/roster/find-targets.ts';
import { PersonDetails } from '#features/roster/person-details.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';

export default async function PersonPage({
  id,
  enrollment,
}: PageProps<'/cohorts/[id]/roster/[enrollment]'>) {
  return cohortPage(
    id,
    'roster',
    {
      details: findEnrollment(id, enrollment),
      progress: findProgress(id, enrollment),
      targets: findTargets(id),
      ledger: findBalance(id, enrollment),
      attended: findAttended(enrollment),
      lessons: findLearnedLessons(enrollment),
      nextWaiting: findFirstWaiting(id),
    },
    ({ cohort, details, progress, targets, ledger, attended, lessons, nextWaiting }, ctx) =>
      details && (
        <>
          <PersonDetails
            cohort={cohort}
            details={details}
            now={ctx.now()}
            progress={progress}
            targets={targets}
            nextWaiting={nextWaiting}
            balance={ledger?.balance ?? null}
            online={ledger?.online ?? { refundable: 0, underWay: 0 }}
            lessons={<OwnLessons lessons={lessons} name={details.person.name} cohort={cohort} />}
            attendance={attended && <OwnAttendance cohortId={id} attended={attended} />}
          />
          <LeaveDialog />
        </>
      ),
    { person: ({ details }) => details?.person.name },
  );
}
