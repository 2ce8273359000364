import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { longDate } from '#lib/long-date.ts';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { dayIn, dayOfYear } from '#lib/time/words.ts';
import { paths } from '#paths.ts';
import { ChangeButton, EnrollmentButton } from './cohort-button.tsx';
import { daysOf } from './cohort-frame.tsx';
import { CopyButton } from './copy-button.tsx';
import { Seats, Weeks, weekOf } from './drawings.tsx';
import { enrollmentSentence } from './enrollment-words.ts';
import type { OwnCohort } from './find-own-cohort.ts';
import { nobody } from './get-cohort.ts';
import { PurgeCohort } from './purge-cohort.tsx';
import type { Cohort } from './schema.ts';

type OverviewProps = { cohort: OwnCohort; email: string; now: Date };

const addressId = 'public-address';

/** What a cohort is now, in a sentence, and the one thing to do. */
export function CohortOverview({ cohort, email, now }: OverviewProps) {
  const { i18n, t } = useLingui();
  const { status, capacity } = cohort;
  const week = weekOf(daysOf(cohort), dayIn(cohort.time_zone, now));
  return (
    <div className="cohort-overview">
      <section aria-labelledby="state" className="cohort-state">
        <h2 id="state">{stateSentence(i18n, cohort, week)}</h2>
        {status === 'running' && <Weeks {...week} />}
        {isFillable(status) && <Seats capacity={capacity} taken={nobody.taken} />}
        <StateText cohort={cohort} />
        {status === 'draft' && cohort.warnings.includes('starts_in_past') && (
          <p className="notice">
            <Trans>The first day is in the past.</Trans>
          </p>
        )}
        {status === 'trashed' ? (
          <div className="actions">
            <ChangeButton
              id={cohort.id}
              change="restore"
              pendingLabel={t`Restoring…`}
              done={t`Cohort restored.`}
              className="button button-primary"
            >
              <Trans>Restore</Trans>
            </ChangeButton>
            <PurgeCohort cohort={cohort} email={email} />
          </div>
        ) : (
          <NextStep cohort={cohort} />
        )}
      </section>
      {cohort.published_at !== null && cohort.deleted_at === null && (
        <PublicAddress cohort={cohort} />
      )}
    </div>
  );
}

function isFillable(status: Cohort['status']): boolean {
  return ['draft', 'scheduled', 'enrolling', 'full', 'upcoming'].includes(status);
}

function stateSentence(i18n: I18n, cohort: Cohort, { week, weeks }: ReturnType<typeof weekOf>) {
  const { status, capacity } = cohort;
  const { taken } = nobody;
  const start = dayOfYear(cohort.starts_on, i18n.locale);
  const opens = dayOfYear(
    dayOfWallTime(cohort.enrollment_opens_local ?? cohort.starts_on),
    i18n.locale,
  );
  const texts = {
    trashed: msg`This cohort is in the trash.`,
    archived: msg`This cohort is archived.`,
    draft: msg`This cohort is a draft.`,
    finished: msg`This cohort has ended.`,
    running: msg`Week ${week} of ${weeks}.`,
    scheduled: msg`Enrollment opens on ${opens}.`,
    enrolling:
      capacity === null
        ? msg`Enrollment is open.`
        : msg`${plural(capacity, { one: `${taken} of # place is taken.`, other: `${taken} of # places are taken.` })}`,
    full: msg`All places are taken.`,
    upcoming: msg`It starts on ${start}.`,
  };
  return i18n._(texts[status]);
}

