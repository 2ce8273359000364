import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { KeptUndo } from '#client/kept-undo.tsx';
import {
  ChosenCourse,
  CourseChoiceProvider,
  type ListedCourse,
} from '#features/courses/course-choice.tsx';
import { SwitchCourseItem } from '#features/courses/course-keys.tsx';
import { CourseSelector } from '#features/courses/course-selector.tsx';
import { courseTypeNames } from '#features/courses/course-types.ts';
import { NewCourseDialog, newCourseDialogId } from '#features/courses/new-course-dialog.tsx';
import type { Course } from '#features/courses/schema.ts';
import { Reports, type ReportsProps } from '#features/error-reports/reports.tsx';
import { sidebarId } from '#features/frames/sidebar-ids.ts';
import { Wordmark } from '#features/frames/wordmark.tsx';
import { Avatar } from '#features/identity/avatar.tsx';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { LogoutButton } from '#features/identity/logout-button.tsx';
import { paths, serverPaths } from '#paths.ts';
import { EmailAddress } from '#ui/email-address.tsx';
import { PageTools } from './page-tools.tsx';
import { PlaceLinks } from './place-links.tsx';
import { SidebarToggle } from './sidebar-toggle.tsx';

type AppShellProps = {
  /** The page's result of `requireCourse()`. */
  request: ReportsProps['request'] & {
    ctx: ViewerContext;
    courses: Course[];
    hasMoreCourses: boolean;
    course: Course;
    look: { isSidebarOpen: boolean };
  };
  /** The place of the sidebar that leads to what is shown; null if none does. */
  current: string | null;
  /** The document title, without the product's name. */
  title: string;
  /** Added to the document title, which browsers use as the name of a saved file. */
  about?: string | undefined;
  /** The pages above this one. */
  trail?: { to: string; label: string }[];
  /** The name of a person in place of the title, which recordings of errors would contain. */
  person?: string;
  children: ReactNode;
};

const userMenuId = 'user-menu';

