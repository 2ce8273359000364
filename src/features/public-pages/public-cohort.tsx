import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import type { Locale } from '#db/values.ts';
import { PublicFrame } from '#features/frames/public-frame.tsx';
import { MeetingList } from '#features/meetings/meeting-list.tsx';
import { priceOf } from '#lib/price.ts';
import { cityOf } from '#lib/time/zones.ts';
import type { PublicCohort } from './find-public-pages.ts';

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
    { label: t`Time zone`, value: cityOf(timeZone, i18n.locale as Locale) },
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
