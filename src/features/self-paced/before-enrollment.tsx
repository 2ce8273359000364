import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Course } from '#features/courses/schema.ts';
import type { Offered } from '#features/planning/consequences.tsx';
import { OpenDialog, openDialogId } from '#features/planning/run-head.tsx';
import { paths } from '#paths.ts';
import { OpenButton } from '#ui/dialog.tsx';
import type { PublishedLessons } from './find-enrollment-page.ts';
import { OpenEnrollment } from './open-enrollment-button.tsx';

type BeforeProps = {
  course: Course;
  lessons: PublishedLessons;
  /** Who teaches. */
  teacher: string;
  /** The address of the course, if it has one already. */
  url: string | null;
  now: Date;
};

/** As `openEnrollment` creates the run. */
const asProposed: Offered = {
  ...({ join_mode: 'open', capacity: null, waitlist: true, payment_mode: 'own' } as const),
  ...{ price_minor: null, currency: null },
  ...{ early_price_minor: null, early_until_local: null, early_until_at: null },
};

/** An evergreen course in which no one can enroll yet: the one thing to do, and what that means. */
export function BeforeEnrollment({ course, lessons, teacher, url, now }: BeforeProps) {
  const { i18n, t } = useLingui();
  const language = { en: 'English', fr: 'Français' }[i18n.locale] ?? i18n.locale;
  const rows = [
    [t`Who can enroll`, t`Anyone with the address`],
    [t`Places`, t`No limit`],
    [t`Price`, t`None`],
    [t`Access`, t`No end`],
    [t`Question when enrolling`, t`None`],
    [t`Welcome note`, t`None`],
    [t`Language`, language],
  ];
  return (
    <>
      <div className="page-head">
        <h1 className="with-chip">
          {t`Enrollment`}{' '}
          <span className="chip status" data-status="closed">
            <Trans>Not open yet</Trans>
          </span>
        </h1>
        <p>
          <bdi>{course.name}</bdi>
        </p>
      </div>
      <div className="cohort-overview">
        <div className="grid gap-10">
          <section aria-labelledby="state" className="cohort-state">
            <h2 id="state">
              {lessons.count > 0 ? (
                <Plural
                  value={lessons.count}
                  one="Your lesson is published. Open enrollment, and people can start any day."
                  other="Your # lessons are published. Open enrollment, and people can start any day."
                />
              ) : (
                <Trans>
                  Publish a lesson, and people have something to read on their first day.
                </Trans>
              )}
            </h2>
            <p className="text-muted">
              {lessons.count > 0 ? (
                <Trans>
                  They enroll on the course’s public page with a name and an email address, and
                  begin at once. You can close enrollment at any time; people who are in the course
                  continue.
                </Trans>
              ) : (
                <Trans>
                  You can already open enrollment, but people won’t find any lessons yet.
                </Trans>
              )}
            </p>
            <div className="actions">
              {lessons.count === 0 && (
                <a className="button button-primary" href={paths.lessons}>
                  <Trans>Open lessons</Trans>
                </a>
              )}
              <OpenButton
                dialogId={openDialogId}
                className={lessons.count === 0 ? 'button' : 'button button-primary'}
              >
                <Trans>Open enrollment</Trans>
              </OpenButton>
              <a className="button button-quiet" href="/cohorts/preview">
                <Trans>Preview the public page</Trans>
              </a>
            </div>
          </section>
          <section aria-labelledby="how">
            <h2 id="how">
              <Trans>How people enroll</Trans>
            </h2>
            <dl className="mt-4 border-b border-line">
              {rows.map(([label, value]) => (
                <div
                  key={label}
                  className="grid items-center gap-x-4 border-t border-line py-2.5 @min-[34rem]/page:min-h-15 @min-[34rem]/page:grid-cols-[12.5rem_minmax(0,1fr)]"
                >
                  <dt className="text-sm text-muted">{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <div className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-3">
              <OpenEnrollment
                courseId={course.id}
                closed={null}
                pendingLabel={t`One moment…`}
                done={t`Enrollment is still closed. Open it when you’re ready.`}
                className="button"
              >
                <Trans>Change this first</Trans>
              </OpenEnrollment>
              <p className="hint flex-[1_1_16rem]">
                <Trans>
                  Enrollment stays closed until you open it. You can also change all of this later.
                </Trans>
              </p>
            </div>
          </section>
        </div>
        <Cover course={course} lessons={lessons} teacher={teacher} url={url} />
      </div>
      <OpenDialog
        course={course}
        run={{ ...asProposed, hasAbout: course.about !== null, lessonCount: lessons.count }}
        now={now}
      >
        <OpenEnrollment
          courseId={course.id}
          closed={t`Enrollment is closed.`}
          pendingLabel={t`Opening…`}
          done={t`Enrollment is open.`}
          undo={{ label: t`Undo`, done: t`Enrollment is closed.` }}
          className="button button-primary"
        >
          <Trans>Open enrollment</Trans>
        </OpenEnrollment>
      </OpenDialog>
    </>
  );
}

/** How the course introduces itself. */
function Cover({ course, lessons, teacher, url }: Omit<BeforeProps, 'now'>) {
  const { t } = useLingui();
  const count = <span>{lessons.count}</span>;
  const time = <Duration minutes={lessons.minutes} />;
  return (
    <figure className="grid gap-3">
      <div className="booklet">
        <div className="cover" data-hue={course.hue}>
          <p dir="auto">{course.name}</p>
          <small>{t`Start any day`}</small>
        </div>
        <dl className="facts [&>:first-child]:border-t-0 [&_dd]:text-end">
          <div>
            <dt>{t`Lessons`}</dt>
            <dd>
              {lessons.count > 0 ? (
                <Trans>
                  {count}, about {time}
                </Trans>
              ) : (
                <Trans>None yet</Trans>
              )}
            </dd>
          </div>
          <div>
            <dt>{t`Price`}</dt>
            <dd>{t`None`}</dd>
          </div>
          <div>
            <dt>{t`With`}</dt>
            <dd dir="auto">{teacher}</dd>
          </div>
        </dl>
      </div>
      <figcaption className="hint">
        {url === null ? (
          <Trans>
            This is how the course introduces itself. It gets its address when you open enrollment.
          </Trans>
        ) : (
          <>
            <Trans>This is how the course introduces itself. Its address will be</Trans>{' '}
            <span className="text-ink wrap-anywhere" dir="ltr">
              {url.replace(/^https?:\/\//, '')}
            </span>
          </>
        )}
      </figcaption>
    </figure>
  );
}

/** `1 h 30 min` */
function Duration({ minutes }: { minutes: number }) {
  const { i18n } = useLingui();
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const part = (value: number, unit: 'hour' | 'minute') =>
    new Intl.NumberFormat(i18n.locale, { style: 'unit', unit }).format(value);
  return [
    ...(hours > 0 ? [part(hours, 'hour')] : []),
    ...(rest > 0 || hours === 0 ? [part(rest, 'minute')] : []),
  ].join(' ');
}
