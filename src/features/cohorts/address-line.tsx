import { useLingui } from '@lingui/react/macro';
import { CopyButton } from './copy-button.tsx';

/** An address to share, by an id of its own on the page, with a button that copies it. */
export function AddressLine({ id, url }: { id: string; url: string }) {
  const { t } = useLingui();
  return (
    <div className="address-line">
      <span id={id} dir="ltr" data-tip={url}>
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
