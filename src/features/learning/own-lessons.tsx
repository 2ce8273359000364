import { Trans, useLingui } from '@lingui/react/macro';
import type { CohortKind } from '#db/values.ts';
import { dayIn, dayOfYear } from '#lib/time/words.ts';
import { SettingsSection } from '#ui/settings-section.tsx';
import type { LearnedLesson } from './find-cohort-learning.ts';

type OwnLessonsProps = {
  lessons: LearnedLesson[];
  name: string;
  cohort: { kind: CohortKind; time_zone: string };
};

/** Which lessons someone has opened and done, on their page; nothing without published ones. */
export function OwnLessons({ lessons, name, cohort }: OwnLessonsProps) {
  const { t } = useLingui();
  if (lessons.length === 0) {
    return null;
  }
  const who = <bdi>{name}</bdi>;
  const { kind, time_zone: timeZone } = cohort;
  return (
    <SettingsSection
      id="person-lessons"
      title={t`Lessons`}
      description={kind === 'open' ? t`In this course.` : t`In this cohort.`}
    >
      <ol className="events">
        {lessons.map(({ id, title, openedAt, doneAt }) => (
          <li key={id}>
            <span dir="auto">{title}</span>
            <span className="text-sm text-muted">
              {openedAt === null ? (
                <Trans>Not opened</Trans>
              ) : (
                <Opened openedAt={openedAt} timeZone={timeZone} />
              )}
              {doneAt !== null && (
                <>
                  {' · '}
                  <Done doneAt={doneAt} timeZone={timeZone} />
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
      <p className="hint">
        <Trans>{who} can see this too.</Trans>
      </p>
    </SettingsSection>
  );
}

function Opened({ openedAt, timeZone }: { openedAt: number; timeZone: string }) {
  const day = <Day at={openedAt} timeZone={timeZone} />;
  return <Trans>Opened on {day}</Trans>;
}

function Done({ doneAt, timeZone }: { doneAt: number; timeZone: string }) {
  const day = <Day at={doneAt} timeZone={timeZone} />;
  return <Trans>Done on {day}</Trans>;
}

function Day({ at, timeZone }: { at: number; timeZone: string }) {
  const { i18n } = useLingui();
  const moment = new Date(at);
  return (
    <time dateTime={moment.toISOString()}>{dayOfYear(dayIn(timeZone, moment), i18n.locale)}</time>
  );
}
