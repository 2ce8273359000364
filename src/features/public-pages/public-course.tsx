import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { DayBlock } from '#features/cohorts/drawings.tsx';
import { opening } from '#features/cohorts/enrollment-words.ts';
import { PublicFrame } from '#features/frames/public-frame.tsx';
import { DaysAndCity } from '#features/planning/cohort-rows.tsx';
import { priceOf } from '#lib/price.ts';
import type { PublicCourse } from './find-public-pages.ts';
import { Instructor } from './public-cohort.tsx';

type CoursePageProps = {
  course: PublicCourse;
  /** What one can do while no cohort takes people; null if one does. */
  box: ReactNode;
};

/** What everyone can see of a course: its cohorts that run or come. */
export function CoursePage({ course, box }: CoursePageProps) {
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
