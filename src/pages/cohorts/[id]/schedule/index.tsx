import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findScheduleTable } from '#features/meetings/change-schedule.ts';
import { ChangeWords, Schedule } from '#features/meetings/schedule.tsx';
import { weeksOf } from '#features/meetings/weeks.ts';
import { AnnounceChanges } from '#features/messages/message-sections.tsx';

export default async function SchedulePage({ id }: PageProps<'/cohorts/[id]/schedule'>) {
  return cohortPage(
    id,
    'schedule',
    { table: findScheduleTable(id) },
    async ({ cohort, table: { mark, meetings, days_off: daysOff } }) => {
      const changed = meetings.filter((meeting) => !meeting.is_announced);
      return (
        <Schedule cohort={cohort} weeks={await weeksOf(cohort, meetings, daysOff)}>
          <AnnounceChanges cohort={cohort} changes={changed.length} mark={mark}>
            {changed.length > 1 && (
              <ul className="pt-1 pb-3">
                {changed.map((meeting) => (
                  <li key={meeting.id}>
                    <bdi>{meeting.title}</bdi> — <ChangeWords meeting={meeting} />
                  </li>
                ))}
              </ul>
            )}
          </AnnounceChanges>
        </Schedule>
      );
    },
  );
}
