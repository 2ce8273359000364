import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Mark } from '#features/frames/wordmark.tsx';
import { momentInUtc } from '#lib/time/words.ts';
import { paths } from '#paths.ts';
import { LocalTime } from '#ui/local-time.tsx';
import { courseTypeNames } from './course-types.ts';
import type { Course } from './schema.ts';

/** From this many characters on, a name is set smaller. */
const longName = 60;

type CourseHeroProps = {
  course: Course;
  /** What has happened in it, if anything. */
  lead: ReactNode;
  /** What is next; null at its beginning. */
  next: ReactNode;
};

/** The selected course as an open book: its cover, and what is next. */
export function CourseHero({ course, lead, next }: CourseHeroProps) {
  const { name, course_type: type, hue } = course;
  return (
    // As high as most, so that the foot of the cover does not wait for what is beside it.
    <section
      className="grid rounded-book bg-surface @min-[52rem]:min-h-73 @min-[52rem]:grid-cols-[minmax(0,35fr)_minmax(0,65fr)]"
      aria-labelledby="course-name"
    >
      <div className="cover hero-cover" data-hue={hue}>
        <h2
          id="course-name"
          className="line-clamp-6 pb-1 text-[1.75rem]/8 tracking-[-0.02em] data-long:text-2xl/7.5 @min-[52rem]:not-data-long:text-[1.875rem]/9"
          data-long={[...name].length >= longName || undefined}
          data-tip={name}
        >
          {name}
        </h2>
        <p className="flex min-h-7 items-center justify-between gap-4 font-sans font-medium text-[0.9375rem]/5 text-cover-ink/78">
          {type === 'cohort' ? <Trans>Cohort course</Trans> : <Trans>Evergreen course</Trans>}
          <Mark />
        </p>
      </div>
      <div className="hero-body">
        {lead}
        {next ?? <FirstStep course={course} />}
      </div>
    </section>
  );
}

function FirstStep({ course }: { course: Course }) {
  const { i18n, t } = useLingui();
  const { course_type: type, created_at: createdAt } = course;
  const words = {
    cohort: {
      about: t`A cohort is one group that takes this course together, from a first day to a last day.`,
      otherType: t`To let students start any time, change the type to Evergreen.`,
      next: paths.newCohort,
      action: t`Create a cohort`,
    },
    evergreen: {
      about: t`Students will be able to enroll any time and learn at their own pace. There are no dates to set.`,
      otherType: t`To teach a group with set dates, change the type to Cohort.`,
      next: paths.lessons,
      action: t`Write the first lesson`,
    },
  }[type];
  return (
    <>
      <h3>
        <Trans>Your course is ready</Trans>
      </h3>
      <p className="mt-2 max-w-[32em] text-muted">{words.about}</p>
      <dl className="facts mt-5 w-full border-line border-b">
        <div>
          <dt>
            <Trans>Type</Trans>
          </dt>
          <dd>{courseTypeNames(i18n)[type]}</dd>
          <dd className="flex-none">
            <a
              className="link py-3"
              href={paths.courseSettings}
              aria-label={t`Change the course type`}
            >
              <Trans>Change</Trans>
            </a>
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Created</Trans>
          </dt>
          <dd>
            <LocalTime
              at={createdAt}
              locale={i18n.locale}
              inUtc={momentInUtc(new Date(createdAt), i18n.locale)}
            />
          </dd>
        </div>
      </dl>
      <p className="hint mt-4">{words.otherType}</p>
      <a className="button button-primary" href={words.next}>
        {words.action}
      </a>
    </>
  );
}