/** What follows from it. */
function StateText({ cohort }: { cohort: Cohort }): ReactNode {
  const { i18n } = useLingui();
  const { status } = cohort;
  if (status === 'trashed') {
    const day = <span>{longDate(purgeDay(cohort), i18n.locale)}</span>;
    return (
      <p className="text-muted">
        <Trans>Its public page can’t be seen. It is deleted permanently after {day}.</Trans>
      </p>
    );
  }
  if (status === 'draft') {
    return (
      <p className="text-muted">
        <Trans>
          Once you publish it, anyone with its address can see its name, dates and description.
        </Trans>
      </p>
    );
  }
  if (status === 'archived') {
    return (
      <p className="text-muted">
        {cohort.published_at === null ? (
          <Trans>Everything stays readable.</Trans>
        ) : (
          <Trans>Everything stays readable. Its public page says that it has ended.</Trans>
        )}
      </p>
    );
  }
  return status === 'finished' ? null : (
    <p className="text-muted">{enrollmentSentence(i18n, cohort)}</p>
  );
}

const keptInTrashMs = 30 * 24 * 60 * 60 * 1000;

function purgeDay({ deleted_at: deletedAt }: Cohort): Date {
  return new Date(new Date(deletedAt ?? 0).getTime() + keptInTrashMs);
}

/** The one thing to do, and what is beside it. */
function NextStep({ cohort }: { cohort: OwnCohort }) {
  const { t } = useLingui();
  const { id, status } = cohort;
  if (status === 'draft') {
    return (
      <div className="actions">
        <ChangeButton
          id={id}
          change="publish"
          pendingLabel={t`Publishing…`}
          done={t`Cohort published.`}
          className="button button-primary"
        >
          <Trans>Publish</Trans>
        </ChangeButton>
        <a className="button button-quiet" href={paths.cohortSettings(id)}>
          <Trans>Change its settings</Trans>
        </a>
      </div>
    );
  }
  if (status === 'archived' || status === 'finished') {
    // An evergreen course gets no new ones.
    return cohort.courseType === 'evergreen' ? null : (
      <div className="actions">
        <a className="button button-primary" href={paths.copyCohort(id)}>
          <Trans>Duplicate for the next group</Trans>
        </a>
      </div>
    );
  }
  return (
    <div className="actions">
      <CopyButton
        text={cohort.public_url}
        label={t`Copy the public address`}
        copied={t`Copied`}
        shownIn={addressId}
        className="button button-primary"
      />
      <EnrollmentControl cohort={cohort} />
    </div>
  );
}

/** Opens or closes enrollment by hand, or lets its dates decide again. */
function EnrollmentControl({ cohort }: { cohort: Cohort }) {
  const { t } = useLingui();
  const { id, enrollment_state: state, enrollment_override: override, join_mode } = cohort;
  const button = { id, className: 'button' };
  if (join_mode !== 'open') {
    return null;
  }
  if (override !== null) {
    return (
      <EnrollmentButton
        {...button}
        override={null}
        pendingLabel={t`One moment…`}
        done={t`Enrollment follows its dates again.`}
      >
        <Trans>Follow the planned dates</Trans>
      </EnrollmentButton>
    );
  }
  return state === 'not_yet' || state === 'closed' ? (
    <EnrollmentButton
      {...button}
      override="open"
      pendingLabel={t`Opening…`}
      done={t`Enrollment is open.`}
    >
      <Trans>Open enrollment now</Trans>
    </EnrollmentButton>
  ) : (
    <EnrollmentButton
      {...button}
      override="closed"
      pendingLabel={t`Closing…`}
      done={t`Enrollment is closed.`}
    >
      <Trans>Close enrollment now</Trans>
    </EnrollmentButton>
  );
}

/** The address to share, beside the state. */
function PublicAddress({ cohort }: { cohort: Cohort }) {
  const { t } = useLingui();
  const { public_url: url } = cohort;
  return (
    <section aria-labelledby="public-page" className="public-address">
      <h3 id="public-page">
        <Trans>Public page</Trans>
      </h3>
      <p className="hint">
        <Trans>Anyone with this address can see it.</Trans>
      </p>
      <div>
        <span id={addressId} dir="ltr" data-tip={url}>
          {url.replace(/^https?:\/\//, '')}
        </span>
        <CopyButton
          text={url}
          label={t`Copy`}
          copied={t`Copied`}
          shownIn={addressId}
          className="button button-quiet button-small"
        />
      </div>
    </section>
  );
}
