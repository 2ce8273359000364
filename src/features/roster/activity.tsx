import { Trans, useLingui } from '@lingui/react/macro';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { timeAgo } from '#lib/relative-time.ts';
import { paths } from '#paths.ts';
import { PersonDisc } from '#ui/person-disc.tsx';
import { EventSentence } from './event-sentence.tsx';
import type { Activity } from './find-roster.ts';

type RecentActivityProps = { cohort: OwnCohort; activity: Activity[]; now: Date };

/** What has happened last in a cohort, and to whom. */
export function RecentActivity({ cohort, activity, now }: RecentActivityProps) {
  const { i18n, t } = useLingui();
  const erased = {
    byOwner: t`You erased a participant’s data`,
    byPerson: t`A participant erased their data`,
  };
  return (
    <section aria-labelledby="activity" className="activity" data-sentry-mask>
      <h2 id="activity">
        <Trans>Recent activity</Trans>
      </h2>
      <ul className="events">
        {activity.map((event) => {
          const at = new Date(event.at);
          return (
            <li key={`${event.kind} ${event.id}`} className="flex-nowrap justify-start">
              {event.kind === 'erased' ? (
                <span className="avatar" aria-hidden="true" />
              ) : (
                <PersonDisc id={event.personId} name={event.name} />
              )}
              <span>
                {event.kind === 'erased' ? (
                  erased[event.actor === 'owner' ? 'byOwner' : 'byPerson']
                ) : (
                  <a href={paths.participant(cohort.id, event.enrollmentId)}>
                    {event.kind === 'completed' ? (
                      <Completed name={event.name} />
                    ) : (
                      <EventSentence event={event} name={event.name} />
                    )}
                  </a>
                )}
                <time className="text-muted" dateTime={at.toISOString()}>
                  {timeAgo(at, now, i18n.locale) ?? t`Just now`}
                </time>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Completed({ name }: { name: string }) {
  const who = <strong dir="auto">{name}</strong>;
  return <Trans>{who} completed the course</Trans>;
}
