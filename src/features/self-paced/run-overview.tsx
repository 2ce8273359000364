import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { AddressLine } from '#features/cohorts/address-line.tsx';
import { CopyButton } from '#features/cohorts/copy-button.tsx';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { EnrollmentSwitch } from '#features/planning/run-head.tsx';
import { dayMs } from '#lib/time/calendar.ts';
import { emailPaths, paths, serverPaths } from '#paths.ts';
import { PersonDisc } from '#ui/person-disc.tsx';
import type { RunOverview, StuckPerson } from './find-run-overview.ts';
import { Flow } from './flow.tsx';

type OverviewProps = {
  run: OwnCohort;
  overview: RunOverview;
  now: Date;
  /** What has happened last; null before anything has. */
  activity: ReactNode;
};

const addressId = 'public-address';

/** How the people of an open run get on, who is stuck, and the one thing to do. */
export function RunOverviewPage({ run, overview, now, activity }: OverviewProps) {
  const { people, total, week, stuck } = overview;
  const { applied, waitlisted } = run.counts;
  return (
    <div className="cohort-overview run-overview">
      <div className="grid gap-10">
        <section aria-labelledby="state" className="cohort-state">
          <h2 id="state">
            <StateSentence run={run} total={total} />
            {people.stuck > 0 && (
              <span className="block text-warn">
                <Plural
                  value={people.stuck}
                  one="# of them is stuck."
                  other="# of them are stuck."
                />
              </span>
            )}
            {applied > 0 && (
              <span className="block">
                <Plural
                  value={applied}
                  one="# person has asked to join."
                  other="# people have asked to join."
                />
              </span>
            )}
            {waitlisted > 0 && (
              <span className="block">
                <Plural
                  value={waitlisted}
                  one="# person is waiting."
                  other="# people are waiting."
                />
              </span>
            )}
          </h2>
          {total > 0 && <Flow runId={run.id} people={people} />}
          <p className="text-muted">
            <StateText run={run} overview={overview} />
          </p>
          {run.lessonCount === 0 && (
            <p className="notice">
              <Trans>
                No lesson is published yet, so people find nothing to read.{' '}
                <a className="link" href={paths.lessons}>
                  Open lessons
                </a>
              </Trans>
            </p>
          )}
          <NextStep run={run} stuck={people.stuck} total={total} />
        </section>
        {stuck.length > 0 && (
          <Stuck run={run} people={stuck} now={now} hasMore={people.stuck > stuck.length} />
        )}
      </div>
      <div className="cohort-aside">
        {total > 0 && <Week {...week} />}
        <section aria-labelledby="public-page" className="public-address">
          <h3 id="public-page">
            <Trans>Public page</Trans>
          </h3>
          <p className="hint">
            <AddressHint run={run} />
          </p>
          {/* The public page of its course lists cohorts then. */}
          {run.courseType === 'evergreen' && <AddressLine id={addressId} url={run.public_url} />}
        </section>
        {activity}
      </div>
    </div>
  );
}

function StateSentence({ run, total }: { run: OwnCohort; total: number }) {
  if (total > 0) {
    return (
      <Plural
        value={total}
        one="# person is in this course."
        other="# people are in this course."
      />
    );
  }
  return run.enrollment_state === 'closed' ? (
    <Trans>Enrollment is closed.</Trans>
  ) : (
    <Trans>No one has enrolled yet.</Trans>
  );
}

/** What its numbers mean, or what comes first. */
function StateText({ run, overview }: { run: OwnCohort; overview: RunOverview }) {
  if (overview.total === 0) {
    return run.enrollment_state === 'closed' ? (
      <Trans>Set it up as you like. People can enroll once you open it.</Trans>
    ) : run.enrollment_state === 'by_invitation' ? (
      <Trans>Add or invite people. They can start any day.</Trans>
    ) : (
      <Trans>Share the address of the public page. People can start any day.</Trans>
    );
  }
  return overview.sendsNudges ? (
    <Trans>
      Stuck means: started, not finished, and not here for 14 days. Two reminders go out by
      themselves, after 7 and 21 days.
    </Trans>
  ) : (
    <Trans>Stuck means: started, not finished, and not here for 14 days.</Trans>
  );
}

type NextStepProps = { run: OwnCohort; stuck: number; total: number };

