import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { isJoinable } from '#features/cohorts/cohort-status.ts';
import { CopyButton } from '#features/cohorts/copy-button.tsx';
import type { Week } from '#features/learning/find-week.ts';
import { RunChip } from '#features/planning/run-head.tsx';
import { paths } from '#paths.ts';
import { PersonDisc } from '#ui/person-disc.tsx';
import type { HomeRun } from './find-home-run.ts';
import { Flow } from './flow.tsx';

/**
 * What comes next in an evergreen course, in its hero on Home: its people, or the way to the first
 * of them.
 */
export function HomeRunBody({ run, lessons }: HomeRun) {
  if (run === null) {
    return <BeforeEnrollment lessons={lessons} />;
  }
  return run.overview.total === 0 ? <NoOneYet run={run} /> : <People run={run} />;
}

/** Once there are lessons: to publish one, and to open enrollment. */
function BeforeEnrollment({ lessons: { all, published } }: Pick<HomeRun, 'lessons'>) {
  const { t } = useLingui();
  return (
    <div className="home-run">
      <p className="home-sentence">
        {published === 0
          ? t`${plural(all, {
              one: 'Your lesson isn’t published yet.',
              other: 'None of your # lessons is published yet.',
            })}`
          : t`${plural(published, {
              one: 'Your lesson is published. Open enrollment, and people can start any day.',
              other: 'Your # lessons are published. Open enrollment, and people can start any day.',
            })}`}
      </p>
      {published === 0 && (
        <p className="hint mt-4">
          <Trans>Publish the first one, then open enrollment: people can start any day.</Trans>
        </p>
      )}
      <Actions
        first={
          published === 0
            ? { to: paths.lessons, label: t`Open lessons` }
            : { to: paths.cohorts, label: t`Open enrollment` }
        }
        second={
          published === 0
            ? { to: paths.cohorts, label: t`Enrollment` }
            : { to: paths.lessons, label: t`Open lessons` }
        }
      />
    </div>
  );
}

type RunProps = { run: NonNullable<HomeRun['run']> };

const addressId = 'home-address';

function NoOneYet({ run }: RunProps) {
  const { t } = useLingui();
  const canJoin = isJoinable(run.enrollment_state);
  return (
    <div className="home-run">
      <h3 className="with-chip">
        <Trans>No one yet</Trans> <RunChip run={run} />
      </h3>
      {canJoin ? (
        <>
          <p className="home-sentence mt-2 max-w-[32em] text-muted">
            <Trans>Share the address of your course. People can start any day.</Trans>
          </p>
          <p id={addressId} className="wrap-anywhere text-muted" dir="ltr">
            {run.publicUrl.replace(/^https?:\/\//, '')}
          </p>
        </>
      ) : (
        <p className="home-sentence mt-2 max-w-[32em] text-muted">
          {run.enrollment_state === 'by_invitation' ? (
            <Trans>People come by invitation. Add or invite the first ones.</Trans>
          ) : (
            <Trans>Enrollment is closed, so no one can start.</Trans>
          )}
        </p>
      )}
      <Applied run={run} />
      <div className="actions w-full">
        {canJoin ? (
          <CopyButton
            text={run.publicUrl}
            label={t`Copy link`}
            copied={t`Copied`}
            shownIn={addressId}
            className="button button-primary"
          />
        ) : (
          <a className="button button-primary" href={paths.roster(run.id)}>
            <Trans>Add or invite people</Trans>
          </a>
        )}
        <a className="button" href={paths.cohorts}>
          <Trans>Enrollment</Trans>
        </a>
      </div>
    </div>
  );
}

/** Who started, who finished, and who is stuck. */
function People({ run }: RunProps) {
  const { t } = useLingui();
  const { total, people, week } = run.overview;
  const { stuck } = people;
  return (
    <div className="home-run">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="with-chip">
          <Plural value={total} one="# person" other="# people" /> <RunChip run={run} />
        </h3>
        <span className="flex flex-wrap gap-1.5" data-sentry-mask>
          {run.faces.map(({ id, name }) => (
            <PersonDisc key={id} id={id} name={name} />
          ))}
        </span>
      </div>
      <p className="home-sentence">
        <WeekWords {...week} isRun />
        {stuck > 0 && (
          <span className="block text-warn">
            <Plural value={stuck} one="# is stuck." other="# are stuck." />
          </span>
        )}
      </p>
      <Applied run={run} />
      <Flow runId={run.id} people={people} isThin />
      <Actions
        first={
          stuck > 0
            ? { to: `${paths.roster(run.id)}?standing=stuck`, label: t`See who is stuck` }
            : { to: paths.roster(run.id), label: t`See everyone` }
        }
        second={{ to: paths.lessons, label: t`Open lessons` }}
      />
    </div>
  );
}

/** `5 people started this week, 2 finished.` In a run, they have enrolled and may not have read. */
export function WeekWords({ started, completed, isRun }: Week & { isRun: boolean }): ReactNode {
  const { t } = useLingui();
  if (started === 0) {
    return completed > 0 ? (
      <Plural
        value={completed}
        one="# person finished this week."
        other="# people finished this week."
      />
    ) : isRun ? (
      <Trans>No one enrolled this week.</Trans>
    ) : (
      <Trans>No one started this week.</Trans>
    );
  }
  const begun = isRun
    ? t`${plural(started, {
        one: '# person enrolled this week',
        other: '# people enrolled this week',
      })}`
    : t`${plural(started, {
        one: '# person started this week',
        other: '# people started this week',
      })}`;
  return completed === 0
    ? `${begun}.`
    : t`${begun}, ${plural(completed, { one: '# finished', other: '# finished' })}.`;
}

/** Those who wait for an answer. */
function Applied({ run: { id, applied } }: RunProps) {
  return (
    applied > 0 && (
      <p>
        <a className="link" href={`${paths.roster(id)}?status=applied`}>
          <Plural
            value={applied}
            one="# person has asked to join"
            other="# people have asked to join"
          />
        </a>
      </p>
    )
  );
}

type Way = { to: string; label: string };

function Actions({ first, second }: { first: Way; second: Way }) {
  return (
    <div className="actions w-full">
      <a className="button button-primary" href={first.to}>
        {first.label}
      </a>
      <a className="button" href={second.to}>
        {second.label}
      </a>
    </div>
  );
}
