import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Meeting } from '#features/meetings/schema.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { dayRange, longDate } from '#lib/time/words.ts';
import { Empty } from '#ui/empty.tsx';
import { PrintButton, PrintStyles } from '#ui/print.tsx';

/** Where someone has not completed the cohort. */
export function NotCompleted() {
  const { t } = useLingui();
  return (
    <Empty title={t`Not completed yet.`}>
      <p>
        <Trans>Attestations are for people marked as completed.</Trans>
      </p>
    </Empty>
  );
}

type AttestationProps = {
  cohort: OwnCohort;
  name: string;
  completedAt: Date;
  instructor: string;
  meetings: Meeting[];
  now: Date;
};

/** That someone has completed a cohort, on one sheet of paper to sign. */
export function Attestation(props: AttestationProps) {
  const { cohort, name, completedAt, instructor, meetings, now } = props;
  const { i18n } = useLingui();
  const { locale } = i18n;
  const held = meetings.filter(({ status }) => status !== 'cancelled');
  const minutes = held.reduce((sum, meeting) => sum + meeting.duration_minutes, 0);
  const hours = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(minutes / 60);
  const who = <strong dir="auto">{name}</strong>;
  const course = <strong dir="auto">{cohort.courseName}</strong>;
  const group = <bdi>{cohort.name}</bdi>;
  const days = <span>{dayRange(cohort.starts_on, cohort.ends_on, locale)}</span>;
  const day = <span>{longDate(completedAt, locale)}</span>;
  const today = <span>{longDate(now, locale)}</span>;
  const teacher = <bdi>{instructor}</bdi>;
  const length = <span>{hours}</span>;
  return (
    <div className="grid gap-6" data-sentry-mask>
      <PrintStyles />
      <div className="actions">
        <PrintButton className="button button-primary">
          <Trans>Print</Trans>
        </PrintButton>
      </div>
      <article className="attestation">
        <h2>
          <Trans>Attestation</Trans>
        </h2>
        <p>
          <Trans>
            {who} has completed {course}.
          </Trans>
        </p>
        <p>
          <Trans>
            Cohort: {group}, {days}
          </Trans>
        </p>
        {held.length > 0 && (
          <p>
            <Plural value={held.length} one="# live session" other="# live sessions" />
            {', '}
            <Trans>{length} hours</Trans>
          </p>
        )}
        <p>
          <Trans>Completed on {day}</Trans>
        </p>
        <p className="attestation-sign">
          <span>
            <Trans>
              {teacher}, {today}
            </Trans>
          </span>
        </p>
      </article>
    </div>
  );
}
