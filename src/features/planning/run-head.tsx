import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import type { EnrollmentState } from '#features/cohorts/cohort-status.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import { priceOf } from '#lib/price.ts';
import { apiPaths, paths } from '#paths.ts';
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
  /** Whether another course is selected, whose settings those would be. */
  isElsewhere: boolean;
};

/** Its public page, and the menu of what is rarely done. */
export function RunActions({ run, isElsewhere }: RunActionsProps) {
  const { t } = useLingui();
  return (
    <div className="actions">
      <a className="button" href={run.public_url} target="_blank" rel="noreferrer">
        <Trans>Public page</Trans>
      </a>
      <button
        type="button"
        className="button button-menu"
        popoverTarget={menuId}
        aria-label={t`More actions`}
      >
        <span className="icon icon-more" />
      </button>
      <div id={menuId} popover="auto" data-menu className="menu">
        <EnrollmentSwitch run={run} className="menu-item" />
        {!isElsewhere && (
          <a className="menu-item" href={paths.courseSettings}>
            <Trans>Course settings</Trans>
          </a>
        )}
      </div>
    </div>
  );
}

/**
 * Opens or closes enrollment; nothing where people come by invitation only, and in a course that is
 * now taught in cohorts.
 */
export function EnrollmentSwitch({ run, className }: { run: OwnCohort; className: string }) {
  const { t } = useLingui();
  if (run.join_mode === 'invitation' || run.courseType === 'cohort') {
    return null;
  }
  const change =
    run.enrollment_state === 'closed'
      ? {
          override: null,
          pendingLabel: t`Opening…`,
          done: t`Enrollment is open.`,
          children: t`Open enrollment`,
        }
      : {
          override: 'closed' as const,
          pendingLabel: t`Closing…`,
          done: t`Enrollment is closed.`,
          children: t`Close enrollment`,
        };
  const { override, ...button } = change;
  return (
    <ChangeButton
      path={apiPaths.cohort(run.id)}
      call={{ method: 'PATCH', input: { enrollment_override: override } }}
      asksFirst
      className={className}
      {...button}
    />
  );
}
