import { Trans, useLingui } from '@lingui/react/macro';
import type { OwnCohort } from '#features/planning/find-own-cohort.ts';
import { timeAgo } from '#lib/relative-time.ts';
import { paths } from '#paths.ts';
import { PersonDisc } from '#ui/person-disc.tsx';
import { EventSentence } from './event-sentence.tsx';
import type { Activity } from './find-roster.ts';

type RecentActivityProps = { cohort: OwnCohort; activity: Activity[]; now: Date };

/** What has happened last in a cohort, and to whom. */
export function RecentActivity({ cohort, activity, now }: RecentActivityProps) {
  return (
    <section aria-labelledby="activity" className="activity" data-sentry-mask>
      <h2 id="activity">
        <Trans>Recent activity</Trans>
      </h2>
      <ul className="events">
        {activity.map((event) => {
          const at = new Date(event.at);
          return event.kind === 'erased' ? (
            <li key={`erased ${event.id}`}>
              <span className="avatar" aria-hidden="true" />
              <span>
                {event.actor === 'owner' ? (
                  <Trans>You erased a participant’s data</Trans>
                ) : (
                  <Trans>A participant erased their data</Trans>
                )}
                <When at={at} now={now} />
              </span>
            </li>
          ) : (
            <li key={event.id}>
              <PersonDisc id={event.personId} name={event.name} />
              <span>
                <a href={paths.participant(cohort.id, event.enrollmentId)}>
                  <EventSentence event={event} name={event.name} />
                </a>
                <When at={at} now={now} />
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function When({ at, now }: { at: Date; now: Date }) {
  const { i18n, t } = useLingui();
  return (
    <time className="text-muted" dateTime={at.toISOString()}>
      {timeAgo(at, now, i18n.locale) ?? t`Just now`}
    </time>
  );
}
