import type { PageProps } from 'waku/router';
import { findNextEmails } from '#features/emails/find-emails.ts';
import { NextEmails } from '#features/emails/next-emails.tsx';
import { findNextMeeting } from '#features/meetings/next-meeting.ts';
import { NextSession } from '#features/meetings/next-session.tsx';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { CohortOverview } from '#features/planning/cohort-overview.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { RecentActivity } from '#features/roster/activity.tsx';
import { findActivity } from '#features/roster/find-roster.ts';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, requireCourse } from '#page-request.ts';

export default async function CohortPage({ id }: PageProps<'/cohorts/[id]'>) {
  const request = await requireCourse({
    cohort: findOwnCohort(id),
    activity: findActivity(id),
    next: findNextMeeting(id),
    emails: findNextEmails(id),
  });
  const { ctx, answers } = request;
  const { cohort, activity, next, emails } = answers;
  if (cohort === null) {
    return <MissingPage request={answerNotFound(request)} />;
  }
  const now = ctx.now();
  return (
    <CohortFrame request={request} cohort={cohort} section="overview">
      <CohortOverview
        cohort={cohort}
        email={ctx.viewer.email}
        now={now}
        next={
          next !== null &&
          cohort.deleted_at === null && (
            <NextSession meeting={next} zone={cohort.time_zone} now={now} />
          )
        }
        emails={emails.length > 0 && <NextEmails cohort={cohort} emails={emails} />}
        activity={
          activity.length > 0 && <RecentActivity cohort={cohort} activity={activity} now={now} />
        }
      />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
