import { Trans, useLingui } from '@lingui/react/macro';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { calendarPaths } from './addresses.ts';
import { CalendarLinks } from './calendar-links.tsx';

/** The calendar of all cohorts of an instructor, with its address; null while it is off. */
export function FeedSection({ url }: { url: string | null }) {
  const { t } = useLingui();
  const button = { path: calendarPaths.settings, pendingLabel: t`One moment…` } as const;
  return (
    <section aria-labelledby="calendar" className="course-address">
      <div className="min-w-0">
        <h2 id="calendar" className="font-sans text-base tracking-normal">
          <Trans>Your calendar</Trans>
        </h2>
        <p className="hint">
          <Trans>
            All published cohorts of all your courses, with their live sessions, in the calendar app
            you use.
          </Trans>
        </p>
      </div>
      {url === null ? (
        <div>
          <ChangeButton {...button} done={t`Calendar link created.`} className="button">
            <Trans>Create a calendar link</Trans>
          </ChangeButton>
        </div>
      ) : (
        <div>
          <CalendarLinks id="calendar-address" url={url} />
          <details className="mt-4">
            <summary className="button button-quiet button-small">
              <Trans>Change or turn off the link</Trans>
            </summary>
            <p className="hint my-4">
              <Trans>
                Anyone with the link can read the calendar, including the links to join. Calendars
                subscribed to the old link keep showing what they last loaded, so remove them there.
              </Trans>
            </p>
            <div className="flex flex-wrap gap-3">
              <ChangeButton {...button} done={t`New calendar link created.`} className="button">
                <Trans>Create a new link</Trans>
              </ChangeButton>
              <ChangeButton
                {...button}
                call={{ method: 'DELETE' }}
                done={t`Calendar turned off.`}
                className="button button-danger"
              >
                <Trans>Turn off the calendar</Trans>
              </ChangeButton>
            </div>
          </details>
        </div>
      )}
    </section>
  );
}
