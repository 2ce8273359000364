import { Trans, useLingui } from '@lingui/react/macro';
import { timeAgo, timeUntil } from '#lib/relative-time.ts';

type LinkFactsProps = {
  now: Date;
  link: { createdAt: Date; expiresAt: Date; browser?: string | null };
  /** What happened when the link was made. */
  label: string;
};

/** Since when, and for how long, an emailed link works, and from where it was asked for. */
export function LinkFacts({ now, link, label }: LinkFactsProps) {
  const { i18n, t } = useLingui();
  const { createdAt, expiresAt, browser = null } = link;
  return (
    <dl className="frame-facts">
      <dt>{label}</dt>
      <dd>
        <time dateTime={createdAt.toISOString()}>
          {timeAgo(createdAt, now, i18n.locale) ?? t`just now`}
        </time>
      </dd>
      {browser !== null && (
        <>
          <dt>
            <Trans>Browser</Trans>
          </dt>
          <dd>{browser}</dd>
        </>
      )}
      <dt>
        <Trans>Expires</Trans>
      </dt>
      <dd>
        <time dateTime={expiresAt.toISOString()}>{timeUntil(expiresAt, now, i18n.locale)}</time>
      </dd>
    </dl>
  );
}
