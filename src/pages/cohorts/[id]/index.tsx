import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findSessionDay } from '#features/attendance/find-session-day.ts';
import { Presence, SessionDay, StillToPay } from '#features/attendance/session-day.tsx';
import { NextEmails } from '#features/emails/emails-page.tsx';
import { findNextEmails } from '#features/emails/find-emails.ts';
import { NextSession } from '#features/meetings/meeting-list.tsx';
import { findNextMeeting } from '#features/meetings/next-meeting.ts';
import { AccountNote } from '#features/payment-accounts/account-note.tsx';
import { findPaymentAccount } from '#features/payment-accounts/find-account.ts';
import { CohortOverview } from '#features/planning/cohort-overview.tsx';
import { isOnline } from '#features/planning/own-cohorts.ts';
import { RecentActivity } from '#features/roster/activity.tsx';
import { findActivity } from '#features/roster/find-roster.ts';
import { findRunOverview } from '#features/self-paced/find-run-overview.ts';
import { RunOverviewPage } from '#features/self-paced/run-overview.tsx';

export default async function CohortPage({ id }: PageProps<'/cohorts/[id]'>) {
  return cohortPage(
    id,
    'overview',
    {
      activity: findActivity(id),
      next: findNextMeeting(id),
      emails: findNextEmails(id),
      session: findSessionDay(id),
      overview: findRunOverview(id),
      account: findPaymentAccount,
    },
    ({ cohort, activity, next, emails, session, overview, account }, ctx) => {
      const now = ctx.now();
      const recent = activity.length > 0 && (
        <RecentActivity
          cohort={cohort}
          // In the narrow column of an open run there is less room.
          activity={cohort.kind === 'open' ? activity.slice(0, 5) : activity}
          now={now}
        />
      );
      const overviewOf =
        cohort.kind === 'open' ? (
          <RunOverviewPage run={cohort} overview={overview} now={now} activity={recent} />
        ) : (
          <CohortOverview
            cohort={cohort}
            viewer={{
              name: `${ctx.viewer.firstName} ${ctx.viewer.lastName}`,
              email: ctx.viewer.email,
            }}
            now={now}
            {...(session && {
              lead: <SessionDay session={session} now={now} />,
              presence: <Presence session={session} viewerId={ctx.viewer.id} />,
              owing: session.debtors.length > 0 && <StillToPay session={session} />,
            })}
            next={
              next !== null &&
              session === null &&
              cohort.deleted_at === null && (
                <NextSession
                  meeting={next}
                  zone={cohort.time_zone}
                  now={now}
                  startsOn={cohort.starts_on}
                />
              )
            }
            emails={emails.length > 0 && <NextEmails cohort={cohort} emails={emails} />}
            activity={recent}
          />
        );
      return (
        <>
          {isOnline(cohort) && <AccountNote account={account} />}
          {overviewOf}
        </>
      );
    },
  );
}
