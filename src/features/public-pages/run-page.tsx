import { Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { PublicFrame } from '#features/frames/public-frame.tsx';
import { readingMinutes } from '#features/lessons/reading-minutes.ts';
import { priceOf } from '#lib/price.ts';
import { shortLengthOf } from '#lib/time/words.ts';
import type { PublicRun } from './find-public-pages.ts';
import { Outline } from './outline.tsx';
import { CohortLinks, CoursePicture, mostShown, TypedSection, TypedText } from './public-pages.tsx';
import { secondOf, WhoTeaches, WithTeachers } from './teachers.tsx';

type RunPageProps = Pick<ComponentProps<typeof PublicFrame>, 'notice' | 'hasTools'> & {
  run: PublicRun;
  box: ReactNode;
};

/** What everyone can see of an evergreen course in which people enroll on any day. */
export function RunPage({ run, box, ...frame }: RunPageProps) {
  const { t } = useLingui();
  const { courseName, instructor, description, about, refundNote, cohorts } = run;
  const second = secondOf(run);
  return (
    <PublicFrame title={courseName} {...frame}>
      <main className="public-run">
        <div className="public-title">
          <p>{run.enrollmentState === 'closed' ? t`At your own pace` : t`Start any day`}</p>
          <h1 dir="auto">{courseName}</h1>
          <WithTeachers instructor={instructor} second={second} />
          <CoursePicture path={run.picture} />
        </div>
        {/* Where a phone shows it: there are no days to read first. */}
        {box}
        <div className="public-text">
          <Facts run={run} />
          <TypedText text={description} />
          <TypedSection title={description !== null && t`About the course`} text={about} />
          <Outline lessons={run.outline} most={mostShown} />
          <WhoTeaches instructor={instructor} second={second} isRun />
          <TypedSection title={t`Refunds`} text={refundNote} />
          {cohorts.length > 0 && (
            <section aria-labelledby="dates" className="grid gap-4">
              <h2 id="dates">{t`Dates`}</h2>
              <CohortLinks cohorts={cohorts} />
            </section>
          )}
        </div>
      </main>
    </PublicFrame>
  );
}

function Facts({ run }: { run: PublicRun }) {
  const { i18n, t } = useLingui();
  const { outline, price, enrollmentState } = run;
  const minutes = outline.reduce((sum, lesson) => sum + readingMinutes(lesson), 0);
  const amount =
    price && (price.minor === 0 ? t`Free` : priceOf(price.minor, price.currency, i18n.locale));
  const facts = [
    { label: t`Lessons`, value: outline.length > 0 && outline.length },
    { label: t`Reading time`, value: outline.length > 0 && shortLengthOf(minutes, i18n.locale) },
    { label: t`Start`, value: enrollmentState !== 'closed' && <Trans>Any day</Trans> },
    { label: t`Price`, value: amount ?? false },
  ];
  return (
    <dl className="facts public-facts">
      {facts
        .filter(({ value }) => value !== false)
        .map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