/** The frame of every page within a course: the sidebar, and dialogs that open from anywhere. */
export function AppShell(props: AppShellProps) {
  const { request, current, title, about, trail, person, children } = props;
  const { ctx, courses, hasMoreCourses, course, look } = request;
  const { viewer } = ctx;
  const { i18n, t } = useLingui();
  const fullName = `${viewer.firstName} ${viewer.lastName}`;
  const typeNames = courseTypeNames(i18n);
  const keys = t`Ctrl K`;
  const listed = ({ id, name, hue, course_type: type }: Course): ListedCourse => ({
    id,
    name,
    hue,
    type: typeNames[type],
  });
  const places = [
    { to: paths.home, label: t`Home`, icon: 'icon-home' },
    { to: paths.lessons, label: t`Lessons`, icon: 'icon-lessons' },
    { to: paths.cohorts, label: t`Cohorts`, icon: 'icon-cohorts' },
    { to: serverPaths.payments, label: t`Payments`, icon: 'icon-payments' },
    { to: paths.settings, label: t`Settings`, icon: 'icon-settings' },
  ];
  return (
    // Another user gets new islands, with nothing that the previous one typed.
    <CourseChoiceProvider
      key={viewer.email}
      courses={courses.map(listed)}
      selected={listed(course)}
    >
      <div className="shell min-h-dvh" data-sidebar={look.isSidebarOpen ? 'open' : 'icons'}>
        <Reports request={request} viewer={viewer} />
        <title>{[title, about, 'Lectern'].filter(Boolean).join(' · ')}</title>
        <a
          className="fixed top-2 left-2 z-1 rounded-control bg-accent px-4 py-2 text-on-accent not-focus:pointer-events-none not-focus:[clip-path:inset(50%)]"
          href="#main"
        >
          <Trans>Skip to content</Trans>
        </a>
        <aside id={sidebarId} popover="auto" className="sidebar" data-tips-at-once>
          <a href={paths.home} className="sidebar-brand">
            <Wordmark />
          </a>
          <CourseSelector
            hasMore={hasMoreCourses}
            texts={{
              label: t`Course`,
              filter: t`Find a course`,
              nothingFound: t`No results found`,
              loading: t`Loading…`,
              notLoaded: t`Not all courses could be loaded.`,
              retry: t`Try again`,
              keys,
              keysTip: t`(Ctrl or ⌘ + K)`,
            }}
            newCourse={
              <button
                type="button"
                className="menu-item menu-last"
                command="show-modal"
                commandfor={newCourseDialogId}
              >
                <span className="icon icon-plus" />
                <span className="sentence">{t`create new course`}</span>
              </button>
            }
          />
          <PlaceLinks label={t`Main navigation`} places={places} current={current} />
          <button
            type="button"
            className="sidebar-item sidebar-user"
            popoverTarget={userMenuId}
            data-tip={fullName}
          >
            <Avatar viewer={viewer} className="avatar avatar-small" />
            <span className="sidebar-label min-w-0 flex-1">
              <span className="sr-only">
                <Trans>Your account</Trans>{' '}
              </span>
              <span className="block truncate">{fullName}</span>
            </span>
            <span className="icon icon-updown sidebar-label" />
          </button>
          <div id={userMenuId} popover="auto" data-menu className="menu">
            <p className="px-3 py-2 text-muted text-sm">
              <EmailAddress>{viewer.email}</EmailAddress>
            </p>
            <a href={paths.settings} className="menu-item">
              <span className="icon icon-user" />
              {t`Account`}
            </a>
            <a href={serverPaths.billing} className="menu-item">
              <span className="icon icon-payments" />
              {t`Billing`}
            </a>
            {ctx.config.stripe !== null && (
              <a href={serverPaths.gettingPaid} className="menu-item">
                <span className="icon icon-payments" />
                {t`Getting paid`}
              </a>
            )}
            <SwitchCourseItem keys={keys}>
              <span className="icon icon-updown" />
              {t`Switch course`}
            </SwitchCourseItem>
            <LogoutButton
              viewerId={viewer.id}
              className="menu-item menu-last"
              pendingLabel={t`Logging out…`}
            >
              <span className="icon icon-leave" />
              {t`Log out`}
            </LogoutButton>
          </div>
        </aside>
        <div className="page">
          <header className="topbar">
            <SidebarToggle
              isOpen={look.isSidebarOpen}
              label={t`Toggle sidebar`}
              tip={t`Open or close the sidebar (Ctrl or ⌘ + B)`}
            />
            <button
              type="button"
              className="icon-button phone"
              popoverTarget={sidebarId}
              aria-label={t`Menu`}
            >
              <span className="icon icon-menu" />
            </button>
            <ChosenCourse />
            {trail && <Trail above={trail} title={title} {...(person && { person })} />}
            <a href={paths.settings} className="icon-button phone">
              <span className="sr-only">{t`Your account`}</span>
              <Avatar viewer={viewer} />
            </a>
          </header>
          <main id="main" tabIndex={-1} className="content">
            {children}
          </main>
        </div>
        <NewCourseDialog />
        <PageTools viewer={viewer} />
        <KeptUndo />
      </div>
    </CourseChoiceProvider>
  );
}

type TrailProps = Pick<AppShellProps, 'title' | 'person'> & {
  above: NonNullable<AppShellProps['trail']>;
};

/** Where the page is, where there is room to say it. */
function Trail({ above, title, person }: TrailProps) {
  const { t } = useLingui();
  return (
    <nav aria-label={t`Breadcrumb`} className="trail hidden min-w-0 text-sm md:block">
      <ol className="flex flex-wrap gap-x-2">
        {above.map(({ to, label }) => (
          <li key={to} className="text-muted not-first:before:me-2 not-first:before:content-['/']">
            <a href={to}>{label}</a>
          </li>
        ))}
        <li
          className="font-medium text-ink not-first:before:me-2 not-first:before:content-['/']"
          aria-current="page"
          dir="auto"
          data-sentry-mask={person && ''}
        >
          {person ?? title}
        </li>
      </ol>
    </nav>
  );
}
