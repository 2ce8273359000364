import { Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { cohortPaths } from '#features/cohorts/cohort-paths.ts';
import { rosterCount } from '#features/cohorts/cohort-status.ts';
import { StatusChip } from '#features/cohorts/drawings.tsx';
import { ChooseButton } from '#features/courses/course-choice.tsx';
import { courseTypeNames } from '#features/courses/course-types.ts';
import { meetingPaths } from '#features/meetings/meeting-paths.ts';
import { AppShell } from '#features/shell/app-shell.tsx';
import { fromJson } from '#lib/to-json.ts';
import { emailPaths, paths, serverPaths } from '#paths.ts';
import { MoreMenu } from '#ui/more-menu.tsx';
import { ArchiveDialog, ArchiveItem } from './archive-cohort.tsx';
import { DaysAndCity } from './cohort-rows.tsx';
import { MoveToTrash } from './move-to-trash.tsx';
import { asksBeforeTrash, countConcerned, TrashDialog } from './notify-fields.tsx';
import type { OwnCohort } from './own-cohorts.ts';
import { RunActions, RunChip, RunLine } from './run-head.tsx';
import { SectionTabs } from './section-tabs.tsx';

type CohortFrameProps = {
  request: ComponentProps<typeof AppShell>['request'];
  cohort: OwnCohort;
  /** The section of the cohort; null on a page of its own. */
  section: Section | null;
  /** The title of the page, if it is not the cohort's name. */
  title?: string;
  /** The section that a page of its own belongs to. */
  parentSection?: Section | null;
  /** Whom a page of a section is about. */
  person?: string | null;
  /** Whether the document title names the course and the cohort. */
  isPaper?: boolean | undefined;
  children: ReactNode;
};

export type Section =
  | 'overview'
  | 'roster'
  | 'waitlist'
  | 'schedule'
  | 'attendance'
  | 'emails'
  | 'settings';

const menuId = 'cohort-menu';

/** The frame of the pages of one cohort: what it is, what can be done with it, and its sections. */
export function CohortFrame(props: CohortFrameProps) {
  const { request, cohort, section, title, parentSection = null } = props;
  const { person = null, isPaper, children } = props;
  const { i18n, t } = useLingui();
  const { id, counts } = cohort;
  const isRun = cohort.kind === 'open';
  // The sidebar and its list are those of the selected course.
  const isElsewhere = cohort.course_id !== request.course.id;
  // An open run has the name of its course, and is what the sidebar leads to.
  const name = isRun && !isElsewhere ? t`Enrollment` : cohort.name;
  const isHome = isRun && !isElsewhere && cohort.courseType === 'evergreen';
  const isListed = !isElsewhere && !isHome;
  const overview = isHome ? paths.cohorts : paths.cohort(id);
  const hasWaitlist = !isRun || cohort.capacity !== null || counts.waitlisted > 0;
  const sections = [
    { key: 'overview', to: overview, label: t`Overview` },
    {
      key: 'roster',
      to: paths.roster(id),
      label: isRun ? t`People` : t`Roster`,
      count: rosterCount(counts),
    },
    ...(hasWaitlist
      ? [
          {
            key: 'waitlist',
            to: serverPaths.waitlist(id),
            label: t`Waitlist`,
            count: counts.waitlisted,
          },
        ]
      : []),
    ...(isRun
      ? []
      : [
          {
            key: 'schedule',
            to: meetingPaths.schedule(id),
            label: t`Schedule`,
            count: cohort.meetingCount,
          },
          { key: 'attendance', to: meetingPaths.attendance(id), label: t`Attendance` },
        ]),
    { key: 'emails', to: emailPaths.page(id), label: t`Emails` },
    { key: 'settings', to: serverPaths.cohortSettings(id), label: t`Settings` },
  ];
  const typeName = courseTypeNames(i18n)[cohort.courseType];
  const parent = sections.find(({ key }) => key === (person === null ? parentSection : section));
  const trail = [
    ...(isListed ? [{ to: paths.cohorts, label: t`Cohorts` }] : []),
    // The last part is the section, the page or the person; the overview is the cohort itself.
    ...(section === 'overview' ? [] : [{ to: overview, label: name }]),
    ...(parent ? [{ to: parent.to, label: parent.label }] : []),
  ];
  const shown = sections.find(({ key }) => key === section && key !== 'overview');
  const ownTitle = shown?.label ?? title ?? name;
  return (
    <AppShell
      request={request}
      current={isElsewhere ? null : paths.cohorts}
      title={ownTitle}
      about={isPaper ? `${cohort.courseName} · ${name}` : undefined}
      // The Enrollment page has nothing above it.
      {...(trail.length > 0 && { trail })}
      {...(person !== null && { person })}
    >
      <div className="page-head page-head-actions">
        <div>
          <h1 className="with-chip">
            <bdi>{title ?? name}</bdi>{' '}
            {section !== null &&
              (isRun ? <RunChip run={cohort} /> : <StatusChip cohort={fromJson(cohort)} />)}
          </h1>
          <p>
            {section === null && (
              <>
                <a className="link" href={overview}>
                  <bdi>{name}</bdi>
                </a>
                {'\u00a0· '}
                {/* Where there is no room for the trail. */}
                {parent && (
                  <span className="md:hidden">
                    <a className="link" href={parent.to}>
                      {parent.label}
                    </a>
                    {'\u00a0· '}
                  </span>
                )}
              </>
            )}
            {isRun ? <RunLine run={cohort} /> : <DaysAndCity cohort={fromJson(cohort)} />}
          </p>
          {isElsewhere && (
            <p>
              <bdi>{cohort.courseName}</bdi>
              {'\u00a0· '}
              <ChooseButton
                course={{
                  id: cohort.course_id,
                  name: cohort.courseName,
                  type: typeName,
                  hue: cohort.courseHue,
                }}
              >
                <Trans>Switch to this course</Trans>
              </ChooseButton>
            </p>
          )}
        </div>
        {section !== null && cohort.deleted_at === null && (
          <Actions cohort={cohort} now={request.ctx.now()} isElsewhere={isElsewhere} />
        )}
      </div>
      {section !== null && cohort.deleted_at === null && (
        <SectionTabs
          label={isRun ? t`Sections of enrollment` : t`Sections of this cohort`}
          tabs={sections.map(({ key, ...tab }) => tab)}
          current={sections.find(({ key }) => key === section)?.to}
        />
      )}
      {children}
    </AppShell>
  );
}

type ActionsProps = { cohort: OwnCohort; now: Date; isElsewhere: boolean };

function Actions({ cohort, now, isElsewhere }: ActionsProps) {
  return cohort.kind === 'open' ? (
    <RunActions run={cohort} now={now} isElsewhere={isElsewhere} />
  ) : (
    <CohortActions cohort={cohort} isElsewhere={isElsewhere} />
  );
}

/** Its public page, and the menu of what is rarely done. */
function CohortActions({ cohort, isElsewhere }: Omit<ActionsProps, 'now'>) {
  const { t } = useLingui();
  const { id } = cohort;
  const isPublic = cohort.published_at !== null;
  const people = countConcerned(cohort);
  return (
    <div className="actions">
      {isPublic ? (
        <a className="button" href={cohort.public_url} target="_blank" rel="noreferrer">
          <Trans>Public page</Trans>
        </a>
      ) : (
        <a className="button" href={serverPaths.cohortPreview(id)}>
          <Trans>Preview public page</Trans>
        </a>
      )}
      <MoreMenu id={menuId} label={t`More actions`}>
        <a className="menu-item" href={serverPaths.moveCohort(id)}>
          <Trans>Move all dates</Trans>
        </a>
        {cohort.courseType === 'cohort' && (
          <a className="menu-item" href={serverPaths.copyCohort(id)}>
            <Trans>Duplicate</Trans>
          </a>
        )}
        {isPublic && (
          <ChangeButton
            path={cohortPaths.change(id, 'unpublish')}
            className="menu-item"
            asksFirst
            pendingLabel={t`Unpublishing…`}
            done={t`The cohort is a draft again.`}
            undo={{
              label: t`Undo`,
              path: cohortPaths.change(id, 'publish'),
              done: t`Cohort published.`,
            }}
          >
            <Trans>Unpublish</Trans>
          </ChangeButton>
        )}
        <ArchiveItem cohort={cohort} isElsewhere={isElsewhere} />
        <MoveToTrash cohort={cohort} className="menu-item menu-last text-danger">
          <Trans>Move to the trash</Trans>
        </MoveToTrash>
      </MoreMenu>
      <ArchiveDialog cohort={cohort} isElsewhere={isElsewhere} />
      {asksBeforeTrash(cohort) && <TrashDialog cohort={cohort} people={people} />}
    </div>
  );
}
