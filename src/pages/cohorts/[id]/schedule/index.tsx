import type { PageProps } from 'waku/router';
import { findSchedule } from '#features/meetings/find-schedule.ts';
import { Schedule } from '#features/meetings/schedule.tsx';
import { weeksOf } from '#features/meetings/weeks.ts';
import { AnnounceChanges } from '#features/messages/announce-section.tsx';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function SchedulePage({ id }: PageProps<'/cohorts/[id]/schedule'>) {
  const request = await requireCourse({ cohort: findOwnCohort(id), meetings: findSchedule(id) });
  const { cohort, meetings } = request.answers;
  if (cohort === null) {
    return <MissingPage request={answerNotFound(request)} />;
  }
  redirectFromTrash(cohort);
  return (
    <CohortFrame request={request} cohort={cohort} section="schedule">
      <AnnounceChanges
        cohort={cohort}
        changes={meetings.filter((meeting) => !meeting.is_announced).length}
      />
      <Schedule cohort={cohort} weeks={await weeksOf(cohort, meetings)} />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
