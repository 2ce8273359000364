import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { findOwnFeed, toCalendarFeed } from '#features/calendar/change-feed.ts';
import { FeedSection } from '#features/calendar/feed-section.tsx';
import {
  CohortList,
  CourseAddress,
  FirstSteps,
  ListHead,
} from '#features/planning/cohort-list.tsx';
import { listOwnCohorts } from '#features/planning/own-cohorts.ts';
import { AppShell } from '#features/shell/app-shell.tsx';
import { requireCourse } from '#page-request.ts';
import { paths, serverPaths } from '#paths.ts';
import { Empty } from '#ui/empty.tsx';

export default async function CohortsPage({ query }: PageProps<'/cohorts'>) {
  const request = await requireCourse({ cohorts: listOwnCohorts, feed: findOwnFeed });
  const { t } = useLingui();
  const { course, ctx } = request;
  const { current, archived, trashCount, publicUrl, interested } = request.answers.cohorts;
  const { url } = await toCalendarFeed(ctx, request.answers.feed);
  const isCohort = course.course_type === 'cohort';
  return (
    <AppShell request={request} current={paths.cohorts} title={t`Cohorts`}>
      <ListHead title={t`Cohorts`} course={course.name}>
        <div className="actions">
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
          {isCohort && current.length > 0 && (
            <a className="button button-primary" href={paths.newCohort}>
              <span className="icon icon-plus" />
              <Trans>New cohort</Trans>
            </a>
          )}
        </div>
      </ListHead>
      {!isCohort && <EvergreenNote hasCohorts={current.length > 0} />}
      {isCohort && current.length === 0 && (
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
      {current.length > 0 && (
        <CohortList
          cohorts={current}
          now={ctx.now()}
          mostPast={new URLSearchParams(query).has('past') ? Infinity : 5}
        />
      )}
      {publicUrl !== null && <CourseAddress url={publicUrl} interested={interested} />}
      {(current.length > 0 || url !== null) && <FeedSection url={url} />}
    </AppShell>
  );
}

/** An evergreen course keeps the cohorts that it had, and gets no new ones. */
function EvergreenNote({ hasCohorts }: { hasCohorts: boolean }) {
  const { t } = useLingui();
  return hasCohorts ? (
    <p className="notice">
      <Trans>
        This is an evergreen course. Its cohorts continue, and it gets no new ones unless you{' '}
        <a className="link" href={paths.courseSettings}>
          change the course type
        </a>
        .
      </Trans>
    </p>
  ) : (
    <Empty title={t`No cohorts needed.`}>
      <p>
        <Trans>
          This is an evergreen course, so it doesn’t use cohorts. To teach groups with fixed dates,{' '}
          <a className="link" href={paths.courseSettings}>
            change the course type
          </a>
          .
        </Trans>
      </p>
    </Empty>
  );
}
