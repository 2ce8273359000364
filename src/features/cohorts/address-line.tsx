import { useLingui } from '@lingui/react/macro';
import { CopyButton } from './copy-button.tsx';

/** An address to share, by an id of its own on the page, with a button that copies it. */
export function AddressLine({ id, url }: { id: string; url: string }) {
  const { t } = useLingui();
  return (
    <div className="address-line flex min-h-11 min-w-0 flex-wrap items-center rounded-control border-1 border-rule bg-surface ps-3.5 text-[0.875rem]">
      {/* A long address makes no box around it wider. */}
      <span id={id} className="w-0 min-w-0 flex-[1_1_8rem] truncate" dir="ltr" data-tip={url}>
        {url.replace(/^https?:\/\//, '')}
      </span>
      <CopyButton
        text={url}
        label={t`Copy`}
        copied={t`Copied`}
        shownIn={id}
        className="button button-quiet button-small"
      />
    </div>
  );
}
