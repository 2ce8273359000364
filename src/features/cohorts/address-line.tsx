import { useLingui } from '@lingui/react/macro';
import { CopyButton } from './copy-button.tsx';

type AddressLineProps = {
  /** Of the text, on this page. */
  id: string;
  url: string;
};

/** An address to share, with a button that copies it. */
export function AddressLine({ id, url }: AddressLineProps) {
  const { t } = useLingui();
  return (
    <div>
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
