import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import type { Undo } from '#client/use-finish.ts';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import type { EnrollmentState } from '#features/cohorts/cohort-status.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import type { CourseTile } from '#features/courses/course-tile.tsx';
import { priceOf } from '#lib/price.ts';
import { apiPaths, paths } from '#paths.ts';
import { CloseButton, Dialog, OpenButton } from '#ui/dialog.tsx';
import { MoreMenu } from '#ui/more-menu.tsx';
import { Consequences, type Offered, WhatIsOwed, WhatOpens, WhoCanJoin } from './consequences.tsx';
import type { OwnCohort } from './own-cohorts.ts';

// The head of the pages of an open run, which has no dates: what its course costs and who can enroll.

const looks: Partial<Record<EnrollmentState, string>> = {
  open: 'running',
  approval: 'running',
  waitlist: 'full',
  full: 'full',
};

/** Whether people can enroll, in a word or two. */
export function RunChip({ run }: { run: Pick<Cohort, 'enrollment_state'> }) {
  const { i18n } = useLingui();
  const { enrollment_state: state } = run;
  return (
    <span className="chip status" data-status={looks[state] ?? 'closed'}>
      {stateWord(i18n, state)}
    </span>
  );
}

function stateWord(i18n: I18n, state: EnrollmentState): string {
  switch (state) {
    case 'open':
    case 'approval':
      return i18n._(msg({ message: 'Open', context: 'enrollment' }));
    case 'waitlist':
    case 'full':
      return i18n._(msg({ message: 'Full', context: 'enrollment' }));
    case 'by_invitation':
      return i18n._(msg`By invitation`);
    default:
      return i18n._(msg({ message: 'Closed', context: 'enrollment' }));
  }
}

/** `Start any day · no limit of places · €60`; while it is closed, no one can start. */
export function RunLine({ run }: { run: Cohort }) {
  const { i18n } = useLingui();
  const { capacity, price_minor: price, currency, enrollment_state: state } = run;
  const facts = [
    state === 'closed' ? i18n._(msg`At your own pace`) : i18n._(msg`Start any day`),
    capacity === null
      ? i18n._(msg`no limit of places`)
      : i18n._(msg`${plural(capacity, { one: '# place', other: '# places' })}`),
    ...(price === null || currency === null ? [] : [priceOf(price, currency, i18n.locale)]),
  ];
  // No line begins with the dot.
  return facts.join('\u00a0· ');
}

const menuId = 'run-menu';

type RunActionsProps = {
  run: OwnCohort;
  now: Date;
  /** Whether another course is selected, whose settings those would be. */
  isElsewhere: boolean;
};

/** Its public page, and the menu of what is rarely done. */
export function RunActions({ run, now, isElsewhere }: RunActionsProps) {
  const { i18n, t } = useLingui();
  return (
    <div className="actions">
      <a className="button" href={run.public_url} target="_blank" rel="noreferrer">
        <Trans>Public page</Trans>
      </a>
      <MoreMenu id={menuId} label={t`More actions`}>
        <EnrollmentSwitch run={run} className="menu-item" />
        {!isElsewhere && (
          <a className="menu-item" href={paths.courseSettings}>
            <Trans>Course settings</Trans>
          </a>
        )}
      </MoreMenu>
      <OpenDialog course={{ name: run.courseName, hue: run.courseHue }} run={run} now={now}>
        <ChangeButton
          path={apiPaths.cohort(run.id)}
          call={{ method: 'PATCH', input: { enrollment_override: null } }}
          asksFirst
          className="button button-primary"
          pendingLabel={t`Opening…`}
          done={t`Enrollment is open.`}
          undo={undoBy(i18n, run.id, 'closed')}
        >
          <Trans>Open enrollment</Trans>
        </ChangeButton>
      </OpenDialog>
    </div>
  );
}

/**
 * Opens or closes enrollment; nothing where people come by invitation only, and in a course that is
 * now taught in cohorts.
 */
export function EnrollmentSwitch({ run, className }: { run: OwnCohort; className: string }) {
  const { i18n, t } = useLingui();
  if (run.join_mode === 'invitation' || run.courseType === 'cohort') {
    return null;
  }
  return run.enrollment_state === 'closed' ? (
    <OpenButton dialogId={openDialogId} className={className}>
      <Trans>Open enrollment</Trans>
    </OpenButton>
  ) : (
    <ChangeButton
      path={apiPaths.cohort(run.id)}
      call={{ method: 'PATCH', input: { enrollment_override: 'closed' } }}
      asksFirst
      className={className}
      pendingLabel={t`Closing…`}
      done={t`Enrollment is closed.`}
      undo={undoBy(i18n, run.id, null)}
    >
      <Trans>Close enrollment</Trans>
    </ChangeButton>
  );
}

/** Takes back that enrollment in a run was opened or closed. */
function undoBy(i18n: I18n, id: string, enrollment_override: 'closed' | null): Undo {
  const done = enrollment_override === null ? msg`Enrollment is open.` : msg`Enrollment is closed.`;
  return {
    ...{ label: i18n._(msg`Undo`), done: i18n._(done) },
    ...{ path: apiPaths.cohort(id), input: { enrollment_override } },
  };
}

export const openDialogId = 'open-enrollment';

type OpenDialogProps = {
  course: ComponentProps<typeof CourseTile>['course'];
  run: Offered & Pick<OwnCohort, 'hasAbout' | 'lessonCount'>;
  now: Date;
  /** The button that opens it. */
  children: ReactNode;
};

/** Says what opening enrollment means, before it is done. */
export function OpenDialog({ course, run, now, children }: OpenDialogProps) {
  const { t } = useLingui();
  const { lessonCount: lessons } = run;
  return (
    <Dialog id={openDialogId} title={t`Open enrollment?`}>
      <WhatOpens {...course}>
        <Trans>At your own pace</Trans>
      </WhatOpens>
      <Consequences
        of={[
          ['icon-cohorts', <WhoCanJoin key="who" cohort={run} />],
          ['icon-payments', <WhatIsOwed key="owed" cohort={run} now={now} />],
          [
            'icon-lessons',
            lessons > 0 && (
              <Plural
                value={lessons}
                one="Your published lesson is there to read from the first day."
                other="Your # published lessons are there to read from the first day."
              />
            ),
          ],
        ]}
        missing={[
          lessons === 0 && t`No lesson is published yet, so people find nothing to read.`,
          !run.hasAbout && t`There is no text about the course yet.`,
        ]}
      />
      <div className="dialog-foot">
        <CloseButton dialogId={openDialogId}>{t`Cancel`}</CloseButton>
        {children}
      </div>
    </Dialog>
  );
}
