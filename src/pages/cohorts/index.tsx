import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { PageProps } from 'waku/router';
import { findOwnFeed, toCalendarFeed } from '#features/calendar/change-feed.ts';
import { FeedSection } from '#features/calendar/feed-section.tsx';
import { AccountNote } from '#features/payment-accounts/account-note.tsx';
import { findPaymentAccount } from '#features/payment-accounts/find-account.ts';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import {
  CohortList,
  CourseAddress,
  FirstSteps,
  ListHead,
} from '#features/planning/cohort-list.tsx';
import { isOnline, listOwnCohorts } from '#features/planning/own-cohorts.ts';
import { RecentActivity } from '#features/roster/activity.tsx';
import { BeforeEnrollment } from '#features/self-paced/before-enrollment.tsx';
import { findEnrollmentPage } from '#features/self-paced/find-enrollment-page.ts';
import { RunOverviewPage } from '#features/self-paced/run-overview.tsx';
import { AppShell } from '#features/shell/app-shell.tsx';
import { requireCourse } from '#page-request.ts';
import { paths, serverPaths } from '#paths.ts';
import { Empty } from '#ui/empty.tsx';

export default async function CohortsPage({ query }: PageProps<'/cohorts'>) {
  const request = await requireCourse({
    cohorts: listOwnCohorts,
    feed: findOwnFeed,
    enrollment: findEnrollmentPage,
    account: findPaymentAccount,
  });
  const { t } = useLingui();
  const { course, ctx, answers } = request;
  const { run, overview, activity, lessons } = answers.enrollment;
  const { current, archived, trashCount, publicUrl, interested } = answers.cohorts;
  const { url } = await toCalendarFeed(ctx, answers.feed);
  const now = ctx.now();
  const isCohort = course.course_type === 'cohort';
  const others = (archived.length > 0 || trashCount > 0) && (
    <>
      {archived.length > 0 && (
        <a className="button button-quiet" href={serverPaths.archivedCohorts}>
          <Trans>Archive</Trans> <span className="text-muted">{archived.length}</span>
        </a>
      )}
      {trashCount > 0 && (
        <a className="button button-quiet" href={serverPaths.trashedCohorts}>
          <Trans>Trash</Trans> <span className="text-muted">{trashCount}</span>
        </a>
      )}
    </>
  );
  const list = (
    <>
      {current.length > 0 && (
        <CohortList
          cohorts={current}
          now={now}
          mostPast={new URLSearchParams(query).has('past') ? Infinity : 5}
        />
      )}
      {isCohort && publicUrl !== null && <CourseAddress url={publicUrl} interested={interested} />}
      {(current.length > 0 || url !== null) && <FeedSection url={url} />}
    </>
  );
  if (!isCohort) {
    const older = (current.length > 0 || others) && (
      <OldCohorts actions={others}>{list}</OldCohorts>
    );
    return run === null ? (
      <AppShell request={request} current={paths.cohorts} title={t`Enrollment`}>
        <BeforeEnrollment
          course={course}
          lessons={lessons}
          teacher={`${ctx.viewer.firstName} ${ctx.viewer.lastName}`}
          url={publicUrl}
          now={now}
        />
        {older}
      </AppShell>
    ) : (
      <CohortFrame request={request} cohort={run} section="overview">
        {isOnline(run) && <AccountNote account={answers.account} />}
        <RunOverviewPage
          run={run}
          overview={overview}
          now={now}
          activity={
            activity.length > 0 && (
              <RecentActivity cohort={run} activity={activity.slice(0, 5)} now={now} />
            )
          }
        />
        {older}
      </CohortFrame>
    );
  }
  return (
    <AppShell request={request} current={paths.cohorts} title={t`Cohorts`}>
      <ListHead title={t`Cohorts`} course={course.name}>
        <div className="actions">
          {others}
          {current.length > 0 && (
            <a className="button button-primary" href={paths.newCohort}>
              <span className="icon icon-plus" />
              <Trans>New cohort</Trans>
            </a>
          )}
        </div>
      </ListHead>
      {run !== null && overview.total > 0 && <RunNote run={run.id} people={overview.total} />}
      {current.length === 0 && (
        <>
          <Empty title={t`No cohorts yet.`}>
            <p>
              <Trans>
                A cohort is one group that takes this course together, from a first day to a last
                day.
              </Trans>
            </p>
            <a className="button button-primary button-large" href={paths.newCohort}>
              <span className="icon icon-plus" />
              <Trans>New cohort</Trans>
            </a>
          </Empty>
          <FirstSteps />
        </>
      )}
      {list}
    </AppShell>
  );
}

/** The cohorts that an evergreen course has had before. It gets no new ones. */
function OldCohorts({ actions, children }: { actions: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby="cohorts" className="grid gap-6">
      <div className="section-head">
        <h2 id="cohorts">
          <Trans>Cohorts</Trans>
        </h2>
        <div className="actions">{actions}</div>
      </div>
      <p className="notice">
        <Trans>
          This is an evergreen course. Its cohorts continue, and it gets no new ones unless you{' '}
          <a className="link" href={paths.courseSettings}>
            change the course type
          </a>
          .
        </Trans>
      </p>
      {children}
    </section>
  );
}

/** Those who have enrolled before the course was taught in cohorts. */
function RunNote({ run, people }: { run: string; people: number }) {
  return (
    <p className="notice">
      <Plural
        value={people}
        one="# person takes this course at their own pace and continues."
        other="# people take this course at their own pace and continue."
      />{' '}
      <a className="link" href={paths.cohort(run)}>
        <Trans>See how they’re doing</Trans>
      </a>
    </p>
  );
}
