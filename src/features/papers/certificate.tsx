import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { CohortKind, CourseHue } from '#db/values.ts';
import type { Attended } from '#features/attendance/who-attends.ts';
import { Mark } from '#features/frames/wordmark.tsx';
import { dayIn, dayRange, longDate } from '#lib/time/words.ts';
import { Empty } from '#ui/empty.tsx';
import { PrintButton, PrintStyles } from '#ui/print.tsx';

/** Where someone has not completed the cohort. */
export function NotCompleted() {
  const { t } = useLingui();
  return (
    <Empty title={t`Not completed yet.`}>
      <p>
        <Trans>Certificates are for people marked as completed.</Trans>
      </p>
    </Empty>
  );
}

type CertificateProps = {
  name: string;
  cohort: {
    kind: CohortKind;
    courseHue: CourseHue;
    courseName: string;
    name: string;
    startsOn: string;
    endsOn: string;
    timeZone: string;
    endsAt: Date;
  };
  completedAt: Date;
  instructor: string;
  attended: Attended;
  now: Date;
};

/** A page to print, which says that someone has completed a cohort or an evergreen course. */
export function Certificate(props: CertificateProps) {
  const { name, cohort, completedAt, instructor, attended, now } = props;
  const { i18n, t } = useLingui();
  const { locale } = i18n;
  const isOver = cohort.endsAt <= now;
  const { sessions, isMarked } = attended;
  const minutes = isMarked ? attended.attendedMinutes : attended.minutes;
  const completedOn = new Date(`${dayIn(cohort.timeZone, completedAt)}T00:00Z`);
  const present = attended.attended;
  const rows = [
    // An open run has the name of its course, and no dates.
    ...(cohort.kind === 'open'
      ? []
      : [
          { label: t`Cohort`, value: cohort.name },
          { label: t`Dates`, value: dayRange(cohort.startsOn, cohort.endsOn, locale) },
        ]),
    ...(sessions === 0
      ? []
      : [
          isMarked
            ? {
                label: isOver ? t`Attended` : t`Attended so far`,
                value: t`${present} of ${sessions} live sessions`,
              }
            : {
                label: isOver ? t`Sessions` : t`Sessions so far`,
                value: <Plural value={sessions} one="# live session" other="# live sessions" />,
              },
          { label: t`Hours`, value: hoursOf(minutes, locale) },
        ]),
    { label: t`Completed on`, value: longDate(completedOn, locale) },
  ];
  return (
    <div className="grid gap-4" data-sentry-mask>
      <PrintStyles />
      {/* A page laid in the cover of its course; always light, as paper is. */}
      <article
        className="certificate cover mt-4 py-3 pr-3 pl-[1.8125rem] text-center font-sans font-normal text-ink scheme-light wrap-anywhere"
        data-hue={cohort.courseHue}
      >
        <div className="grid gap-3 rounded-[0.25rem_0.75rem_0.75rem_0.25rem] bg-surface p-[clamp(1.25rem,5vw,3rem)]">
          <p>
            <Trans>Certificate of completion</Trans>
          </p>
          <h2 className="text-[clamp(1.75rem,7vw,2.5rem)]/[1.15]" dir="auto">
            {name}
          </h2>
          <p>
            <Trans>has completed</Trans>
          </p>
          <h3
            className="font-serif text-[clamp(1.25rem,4.5vw,1.75rem)]/[1.3] text-balance"
            dir="auto"
          >
            {cohort.courseName}
          </h3>
          <dl className="mt-3 border-t border-[#e2ddcf]">
            {rows.map(({ label, value }) => (
              <div
                key={label}
                className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-b border-[#e2ddcf] py-3 text-start"
              >
                <dt className="text-[#625d54]">{label}</dt>
                <dd className="font-medium" dir="auto">
                  {value}
                </dd>
              </div>
            ))}
          </dl>
          <p className="mt-6 flex items-end justify-between gap-4 text-start [&>svg]:size-7 [&>svg]:flex-none [&>svg]:text-accent">
            <strong dir="auto">{instructor}</strong>
            <Mark />
          </p>
        </div>
      </article>
      <div className="actions">
        <PrintButton className="button button-primary button-large w-full">
          <Trans>Print or save as PDF</Trans>
        </PrintButton>
      </div>
      {sessions > 0 && (
        <p className="hint text-center no-print">
          {isMarked ? (
            <Trans>Hours are counted from the sessions you attended.</Trans>
          ) : (
            <Trans>Hours are counted from the sessions that took place.</Trans>
          )}
        </p>
      )}
    </div>
  );
}

/** Hours as they are written: 22½, « 22,5 ». */
function hoursOf(minutes: number, locale: string): string {
  const hours = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(minutes / 60);
  return locale === 'en' ? hours.replace(/^0?(\d*)\.5$/, '$1½') : hours;
}