/** The one thing to do, and what is beside it. */
function NextStep({ run, stuck, total }: NextStepProps) {
  const { t } = useLingui();
  const { id, counts, enrollment_state: state } = run;
  const primary = 'button button-primary';
  // Nothing waits, and there is no address to share.
  const isAll =
    state === 'closed' &&
    total > 0 &&
    counts.applied === 0 &&
    stuck === 0 &&
    !(counts.places_left === 0 && counts.waitlisted > 0);
  return (
    <div className="actions">
      {counts.applied > 0 ? (
        <a className={primary} href={`${paths.roster(id)}?status=applied`}>
          <Trans>See the requests</Trans>
        </a>
      ) : stuck > 0 ? (
        <a className={primary} href={`${emailPaths.message(id)}?to=stuck`}>
          {t`${plural(stuck, { one: 'Write to this person', other: 'Write to the #' })}`}
        </a>
      ) : counts.places_left === 0 && counts.waitlisted > 0 ? (
        <a className={primary} href={serverPaths.waitlist(id)}>
          <Trans>See the waitlist</Trans>
        </a>
      ) : state === 'closed' && total === 0 ? (
        <EnrollmentSwitch run={run} className={primary} />
      ) : state === 'by_invitation' ? (
        <a className={primary} href={paths.roster(id)}>
          <Trans>Add or invite people</Trans>
        </a>
      ) : isAll ? (
        <a className={primary} href={paths.roster(id)}>
          <Trans>See everyone</Trans>
        </a>
      ) : (
        <CopyButton
          text={run.public_url}
          label={t`Copy link`}
          copied={t`Copied`}
          shownIn={addressId}
          className={primary}
        />
      )}
      {total > 0 && !isAll && state !== 'by_invitation' ? (
        <a className="button button-quiet" href={paths.roster(id)}>
          <Trans>See everyone</Trans>
        </a>
      ) : total === 0 ? (
        <a className="button button-quiet" href={serverPaths.cohortSettings(id)}>
          <Trans>Open settings</Trans>
        </a>
      ) : null}
    </div>
  );
}

function AddressHint({ run }: { run: OwnCohort }) {
  if (run.courseType === 'cohort') {
    return (
      <Trans>
        This course is taught in cohorts now. No one can enroll here, and those who are in it
        continue.
      </Trans>
    );
  }
  switch (run.enrollment_state) {
    case 'by_invitation':
      return <Trans>Only people you invite or add can enroll. The page says so.</Trans>;
    case 'approval':
      return <Trans>Anyone with this address can ask for a place.</Trans>;
    case 'closed':
      return <Trans>The page says that enrollment is closed.</Trans>;
    case 'full':
      return <Trans>The page says that all places are taken.</Trans>;
    case 'waitlist':
      return <Trans>Anyone with this address can join the waitlist.</Trans>;
    default:
      return <Trans>Anyone with this address can enroll.</Trans>;
  }
}

/** How many have enrolled and finished in the last seven days. */
function Week({ started: enrolled, completed }: RunOverview['week']) {
  const large = 'font-serif text-[1.75rem]/9 font-semibold';
  return (
    <section aria-labelledby="week" className="card">
      <h3 id="week" className="font-sans text-sm font-normal text-muted">
        <Trans>This week</Trans>
      </h3>
      <p className="mt-3 grid grid-cols-2">
        <span className="grid text-sm/5">
          <b className={large}>{enrolled}</b>{' '}
          <Plural value={enrolled} one="enrolled" other="enrolled" />
        </span>
        <span className="grid border-s border-line ps-5 text-sm/5">
          <b className={large}>{completed}</b>{' '}
          <Plural value={completed} one="completed" other="completed" />
        </span>
      </p>
    </section>
  );
}

type StuckProps = { run: OwnCohort; people: StuckPerson[]; now: Date; hasMore: boolean };

function Stuck({ run, people, now, hasMore }: StuckProps) {
  const { t } = useLingui();
  return (
    <section
      aria-labelledby="stuck"
      data-sentry-mask
      className="run-stuck grid justify-items-start gap-3"
    >
      <div className="section-head w-full pb-0">
        <h2 id="stuck">
          <Trans>Stuck</Trans>
        </h2>
        <p className="hint hidden @min-[34rem]/page:block" aria-hidden="true">
          <Trans>Next lesson</Trans>
        </p>
      </div>
      <ul className="w-full">
        {people.map(({ id, personId, name, done, of, seenAt, next }) => {
          const days = Math.floor((now.getTime() - seenAt) / dayMs);
          return (
            <li key={id}>
              <PersonDisc id={personId} name={name} />
              <span className="person-name">
                <a href={paths.participant(run.id, id)} dir="auto">
                  {name}
                </a>
                <span className="text-muted">
                  {of > 0 && t`${done} of ${of} done`}
                  {of > 0 && '\u00a0· '}
                  <Plural value={days} one="last here # day ago" other="last here # days ago" />
                </span>
              </span>
              {next !== null && (
                <span className="col-start-2 text-sm/5 wrap-anywhere @min-[34rem]/page:col-start-3 @min-[34rem]/page:text-end">
                  <span className="sr-only">{t`Next lesson:`} </span>
                  <span dir="auto">{next}</span>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {hasMore && (
        <div className="actions">
          <a className="button button-quiet" href={`${paths.roster(run.id)}?standing=stuck`}>
            <Trans>See all who are stuck</Trans>
          </a>
        </div>
      )}
    </section>
  );
}
