import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findSchedule } from '#features/meetings/list-meetings.ts';
import { Schedule } from '#features/meetings/schedule.tsx';
import { weeksOf } from '#features/meetings/weeks.ts';
import { AnnounceChanges } from '#features/messages/message-sections.tsx';

export default async function SchedulePage({ id }: PageProps<'/cohorts/[id]/schedule'>) {
  return cohortPage(
    id,
    'schedule',
    { meetings: findSchedule(id) },
    async ({ cohort, meetings }) => (
      <>
        <AnnounceChanges
          cohort={cohort}
          changes={meetings.filter((meeting) => !meeting.is_announced).length}
        />
        <Schedule cohort={cohort} weeks={await weeksOf(cohort, meetings)} />
      </>
    ),
  );
}
