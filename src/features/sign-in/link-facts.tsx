import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { timeAgo, timeUntil } from '#lib/relative-time.ts';
import { hueOf } from '#ui/brand.ts';

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
    <dl className="mt-8 grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 border-t border-line pt-4 text-sm/5 [&>dt]:text-muted">
      <dt>{label}</dt>
      <dd>
        <time dateTime={createdAt.toISOString()}>
          {timeAgo(createdAt, now, i18n.locale) ?? t`just now`}
        </time>
      </dd>
      {browser !== null && (
        <>
          <dt>{t`Browser`}</dt>
          <dd>{browser}</dd>
        </>
      )}
      <dt>{t`Expires`}</dt>
      <dd>
        <time dateTime={expiresAt.toISOString()}>{timeUntil(expiresAt, now, i18n.locale)}</time>
      </dd>
    </dl>
  );
}

type AddressCardProps = {
  userId: string;
  /** Masked: people who have the link see no more of its account. */
  address: string;
  note?: ReactNode;
};

/** Whose account an emailed link is for. */
export function AddressCard({ userId, address, note }: AddressCardProps) {
  return (
    <div className="card address-card">
      <span className="avatar avatar-large" data-hue={hueOf(userId)} aria-hidden="true">
        {address.slice(0, 1).toUpperCase()}
      </span>
      <p>
        <strong>{address}</strong>
        {note && <span>{note}</span>}
      </p>
    </div>
  );
}
