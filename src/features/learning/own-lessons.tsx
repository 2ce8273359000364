import { Trans, useLingui } from '@lingui/react/macro';
import { dayIn, dayOfYear } from '#lib/time/words.ts';
import { SettingsSection } from '#ui/settings-section.tsx';
import type { LearnedLesson } from './find-cohort-learning.ts';

type OwnLessonsProps = { lessons: LearnedLesson[]; name: string; timeZone: string };

/** Which lessons someone has opened and done, on their page; nothing without published ones. */
export function OwnLessons({ lessons, name, timeZone }: OwnLessonsProps) {
  const { i18n, t } = useLingui();
  if (lessons.length === 0) {
    return null;
  }
  const who = <bdi>{name}</bdi>;
  const dayOf = (at: number) => (
    <time dateTime={new Date(at).toISOString()}>
      {dayOfYear(dayIn(timeZone, new Date(at)), i18n.locale)}
    </time>
  );
  return (
    <SettingsSection id="person-lessons" title={t`Lessons`} description={t`In this cohort.`}>
      <ol className="events">
        {lessons.map(({ id, title, openedAt, doneAt }) => {
          const opened = openedAt !== null && dayOf(openedAt);
          const done = doneAt !== null && dayOf(doneAt);
          return (
            <li key={id}>
              <span dir="auto">{title}</span>
              <span className="text-muted">
                {opened ? <Trans>Opened on {opened}</Trans> : <Trans>Not opened</Trans>}
                {done && (
                  <>
                    {' · '}
                    <Trans>Done on {done}</Trans>
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ol>
      <p className="hint">
        <Trans>{who} can see this too.</Trans>
      </p>
    </SettingsSection>
  );
}
