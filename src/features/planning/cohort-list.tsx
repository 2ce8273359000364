import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { AddressLine } from '#features/cohorts/address-line.tsx';
import { isOngoing } from '#features/cohorts/cohort-status.ts';
import { serverPaths } from '#paths.ts';
import { CohortRows, RunningCohort } from './cohort-rows.tsx';
import type { ListedCohort } from './own-cohorts.ts';

type CohortListProps = {
  cohorts: ListedCohort[];
  now: Date;
  /** More past ones than these are left out, with a link to all. */
  mostPast: number;
};

/** The cohorts of a course that are in use, by what they are now. */
export function CohortList({ cohorts, now, mostPast }: CohortListProps) {
  const { t } = useLingui();
  const running = cohorts.filter(({ status }) => status === 'running');
  const coming = cohorts.filter(({ status }) => isOngoing(status) && status !== 'running');
  const drafts = cohorts.filter(({ status }) => status === 'draft');
  const past = cohorts.filter(({ status }) => status === 'finished').reverse();
  return (
    <div className="@container grid gap-9">
      <Group id="now" title={t`Now`} cohorts={running}>
        {running.map((cohort) => (
          <RunningCohort key={cohort.id} cohort={cohort} at={now} />
        ))}
      </Group>
      <Group id="coming" title={t`Upcoming`} cohorts={coming} />
      <Group id="drafts" title={t`Drafts`} cohorts={drafts} />
      <Group id="past" title={t`Past`} cohorts={past}>
        <CohortRows cohorts={past.slice(0, mostPast)} />
        {past.length > mostPast && (
          <a className="button button-quiet button-small" href={serverPaths.allPastCohorts}>
            <Plural
              value={past.length - mostPast}
              one="Show # earlier cohort"
              other="Show # earlier cohorts"
            />
          </a>
        )}
      </Group>
    </div>
  );
}

type GroupProps = { id: string; title: string; cohorts: ListedCohort[]; children?: ReactNode };

/** Cohorts of a kind, by default as rows; left out without any. */
function Group({ id, title, cohorts, children }: GroupProps) {
  return cohorts.length === 0 ? null : (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="font-sans text-sm tracking-normal text-muted">
        {title}
      </h2>
      {children ?? <CohortRows cohorts={cohorts} />}
    </section>
  );
}

type ListPageProps = { title: string; course: string; children: ReactNode };

/** The head of the pages that list cohorts, with their links and buttons at its end. */
export function ListHead({ title, course, children }: ListPageProps) {
  return (
    <div className="page-head page-head-actions">
      <div>
        <h1>{title}</h1>
        <p>
          <bdi>{course}</bdi>
        </p>
      </div>
      {children}
    </div>
  );
}

/** The way to begin, where there is no cohort yet. */
export function FirstSteps() {
  const { t } = useLingui();
  const steps = [
    {
      title: t`Choose the dates and places`,
      text: t`About a minute. It stays a draft until you publish it.`,
    },
    {
      title: t`Publish it`,
      text: t`Your cohort gets a public page that you can share.`,
    },
    {
      title: t`Run it`,
      text: t`If plans change, move all dates at once, or copy the cohort for the next group.`,
    },
  ];
  return (
    <ol className="steps">
      {steps.map(({ title, text }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p className="hint">{text}</p>
        </li>
      ))}
    </ol>
  );
}

/** Back from another list to the cohorts in use. */
export function BackToCohorts({ href }: { href: string }) {
  return (
    <a className="button button-quiet" href={href}>
      <span className="icon icon-back" />
      <Trans>All cohorts</Trans>
    </a>
  );
}

const addressId = 'course-address';

/** The public page of a course, for its owner, and how many people wait for an email. */
export function CourseAddress({ url, interested }: { url: string; interested: number }) {
  return (
    <section aria-labelledby="course-page" className="course-address">
      <div className="min-w-0">
        <h2 id="course-page" className="font-sans text-base tracking-normal">
          <Trans>Public page of the course</Trans>
        </h2>
        <p className="hint">
          <Trans>
            It lists current and upcoming cohorts. Its link stays the same from cohort to cohort.
          </Trans>
        </p>
        {interested > 0 && (
          <p className="hint">
            <Plural
              value={interested}
              one="# person wants to know when enrollment opens. We’ll email them then."
              other="# people want to know when enrollment opens. We’ll email them then."
            />
          </p>
        )}
      </div>
      <AddressLine id={addressId} url={url} />
    </section>
  );
}
