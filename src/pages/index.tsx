import { Trans, useLingui } from '@lingui/react/macro';
import { ProfileCard } from '#features/account-settings/profile-card.tsx';
import { findSessionOfCourse } from '#features/attendance/find-session-day.ts';
import { SessionDay } from '#features/attendance/session-day.tsx';
import { findCohortSummaries } from '#features/cohorts/list-choices.ts';
import { CourseHero } from '#features/courses/course-hero.tsx';
import { CourseRows } from '#features/courses/course-rows.tsx';
import { aboutCourse } from '#features/courses/course-types.ts';
import { newCourseDialogId } from '#features/courses/new-course-dialog.tsx';
import { LogoutButton } from '#features/identity/logout-button.tsx';
import { findWeek } from '#features/learning/find-week.ts';
import { NextCohort } from '#features/planning/cohort-rows.tsx';
import { findNextCohort } from '#features/planning/own-cohorts.ts';
import { findHomeRun } from '#features/self-paced/find-home-run.ts';
import { HomeRunBody, WeekWords } from '#features/self-paced/home-run.tsx';
import { AppShell } from '#features/shell/app-shell.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';
import { Today } from '#ui/local-time.tsx';

export default async function HomePage() {
  const request = await requireCourse({
    next: findNextCohort,
    notes: findCohortSummaries,
    session: findSessionOfCourse,
    home: findHomeRun,
    week: findWeek,
  });
  const { i18n, t } = useLingui();
  const { courses, hasMoreCourses, course, locale } = request;
  const { viewer } = request.ctx;
  const { next, notes, session, home, week } = request.answers;
  const isEvergreen = course.course_type === 'evergreen';
  const { firstName } = viewer;
  const soon = [
    {
      title: t`Cohorts`,
      description: t`Run your last cohort again on new dates, in one click.`,
      icon: 'icon-cohorts',
    },
    {
      title: t`Workshops`,
      description: t`Announce a one-off live session, in one click.`,
      icon: 'icon-workshops',
    },
  ];
  return (
    <AppShell request={request} current={paths.home} title={t`Home`}>
      <div className="page-head">
        <h1>
          {/* One text node, because a name in its own element shifts when the font loads. */}
          {t`Welcome, ${firstName}`}
        </h1>
        <p>
          <Today locale={locale} />
        </p>
      </div>
      <div className="home @container -mt-2 grid gap-8">
        {session && <SessionDay session={session} now={request.ctx.now()} isOnHome />}
        <CourseHero
          course={course}
          lead={
            !isEvergreen &&
            week.started + week.completed > 0 && (
              <p className="mb-4">
                <WeekWords {...week} isRun={false} />
              </p>
            )
          }
          next={
            isEvergreen && (home.run !== null || home.lessons.all > 0) ? (
              <HomeRunBody {...home} />
            ) : (
              next && (
                <NextCohort cohort={next} at={request.ctx.now()} isSecond={session !== null} />
              )
            )
          }
        />
        <div className="grid gap-8 *:min-w-0 @min-[52rem]:grid-cols-[minmax(0,1fr)_21rem] @min-[52rem]:gap-12">
          <section aria-labelledby="your-courses">
            <div className="section-head">
              <h2 id="your-courses">
                <Trans>Your courses</Trans>
              </h2>
              <button
                type="button"
                className="button button-quiet button-small icon-before icon-plus"
                command="show-modal"
                commandfor={newCourseDialogId}
              >
                <Trans>New course</Trans>
              </button>
            </div>
            <CourseRows
              abouts={Object.fromEntries(
                courses.map(({ id, course_type: type }) => [
                  id,
                  aboutCourse(i18n, type, notes.get(id)),
                ]),
              )}
              hasMore={hasMoreCourses}
              texts={{ selected: t`Selected`, showAll: t`Show all courses` }}
            />
            {courses.length === 1 && (
              <p className="hint mt-4">
                <Trans>
                  Add a second course whenever you like. You can switch between courses at the top
                  of the sidebar.
                </Trans>
              </p>
            )}
          </section>
          <section aria-labelledby="quick">
            <div className="section-head">
              <h2 id="quick">
                <Trans>Quick actions</Trans>
              </h2>
            </div>
            <p className="hint -mt-1 mb-3">
              {course.course_type === 'cohort' ? (
                <Trans>
                  One-click shortcuts for this page. Your cohorts are ready under{' '}
                  <a className="link" href={paths.cohorts}>
                    Cohorts
                  </a>
                  .
                </Trans>
              ) : (
                <Trans>One-click shortcuts for this page.</Trans>
              )}
            </p>
            <ul className="grid gap-3">
              {soon.map(({ title, description, icon }) => (
                <li key={title} className="grid">
                  <button type="button" disabled className="soon">
                    <span className={`icon ${icon}`} />
                    <span className="min-w-0 font-medium text-base/6">{title}</span>
                    <span className="col-start-2 col-end-4 row-start-2 text-pretty">
                      {description}
                    </span>
                    <span className="col-start-3 row-start-1 font-medium text-[0.8125rem]">
                      <Trans>Coming soon</Trans>
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        </div>
        <ProfileCard viewer={viewer}>
          <LogoutButton
            viewerId={viewer.id}
            className="button button-quiet"
            pendingLabel={t`Logging out…`}
          >
            <Trans>Log out</Trans>
          </LogoutButton>
        </ProfileCard>
      </div>
    </AppShell>
  );
}
