import { Trans } from '@lingui/react/macro';
import { AddressLine } from '#features/cohorts/address-line.tsx';
import { webcalOf } from './addresses.ts';

/** The ways to subscribe to a feed. All but copying work without scripts. */
export function CalendarLinks({ id, url }: { id: string; url: string }) {
  const feed = webcalOf(url);
  const google = `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(feed)}`;
  return (
    <div className="calendar-links flex flex-wrap gap-3 py-3">
      <a className="button" href={feed}>
        <Trans>Subscribe</Trans>
      </a>
      <a className="button" href={google} rel="noreferrer">
        <Trans>Google Calendar</Trans>
      </a>
      <a className="button" href={url} download>
        <Trans>Download</Trans>
      </a>
      <div className="public-address w-full">
        <AddressLine id={id} url={url} />
      </div>
      <p className="hint w-full">
        <Trans>
          Calendar apps check for changes on their own schedule: Google once or twice a day, Outlook
          every few hours. Important changes come by email.
        </Trans>
      </p>
    </div>
  );
}

/** Downloads the dates of a published cohort, for everyone. */
export function CalendarFile({ href, className }: { href: string; className: string }) {
  return (
    <a className={className} href={href} download>
      <span className="icon icon-download" />
      <Trans>Download the dates</Trans>
    </a>
  );
}
