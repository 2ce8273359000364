import { Trans } from '@lingui/react/macro';

type CalendarFileProps = { href: string; className: string };

/** Downloads the dates of a published cohort, for everyone. */
export function CalendarFile({ href, className }: CalendarFileProps) {
  return (
    <a className={className} href={href} download>
      <span className="icon icon-download" />
      <Trans>Download the dates</Trans>
    </a>
  );
}
