import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { DayBlock } from '#features/cohorts/drawings.tsx';
import { opening } from '#features/cohorts/enrollment-words.ts';
import { PublicFrame } from '#features/frames/public-frame.tsx';
import { MeetingList } from '#features/meetings/meeting-list.tsx';
import { DaysAndCity } from '#features/planning/cohort-rows.tsx';
import { priceOf } from '#lib/price.ts';
import { cityOf } from '#lib/time/zones.ts';
import type { PublicCohort, PublicCourse } from './find-public-pages.ts';

type PublicPageProps = Pick<ComponentProps<typeof PublicFrame>, 'notice' | 'hasTools'> & {
  cohort: PublicCohort;
  box: ReactNode;
  /** Where its dates can be taken along; absent before it is published. */
  calendar?: ReactNode;
};

/** More sessions than this unfold. */
const mostShown = 12;

/** What everyone can see of a cohort. */
export function PublicPage({ cohort, box, calendar, ...frame }: PublicPageProps) {
  const { courseName, name, instructor, description } = cohort;
  return (
    <PublicFrame title={courseName} {...frame}>
      <main className="public-main">
        <div className="public-title">
          <p dir="auto">{name}</p>
          <h1 dir="auto">{courseName}</h1>
          <Instructor {...instructor} />
        </div>
        {box}
        <div className="public-text">
          <Facts cohort={cohort} />
          {description !== null && (
            <div className="public-description" dir="auto">
              {description}
            </div>
          )}
          <MeetingList
            id="live-sessions"
            meetings={cohort.meetings}
            zone={cohort.timeZone}
            most={mostShown}
          />
          {calendar}
        </div>
      </main>
    </PublicFrame>
  );
}

/** Who teaches, below the title. */
export function Instructor({ firstName, lastName, hue }: PublicCohort['instructor']) {
  const fullName = <strong>{`${firstName} ${lastName}`}</strong>;
  return (
    <p className="mt-4 flex items-center gap-3">
      <span className="avatar" data-hue={hue} aria-hidden="true">
        {[firstName, lastName].map((text) => [...text][0]).join('')}
      </span>
      <span>
        <Trans>with {fullName}</Trans>
      </span>
    </p>
  );
}

function Facts({ cohort }: { cohort: PublicCohort }) {
  const { i18n, t } = useLingui();
  const { timeZone, place, priceMinor, currency, minimumPeople } = cohort;
  const planned = cohort.meetings.filter((meeting) => meeting.isCancelled === 0);
  const facts = [
    {
      label: t`Live sessions`,
      value: planned.length === 0 ? null : <InShort meetings={planned} />,
    },
    { label: t`Time zone`, value: cityOf(timeZone, i18n.locale) },
    { label: t`Place`, value: place },
    {
      label: t`Price`,
      value:
        priceMinor !== null && currency !== null
          ? priceOf(priceMinor, currency, i18n.locale)
          : null,
    },
    {
      label: t`Runs with at least`,
      value:
        minimumPeople === null ? null : (
          <Plural value={minimumPeople} one="# person" other="# people" />
        ),
    },
  ];
  return (
    <dl className="facts public-facts">
      {facts
        .filter(({ value }) => value !== null)
        .map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** `6 × 90 minutes`, or how many there are if they differ. */
function InShort({ meetings }: Pick<PublicCohort, 'meetings'>) {
  const count = <span>{meetings.length}</span>;
  const minutes = meetings[0]?.durationMinutes ?? 0;
  return meetings.every((one) => one.durationMinutes === minutes) ? (
    <Trans>
      {count} × <Plural value={minutes} one="# minute" other="# minutes" />
    </Trans>
  ) : (
    count
  );
}

/** What everyone can see of a course: its cohorts that run or come, or what to do without one. */
export function CoursePage({ course, box }: { course: PublicCourse; box: ReactNode }) {
  const { t } = useLingui();
  const { name, instructor, cohorts } = course;
  return (
    <PublicFrame title={name}>
      <main className="public-main">
        <div className="public-title">
          <h1 dir="auto">{name}</h1>
          <Instructor {...instructor} />
        </div>
        <section aria-labelledby="dates" className="public-text public-dates">
          <h2 id="dates">{t`Dates`}</h2>
          {cohorts.length === 0 ? (
            <p>
              <Trans>No dates at the moment.</Trans>
            </p>
          ) : (
            <ul className="cohort-rows">
              {cohorts.map((cohort) => (
                <li key={cohort.slug}>
                  <CohortLink cohort={cohort} />
                </li>
              ))}
            </ul>
          )}
        </section>
        {box}
      </main>
    </PublicFrame>
  );
}

function CohortLink({ cohort }: { cohort: PublicCourse['cohorts'][number] }) {
  const { i18n } = useLingui();
  const { slug, name, startsOn, priceMinor, currency } = cohort;
  return (
    <a className="cohort-row" href={`/c/${slug}?lang=${i18n.locale}`}>
      <DayBlock day={startsOn} />
      <span className="cohort-name">
        <bdi>{name}</bdi>
        <span className="text-muted text-sm">
          <DaysAndCity cohort={cohort} />
        </span>
      </span>
      <span className="cohort-places text-sm">
        <span>
          {priceMinor !== null && currency !== null && (
            <span className="text-muted">{`${priceOf(priceMinor, currency, i18n.locale)} · `}</span>
          )}
          {stateWords(i18n, cohort)}
        </span>
      </span>
    </a>
  );
}

/** What one can do about a cohort, in a sentence. */
function stateWords(
  i18n: I18n,
  { enrollmentState, enrollmentOpensLocal: opens }: PublicCourse['cohorts'][number],
): string {
  const texts = {
    open: msg`Enrollment is open.`,
    approval: msg`You can ask for a place. The instructor decides.`,
    waitlist: msg`All places are taken. You can join the waitlist.`,
    full: msg`All places are taken.`,
    by_invitation: msg`This cohort is by invitation.`,
    closed: msg`Enrollment has ended.`,
    not_published: msg`Enrollment has ended.`,
  };
  return enrollmentState === 'not_yet'
    ? opening(i18n, opens ?? '')
    : i18n._(texts[enrollmentState]);
}
